/*-------------------------------------------------------------------------
 *
 * type_names.h
 *		The names that documents give to the types of their columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TYPE_NAMES_H
#define JSONROW_TYPE_NAMES_H

#include "jsonrow.h"

#include "document/header.h"

extern void HeaderNameTypes(Header *header);

#endif							/* JSONROW_TYPE_NAMES_H */
