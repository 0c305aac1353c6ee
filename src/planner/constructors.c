/*-------------------------------------------------------------------------
 *
 * constructors.c
 *		The constructors of SQL/JSON, which are nodes of their own since 16.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/nodeFuncs.h"
#include "planner/twins.h"

#if CONSTRUCTORS_ARE_NODES
/* Is it around an aggregate, as JSON_ARRAYAGG and JSON_OBJECTAGG are? */
static bool
IsAroundAggregate(const JsonConstructorExpr *constructor)
{
	return (constructor->type == JSCTOR_JSON_ARRAYAGG || constructor->type == JSCTOR_JSON_OBJECTAGG) &&
		IsA(constructor->func, Aggref);
}

/* A coercion of this value; the elements of an array are coerced by an expression of their own */
static Node *
WithValue(Node *node, void *value)
{
	ArrayCoerceExpr *of_array;

	if (node == NULL)
		return NULL;
	if (IsA(node, CaseTestExpr))
		return value;
	if (!IsA(node, ArrayCoerceExpr))
		return expression_tree_mutator(node, WithValue, value);
	of_array = copyObject((ArrayCoerceExpr *) node);
	of_array->arg = (Expr *) WithValue((Node *) of_array->arg, value);
	return (Node *) of_array;
}
#endif

/*
 * The aggregate that JSON_ARRAYAGG or JSON_OBJECTAGG stands for, if it gives
 * the same result as the constructor; NULL for any other expression.
 */
Aggref *
AggregateOfConstructor(Node *node)
{
#if CONSTRUCTORS_ARE_NODES
	JsonConstructorExpr *constructor = (JsonConstructorExpr *) node;

	if (IsA(node, JsonConstructorExpr) && constructor->coercion == NULL && IsAroundAggregate(constructor))
		return (Aggref *) constructor->func;
#endif
	return NULL;
}

/*
 * What JSON_ARRAYAGG and JSON_OBJECTAGG compute, without their node; others as they are.  EXPLAIN takes nothing but an
 * aggregate in that.
 */
Node *
WithoutConstructor(Node *node)
{
#if CONSTRUCTORS_ARE_NODES
	JsonConstructorExpr *constructor = (JsonConstructorExpr *) node;

	if (!IsAroundAggregate(constructor))
		return node;
	return constructor->coercion == NULL ? (Node *) constructor->func :
		WithValue((Node *) constructor->coercion, constructor->func);
#else
	return node;
#endif
}

/*
 * The arguments of JSON_OBJECT (keys and values in turn) or JSON_ARRAY, if it
 * does the same as json[b]_build_object or _array, and our function that does so;
 * NIL for any other expression.
 */
List *
ArgumentsOfConstructor(Node *node, Twin *twin)
{
	List	   *args = NIL;
#if CONSTRUCTORS_ARE_NODES
	JsonConstructorExpr *constructor = (JsonConstructorExpr *) node;
	bool		jsonb;
	ListCell   *cell;

	if (!IsA(node, JsonConstructorExpr) || constructor->func != NULL ||
		(constructor->type != JSCTOR_JSON_OBJECT && constructor->type != JSCTOR_JSON_ARRAY) ||
		constructor->absent_on_null || constructor->unique || constructor->coercion != NULL ||
		constructor->returning->typid !=
		(constructor->returning->format->format_type == JS_FORMAT_JSONB ? JSONBOID : JSONOID))
		return NIL;
	jsonb = constructor->returning->typid == JSONBOID;
	if (constructor->type == JSCTOR_JSON_OBJECT)
		*twin = jsonb ? TWIN_JSONB_BUILD_OBJECT : TWIN_JSON_BUILD_OBJECT;
	else
		*twin = jsonb ? TWIN_JSONB_BUILD_ARRAY : TWIN_JSON_BUILD_ARRAY;
	foreach(cell, constructor->args)
	{
		Node	   *arg = lfirst(cell);

		if (IsA(arg, JsonValueExpr))
			arg = (Node *) ((JsonValueExpr *) arg)->formatted_expr;
		if (arg == NULL)
			return NIL;
		args = lappend(args, arg);
	}
#endif
	return args;
}
