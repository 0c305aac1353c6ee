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

extern bool PartsAreSafe(Level *level, const RowShape *shape);
extern bool MayPrecedeSort(Level *level, Node *expr);
extern bool ComputesItsArguments(Node *node);
extern bool FunctionIsSql(Oid function);
extern bool FunctionIsCompiled(Oid function);
extern bool OperatorMayRaise(OpExpr *op);
extern bool FromMayRaise(Level *level, FromExpr *from, List *rtable);
extern bool RowsMayRaise(Level *outer, Query *query);
extern bool ValueMayRaise(Level *level, Node *expr);
extern bool OtherRowsMayRaise(Level *level, FromExpr *from);
extern bool JoiningMayRaise(Level *level);
extern bool QueryMayRaise(Level *outer, Query *query);
extern bool ExpressionMayRaise(Level *level, Node *expr);

#endif							/* JSONROW_MAY_RAISE_H */
