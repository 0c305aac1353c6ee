/*-------------------------------------------------------------------------
 *
 * one_row.h
 *		Queries that give at most one row, or exactly one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ONE_ROW_H
#define JSONROW_ONE_ROW_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool GivesOneRow(Level *level);
extern bool GivesNoMoreThanOneRow(Level *level);
extern bool IsOneRowByValue(Level *level, Node *expr);
extern List *UniqueKeysOf(const Query *query, int varno);
extern bool JoinFindsOne(const Query *query, const JoinExpr *join);
extern bool HasUniqueKey(Query *query, int varno);
extern bool IsOlderThanSnapshot(HeapTupleHeader row);
extern bool ColumnIsNeverNull(const RangeTblEntry *rte, AttrNumber attno);

#endif							/* JSONROW_ONE_ROW_H */
