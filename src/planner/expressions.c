/*-------------------------------------------------------------------------
 *
 * expressions.c
 *		Expressions that rewrites make.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "planner/expressions.h"
#include "planner/twins.h"
#include "utils/fmgroids.h"

/* expr IS NOT NULL */
Node *
IsNotNull(Node *expr)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) expr;
	test->nulltesttype = IS_NOT_NULL;
	test->location = -1;
	return (Node *) test;
}

Const *
Int8Const(int64 value)
{
	return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

/* coalesce(value, otherwise) */
Node *
Coalesced(Node *value, Node *otherwise)
{
	CoalesceExpr *result = makeNode(CoalesceExpr);

	result->coalescetype = exprType(value);
	result->coalescecollid = exprCollation(value);
	result->args = list_make2(value, otherwise);
	result->location = -1;
	return (Node *) result;
}

/* An aggregate of an argument, or (NULL) of rows, as count(*) is */
Aggref *
AggregateOf(Oid aggregate, Expr *argument, Oid type)
{
	Aggref	   *result = makeNode(Aggref);

	result->aggfnoid = aggregate;
	result->aggtype = type;
	result->aggstar = argument == NULL;
	if (argument != NULL)
	{
		result->aggcollid = result->inputcollid = exprCollation((Node *) argument);
		result->aggargtypes = list_make1_oid(exprType((Node *) argument));
		result->args = list_make1(makeTargetEntry(argument, 1, NULL, false));
	}
	result->aggkind = AGGKIND_NORMAL;
	result->aggsplit = AGGSPLIT_SIMPLE;
	result->aggno = result->aggtransno = -1;
	result->location = -1;
	return result;
}

/* A subquery in an expression */
SubLink *
MakeSubLink(SubLinkType type, Query *query)
{
	SubLink    *sublink = makeNode(SubLink);

	sublink->subLinkType = type;
	sublink->subselect = (Node *) query;
	sublink->location = -1;
	return sublink;
}

/* The row that this Var stood for, of these values */
Node *
RowOf(List *values, const Var *row, List *names)
{
	RowExpr    *result = makeNode(RowExpr);

	result->args = values;
	result->row_typeid = row->vartype;
	result->row_format = COERCE_IMPLICIT_CAST;
	result->colnames = copyObject(names);
	result->location = -1;
	return (Node *) result;
}

/* A NULL of the type that an expression has */
Const *
NullOf(const Node *expr)
{
	return makeNullConst(exprType(expr), exprTypmod(expr), exprCollation(expr));
}

/* CASE WHEN condition THEN value ELSE otherwise END; NULL stands for one that is NULL */
Node *
ValueIf(Node *condition, Node *value, Node *otherwise)
{
	CaseWhen   *when = makeNode(CaseWhen);
	CaseExpr   *result = makeNode(CaseExpr);

	when->expr = (Expr *) condition;
	when->result = (Expr *) value;
	when->location = -1;
	result->casetype = exprType(value);
	result->casecollid = exprCollation(value);
	result->args = list_make1(when);
	result->defresult = otherwise != NULL ? (Expr *) otherwise : (Expr *) NullOf(value);
	result->location = -1;
	return (Node *) result;
}

/* Is a row one of the first of its group, by this key?  Each takes so much of the most, besides the values. */
Node *
IsInSmallGroup(int32 most, int32 size, Node *key, List *values)
{
	Const	   *of_group = makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(most), false, true);
	Const	   *of_row = makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(size), false, true);

	return (Node *) makeFuncExpr(TwinFunction(TWIN_IS_SMALL_GROUP), BOOLOID,
								 list_concat(list_make3(of_group, of_row, copyObject(key)), values),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Is a condition nothing but that? */
bool
OnlyAsksSmallGroup(const Node *condition)
{
	return IsA(condition, FuncExpr) && ((const FuncExpr *) condition)->funcid == TwinFunction(TWIN_IS_SMALL_GROUP);
}

/* A condition that no row meets, but which the planner does not see through */
Node *
Never(void)
{
	Const	   *no_schema = makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(InvalidOid),
									  false, true);

	return (Node *) makeFuncExpr(F_PG_IS_OTHER_TEMP_SCHEMA, BOOLOID, list_make1(no_schema),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Is it this one? */
bool
IsNever(const FuncExpr *call)
{
	return call->funcid == F_PG_IS_OTHER_TEMP_SCHEMA && equal(call, Never());
}

/* row_number() OVER (PARTITION BY ... ORDER BY ...), of rows in a query's order; it has no other window functions. */
Expr *
NumberRows(Query *query, List *partition)
{
	WindowClause *clause = makeNode(WindowClause);
	WindowFunc *call = makeNode(WindowFunc);

	clause->partitionClause = partition;
	clause->orderClause = query->sortClause;
	clause->frameOptions = FRAMEOPTION_NONDEFAULT | FRAMEOPTION_ROWS | FRAMEOPTION_START_UNBOUNDED_PRECEDING |
		FRAMEOPTION_END_CURRENT_ROW;
	clause->winref = call->winref = 1;
	call->winfnoid = F_ROW_NUMBER;
	call->wintype = INT8OID;
	call->location = -1;
	query->windowClause = list_make1(clause);
	query->hasWindowFuncs = true;
	return (Expr *) call;
}
