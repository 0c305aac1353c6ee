/*-------------------------------------------------------------------------
 *
 * other_ways.c
 *		Other ways to write collections (see also chains.c).
 *
 * Before joins are looked for, these become subqueries that aggregate, which is the only kind that unnest.c knows:
 *
 *		ARRAY(SELECT x FROM c                   coalesce((SELECT array_agg(e.x) FROM (SELECT x FROM c
 *			WHERE pid = p.id ORDER BY v)            WHERE pid = p.id ORDER BY v) e), '{}')
 *
 * Both collect the values in the order in which they come, NULL, too, into arrays of the same type; only an empty one
 * differs.  Elements that are arrays themselves stay, for these must have equal sizes, or it is an error; but for
 * those whose size is written, which are no error for any row (PostGraphile's):
 *
 *		ARRAY(SELECT ARRAY[x, y] FROM c         coalesce((SELECT array_agg(ARRAY[e.x, e.y]) FROM (
 *			WHERE pid = p.id ORDER BY v)            SELECT x, y FROM c WHERE pid = p.id ORDER BY v) e), '{}')
 *
 * What aggregates give is one row (PostGraphile's counts):
 *
 *		ARRAY(SELECT ARRAY[count(*)::text]      ARRAY[(SELECT ARRAY[count(*)::text]
 *			FROM c WHERE pid = p.id)                FROM c WHERE pid = p.id)]
 *
 * The first of some rows is the first element of an array of one:
 *
 *		(SELECT x FROM c WHERE pid = p.id       (SELECT (array_agg(e.x))[1] FROM (SELECT x FROM c
 *			ORDER BY v LIMIT 1)                     WHERE pid = p.id ORDER BY v LIMIT 1) e)
 *
 *		FROM p LEFT JOIN LATERAL (              FROM p LEFT JOIN LATERAL (
 *			SELECT x, y FROM c                      SELECT (array_agg(e.x))[1] AS x, (array_agg(e.y))[1] AS y
 *			WHERE pid = p.id                        FROM (SELECT x, y FROM c WHERE pid = p.id ORDER BY v LIMIT 1) e
 *			ORDER BY v LIMIT 1                  ) q ON true
 *		) q ON true
 *
 * So is a row that is looked up by a unique key, if it is found with collections of its own, which are to be joined to all
 * such rows at once (see to_one.c for others).  Its LIMIT and its order are not needed.
 *
 * Both are NULL if there is none.  So is the item as a whole, which gets an array of its own; and an inner join drops
 * the row of p: WHERE q.found IS NOT NULL, which is an array of true.
 *
 *		(SELECT json_agg(x) FROM c              (SELECT CASE WHEN count(*) > 1 THEN json_agg(x) END FROM c
 *			WHERE pid = p.id                        WHERE pid = p.id)
 *			HAVING count(*) > 1)
 *
 * Without GROUP BY, there is one row or none, and none is NULL as a value.  The aggregates are computed, then the
 * condition, and only if it is true what is made of them.  A condition on no aggregate PostgreSQL asks first (it is
 * WHERE, too), and if it is not true computes none of them.  So this is done only to what becomes a join, of which
 * nothing is computed that could raise an error.
 *
 * So are groups of what has one value (one_group.c).
 *
 * What no aggregate takes is left out before (Supabase's Studio):
 *
 *		(SELECT json_agg(v) FILTER (            (SELECT json_agg(v) FROM c
 *			WHERE pid = p.id) FROM c)               WHERE pid = p.id)
 *
 * What is computed of several collections, or of one, in a subquery without FROM is computed in the place of that
 * (PostGraphile 4's connections):
 *
 *		(SELECT json_build_object('n',          json_build_object('n',
 *			(SELECT count(*) FROM c                 (SELECT count(*) FROM c
 *			WHERE pid = p.id)))                     WHERE pid = p.id))
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_operator_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/folding.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/source.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/*
 * Arrays
 */

/* What may stand around what is written in another way */
#define PARTS_AROUND	(PART_WHERE | PART_ORDER | PART_AGGREGATES | PART_CTES | PART_LIMIT | PART_OFFSET)

/* The type of the arrays that array_agg makes of values that are none; InvalidOid if there is none */
static Oid
ArrayTypeOf(Oid element)
{
	return get_typtype(element) == TYPTYPE_PSEUDO || OidIsValid(get_element_type(getBaseType(element))) ?
		InvalidOid : get_array_type(element);
}

/* Could a query be a collection, if it aggregated? */
static bool
MayAggregate(Query *query)
{
	return contain_vars_of_level((Node *) query, 1) && SuppliesRows(query) && !HasAny(query, PART_NO_FROM);
}

/* The aggregate that makes the same array of what a query gives; InvalidOid if there is none */
static Oid
AggregateForArray(Level *level, SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	Oid			type = exprType((Node *) sublink);
	Oid			aggregate = InvalidOid;
	TargetEntry *entry;

	if (sublink->subLinkType != ARRAY_SUBLINK || !MayAggregate(query))
		return InvalidOid;
	entry = linitial_node(TargetEntry, query->targetList);
	if (ArrayTypeOf(exprType((Node *) entry->expr)) == type)
		aggregate = F_ARRAY_AGG_ANYNONARRAY;
	else if (exprType((Node *) entry->expr) == type && HasKnownSize((Node *) entry->expr) &&
			 entry->ressortgroupref == 0 && list_length(((ArrayExpr *) entry->expr)->elements) <= MAX_COLUMNS)
		aggregate = F_ARRAY_AGG_ANYARRAY;
	return OidIsValid(aggregate) && MayReplace(level, aggregate) ? aggregate : InvalidOid;
}

/* The array of the one row that aggregates give, as that of a scalar subquery; NULL if a query gives others */
static Node *
ArrayOfOne(SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	Oid			type = exprType((Node *) sublink);
	ArrayExpr  *array = makeNode(ArrayExpr);
	Node	   *value;

	if (sublink->subLinkType != ARRAY_SUBLINK || !IsOneRow(query) || !contain_vars_of_level((Node *) query, 1))
		return NULL;
	value = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	array->multidims = exprType(value) == type && HasKnownSize(value);
	if (!array->multidims && ArrayTypeOf(exprType(value)) != type)
		return NULL;
	array->array_typeid = type;
	array->array_collid = exprCollation(value);
	array->element_typeid = array->multidims ? get_element_type(type) : exprType(value);
	sublink = copyObject(sublink);
	sublink->subLinkType = EXPR_SUBLINK;
	array->elements = list_make1(sublink);
	array->location = -1;
	return (Node *) array;
}

/* Put a query into FROM, which then gives the values of the array that it gave; returns the array made of these. */
static Expr *
PutValuesInFrom(Query *query)
{
	TargetEntry *entry = linitial_node(TargetEntry, query->targetList);
	ArrayExpr  *array = castNode(ArrayExpr, entry->expr);
	ListCell   *cell;

	entry->expr = linitial(array->elements);
	entry->resname = pstrdup("element");
	for_each_from(cell, array->elements, 1)
	{
		(void) AddEntry(query, lfirst(cell), pstrdup("element"));
	}
	(void) PutInFrom(query, "elements");
	array->elements = get_tlist_exprs(query->targetList, false);
	return (Expr *) array;
}

static Node *
Aggregated(SubLink *sublink, Oid aggregate)
{
	Oid			type = exprType((Node *) sublink);
	int32		typmod = exprTypmod((Node *) sublink);
	Query	   *query = castNode(Query, sublink->subselect);
	Datum		empty = PointerGetDatum(construct_empty_array(get_element_type(type)));
	Oid			collation;
	TargetEntry *entry;
	Expr	   *element;
	Node	   *result;

	if (aggregate == F_ARRAY_AGG_ANYARRAY)
		element = PutValuesInFrom(query);
	else
	{
		(void) PutInFrom(query, "elements");
		element = linitial_node(TargetEntry, query->targetList)->expr;
	}
	entry = linitial_node(TargetEntry, query->targetList);
	entry->expr = (Expr *) AggregateOf(aggregate, element, type);
	query->targetList = list_make1(entry);
	query->hasAggs = true;
	sublink->subLinkType = EXPR_SUBLINK;
	collation = exprCollation((Node *) sublink);
	result = Coalesced((Node *) sublink, (Node *) makeConst(type, -1, collation, -1, empty, false, false));
	return typmod < 0 ? result :
		(Node *) makeRelabelType((Expr *) result, type, typmod, collation, COERCE_IMPLICIT_CAST);
}

/*
 * The first row
 */

/* Does a query give the first row, in some order, of what it reads, and not look it up; or make something of such a one? */
static bool
TakesFirst(Level *level)
{
	Query	   *query = level->query;
	int			varno = OnlyItem(query->jointree);
	RangeTblEntry *rte = varno != 0 ? rt_fetch(varno, query->rtable) : NULL;
	Level		inner;

	check_stack_depth();
	if (HasAny(query, PART_LIMIT))
		return HasAny(query, PART_ORDER) && CountOf(level, query->limitCount) == 1 &&
			(varno == 0 || !HasUniqueKey(query, varno));
	if (rte == NULL || !HasOnly(query, PART_ORDER | PART_OFFSET) || SkipsRows(level) || !IsSource(rte))
		return false;
	inner = LevelBelow(level, rte->subquery);
	return TakesFirst(&inner);
}

/* Could a query that gives the first row, or one with collections of its own, be a collection, if it aggregated? */
static bool
MayAggregateFirst(Level *level, Query *query)
{
	Level		inner = LevelBelow(level, query);
	ListCell   *cell;

	if (!MayAggregate(query) || !(TakesFirst(&inner) || FindsOneWithCollections(&inner)) || RowsMayRaise(level, query))
		return false;
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!entry->resjunk && !OidIsValid(ArrayTypeOf(exprType((Node *) entry->expr))))
			return false;
	}
	return MayReplace(level, F_ARRAY_AGG_ANYNONARRAY);
}

/* The first one of some values, of which there are such arrays */
static Expr *
FirstOf(Expr *value, Oid array)
{
	SubscriptingRef *first = makeNode(SubscriptingRef);

	first->refcontainertype = array;
	first->refelemtype = first->refrestype = exprType((Node *) value);
	first->reftypmod = exprTypmod((Node *) value);
	first->refcollid = exprCollation((Node *) value);
	first->refupperindexpr = list_make1(makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(1), false, true));
	first->refexpr = (Expr *) AggregateOf(F_ARRAY_AGG_ANYNONARRAY, value, array);
	return (Expr *) first;
}

static void
AggregateFirst(Level *level, Query *query)
{
	Level		inner = LevelBelow(level, query);
	ListCell   *cell;

	if (FindsOneWithCollections(&inner))
		DropLimitsOfOne(&inner);
	(void) PutInFrom(query, "first");
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		entry->expr = FirstOf(entry->expr, ArrayTypeOf(exprType((Node *) entry->expr)));
	}
	query->hasAggs = true;
}

/* The row of an item of FROM, as a column of it */
static Node *
RowToColumn(Var *var, int depth, void *context)
{
	Var		   *column = context;

	if (var->varattno != 0 || (int) var->varlevelsup != depth || var->varno != column->varno)
		return NULL;
	var = copyObject(var);
	var->varattno = var->varattnosyn = column->varattno;
	return (Node *) var;
}

/* Let the row of an item, if it is read as a whole, be one of its columns. */
static void
MakeRowColumn(Query *query, int varno)
{
	RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	RangeTblEntry *first = linitial_node(RangeTblEntry, rte->subquery->rtable);
	Expr	   *row;

	if (!RefersToRow(query, varno))
		return;
	first->eref = makeAlias(first->eref->aliasname, copyObject(rte->eref->colnames));
	row = FirstOf((Expr *) makeWholeRowVar(first, 1, 0, false), RECORDARRAYOID);
	(void) ReplaceVars((Node *) query, RowToColumn, makeVarFromTargetEntry(varno, AddColumn(rte, row, "row")));
}

/* Keep the rows for which an item gave one: it gives one in any case now. */
static void
KeepFound(Query *query, int varno)
{
	Expr	   *found = (Expr *) AggregateOf(F_ARRAY_AGG_ANYNONARRAY, (Expr *) makeBoolConst(true, false), BOOLARRAYOID);
	TargetEntry *entry = AddColumn(rt_fetch(varno, query->rtable), found, "found");

	query->jointree->quals = make_and_qual(query->jointree->quals,
										   IsNotNull((Node *) makeVarFromTargetEntry(varno, entry)));
}

/* Is it joined to each row, so that only whether it has one decides whether that stays, if anything does (drops)? */
static bool
IsJoinedToEachRow(Query *query, int varno, bool *drops)
{
	RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	JoinExpr   *join;

	if (rte->rtekind != RTE_SUBQUERY || !rte->lateral || rte->security_barrier || rte->eref->colnames == NIL ||
		!FindPlace((Node *) query->jointree, varno, &join) || (join != NULL && !IsTrue(join->quals)))
		return false;
	*drops = join == NULL || join->jointype == JOIN_INNER;
	return true;
}

/* The row of a named type, as which an item of FROM that is a function in SQL is read */
static Visit
VisitNamedRow(Node *node, int depth, void *context)
{
	const Var  *var = (const Var *) node;

	return IsA(node, Var) && var->varattno == 0 && (int) var->varlevelsup == depth && var->varno == *(int *) context &&
		var->vartype != RECORDOID ? VISIT_FOUND : VISIT_CHILDREN;
}

static void
AggregateFirstItems(Level *level)
{
	Query	   *query = level->query;
	bool		drops;

	for (int varno = 1; varno <= list_length(query->rtable); varno++)
	{
		if (!IsJoinedToEachRow(query, varno, &drops) ||
			!MayAggregateFirst(level, rt_fetch(varno, query->rtable)->subquery) ||
			FindInLevels((Node *) query, VisitNamedRow, &varno))
			continue;

		/* It is dropped after all else in FROM then, or may be left out. */
		if (drops ? FromMayRaise(level, query->jointree, query->rtable, 0) :
			QueryMayRaise(level, rt_fetch(varno, query->rtable)->subquery))
			continue;
		AggregateFirst(level, rt_fetch(varno, query->rtable)->subquery);
		MakeRowColumn(query, varno);
		if (drops)
			KeepFound(query, varno);
	}
}

/*
 * Subqueries
 */

/*
 * Is it a value of collections, or one that cannot raise an error, of which nothing is known while planning where it stands by itself?  No part
 * of a row may be, either, which a subquery computes as a whole.
 */
static bool
IsUnknownValue(Level *level, Node *value)
{
	return !level->rewrite->inlines && StaysUnknown(value) && !type_is_rowtype(exprType(value)) &&
		(checkExprHasSubLink(value) || !ExpressionMayRaise(level, value));
}

static Node *
AggregateSubLinks(Node *node, void *context)
{
	SubLink    *sublink = (SubLink *) node;
	Node	   *value;
	Oid			aggregate;

	if (node == NULL || IsA(node, Query))
		return node;
	if (!IsA(node, SubLink))
		return expression_tree_mutator(node, AggregateSubLinks, context);
	value = ValueOfBareSelect(sublink);
	if (value != NULL && IsUnknownValue(context, value))
		return AggregateSubLinks(value, context);
	aggregate = AggregateForArray(context, sublink);
	if (OidIsValid(aggregate))
		return Aggregated(copyObject(sublink), aggregate);
	value = ArrayOfOne(sublink);
	if (value != NULL)
		return expression_tree_mutator(value, AggregateSubLinks, context);
	if (sublink->subLinkType == EXPR_SUBLINK)
	{
		TakeOutGroups(context, castNode(Query, sublink->subselect));
		if (MayAggregateFirst(context, castNode(Query, sublink->subselect)))
			AggregateFirst(context, castNode(Query, sublink->subselect));
	}
	return expression_tree_mutator(node, AggregateSubLinks, context);
}

/* Let collections of a query read the row to which they refer (outer_row.c). */
static void
ReadOuterRows(Level *level)
{
	ListCell   *cell;

	foreach(cell, AlwaysComputed(level->query->targetList))
	{
		SubLink    *sublink = lfirst_node(SubLink, cell);

		if (sublink->subLinkType == EXPR_SUBLINK)
			ReadOuterRow(level, castNode(Query, sublink->subselect));
	}
	foreach(cell, level->query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_SUBQUERY && rte->lateral && !rte->security_barrier)
			ReadOuterRow(level, rte->subquery);
	}
}

/*
 * HAVING
 */

/* Does a condition ask for the row around, and for no aggregate?  PostgreSQL asks that before it reads anything. */
static bool
AsksRowAround(Node *condition, void *context)
{
	return !contain_aggs_of_level(condition, 0) && FindInLevels(condition, VisitOuterColumn, NULL);
}

/* Let the value of a subquery be one under a condition, which was HAVING; false if it has none.  Only its own node changes. */
bool
TakeHaving(Query *query)
{
	TargetEntry *entry;

	if (!HasAny(query, PART_HAVING) || !HasAny(query, PART_AGGREGATES) ||
		!HasOnly(query, PART_AGGREGATES | PART_WHERE | PART_HAVING))
		return false;
	if (HasCondition(query->havingQual, AsksRowAround, NULL))
		return false;
	entry = flatCopyTargetEntry(linitial_node(TargetEntry, query->targetList));
	entry->expr = (Expr *) ValueIf(query->havingQual, (Node *) entry->expr, NULL);
	query->targetList = list_make1(entry);
	query->havingQual = NULL;
	return true;
}

/*
 * FILTER
 */

/*
 * Let WHERE leave out what all aggregates of a query leave out, if it asks for what belongs to the row around.  PostgreSQL may read the
 * rows in another way then, by an index.
 */
static void
TakeFilters(Level *level)
{
	Query	   *query = level->query;
	List	   *aggregates = IsOneRow(query) ? AggregatesIn((Node *) query->targetList) : NIL;
	Node	   *filter = aggregates != NIL ? (Node *) linitial_node(Aggref, aggregates)->aggfilter : NULL;
	ListCell   *cell;

	if (filter == NULL || !contain_vars_of_level(filter, 1) || checkExprHasSubLink(filter) || ExpressionMayRaise(level, filter) ||
		FromMayRaise(level, query->jointree, query->rtable, 0) || ValuesDependOnOrder(query) || ReadsOrderedGroups(level))
		return;
	foreach(cell, aggregates)
	{
		if (lfirst_node(Aggref, cell)->agglevelsup > 0 || !equal(lfirst_node(Aggref, cell)->aggfilter, filter))
			return;
	}
	query->jointree->quals = make_and_qual(query->jointree->quals, filter);
	foreach(cell, aggregates)
	{
		lfirst_node(Aggref, cell)->aggfilter = NULL;
	}
}

/*
 * All of a query
 */

static void RewriteOne(Query *query, int depth, void *outer);

/* Those of an item of FROM: then a WITH query may be read once that was read twice. */
static void
TakeOutValuesOf(Query *query, int depth, void *outer)
{
	Level		level = LevelOfRead(outer, query);

	TakeOutValues(&level);
}

static void
RewriteWithin(Level *level)
{
	Query	   *query = level->query;

	if (query->cteList != NIL && !WithKeepsApart(level))
	{
		TakeCtes(query);
		VisitItems(query, TakeOutValuesOf, level);
		TakeCtes(query);
	}
	VisitFree(level, RewriteOne);
	MergeCollections(level);
	/* The group of one goes when the query around it is looked at. */
	if (HasOnly(query, PARTS_AROUND) || HasOneGroup(level, query))
	{
		if (query->hasSubLinks && !CostsMayRaise(level, 0))
			query->targetList = (List *) AggregateSubLinks((Node *) query->targetList, level);
		AggregateFirstItems(level);
		if ((query->hasSubLinks || HasLaterals(query)) && !CostsMayRaise(level, 0))
			ReadOuterRows(level);
	}
	DropFilters(level);
	TakeFilters(level);
}

static void
RewriteOne(Query *query, int depth, void *outer)
{
	Level		level = LevelOfRead(outer, query);

	check_stack_depth();
	TakeOutOneRow(&level);
	RewriteWithin(&level);
	TakeOutValues(&level);
	if (!CostsMayRaise(&level, 0))
		MergeOneRow(&level);
}

/*
 * Write what could be collections in a query, which is changed where it is, as subqueries that aggregate: in what
 * is read for the result, from the innermost queries outwards.
 */
void
WriteAsCollections(Query *query, Rewrite *rewrite)
{
	Level		level = {.query = query,.rewrite = rewrite};

	RewriteWithin(&level);
	TakeOutValues(&level);
}
