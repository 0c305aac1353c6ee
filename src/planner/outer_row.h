/*-------------------------------------------------------------------------
 *
 * outer_row.h
 *		The row around a collection, as one that it reads itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OUTER_ROW_H
#define JSONROW_OUTER_ROW_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern void ReadOuterRow(Level *level, Query *query);

#endif							/* JSONROW_OUTER_ROW_H */
