/*-------------------------------------------------------------------------
 *
 * constructors.c
 *		The constructors of SQL/JSON, which are nodes of their own since 16.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "planner/constructors.h"

/*
 * The aggregate that JSON_ARRAYAGG or JSON_OBJECTAGG stands for, if it gives
 * the same result as the constructor; NULL for any other expression.
 */
Aggref *
AggregateOfConstructor(Node *node)
{
#if CONSTRUCTORS_ARE_NODES
	JsonConstructorExpr *constructor = (JsonConstructorExpr *) node;

	if (IsA(node, JsonConstructorExpr) && constructor->coercion == NULL &&
		(constructor->type == JSCTOR_JSON_ARRAYAGG ||
		 constructor->type == JSCTOR_JSON_OBJECTAGG) &&
		IsA(constructor->func, Aggref))
		return (Aggref *) constructor->func;
#endif
	return NULL;
}

/*
 * The arguments of JSON_OBJECT (keys and values in turn) or JSON_ARRAY, if it
 * does the same as json[b]_build_object or _array; NIL for any other
 * expression.
 */
List *
ArgumentsOfConstructor(Node *node, bool *is_object)
{
	List	   *args = NIL;
#if CONSTRUCTORS_ARE_NODES
	JsonConstructorExpr *constructor = (JsonConstructorExpr *) node;
	ListCell   *cell;

	if (!IsA(node, JsonConstructorExpr) || constructor->func != NULL ||
		(constructor->type != JSCTOR_JSON_OBJECT && constructor->type != JSCTOR_JSON_ARRAY) ||
		constructor->absent_on_null || constructor->unique || constructor->coercion != NULL ||
		constructor->returning->typid !=
		(constructor->returning->format->format_type == JS_FORMAT_JSONB ? JSONBOID : JSONOID))
		return NIL;
	*is_object = constructor->type == JSCTOR_JSON_OBJECT;
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
