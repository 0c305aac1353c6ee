/*-------------------------------------------------------------------------
 *
 * valid.h
 *		Does a value fit a header?
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_VALID_H
#define JSONROW_VALID_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/jsonb_walk.h"

extern bool JsonbRowIsValid(const JsonbElement *row, const Header *header);
extern bool JsonbCellIsValid(const JsonbElement *cell, const HeaderColumn *column);

#endif							/* JSONROW_VALID_H */
