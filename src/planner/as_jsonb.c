/*-------------------------------------------------------------------------
 *
 * as_jsonb.c
 *		JSON text that would be parsed again, as jsonb from the start.
 *
 * (json_agg(x))::jsonb is the same as jsonb_agg(x) if every value within gives
 * the same result either way.  Values of type json do, too, but an error in
 * one would be raised at another time: before the next value is computed.
 * Nothing is changed where the text is wanted, too, because
 *
 *	SELECT (json_agg(x))::jsonb FROM t HAVING json_array_length(json_agg(x)) > 1
 *
 * computes one aggregate, not two, and another cost might bring another plan.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_coerce.h"
#include "planner/aggregates.h"
#include "planner/calls.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

static Node *LeafAsJsonb(Level *level, Node *expr);

/* TypeConvertsAlike for all columns of a row type */
static bool
ColumnsConvertAlike(Level *level, Oid typid, bool in_text)
{
	TupleDesc	tupdesc = VisitsTooMany(level) ? NULL : lookup_rowtype_tupdesc_noerror(typid, -1, true);
	bool		result = true;

	if (tupdesc == NULL)
		return false;
	for (int i = 0; result && i < tupdesc->natts; i++)
		result = TupleDescAttr(tupdesc, i)->attisdropped ||
			TypeConvertsAlike(level, TupleDescAttr(tupdesc, i)->atttypid, in_text);
	ReleaseTupleDesc(tupdesc);
	DependOnType(level, typid);
	return result;
}

/*
 * Does a value of this type give the same JSON as text and as jsonb, for certain, and
 * without parsing stored JSON text?  in_text says that only text is needed;
 * then JSON text is just copied.
 */
bool
TypeConvertsAlike(Level *level, Oid typid, bool in_text)
{
	Oid			element;
	Oid			function;

	check_stack_depth();
	typid = getBaseType(typid);
	element = get_element_type(typid);
	if (OidIsValid(element))
		return TypeConvertsAlike(level, element, in_text);
	switch (get_typtype(typid))
	{
		case TYPTYPE_COMPOSITE:
			return ColumnsConvertAlike(level, typid, in_text);
		case TYPTYPE_ENUM:
		case TYPTYPE_RANGE:
		case TYPTYPE_MULTIRANGE:
		case TYPTYPE_BASE:
			if (typid == JSONOID)
				return in_text;
			/* A "char" may be half a character. */
			if (typid == CHAROID || PrintingMayFail(typid))
				return false;
			return typid < FirstNormalObjectId ||
				find_coercion_pathway(JSONOID, typid, COERCION_EXPLICIT, &function) != COERCION_PATH_FUNC;
		default:
			return typid == UNKNOWNOID;
	}
}

/* The same for an expression; a row is examined column by column. */
bool
ConvertsAlike(Level *level, Node *expr, bool in_text)
{
	List	   *values;
	ListCell   *cell;

	if (exprType(expr) != RECORDOID)
		return TypeConvertsAlike(level, exprType(expr), in_text);
	values = ValuesOfRow(level, expr);
	foreach(cell, values)
	{
		if (!ConvertsAlike(level, lfirst(cell), in_text))
			return false;
	}
	return values != NIL;
}

/* The functions that make jsonb from the same arguments as those that make json; InvalidOid for all others */
static const Oid jsonb_functions[NTWINS + 1] = {
	[TWIN_JSON_BUILD_ARRAY] = F_JSONB_BUILD_ARRAY_ANY,
	[TWIN_JSON_BUILD_OBJECT] = F_JSONB_BUILD_OBJECT_ANY,
	[TWIN_ROW_TO_JSON] = F_TO_JSONB,
	[TWIN_TO_JSON] = F_TO_JSONB,
	[TWIN_JSON_AGG] = F_JSONB_AGG,
	[TWIN_JSON_AGG_STRICT] = F_JSONB_AGG_STRICT,
};

/*
 * The arguments of a constructor.  The error for a NULL key is worded
 * differently, so keys must be constants.
 */
static bool
ArgumentsAsJsonb(Level *level, FuncExpr *call, List **args)
{
	bool		keys = TwinOf(call->funcid) == TWIN_JSON_BUILD_OBJECT;
	ListCell   *cell;

	if (keys && list_length(call->args) % 2 != 0)
		return false;
	*args = NIL;
	foreach(cell, call->args)
	{
		Node	   *arg = lfirst(cell);

		if (!keys || foreach_current_index(cell) % 2 != 0)
			arg = LeafAsJsonb(level, arg);
		else if (KnownText(level, arg) == NULL)
			return false;
		if (arg == NULL)
			return false;
		*args = lappend(*args, arg);
	}
	return true;
}

/* A constructor of one value */
static Node *
CallAsJsonb(Level *level, FuncExpr *call)
{
	Oid			function = jsonb_functions[TwinOf(call->funcid)];
	List	   *args;

	if (!OidIsValid(function) || call->funcvariadic || call->funcretset ||
		!ArgumentsAsJsonb(level, call, &args) ||
		!MayReplace(level, call->funcid) || !MayReplace(level, function))
		return NULL;
	return (Node *) makeFuncExpr(function, JSONBOID, args, call->funccollid, call->inputcollid, call->funcformat);
}

/* json_agg */
static Node *
AggregateAsJsonb(Level *level, Aggref *aggref)
{
	Oid			function = jsonb_functions[TwinOf(aggref->aggfnoid)];
	TargetEntry *argument;
	Node	   *leaf;
	Aggref	   *result;

	if (!OidIsValid(function) || !IsPlainAggregate(aggref))
		return NULL;
	argument = flatCopyTargetEntry(linitial_node(TargetEntry, aggref->args));
	leaf = LeafAsJsonb(level, (Node *) argument->expr);
	if (leaf == NULL || (leaf != (Node *) argument->expr && argument->ressortgroupref != 0) ||
		!MayReplace(level, aggref->aggfnoid) || !MayReplace(level, function))
		return NULL;
	argument->expr = (Expr *) leaf;
	result = makeNode(Aggref);
	*result = *aggref;
	result->aggfnoid = function;
	result->aggtype = JSONBOID;
	result->aggargtypes = list_make1_oid(exprType((Node *) argument->expr));
	result->args = lcons(argument, list_copy_tail(aggref->args, 1));
	return (Node *) result;
}

/* NULL, [] or {}; other constants may be invalid */
static Node *
ConstAsJsonb(Const *value)
{
	char	   *json;

	if (value->consttype != JSONOID)
		return NULL;
	if (value->constisnull)
		return (Node *) makeNullConst(JSONBOID, -1, InvalidOid);
	json = TextDatumGetCString(value->constvalue);
	if (strcmp(json, "[]") != 0 && strcmp(json, "{}") != 0)
		return NULL;
	return (Node *) makeConst(JSONBOID, -1, InvalidOid, -1,
							  DirectFunctionCall1(jsonb_in, CStringGetDatum(json)), false, false);
}

/* A coalesce, as tools put it around an aggregate */
static Node *
CoalesceAsJsonb(Level *level, CoalesceExpr *coalesce)
{
	CoalesceExpr *result = makeNode(CoalesceExpr);
	ListCell   *cell;

	*result = *coalesce;
	result->coalescetype = JSONBOID;
	result->args = NIL;
	foreach(cell, coalesce->args)
	{
		Node	   *arg = AsJsonb(level, lfirst(cell));

		if (arg == NULL)
			return NULL;
		result->args = lappend(result->args, arg);
	}
	return (Node *) result;
}

/*
 * An expression of type json as one of type jsonb, with PostgreSQL's own
 * functions; NULL if it is not certain to be the same.  The expression itself
 * is not changed.
 */
Node *
AsJsonb(Level *level, Node *expr)
{
	check_stack_depth();
	switch (nodeTag(expr))
	{
		case T_FuncExpr:
			return CallAsJsonb(level, (FuncExpr *) expr);
		case T_Aggref:
			return AggregateAsJsonb(level, (Aggref *) expr);
		case T_CoalesceExpr:
			return CoalesceAsJsonb(level, (CoalesceExpr *) expr);
		case T_Const:
			return ConstAsJsonb((Const *) expr);
		default:
			expr = (Node *) AggregateOfConstructor(expr);
			return expr ? AggregateAsJsonb(level, (Aggref *) expr) : NULL;
	}
}

/*
 * The expression to use as a part of jsonb instead of this JSON text, or NULL
 */
static Node *
LeafAsJsonb(Level *level, Node *expr)
{
	if (exprType(expr) == JSONOID)
		return AsJsonb(level, expr);
	return ConvertsAlike(level, expr, false) ? expr : NULL;
}
