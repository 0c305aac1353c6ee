/*-------------------------------------------------------------------------
 *
 * rewrite.c
 *		Our functions in the places of PostgreSQL's.
 *
 * Only where values are computed to be given back: in target lists, and in
 * the arguments of aggregates.  A condition may be one that an index has.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/as_jsonb.h"
#include "planner/early.h"
#include "planner/pull_up.h"
#include "planner/rewrite.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "utils/lsyscache.h"

static Node *RewriteExpr(Node *node, void *context);
static void RewriteLevel(Query *query, Level *outer, Rewrite *rewrite);

/* May a function of PostgreSQL's be replaced?  If so, the plan depends on it. */
bool
MayReplace(Level *level, Oid function)
{
	List	  **functions = &level->rewrite->functions;

	if (list_member_oid(*functions, function))
		return true;
	if (!AnybodyMayCall(function))
		return false;
	*functions = lappend_oid(*functions, function);
	return true;
}

/* The plan depends on the columns of a row type, too: their names are in it. */
void
DependOnType(Level *level, Oid typid)
{
	List	  **relations = &level->rewrite->relations;

	*relations = list_append_unique_oid(*relations, get_typ_typrelid(getBaseType(typid)));
}

/* All of them? */
static bool
MayReplaceAll(Level *level, List *functions)
{
	ListCell   *cell;

	foreach(cell, functions)
	{
		if (!MayReplace(level, lfirst_oid(cell)))
			return false;
	}
	return true;
}

/* Is it an aggregate of this query level in which nothing stands that we do not know? */
bool
IsPlainAggregate(Aggref *aggref)
{
	return aggref->agglevelsup == 0 && aggref->aggkind == AGGKIND_NORMAL &&
		aggref->aggdistinct == NIL && aggref->aggdirectargs == NIL &&
		!aggref->aggvariadic && !aggref->aggstar && aggref->args != NIL;
}

/* The function that takes names and values in place of what an aggregate is over */
static Twin
TwinOverValues(Twin aggregate, ShapeKind kind)
{
	bool		jsonb = aggregate == TWIN_JSONB_AGG || aggregate == TWIN_JSONB_AGG_STRICT;

	if (aggregate >= TWIN_JSONROW_AGG)
		return kind == SHAPE_ROW ? aggregate + 1 : NO_TWIN;
	switch (kind)
	{
		case SHAPE_ROW:
			return jsonb ? TWIN_JSONB_AGG_NAMED : TWIN_JSON_AGG_NAMED;
		case SHAPE_ROW_TO_JSON:
			return jsonb ? NO_TWIN : TWIN_JSON_AGG_ROW_TO_JSON;
		case SHAPE_JSON_OBJECT:
			return jsonb ? NO_TWIN : TWIN_JSON_AGG_BUILD_OBJECT;
		case SHAPE_JSON_ARRAY:
			return jsonb ? NO_TWIN : TWIN_JSON_AGG_BUILD_ARRAY;
		case SHAPE_ROW_TO_JSONB:
		case SHAPE_JSONB_OBJECT:
			return jsonb ? TWIN_JSONB_AGG_NAMED : NO_TWIN;
		case SHAPE_JSONB_ARRAY:
			return jsonb ? TWIN_JSONB_AGG_BUILD_ARRAY : NO_TWIN;
	}
	return NO_TWIN;
}

/* Values as a function's arguments, with the names before them if it has any */
static List *
ArgumentsOf(RowShape *shape)
{
	if (shape->names == NIL)
		return shape->values;
	return lcons(NamesConst(shape->names), shape->values);
}

/*
 * Give an aggregate of one argument others.  What it sorts by follows, so that
 * its numbers change, but not what the sort clauses go by.
 */
static void
SetAggregateArguments(Aggref *aggref, List *values)
{
	List	   *args = NIL;
	ListCell   *cell;

	aggref->aggargtypes = NIL;
	foreach(cell, values)
	{
		Expr	   *value = lfirst(cell);

		args = lappend(args, makeTargetEntry(value, list_length(args) + 1, NULL, false));
		aggref->aggargtypes = lappend_oid(aggref->aggargtypes, exprType((Node *) value));
	}
	for_each_from(cell, aggref->args, 1)
	{
		TargetEntry *key = lfirst_node(TargetEntry, cell);

		key->resno = list_length(args) + 1;
		args = lappend(args, key);
	}
	aggref->args = args;
}

/* jsonb_agg parses JSON text that it is given: give it jsonb, if that is the same. */
static void
ParseNothing(Level *level, Aggref *aggref, Twin twin)
{
	TargetEntry *argument = linitial_node(TargetEntry, aggref->args);
	Node	   *jsonb;

	if ((twin != TWIN_JSONB_AGG && twin != TWIN_JSONB_AGG_STRICT) ||
		exprType((Node *) argument->expr) != JSONOID)
		return;
	jsonb = AsJsonb(level, (Node *) argument->expr);
	if (jsonb == NULL)
		return;
	argument->expr = (Expr *) jsonb;
	aggref->aggargtypes = list_make1_oid(JSONBOID);
}

/*
 * Since 16 rows are sorted before they come to an aggregate that wants that: if
 * it has a FILTER, only if its arguments are columns.  The values of a row that
 * is taken apart mostly are; and so the order of ties would change, and that of
 * the rows that other aggregates see.
 */
static bool
WouldBePresorted(Aggref *aggref)
{
	return AGGREGATES_ARE_PRESORTED && aggref->aggorder != NIL && aggref->aggfilter != NULL;
}

/*
 * May a row be taken apart for one of our own aggregates?  What is nested in a
 * document is found out from the rows, and without any from the plan; so it must
 * be told by the types alone, and these must stay.  Objects have no header.
 */
static bool
TypesTellHeader(Level *level, Twin twin, Node *row, RowShape *shape)
{
	DocumentDomains domains = DocumentDomainsLookup();
	bool		table = IsA(row, Var) &&
		rt_fetch(((Var *) row)->varno, level->query->rtable)->rtekind == RTE_RELATION;
	ListCell   *cell;

	if (!IsA(row, Var) && !IsA(row, RowExpr))
		return false;
	if (twin >= TWIN_JSONROW_OBJECTS_AGG)
		return true;
	foreach(cell, shape->values)
	{
		Oid			typid = exprType(lfirst(cell));

		if (type_is_rowtype(getBaseType(typid)) ||
			(!table && DocumentKindOf(typid, &domains) != NO_DOCUMENT))
			return false;
	}
	return true;
}

/*
 * Find the values that an aggregate is over, at this level or below.  If it
 * sorts, the errors of what is made of them come before those of later rows in
 * the order of the input: so there must be none.
 */
static bool
FindValues(Level *level, Aggref *aggref, Twin twin, RowShape *shape, List **way)
{
	Node	   *argument = (Node *) linitial_node(TargetEntry, aggref->args)->expr;

	if (twin >= TWIN_JSONROW_AGG)
		return FindRowShape(level, argument, shape) && TypesTellHeader(level, twin, argument, shape);
	if (FindRowShape(level, argument, shape))
		return aggref->aggorder == NIL || PartsAreSafe(level, shape);
	return IsA(argument, Var) && FindInSubquery(level, (Var *) argument, shape, way);
}

/* Take the row apart that an aggregate is over, or else return false. */
static bool
AggregateValues(Level *level, Aggref *aggref, Twin twin)
{
	TargetEntry *argument = linitial_node(TargetEntry, aggref->args);
	List	   *way = NIL;
	RowShape	shape;
	Oid			function;

	if (list_length(aggref->aggargtypes) != 1 || argument->ressortgroupref != 0 ||
		WouldBePresorted(aggref))
		return false;
	ParseNothing(level, aggref, twin);
	if (!FindValues(level, aggref, twin, &shape, &way))
		return false;
	function = TwinFunction(TwinOverValues(twin, shape.kind));
	if (!OidIsValid(function) || !MayReplaceAll(level, shape.functions) ||
		(twin < TWIN_JSONROW_AGG && !MayReplace(level, aggref->aggfnoid)))
		return false;
	PullUp(way, &shape);
	aggref->aggfnoid = function;
	SetAggregateArguments(aggref, ArgumentsOf(&shape));
	return true;
}

/* An aggregate of this query level, and what it is over */
static Node *
RewriteAggregate(Level *level, Aggref *aggref)
{
	Twin		twin = TwinOf(aggref->aggfnoid);
	ListCell   *cell;

	if (aggref->agglevelsup != 0 || aggref->aggkind != AGGKIND_NORMAL)
		return (Node *) aggref;
	if (twin == NO_TWIN)
		twin = OwnAggregate(aggref->aggfnoid);
	level->aggregates++;
	if (twin != NO_TWIN && IsPlainAggregate(aggref) &&
		!AggregateValues(level, aggref, twin) && twin < TWIN_JSONROW_AGG &&
		OidIsValid(TwinFunction(twin)) && MayReplace(level, aggref->aggfnoid))
		aggref->aggfnoid = TwinFunction(twin);
	foreach(cell, aggref->args)
	{
		TargetEntry *argument = lfirst_node(TargetEntry, cell);

		if (!argument->resjunk)
			argument->expr = (Expr *) RewriteExpr((Node *) argument->expr, level);
	}
	level->aggregates--;
	return (Node *) aggref;
}

/* The function that makes JSON of a row's names and values, if that is what a twin does */
static Twin
NamedTwin(Twin twin)
{
	switch (twin)
	{
		case TWIN_ROW_TO_JSON:
		case TWIN_TO_JSON:
			return TWIN_ROW_TO_JSON_NAMED;
		case TWIN_TO_JSONB:
			return TWIN_TO_JSONB_NAMED;
		default:
			return NO_TWIN;
	}
}

/*
 * May a constructor of one value become cheaper?  What is expensive may be
 * computed for fewer rows: see early.c.
 */
static bool
MayBeCheaper(Level *level, Node *values)
{
	return level->aggregates > 0 || (level->scalars && MayBeEarly(level, values));
}

/* Take the row apart that a constructor is over, or else return false. */
static bool
CallWithValues(Level *level, FuncExpr *call, Twin twin)
{
	Oid			function = TwinFunction(NamedTwin(twin));
	RowShape	shape;

	if (!OidIsValid(function) || !FindRow(level, linitial(call->args), &shape) ||
		shape.values == NIL || list_length(shape.values) > MAX_ROW_VALUES)
		return false;
	shape.kind = twin == TWIN_TO_JSONB ? SHAPE_ROW_TO_JSONB : SHAPE_ROW_TO_JSON;
	if (IsA(linitial(call->args), SubLink) && level->aggregates == 0 &&
		!level->rewrite->may_be_early &&
		(!PartsAreSafe(level, &shape) || !MayBeCheaper(level, (Node *) shape.values)))
		return false;
	call->funcid = function;
	call->funcformat = COERCE_EXPLICIT_CALL;	/* it may be a cast that a
												 * user made */
	call->args = ArgumentsOf(&shape);
	return true;
}

/* A constructor of one value */
static void
RewriteCall(Level *level, FuncExpr *call)
{
	Twin		twin = TwinOf(call->funcid);

	if (twin == NO_TWIN || !TwinIsScalar(twin) || call->funcretset ||
		(!level->scalars && level->aggregates == 0) || !MayReplace(level, call->funcid))
		return;
	if (!CallWithValues(level, call, twin) && OidIsValid(TwinFunction(twin)))
		call->funcid = TwinFunction(twin);
}

/* JSON_OBJECT or JSON_ARRAY as a call; if its keys are no constants, it stays. */
static Node *
RewriteConstructor(Level *level, Node *constructor)
{
	bool		jsonb = exprType(constructor) == JSONBOID;
	bool		is_object;
	List	   *args = ArgumentsOfConstructor(constructor, &is_object);
	RowShape	shape;
	Twin		twin;

	if (args == NIL || (!level->scalars && level->aggregates == 0) ||
		!FindRowShape(level, constructor, &shape))
		return constructor;
	if (is_object)
		twin = jsonb ? TWIN_JSONB_BUILD_OBJECT : TWIN_JSON_BUILD_OBJECT;
	else
		twin = jsonb ? TWIN_JSONB_BUILD_ARRAY : TWIN_JSON_BUILD_ARRAY;
	if (!OidIsValid(TwinFunction(twin)) || list_length(args) > FUNC_MAX_ARGS)
		return constructor;
	return (Node *) makeFuncExpr(TwinFunction(twin), jsonb ? JSONBOID : JSONOID,
								 (List *) RewriteExpr((Node *) args, level),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* JSON text that is cast to jsonb, as jsonb from the start; NULL if that would differ */
static Node *
CastAsJsonb(Level *level, CoerceViaIO *cast)
{
	if (cast->resulttype != JSONBOID || exprType((Node *) cast->arg) != JSONOID ||
		!MayBeCheaper(level, (Node *) cast->arg))
		return NULL;
	return AsJsonb(level, (Node *) cast->arg);
}

/* Is it something that has been made of values here, and not one that is stored? */
static bool
IsMadeHere(Node *expr)
{
	if (IsA(expr, CoalesceExpr))
		return IsMadeHere(linitial(((CoalesceExpr *) expr)->args));
	if (IsA(expr, Aggref))
		return TwinOf(((Aggref *) expr)->aggfnoid) != NO_TWIN;
	return IsA(expr, FuncExpr) && TwinOf(((FuncExpr *) expr)->funcid) != NO_TWIN;
}

/*
 * JSON text that is cast to text or varchar: the bytes are the same, so they
 * need not be printed and read, which would copy them twice.  NULL of others
 */
static Node *
CastAsText(Level *level, CoerceViaIO *cast)
{
	Node	   *json = (Node *) cast->arg;

	if ((cast->resulttype != TEXTOID && cast->resulttype != VARCHAROID) ||
		exprType(json) != JSONOID || !IsMadeHere(json) || !MayBeCheaper(level, json))
		return NULL;
	return (Node *) makeRelabelType((Expr *) RewriteExpr(json, level), cast->resulttype, -1,
									cast->resultcollid, cast->coerceformat);
}

/*
 * An expression, with our functions in it.  Calls are changed where they are.  Subqueries are left to RewriteSubqueries.
 */
static Node *
RewriteExpr(Node *node, void *context)
{
	Level	   *level = context;
	Aggref	   *aggref;
	Node	   *cast;

	if (node == NULL)
		return NULL;
	check_stack_depth();
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Const:
		case T_Param:
		case T_WindowFunc:
		case T_SubLink:
		case T_Query:
			return node;
		case T_Aggref:
			return RewriteAggregate(level, (Aggref *) node);
		case T_FuncExpr:
			RewriteCall(level, (FuncExpr *) node);
			break;
		case T_CoerceViaIO:
			cast = CastAsJsonb(level, (CoerceViaIO *) node);
			if (cast != NULL)
				return RewriteExpr(cast, level);
			cast = CastAsText(level, (CoerceViaIO *) node);
			if (cast != NULL)
				return cast;
			break;
		default:
			if (!IsJsonConstructor(node))
				break;
			aggref = AggregateOfConstructor(node);
			if (aggref != NULL && TwinOf(aggref->aggfnoid) != NO_TWIN)
				return RewriteAggregate(level, aggref);
			/* It is shown by its arguments, so none of them may change. */
			return RewriteConstructor(level, node);
	}
	return expression_tree_mutator(node, RewriteExpr, context);
}

/* Is there a constructor in an expression that RewriteExpr would replace by itself? */
static bool
HasConstructor(Node *node, void *context)
{
	if (node == NULL || IsA(node, Aggref) || IsA(node, Query))
		return false;
	if (IsJsonConstructor(node) ||
		(IsA(node, FuncExpr) && TwinOf(((FuncExpr *) node)->funcid) != NO_TWIN))
		return true;
	return expression_tree_walker(node, HasConstructor, context);
}

/*
 * Expressions that rows are sorted, grouped or made distinct by are told from
 * others by their looks: if there is a constructor in one, none is replaced.
 */
static bool
ScalarsAreFree(Query *query)
{
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->ressortgroupref != 0 && HasConstructor((Node *) entry->expr, NULL))
			return false;
	}
	foreach(cell, query->rtable)
	{
		if (HasConstructor((Node *) GroupExpressions(lfirst(cell)), NULL))
			return false;
	}
	return true;
}

/* A list of TargetEntries */
static void
RewriteTargets(Level *level, List *targets)
{
	ListCell   *cell;

	foreach(cell, targets)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		entry->expr = (Expr *) RewriteExpr((Node *) entry->expr, level);
	}
}

/* Queries within a query, wherever they are */
static bool
RewriteSubqueries(Node *node, void *context)
{
	Level	   *level = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		RewriteLevel((Query *) node, level, level->rewrite);
		return false;
	}
	return expression_tree_walker(node, RewriteSubqueries, context);
}

/* A query, and then those within, for what it does to them comes first */
static void
RewriteLevel(Query *query, Level *outer, Rewrite *rewrite)
{
	Level		level = {.query = query,.outer = outer,.rewrite = rewrite};
	ListCell   *cell;

	check_stack_depth();
	level.scalars = ScalarsAreFree(query);
	level.grouped = query->groupClause != NIL || query->groupingSets != NIL ||
		query->distinctClause != NIL;
	RewriteTargets(&level, query->targetList);
	RewriteTargets(&level, query->returningList);
	if (query->onConflict != NULL)
		RewriteTargets(&level, query->onConflict->onConflictSet);
	foreach(cell, query->mergeActionList)
		RewriteTargets(&level, lfirst_node(MergeAction, cell)->targetList);
	query_tree_walker(query, RewriteSubqueries, &level, 0);
}

/*
 * Put our functions in a query.  It is changed where it is, as the planner does,
 * too: whoever wants to keep a query gives it a copy (see BuildCachedPlan).
 */
void
RewriteQuery(Query *query, Rewrite *rewrite)
{
	RewriteLevel(query, NULL, rewrite);
}
