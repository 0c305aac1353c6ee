/*-------------------------------------------------------------------------
 *
 * may_raise.h
 *		Whether an expression may be computed for more rows than before.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_MAY_RAISE_H
#define JSONROW_MAY_RAISE_H

#include "jsonrow.h"

#include "planner/rewrite.h"
#include "planner/row_shape.h"

/* An expression, at its level: if it is computed for any row, before a sort, or for rows beside those it was computed for */
extern bool ExpressionMayRaise(Level *level, Node *expr);
extern bool MayPrecedeSort(Level *level, Node *expr);
extern bool ValueMayRaise(Level *level, Node *expr);
extern bool HavingMayRaise(Level *level);

/* A query that is read in the one around it: its rows, and what it selects, too; for any row */
extern bool RowsMayRaise(Level *outer, Query *query);
extern bool QueryMayRaise(Level *outer, Query *query);

/* FROM and WHERE of a level, or a part of them: if they are joined, or evaluated, in another order, or other rows of them are read */
extern bool FromMayRaise(Level *level, FromExpr *from, List *rtable, int leading);
extern bool OuterJoinsMayRaise(Level *level);
extern bool OtherRowsMayRaise(Level *level, FromExpr *from);
extern bool ConditionsMayRaise(Level *level, FromExpr *from);
extern bool PoliciesMayRaise(Level *level, List *policies);
extern bool ReadingMayRaise(Level *level, RangeTblEntry *rte);

/* Parts of these questions */
extern bool PartsAreSafe(Level *level, const RowShape *shape);
extern bool IsUnknown(Level *level, Node *expr);
extern bool StaysForEachRow(Level *outer, Query *query);
extern bool SortingMayRaise(List *clauses, List *targets);
extern bool FindingEqualMayRaise(Level *level, Node *joined);
extern bool ComputesItsArguments(Node *node);
extern bool FunctionsBecomeQueries(List *functions);

#endif							/* JSONROW_MAY_RAISE_H */
