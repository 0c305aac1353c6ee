/*-------------------------------------------------------------------------
 *
 * conditions.c
 *		Conditions that rewrites make.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "planner/conditions.h"

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

/* CASE WHEN condition THEN value END */
Node *
ValueIf(Node *condition, Node *value)
{
	CaseWhen   *when = makeNode(CaseWhen);
	CaseExpr   *result = makeNode(CaseExpr);

	when->expr = (Expr *) condition;
	when->result = (Expr *) value;
	when->location = -1;
	result->casetype = exprType(value);
	result->casecollid = exprCollation(value);
	result->args = list_make1(when);
	result->defresult = (Expr *) makeNullConst(exprType(value), exprTypmod(value), exprCollation(value));
	result->location = -1;
	return (Node *) result;
}
