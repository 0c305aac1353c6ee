/*-------------------------------------------------------------------------
 *
 * calls.h
 *		Functions, operators and casts that raise no error, and reveal nothing.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_CALLS_H
#define JSONROW_CALLS_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool CallMayRaise(Level *level, const FuncExpr *call);
extern bool OperatorMayRaise(Level *level, OpExpr *op);
extern bool ArrayOperatorMayRaise(const ScalarArrayOpExpr *op);
extern bool RowComparisonMayRaise(const RowCompareExpr *comparison);
extern bool MinMaxMayRaise(const MinMaxExpr *expr);
extern bool PrintingMayFail(Oid typid);
extern bool CastToTextIsSafe(CoerceViaIO *cast);
extern bool IsElementOfArray(const SubscriptingRef *ref);
extern bool IsNow(Node *node);
extern bool FamiliesAreBuiltIn(Oid operator);
extern bool LacksCollation(Node *expr);

#endif							/* JSONROW_CALLS_H */
