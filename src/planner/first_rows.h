/*-------------------------------------------------------------------------
 *
 * first_rows.h
 *		LIMIT and OFFSET of each group.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FIRST_ROWS_H
#define JSONROW_FIRST_ROWS_H

#include "jsonrow.h"

#include "planner/rewrite.h"
#include "planner/source.h"

extern bool CanCutGroups(Level *level);
extern bool DropEmptyLimit(Level *level, Query *query);
extern int64 UnreachedLimit(Level *level, const Source *source);
extern void CutGroups(Level *level, Source *source);

#endif							/* JSONROW_FIRST_ROWS_H */
