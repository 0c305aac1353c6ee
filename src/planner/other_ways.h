/*-------------------------------------------------------------------------
 *
 * other_ways.h
 *		Other ways to write collections, what is made of these, and look-ups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OTHER_WAYS_H
#define JSONROW_OTHER_WAYS_H

#include "jsonrow.h"

#include "planner/source.h"
#include "planner/survey.h"

extern bool TakeHaving(Query *query);
extern void WriteAsCollections(Query *query, Rewrite *rewrite);

/* chains.c */
extern Node *ExpandAtDepth(Var *var, int depth, void *context);
extern bool LeavesFirstRow(Level *level);
extern void CountReferences(Query *query);
extern bool WithKeepsApart(Level *level);
extern void TakeCtes(Query *query);
extern void TakeOutOneRow(Level *level);
extern void DropFilters(Level *level);
extern void SimplifyOneRows(Query *query, Rewrite *rewrite);
extern void MergeOneRow(Level *level);

/* exists.c */
extern void AskWhetherRowsExist(Query *query, Rewrite *rewrite);

/* merge.c */
extern bool MayHoldCollections(const Query *query);
extern void MergeOnlyItem(Level *level);
extern void MergeCollections(Level *level);

/* one_group.c */
extern bool HasOneGroup(Level *level, Query *query);
extern void TakeOutGroups(Level *level, Query *query);
extern Query *FindJoinedGroup(Level *level, const JoinExpr *join);

/* outer_row.c; the name of what is read once more */
#define OUTER_ROW	"row"

extern bool ReadsOuterRow(const Query *query);
extern void ReadOuterRow(Level *level, Query *query);

/* to_one.c */
extern bool IsLookUp(Level *level);
extern bool FindsOneWithCollections(Level *level);
extern void DropLimitsOfOne(Level *level);
extern bool JoinsCollections(Level *level);
extern void KeepFromJoining(Level *level);
extern List *LookUpsOf(Level *level);
extern void FindLookUps(Surveyed *surveyed);
extern Source *TableOfLookUp(Query *query, Node **value);
extern bool TakeScalarLookUp(Surveyed *surveyed, Level *level, Query *before, Query *subquery, const char **reason);
extern void DropLimits(Surveyed *surveyed, Level *level, Notes *in_join);

/* value_items.c */
extern void TakeOutValues(Level *level);

#endif							/* JSONROW_OTHER_WAYS_H */
