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

/* Is a function one of these? */
static inline bool
IsListed(Oid function, const Oid *functions, int n)
{
	for (int i = 0; i < n; i++)
		if (functions[i] == function)
			return true;
	return false;
}

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

/* digits.c: a numeric may have 131,072 digits before the point, and 16,383 after it. */
#define MANY_DIGITS			10000

/* With fewer, before and after the point, a floating-point number is neither too large nor too near to 0. */
#define DIGITS_OF_FLOAT4	37
#define DIGITS_OF_FLOAT8	300

extern bool IsPositive(const Node *expr);
extern bool HasVariable(Node *expr);
extern bool HasFewDigits(Node *expr, int many);
extern bool DividesIntegers(const OpExpr *op);

#endif							/* JSONROW_CALLS_H */
