/*-------------------------------------------------------------------------
 *
 * parents.h
 *		A query's rows, read once more.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PARENTS_H
#define JSONROW_PARENTS_H

#include "jsonrow.h"

#include "planner/collection.h"
#include "planner/rewrite.h"
#include "planner/survey.h"

extern bool ComputeOnce(Level *level);
extern bool LeavesKeys(const Query *query, const JoinExpr *join, const Node *item);
extern bool NeedsRowsOnce(Level *level);
extern bool RowsRepeat(Level *level, Query *query);
extern bool NeedsParents(const Query *parents, const Collection *collection);
extern bool ParentsMayRaise(Level *level, const Query *parents, const Collection *collection);
extern bool CanRepeatParents(Level *level, const Query *parents, const Collection *collection);
extern Query *RepeatParents(Level *level, const Query *parents, const Collection *collection);
extern bool GrowsBelow(const Survey *survey, Level *level);
extern void ForgetNumbers(Query *query);

/* restriction.c */
extern bool ReadsRestricted(const Query *query);
extern double ShareWithKey(Level *level, const Key *key);
extern void RestrictLargeGroups(Level *level);

#endif							/* JSONROW_PARENTS_H */
