/*-------------------------------------------------------------------------
 *
 * chains.h
 *		Queries of the one row of another.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_CHAINS_H
#define JSONROW_CHAINS_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"
#include "planner/rewrite.h"

extern Node *ExpandAtDepth(Var *var, int depth, void *context);
extern void CountReferences(Query *query, const char *name);
extern bool WithKeepsApart(Level *level);
extern void TakeCtes(Query *query);
extern void TakeOutOneRow(Level *level);
extern void DropFilters(Query *query, Rewrite *rewrite);
extern void SimplifyOneRows(Query *query, Rewrite *rewrite);
extern void MergeOneRow(Level *level);

#endif							/* JSONROW_CHAINS_H */
