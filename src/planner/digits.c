/*-------------------------------------------------------------------------
 *
 * digits.c
 *		How many digits a number may have.
 *
 * Arithmetic with a numeric is an error if the result is too large.  That of a
 * numeric(10, 2), and of an integer, never is: quantity * price.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "planner/calls.h"
#include "planner/levels.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

static int	DigitsOf(Node *expr, int *visits);

/* Of these, division and rounding give at most so many after the point. */
#define DIGITS_AFTER_POINT	2000

/* In an expression that is larger than this, they are not counted. */
#define MAX_VISITS			100

/* Those of any integer */
#define DIGITS_OF_INTEGER	19

/* Those of a numeric(precision, scale), before and after the point: a scale below 0 is zeros before it. */
static int
DigitsOfType(int32 typmod)
{
	int			precision = ((typmod - VARHDRSZ) >> 16) & 0xffff;
	int			scale = (((typmod - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;

	return precision + abs(scale);
}

/* Is it an integer that becomes a number of another type? */
static bool
IsWidened(const Node *expr)
{
	static const Oid casts[] = {F_INT8_INT4, F_NUMERIC_INT2, F_NUMERIC_INT4, F_NUMERIC_INT8};

	return IsA(expr, FuncExpr) && IsListed(((const FuncExpr *) expr)->funcid, casts, lengthof(casts));
}

/* Is it a constant above 0? */
bool
IsPositive(const Node *expr)
{
	const Const *constant;

	if (IsWidened(expr))
		expr = linitial(((const FuncExpr *) expr)->args);
	constant = (const Const *) expr;
	if (!IsA(expr, Const) || constant->constisnull)
		return false;
	switch (constant->consttype)
	{
		case INT4OID:
			return DatumGetInt32(constant->constvalue) > 0;
		case INT8OID:
			return DatumGetInt64(constant->constvalue) > 0;
		case NUMERICOID:
			return DatumGetBool(DirectFunctionCall2(numeric_gt, constant->constvalue,
													DirectFunctionCall1(int4_numeric, Int32GetDatum(0))));
		default:
			return false;
	}
}

static int
DigitsOfOperator(const OpExpr *op, int *visits)
{
	int			digits = DigitsOf(linitial(op->args), visits);

	if (list_length(op->args) > 1)
		digits += DigitsOf(lsecond(op->args), visits);
	switch (get_opcode(op->opno))
	{
		case F_NUMERIC_ADD:
		case F_NUMERIC_SUB:
		case F_NUMERIC_MUL:
		case F_NUMERIC_UMINUS:
			return digits + 1;
		case F_NUMERIC_DIV:
			return IsPositive(llast(op->args)) ? digits + DIGITS_AFTER_POINT : MANY_DIGITS;
		default:
			return MANY_DIGITS;
	}
}

static int
DigitsOfCall(const FuncExpr *call, int *visits)
{
	static const Oid rounding[] = {
		F_ABS_NUMERIC, F_ROUND_NUMERIC_INT4, F_TRUNC_NUMERIC_INT4, F_ROUND_NUMERIC, F_TRUNC_NUMERIC,
		F_CEIL_NUMERIC, F_CEILING_NUMERIC, F_FLOOR_NUMERIC
	};

	if (IsWidened((const Node *) call))
		return DIGITS_OF_INTEGER;
	return IsListed(call->funcid, rounding, lengthof(rounding)) ?
		DigitsOf(linitial(call->args), visits) + DIGITS_AFTER_POINT : MANY_DIGITS;
}

/* Those of an average are counted as if it were the sum: it is no nearer to 0 than that of one value, divided by the number of rows. */
static int
DigitsOfAggregate(const Aggref *aggref, int *visits)
{
	Node	   *arg = aggref->args != NIL ? (Node *) linitial_node(TargetEntry, aggref->args)->expr : NULL;

	switch (aggref->aggfnoid)
	{
		case F_SUM_INT8:
		case F_AVG_INT2:
		case F_AVG_INT4:
		case F_AVG_INT8:
			return DIGITS_OF_INTEGER * 2;
		case F_SUM_NUMERIC:
		case F_AVG_NUMERIC:
			return DigitsOf(arg, visits) + DIGITS_OF_INTEGER;
		case F_MIN_NUMERIC:
		case F_MAX_NUMERIC:
			return DigitsOf(arg, visits);
		default:
			return MANY_DIGITS;
	}
}

static Visit
VisitVariable(Node *node, int depth, void *context)
{
	return IsA(node, Param) && ((Param *) node)->paramtypmod >= 0 ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Does it depend on a variable?  What PL/pgSQL says of that one's precision and scale may be of what a record held before. */
bool
HasVariable(Node *expr)
{
	return FindInLevels(expr, VisitVariable, NULL);
}

/* How many digits a numeric has at most, before and after the point; MANY_DIGITS or more if that is not known */
static int
DigitsOf(Node *expr, int *visits)
{
	int			most = 0;
	ListCell   *cell;

	if (exprType(expr) != NUMERICOID || ++*visits > MAX_VISITS)
		return MANY_DIGITS;
	switch (nodeTag(expr))
	{
		case T_Const:
			return ((Const *) expr)->constisnull ? 0 :
				strlen(DatumGetCString(DirectFunctionCall1(numeric_out, ((Const *) expr)->constvalue)));
		case T_OpExpr:
			return DigitsOfOperator((OpExpr *) expr, visits);
		case T_Aggref:
			return DigitsOfAggregate((Aggref *) expr, visits);
		case T_CoalesceExpr:
			foreach(cell, ((CoalesceExpr *) expr)->args)
			{
				int			digits = DigitsOf(lfirst(cell), visits);

				most = Max(most, digits);
			}
			return most;
		default:
			if (exprTypmod(expr) >= 0 && !HasVariable(expr))
				return DigitsOfType(exprTypmod(expr));
			return IsA(expr, FuncExpr) ? DigitsOfCall((FuncExpr *) expr, visits) : MANY_DIGITS;
	}
}

/* Has a numeric fewer digits than so many?  If they are not MANY_DIGITS, it and sums of it are never too large. */
bool
HasFewDigits(Node *expr, int many)
{
	int			visits = 0;

	return DigitsOf(expr, &visits) < many;
}

/* Does an operator give the quotient of integers, or the rest, where the divisor is a number above 0? */
bool
DividesIntegers(const OpExpr *op)
{
	static const Oid divisions[] = {F_INT4DIV, F_INT8DIV, F_INT84DIV, F_INT4MOD, F_INT8MOD};

	return IsListed(get_opcode(op->opno), divisions, lengthof(divisions)) && IsPositive(llast(op->args));
}
