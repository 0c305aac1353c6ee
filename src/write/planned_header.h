/*-------------------------------------------------------------------------
 *
 * planned_header.h
 *		What the plan of the query says of a document's columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PLANNED_HEADER_H
#define JSONROW_PLANNED_HEADER_H

#include "jsonrow.h"

#include "document/header.h"

extern Header *PlannedHeader(FunctionCallInfo fcinfo);

#endif							/* JSONROW_PLANNED_HEADER_H */
