/*-------------------------------------------------------------------------
 *
 * rewrite.c
 *		Replaces PostgreSQL's functions by ours.
 *
 * This is done only where values are computed to be returned: in target lists,
 * and in the arguments of aggregates.  A condition might match an index.  Functions
 * from JSON to rows are replaced in FROM, too.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/query_parts.h"
#include "planner/rewrite.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "planner/ways.h"
#include "utils/lsyscache.h"

static Node *RewriteExpr(Node *node, void *context);
static void RewriteLevel(Query *query, Level *outer, bool may_merge, Rewrite *rewrite);

/* The functions that take names and values instead of the argument of an aggregate that makes json, or jsonb */
static const Twin twins_over_values[][2] = {
	[SHAPE_ROW] = {TWIN_JSON_AGG_NAMED, TWIN_JSONB_AGG_NAMED},
	[SHAPE_ROW_TO_JSON] = {TWIN_JSON_AGG_ROW_TO_JSON, NO_TWIN},
	[SHAPE_ROW_TO_JSONB] = {NO_TWIN, TWIN_JSONB_AGG_NAMED},
	[SHAPE_JSON_OBJECT] = {TWIN_JSON_AGG_BUILD_OBJECT, NO_TWIN},
	[SHAPE_JSONB_OBJECT] = {NO_TWIN, TWIN_JSONB_AGG_NAMED},
	[SHAPE_JSON_ARRAY] = {TWIN_JSON_AGG_BUILD_ARRAY, NO_TWIN},
	[SHAPE_JSONB_ARRAY] = {NO_TWIN, TWIN_JSONB_AGG_BUILD_ARRAY},
};

static Twin
TwinOverValues(Twin aggregate, ShapeKind kind)
{
	if (aggregate >= TWIN_JSONROW_AGG)
		return kind == SHAPE_ROW ? aggregate + 1 : NO_TWIN;
	return twins_over_values[kind][aggregate == TWIN_JSONB_AGG || aggregate == TWIN_JSONB_AGG_STRICT ? 1 : 0];
}

/* Values as a function's arguments, after the names if there are any */
static List *
ArgumentsOf(RowShape *shape)
{
	return shape->names == NIL ? shape->values : lcons(NamesConst(shape->names), shape->values);
}

/*
 * Replace the argument of an aggregate by several.  Its sort keys follow, so
 * their resnos change, but not the ressortgrouprefs that the sort clauses use.
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

/* jsonb_agg parses an argument of type json: give it jsonb, if that is the same. */
static void
ParseNothing(Level *level, Aggref *aggref, Twin twin)
{
	TargetEntry *argument = linitial_node(TargetEntry, aggref->args);
	bool		parses = (twin == TWIN_JSONB_AGG || twin == TWIN_JSONB_AGG_STRICT) &&
		exprType((Node *) argument->expr) == JSONOID;
	Node	   *jsonb = parses ? AsJsonb(level, (Node *) argument->expr) : NULL;

	if (jsonb != NULL)
	{
		argument->expr = (Expr *) jsonb;
		aggref->aggargtypes = list_make1_oid(JSONBOID);
	}
}

/*
 * May a row be taken apart for one of our own aggregates?  Nested headers are
 * determined from the rows or, without rows, from the plan.  So the types
 * alone must tell them, and must not change.  Objects have no header.
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
 * sorts, errors in the constructor are raised before those of later input
 * rows; so there must not be any.  Nor may a volatile function change the
 * settings by which values are printed.  Of several grouping sets, each adds
 * what has been made of a row once, so making it must have no effects.
 */
static bool
FindValues(Level *level, Aggref *aggref, Twin twin, RowShape *shape, List **way)
{
	Node	   *argument = (Node *) linitial_node(TargetEntry, aggref->args)->expr;

	if (twin >= TWIN_JSONROW_AGG)
		return FindRowShape(level, argument, shape) && TypesTellHeader(level, twin, argument, shape);
	if (FindRowShape(level, argument, shape))
		return (aggref->aggorder == NIL || (level->rewrite->may_follow && PartsAreSafe(level, shape))) &&
			(level->query->groupingSets == NIL || shape->kind == SHAPE_ROW || PartsAreSafe(level, shape));
	return IsA(argument, Var) && level->rewrite->may_follow && FindInSubquery(level, (Var *) argument, shape, way);
}

static Visit
VisitRow(Node *node, int depth, void *context)
{
	return IsA(node, Var) && ((Var *) node)->varattno == 0 ? VISIT_FOUND : VISIT_CHILDREN;
}

/*
 * May a row that is one column of its query's joins, or a value that is made in a subquery (way), become as many as it has?
 * A tuple has at most MaxTupleAttributeNumber.  Joins of a query that is pulled up are those of the query around it.
 */
static bool
MayTakeColumns(Level *level, Node *expr, const RowShape *shape, List *way)
{
	ListCell   *cell;

	if (way == NIL && !FindInLevels(expr, VisitRow, NULL))
		return true;
	for (; level != NULL; level = level->may_merge && !IsFenced(level->query) ? level->outer : NULL)
	{
		int			columns = level->columns + list_length(shape->values);

		level->columns = columns;
		foreach(cell, level->query->rtable)
		{
			columns += list_length(lfirst_node(RangeTblEntry, cell)->eref->colnames);
		}
		if (columns > MaxTupleAttributeNumber)
			return false;
	}
	return true;
}

/* Would it cost something else to aggregate values than what is made of them now?  A call is no more than one of ours. */
static bool
ChangesCosts(Twin twin, Node *argument, const RowShape *shape, const List *way)
{
	return way != NIL || list_length(shape->functions) > 1 || checkExprHasSubLink(argument) ||
		(twin == TWIN_JSONB_AGG && shape->kind == SHAPE_ROW);
}

/* Do costs decide which rows are read, of a query, or of one on the way to what its values come from?  Each of these gets cheaper. */
static bool
CostsDecideOnWay(Level *level, const List *way)
{
	ListCell   *cell;

	foreach(cell, way)
	{
		Level	   *below = palloc(sizeof(Level));

		if (CostsDecide(level) || JoinsDecide(level))
			return true;
		*below = LevelBelow(level, ((Step *) lfirst(cell))->rte->subquery);
		level = below;
	}
	return CostsDecide(level);
}

/* Take an aggregate's row apart; false if that is not possible. */
static bool
AggregateValues(Level *level, Aggref *aggref, Twin twin)
{
	TargetEntry *argument = linitial_node(TargetEntry, aggref->args);
	List	   *way = NIL;
	RowShape	shape;
	Oid			function;
	ListCell   *cell;

	/*
	 * Since 16, rows are sorted before they reach an aggregate with ORDER BY;
	 * with a FILTER, only if its arguments are columns.  The values of a row
	 * that is taken apart usually are.  So the order of ties would change,
	 * and also the order of the rows that other aggregates see.
	 */
	if (AGGREGATES_ARE_PRESORTED && aggref->aggorder != NIL && aggref->aggfilter != NULL)
		return false;
	if (list_length(aggref->aggargtypes) != 1 || argument->ressortgroupref != 0)
		return false;
	ParseNothing(level, aggref, twin);
	if (!FindValues(level, aggref, twin, &shape, &way) || !MayTakeColumns(level, (Node *) argument->expr, &shape, way) ||
		(ChangesCosts(twin, (Node *) argument->expr, &shape, way) && CostsDecideOnWay(level, way)))
		return false;
	function = TwinFunction(TwinOverValues(twin, shape.kind));
	if (!OidIsValid(function) || (twin < TWIN_JSONROW_AGG && !MayReplace(level, aggref->aggfnoid)))
		return false;
	foreach(cell, shape.functions)
	{
		if (!MayReplace(level, lfirst_oid(cell)))
			return false;
	}
	PullUp(way, &shape);
	aggref->aggfnoid = function;
	SetAggregateArguments(aggref, ArgumentsOf(&shape));
	return true;
}

/* An aggregate of this query level, and its argument */
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

/*
 * May a constructor of one value, which is made of these, become cheaper?  Outside of aggregates it is a part
 * of an entry of the select list.  PostgreSQL computes one that costs much after it has sorted and cut off rows:
 * all of it.  And in the order of their costs it evaluates conditions, of which the entry may be a part where the
 * query is pulled up.
 */
static bool
MayBeCheaper(Level *level, Node *values)
{
	if (level->aggregates > 0)
		return !CostsDecide(level);
	return level->scalars && MayPrecedeSort(level, values) && !CostsDecide(level) &&
		!OwnCostsMayRaise(level, level->entry->resno);
}

/* May PostgreSQL pull a query up to below an outer join, which makes NULL what it selects? */
static bool
MayBecomeNull(Level *level)
{
	int			varno;

	if (!level->may_merge || IsFenced(level->query))
		return false;
	varno = ItemOf(level->outer->query, level->query);
	return varno == 0 || !RowIsThere(level->outer, varno) || MayBecomeNull(level->outer);
}

/* Is it a row that PostgreSQL takes apart itself, or of a subquery that is run for each row that it is joined to? */
static bool
IsComputedBelow(Level *level, Node *row)
{
	RangeTblEntry *rte;

	if (!IsA(row, Var) || ((Var *) row)->varlevelsup > 0)
		return true;
	rte = rt_fetch(((Var *) row)->varno, level->query->rtable);
	return rte->rtekind == RTE_SUBQUERY &&
		(IsCorrelated(rte->subquery) || HasOnly(rte->subquery, PART_WHERE | PART_NO_FROM));
}

/*
 * Take a constructor's row apart; false if that is not possible.  Below an outer join, the function
 * of a row is computed for the rows that are joined, for it is strict.  The one of values is not: PostgreSQL would
 * compute it where it reads the table, for all of its rows.
 */
static bool
CallWithValues(Level *level, FuncExpr *call, Twin twin)
{
	Node	   *row = linitial(call->args);
	bool		in_text = twin == TWIN_ROW_TO_JSON || twin == TWIN_TO_JSON;
	Oid			function = TwinFunction(in_text ? TWIN_ROW_TO_JSON_NAMED : TWIN_TO_JSONB_NAMED);
	RowShape	shape;

	if ((!in_text && twin != TWIN_TO_JSONB) || !OidIsValid(function) ||
		(level->aggregates == 0 && !IsComputedBelow(level, row) && MayBecomeNull(level)) ||
		!FindRow(level, row, &shape) || shape.values == NIL || list_length(shape.values) > MAX_ROW_VALUES ||
		!MayTakeColumns(level, row, &shape, NIL))
		return false;
	shape.kind = in_text ? SHAPE_ROW_TO_JSON : SHAPE_ROW_TO_JSONB;
	if (IsA(row, SubLink) && level->aggregates == 0 &&
		(!MayBeCheaper(level, (Node *) shape.values) ||
		 !(level->rewrite->may_precede_sort || PartsAreSafe(level, &shape))))
		return false;
	call->funcid = function;
	call->funcformat = COERCE_EXPLICIT_CALL;	/* it may be a user's cast */
	call->args = ArgumentsOf(&shape);
	return true;
}

/*
 * A function from JSON to rows.  Nothing but its name changes.  No index can
 * have a call that gives a set, and wherever the query sorts or groups by one,
 * it is the same call in the select list.
 */
static void
RewriteReader(Level *level, FuncExpr *call)
{
	Oid			function = TwinFunction(ReaderTwinOf(call->funcid));

	if (OidIsValid(function) && MayReplace(level, call->funcid))
		call->funcid = function;
}

/* A constructor of one value, or a function from JSON to rows */
static void
RewriteCall(Level *level, FuncExpr *call)
{
	Twin		twin = TwinOf(call->funcid);

	if (call->funcretset || level->scalars)
		RewriteReader(level, call);
	if (!TwinIsScalar(twin) || call->funcretset ||
		(!level->scalars && level->aggregates == 0) || !MayReplace(level, call->funcid))
		return;
	if (!CallWithValues(level, call, twin) && OidIsValid(TwinFunction(twin)))
		call->funcid = TwinFunction(twin);
}

/*
 * JSON_OBJECT or JSON_ARRAY as a call; unchanged if its keys are not
 * constants.
 */
static Node *
RewriteConstructor(Level *level, Node *constructor)
{
	Twin		twin;
	List	   *args = ArgumentsOfConstructor(constructor, &twin);
	RowShape	shape;

	/*
	 * Unlike the functions, it may be immutable, and in an index.  What a
	 * subquery selects may become part of a condition.
	 */
	if (args == NIL || (level->aggregates == 0 && (!level->scalars || level->may_merge)) ||
		!FindRowShape(level, constructor, &shape))
		return constructor;
	if (!OidIsValid(TwinFunction(twin)) || list_length(args) > FUNC_MAX_ARGS)
		return constructor;
	return (Node *) makeFuncExpr(TwinFunction(twin), exprType(constructor),
								 (List *) RewriteExpr((Node *) args, level),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* The aggregate that a cast to jsonb is of, perhaps with coalesce; NULL for others */
static Aggref *
AggregateInCast(Node *node)
{
	CoerceViaIO *cast = (CoerceViaIO *) node;
	Node	   *arg;

	if (!IsA(node, CoerceViaIO) || cast->resulttype != JSONBOID || exprType((Node *) cast->arg) != JSONOID)
		return NULL;
	arg = IsA(cast->arg, CoalesceExpr) ? linitial(((CoalesceExpr *) cast->arg)->args) : (Node *) cast->arg;
	return IsA(arg, Aggref) ? (Aggref *) arg : AggregateOfConstructor(arg);
}

/*
 * May it be read from a table, instead of made from values here?  What is stored
 * may be a pointer to where, which must not be all that there is of a text.
 */
static bool
MayBeStored(Node *node, void *context)
{
	switch (nodeTag(node))
	{
		case T_Const:
			return false;
		case T_List:
		case T_CoalesceExpr:
			return expression_tree_walker(node, MayBeStored, context);
		case T_Aggref:
			return TwinOf(((Aggref *) node)->aggfnoid) == NO_TWIN;
		case T_FuncExpr:
			return TwinOf(((FuncExpr *) node)->funcid) == NO_TWIN;
		default:
			return true;
	}
}

/*
 * JSON text that is cast to jsonb, as jsonb from the start.  Cast to text or varchar, its bytes are the same, so they
 * need not be printed and read, which would copy them twice.  NULL if that would differ, and for others.
 */
static Node *
WithoutCast(Level *level, CoerceViaIO *cast)
{
	Node	   *json = (Node *) cast->arg;
	bool		to_text = cast->resulttype == TEXTOID || cast->resulttype == VARCHAROID;

	if (level->rewrite->inlines || exprType(json) != JSONOID ||
		(to_text ? IsA(json, Const) || MayBeStored(json, NULL) : cast->resulttype != JSONBOID) ||
		!MayBeCheaper(level, json))
		return NULL;
	if (to_text)
		return (Node *) makeRelabelType((Expr *) json, cast->resulttype, -1, cast->resultcollid, cast->coerceformat);
	return list_member(level->texts, AggregateInCast((Node *) cast)) ? NULL : AsJsonb(level, json);
}

/*
 * An expression, with our functions in it.  Calls are changed in place.  Subqueries are left to
 * RewriteSubqueries.
 */
static Node *
RewriteExpr(Node *node, void *context)
{
	Level	   *level = context;
	Aggref	   *aggref;
	Node	   *value;

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
			value = WithoutCast(level, (CoerceViaIO *) node);
			if (value != NULL)
				return RewriteExpr(value, level);
			break;
		default:
			if (!IsJsonConstructor(node))
				break;
			aggref = AggregateOfConstructor(node);
			if (aggref != NULL && TwinOf(aggref->aggfnoid) != NO_TWIN)
				return RewriteAggregate(level, aggref);
			/* EXPLAIN shows its arguments, so none of them may change. */
			return RewriteConstructor(level, node);
	}
	return expression_tree_mutator(node, RewriteExpr, context);
}

/*
 * Does an expression contain a constructor that RewriteExpr would replace by
 * itself?
 */
static bool
HasConstructor(Node *node, void *context)
{
	FuncExpr   *call = (FuncExpr *) node;

	if (node == NULL || IsA(node, Aggref) || IsA(node, Query))
		return false;
	return IsJsonConstructor(node) ||
		(IsA(node, FuncExpr) && (TwinOf(call->funcid) != NO_TWIN ||
								 (!call->funcretset && ReaderTwinOf(call->funcid) != NO_TWIN))) ||
		expression_tree_walker(node, HasConstructor, context);
}

/*
 * Expressions for ORDER BY, GROUP BY and DISTINCT are matched with others by
 * equal(): if one of them contains a constructor, none is replaced.
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
	return !HasConstructor((Node *) GroupingOf(query), NULL);
}

/* Is there a constructor in a condition?  What is found equal to it elsewhere, PostgreSQL need not sort, or knows how often it is so. */
static bool
ComparesConstructor(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (HasConstructor((Node *) lfirst_node(RangeTblEntry, cell)->securityQuals, NULL))
			return true;
	}
	return HasConstructor((Node *) query->jointree, NULL) || HasConstructor(query->havingQual, NULL);
}

/* A list of TargetEntries */
static void
RewriteTargets(Level *level, List *targets)
{
	ListCell   *cell;

	foreach(cell, targets)
	{
		level->entry = lfirst_node(TargetEntry, cell);
		level->entry->expr = (Expr *) RewriteExpr((Node *) level->entry->expr, level);
	}
	level->entry = NULL;
}

/* Copies of the aggregates in a select list, but for those that are cast to jsonb */
static bool
FindTexts(Node *node, void *context)
{
	List	  **texts = context;

	if (node == NULL || IsA(node, Query) || AggregateInCast(node) != NULL)
		return false;
	if (!IsA(node, Aggref))
		return expression_tree_walker(node, FindTexts, context);
	*texts = lappend(*texts, copyObject(node));
	return false;
}

/*
 * Aggregates whose text is wanted, too, and not only as jsonb: PostgreSQL
 * computes an aggregate once, so they stay text where they are cast.  (Casts in
 * HAVING are not changed.)  Copies, for the aggregates will be changed.
 */
static List *
AggregatesAsText(Query *query)
{
	List	   *texts = NIL;

	if (!query->hasAggs)
		return NIL;
	FindTexts((Node *) query->targetList, &texts);
	return list_concat(texts, copyObject(AggregatesIn(query->havingQual)));
}

/*
 * The aggregates in HAVING become what they become in the select list: the same
 * one is computed once.  What is made of them stays a condition.
 */
static Node *
RewriteHaving(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, Aggref))
		return RewriteExpr(node, context);
	/* An aggregate whose value is cast by its constructor stays as it is. */
	if (IsJsonConstructor(node) && AggregateOfConstructor(node) == NULL && WithoutConstructor(node) != node)
		return node;
	return expression_tree_mutator(node, RewriteHaving, context);
}

/*
 * Queries within a query, anywhere.  One that gives a value is left alone where its cost, which changes a little, decides
 * too much.
 */
static bool
RewriteSubqueries(Node *node, void *context)
{
	Level	   *level = context;
	TargetEntry *entry = level->entry;
	int			aggregates = level->aggregates;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		RewriteLevel((Query *) node, level, true, level->rewrite);
		return false;
	}
	if (IsA(node, SubLink) && (((SubLink *) node)->subLinkType == EXPR_SUBLINK ||
							   ((SubLink *) node)->subLinkType == ARRAY_SUBLINK))
	{
		/* What aggregates are given is no part of what is made of them. */
		bool		costs_matter = level->aggregates > 0 ? CostsDecide(level) :
			entry == NULL ? OrderMayRaiseAround(level) : CostsMayRaise(level, entry->resno);

		if (!costs_matter)
			RewriteLevel(castNode(Query, ((SubLink *) node)->subselect), level, false, level->rewrite);
		return false;
	}
	if (IsA(node, TargetEntry) && entry == NULL)
		level->entry = (TargetEntry *) node;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == 0)
		level->aggregates++;
	expression_tree_walker(node, RewriteSubqueries, context);
	level->entry = entry;
	level->aggregates = aggregates;
	return false;
}

/* Calls that give sets, in the expressions of GROUP BY: those in the select list change, too. */
static bool
RewriteSets(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcretset)
		RewriteReader(context, (FuncExpr *) node);
	return expression_tree_walker(node, RewriteSets, context);
}

/* Functions in FROM.  What they are called with stays as it is. */
static void
RewriteFrom(Level *level)
{
	ListCell   *cell;

	RewriteSets((Node *) GroupingOf(level->query), level);
	foreach(cell, level->query->rtable)
	{
		ListCell   *function;

		foreach(function, lfirst_node(RangeTblEntry, cell)->functions)
		{
			Node	   *call = lfirst_node(RangeTblFunction, function)->funcexpr;

			if (IsA(call, FuncExpr))
				RewriteReader(level, (FuncExpr *) call);
		}
	}
}

/* A query, and then those within, because it may change them first */
static void
RewriteLevel(Query *query, Level *outer, bool may_merge, Rewrite *rewrite)
{
	Level		level = {.query = query,.outer = outer,.rewrite = rewrite,.may_merge = may_merge};
	ListCell   *cell;

	check_stack_depth();
	level.scalars = !(rewrite->compares && IsComparedOutside(&level)) && ScalarsAreFree(query);
	level.grouped = HasAny(query, PART_GROUPS | PART_GROUPING_SETS | PART_DISTINCT | PART_DISTINCT_ON);
	level.texts = AggregatesAsText(query);
	RewriteFrom(&level);
	RewriteTargets(&level, query->targetList);
	query->havingQual = RewriteHaving(query->havingQual, &level);
	RewriteTargets(&level, query->returningList);
	if (query->onConflict != NULL)
		RewriteTargets(&level, query->onConflict->onConflictSet);
	foreach(cell, query->mergeActionList)
	{
		RewriteTargets(&level, lfirst_node(MergeAction, cell)->targetList);
	}
	query_tree_walker(query, RewriteSubqueries, &level, 0);
}

/*
 * Put our functions into a query.  It is changed in place, which the planner
 * also does: callers that want to keep a query pass a copy (see
 * BuildCachedPlan).
 */
void
RewriteQuery(Query *query, Rewrite *rewrite)
{
	rewrite->compares = CountQueries(query, ComparesConstructor) > 0;
	RewriteLevel(query, NULL, false, rewrite);
}
