/*-------------------------------------------------------------------------
 *
 * aggregates.c
 *		What is known about aggregates.
 *
 * Nothing is known about an aggregate that is not listed here.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "planner/aggregates.h"
#include "planner/calls.h"
#include "planner/levels.h"
#include "planner/twins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/*
 * PostgreSQL's own aggregates; min and max have an OID for each type.
 *
 * Each is known to raise no error about its values, whatever they are.  Types for which that is not so are left
 * out by TypeIsFit, and sums and keys of objects in may_raise.c.
 */
static const struct
{
	const char *name;
	EmptyValue	empty;
	bool		gathers;		/* grows with its rows, and has their order */
}			known_aggregates[] = {
	{"array_agg", EMPTY_NULL, true},
	{"avg", EMPTY_NULL, false},
	{"bool_and", EMPTY_NULL, false},
	{"bool_or", EMPTY_NULL, false},
	{"count", EMPTY_ZERO, false},
	{"every", EMPTY_NULL, false},
	{"json_agg", EMPTY_NULL, true},
	{"json_agg_strict", EMPTY_NULL, true},
	{"json_object_agg", EMPTY_NULL, true},
	{"jsonb_agg", EMPTY_NULL, true},
	{"jsonb_agg_strict", EMPTY_NULL, true},
	{"jsonb_object_agg", EMPTY_NULL, true},
	{"max", EMPTY_NULL, false},
	{"min", EMPTY_NULL, false},
	{"string_agg", EMPTY_NULL, true},
	{"sum", EMPTY_NULL, false},
};

/*
 * Is the expression such that any of several equal values is the same, also those of another one?  1.0 and 1.00 are not, nor
 * 0 and -0.  Of such types, others have other texts, which may be keys of objects.
 */
bool
EqualIsSame(const Node *expr)
{
	Oid			typid = exprType(expr);
	Oid			collation = exprCollation(expr);

	switch (typid)
	{
		case NAMEOID:
		case TEXTOID:
		case VARCHAROID:
			return OidIsValid(collation) && get_collation_isdeterministic(collation);
		case BOOLOID:
		case BYTEAOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case UUIDOID:
			return true;
		default:
			return get_typtype(typid) == TYPTYPE_ENUM;
	}
}

static bool JsonbIsSame(const Node *expr);

/* The same of its own values: in numeric(12, 2), all have two digits. */
static bool
EqualValuesAreSame(const Node *expr)
{
	return EqualIsSame(expr) || JsonbIsSame(expr) ||
		(exprType(expr) == NUMERICOID && exprTypmod(expr) >= 0 && !HasVariable((Node *) expr));
}

/* Is it jsonb that is made of such values?  Under keys that are columns, there might be others. */
static bool
JsonbIsSame(const Node *expr)
{
	const FuncExpr *call = (const FuncExpr *) expr;
	Twin		twin = IsA(expr, FuncExpr) ? TwinOfEither(call->funcid) : NO_TWIN;
	ListCell   *cell;

	if (twin != TWIN_JSONB_BUILD_OBJECT && twin != TWIN_JSONB_BUILD_ARRAY && twin != TWIN_TO_JSONB)
		return false;
	check_stack_depth();
	foreach(cell, call->args)
	{
		bool		is_key = twin == TWIN_JSONB_BUILD_OBJECT && foreach_current_index(cell) % 2 == 0;

		if (!IsA(lfirst(cell), Const) && (is_key || !EqualValuesAreSame(lfirst(cell))))
			return false;
	}
	return true;
}

/*
 * May one of PostgreSQL's own aggregates be computed for rows that nobody asked for, in any order?  Sums of floats
 * depend on the order, and so does which of several equal values is the least.  Sums of intervals may overflow, and
 * arrays to be aggregated must have the same size (see below).
 */
static bool
TypeIsFit(const char *name, const Aggref *aggref)
{
	Oid			typid = linitial_oid(aggref->aggargtypes);

	if (strcmp(name, "sum") == 0 || strcmp(name, "avg") == 0)
		return typid == INT2OID || typid == INT4OID || typid == INT8OID || typid == NUMERICOID;
	if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
		return EqualValuesAreSame((Node *) linitial_node(TargetEntry, aggref->args)->expr);
	return strcmp(name, "array_agg") != 0 || !OidIsValid(get_element_type(typid));
}

/* Is it an array of as many values as are written, of which none is an array? */
bool
HasKnownSize(const Node *expr)
{
	const ArrayExpr *array = (const ArrayExpr *) expr;

	return IsA(array, ArrayExpr) && !array->multidims && array->elements != NIL;
}

/* What an aggregate returns for no rows, and whether it gathers them */
static EmptyValue
LookUpAggregate(Aggref *aggref, bool *gathers)
{
	Twin		twin = TwinOfFunction(aggref->aggfnoid);
	char	   *name;

	*gathers = true;
	if (twin >= TWIN_JSONROW_OBJECTS_AGG && twin != NO_TWIN)
		return EMPTY_ARRAY;
	if (twin >= TWIN_JSONROW_AGG && twin != NO_TWIN)
		return EMPTY_DOCUMENT;
	if (twin == TWIN_JSONROW_ARRAY_AGG || twin == TWIN_JSONROW_ARRAY_AGG_JSON)
		return EMPTY_ARRAY;
	if (twin != NO_TWIN)
		return EMPTY_NULL;
	if (aggref->aggfnoid >= FirstUnpinnedObjectId)
		return EMPTY_UNKNOWN;
	name = get_func_name(aggref->aggfnoid);
	for (int i = 0; i < lengthof(known_aggregates); i++)
	{
		if (strcmp(name, known_aggregates[i].name) != 0)
			continue;
		*gathers = known_aggregates[i].gathers;
		return aggref->aggargtypes == NIL ||
			TypeIsFit(name, aggref) ||
			(aggref->aggfnoid == F_ARRAY_AGG_ANYARRAY &&
			 HasKnownSize((Node *) linitial_node(TargetEntry, aggref->args)->expr)) ?
			known_aggregates[i].empty : EMPTY_UNKNOWN;
	}
	return EMPTY_UNKNOWN;
}

/* What does it return for no rows? */
EmptyValue
EmptyValueOf(Aggref *aggref)
{
	bool		gathers;

	return LookUpAggregate(aggref, &gathers);
}

/* Does its result hold something of each of its rows, in their order?  That may be so if nothing is known. */
bool
GathersRows(Aggref *aggref)
{
	bool		gathers;

	return LookUpAggregate(aggref, &gathers) == EMPTY_UNKNOWN || gathers;
}

/* Is its result NULL if there are no rows, and never else?  That of string_agg is, too, if all values are NULL. */
bool
IsNullForNoRows(Aggref *aggref)
{
	return aggref->agglevelsup == 0 && aggref->aggfilter == NULL && GathersRows(aggref) &&
		EmptyValueOf(aggref) == EMPTY_NULL && strcmp(get_func_name(aggref->aggfnoid), "string_agg") != 0;
}

/* May PostgreSQL compute it of some rows, and combine that with what it computes of others? */
bool
MayBePartial(Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	bool		result = aggref->aggorder == NIL && aggref->aggdistinct == NIL &&
		(!HeapTupleIsValid(tuple) || OidIsValid(((Form_pg_aggregate) GETSTRUCT(tuple))->aggcombinefn));

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return result;
}

/* May it compute all aggregates of a query so?  One that it cannot keeps it from that. */
bool
MayBeInParts(List *aggregates)
{
	ListCell   *cell;

	foreach(cell, aggregates)
	{
		if (!MayBePartial(lfirst(cell)))
			return false;
	}
	return true;
}

/* Does it make an object, of which jsonb has only the last value of each key? */
bool
MakesObject(Aggref *aggref)
{
	Twin		twin = TwinOfEither(aggref->aggfnoid);

	return twin == TWIN_JSON_OBJECT_AGG || twin == TWIN_JSONB_OBJECT_AGG;
}

/* Does the order of the rows decide which of equal values DISTINCT leaves? */
bool
DistinctDependsOnOrder(Aggref *aggref)
{
	ListCell   *cell;

	if (aggref->aggdistinct == NIL || EmptyValueOf(aggref) == EMPTY_ZERO)
		return false;
	foreach(cell, aggref->args)
	{
		if (!EqualValuesAreSame((Node *) lfirst_node(TargetEntry, cell)->expr))
			return true;
	}
	return false;
}

static Visit
VisitAggregate(Node *node, int depth, void *context)
{
	List	  **aggregates = context;

	if (!IsA(node, Aggref) || ((Aggref *) node)->agglevelsup != depth)
		return VISIT_CHILDREN;
	*aggregates = lappend(*aggregates, node);
	return VISIT_NEXT;
}

/* All aggregates of a query in an expression, each as often as it occurs; those in subqueries, too */
List *
AggregatesIn(Node *node)
{
	List	   *aggregates = NIL;

	FindInLevels(node, VisitAggregate, &aggregates);
	return aggregates;
}

/* Has a query one whose result depends on the order of the rows, though not as an array does? */
bool
HasInexactAggregate(const Query *query)
{
	ListCell   *cell;

	foreach(cell, AggregatesIn((Node *) list_make2(query->targetList, query->havingQual)))
	{
		Aggref	   *aggref = lfirst(cell);

		if (EmptyValueOf(aggref) == EMPTY_UNKNOWN || DistinctDependsOnOrder(aggref) || MakesObject(aggref))
			return true;
	}
	return false;
}

/* Do a query's aggregates gather rows? */
bool
QueryGathers(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->hasAggs ? AggregatesIn((Node *) list_make2(query->targetList, query->havingQual)) : NIL)
	{
		if (GathersRows(lfirst(cell)))
			return true;
	}
	return false;
}

/* Is it an aggregate of this query level, with nothing that we cannot handle? */
bool
IsPlainAggregate(Aggref *aggref)
{
	return aggref->agglevelsup == 0 && aggref->aggkind == AGGKIND_NORMAL &&
		aggref->aggdistinct == NIL && aggref->aggdirectargs == NIL &&
		!aggref->aggvariadic && !aggref->aggstar && aggref->args != NIL;
}
