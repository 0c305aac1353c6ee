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

/* The name of what is read once more */
#define OUTER_ROW	"row"

extern bool ReadsOuterRow(const Query *query);
extern void ReadOuterRow(Level *level, Query *query);

#endif							/* JSONROW_OUTER_ROW_H */
