/*-------------------------------------------------------------------------
 *
 * stopping.h
 *		What is not computed for all rows, because somebody stops before.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_STOPPING_H
#define JSONROW_STOPPING_H

#include "jsonrow.h"

#include "nodes/primnodes.h"
#include "planner/rewrite.h"

extern bool AggregatesReadAll(Query *query);
extern bool EntryMayRaise(Level *level, const TargetEntry *entry);
extern bool IsSortKey(const Query *query, const TargetEntry *entry);
extern bool MayComeSorted(Level *level);
extern bool SortKeysMayRaise(Level *level);
extern bool ValuesMayRaise(Level *level);

#endif							/* JSONROW_STOPPING_H */
