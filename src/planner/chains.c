/*-------------------------------------------------------------------------
 *
 * chains.c
 *		Queries of the one row of another.
 *
 * Tools write what they make of a collection as a chain of queries.  It becomes one query.
 *
 *		SELECT row_to_json(r) FROM (            SELECT row_to_json(ROW(json_agg(x))) FROM c WHERE pid = p.id
 *			SELECT json_agg(x) AS rows
 *			FROM c WHERE pid = p.id) r
 *
 * The subquery gives one row in any case, so what is made of it is made once.  An aggregate that is used twice is
 * computed once.  There is nothing else in the query around it that could decide whether it is computed.  But where
 * that uses a column under a condition, as in CASE, it is one that only hands on an aggregate: for as it is written,
 * the subquery computes its columns in any case, with their errors.  Nor may PostgreSQL know one while it plans (see
 * folding.c).
 *
 * LIMIT does nothing to that row, and an array of it needs no aggregate: PostgREST's clients ask for comments(count).
 *
 *		SELECT json_agg(r) FROM (               SELECT json_build_array(ROW(count(*))) FROM c WHERE pid = p.id
 *			SELECT count(*) FROM c
 *			WHERE pid = p.id
 *			LIMIT 1000 OFFSET 0) r
 *
 * A query in WITH that is used once is a subquery, as which PostgreSQL plans it, too.  pg_graphql writes
 *
 *		(WITH r AS (SELECT ... FROM c WHERE pid = p.id ORDER BY v LIMIT 30),
 *			o AS (SELECT coalesce(jsonb_agg(x) FILTER (WHERE r.id IS NOT NULL), '[]') AS d
 *				FROM (SELECT 1) one LEFT JOIN r ON true)
 *			SELECT coalesce(o.d, '{}') FROM (SELECT 1) one LEFT JOIN o ON true)
 *
 * What is left-joined to one row gives its own rows, if it has any.  An aggregate always has its row.  Of r without
 * rows there is one of NULLs, which the filter leaves out, and count(*) counts:
 *
 *		FROM (SELECT 1) one LEFT JOIN r ON true         FROM r
 *		count(*)                                        greatest(count(*), 1)
 *
 * Then filters are dropped that ask whether a column is NULL that never is, so that what they
 * are on is computed for each row: collections within, too.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

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
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/survey.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"

/*
 * WITH
 */

/* What refers to a CTE, and how many do */
typedef struct References
{
	CommonTableExpr *cte;
	RangeTblEntry *rte;
	int			n;
} References;

static void
FindReferences(Query *query, int depth, void *context)
{
	References *references = context;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind != RTE_CTE || rte->self_reference || (int) rte->ctelevelsup != depth ||
			strcmp(rte->ctename, references->cte->ctename) != 0)
			continue;
		references->rte = rte;
		references->n++;
	}
}

/*
 * Fewer refer to a CTE of a query.  If none does any more, it goes, and fewer refer to those before it.  Who looks at
 * one after another has the list as it was.  That a recursive one refers to itself does not count.
 */
void
CountReferences(Query *query)
{
	for (int i = list_length(query->cteList) - 1; i >= 0; i--)
	{
		References	references = {.cte = list_nth(query->cteList, i)};

		VisitQueries(query, FindReferences, &references);
		references.cte->cterefcount = references.n;
		if (references.n == 0)
			query->cteList = list_delete_nth_cell(list_copy(query->cteList), i);
	}
}

/* Is it an item of FROM that PostgreSQL does not pull up because it has a WITH, and would it be seen if it did? */
bool
WithKeepsApart(Level *level)
{
	if (level->may_merge && RowsMayRaise(level->outer, level->query))
		return true;
	for (; level->may_merge; level = level->outer)
		if (ShowsChoice(level->outer) || !AggregatesReadAll(level->outer->query) ||
			ConditionsMayRaise(level->outer, level->outer->query->jointree))
			return true;
	return false;
}

/* Let the CTEs of a query be subqueries that PostgreSQL would plan as such. */
void
TakeCtes(Query *query)
{
	ListCell   *cell;

	/* The first or the last row is found by an index only without WITH. */
	if (query->hasRecursive || !AggregatesReadAll(query))
		return;
	foreach(cell, list_copy(query->cteList))
	{
		References	references = {.cte = lfirst(cell)};

		if (references.cte->cterefcount == 1 && !IsMaterialized(references.cte))
			VisitQueries(query, FindReferences, &references);
		if (references.n == 1)
			UnmakeCte(query, references.cte, references.rte);
	}
}

/*
 * Queries of one row
 */

/* Is anything in a select list computed from an item of FROM that PostgreSQL cannot find out to be needless? */
static bool
IsComputedFrom(List *targets, int varno)
{
	ListCell   *cell;

	foreach(cell, targets)
	{
		Node	   *expr = (Node *) lfirst_node(TargetEntry, cell)->expr;

		if (StaysUnknown(expr) && RefersTo(expr, varno))
			return true;
	}
	return false;
}

/*
 * The join of a subquery to a row of constants that nothing reads, if that is all of a query's
 * FROM: then there is a row in any case.  NULL if it is not.  A view has privileges of its own.  PostgreSQL
 * leaves out a left join to one row at most that nobody uses, so that must not raise an error.
 */
static JoinExpr *
JoinToOneRow(Level *level)
{
	Query	   *query = level->query;
	JoinExpr   *join = list_length(query->jointree->fromlist) == 1 ? linitial(query->jointree->fromlist) : NULL;
	RangeTblEntry *rte;
	int			varno;
	ListCell   *cell;

	if (join == NULL || !IsA(join, JoinExpr) || join->jointype != JOIN_LEFT || !IsTrue(join->quals) ||
		VarnoOf(join->larg) == 0 || VarnoOf(join->rarg) == 0 || HasColumnsOfJoins(query) ||
		RefersTo((Node *) query, VarnoOf(join->larg)))
		return NULL;
	rte = rt_fetch(VarnoOf(join->larg), query->rtable);
	if (rte->rtekind != RTE_SUBQUERY || OidIsValid(rte->relid) || !IsBare(rte->subquery))
		return NULL;
	foreach(cell, rte->subquery->targetList)
	{
		if (!IsA(lfirst_node(TargetEntry, cell)->expr, Const))
			return NULL;
	}
	varno = VarnoOf(join->rarg);
	return (!level->may_merge && IsComputedFrom(query->targetList, varno)) ||
		!ReadingMayRaise(level, rt_fetch(varno, query->rtable)) ? join : NULL;
}

/* The column of whose values an aggregate's filter asks whether they are NULL; or NULL */
static Var *
ColumnOfFilter(Aggref *aggref)
{
	NullTest   *test = (NullTest *) aggref->aggfilter;

	return test != NULL && IsA(test, NullTest) && test->nulltesttype == IS_NOT_NULL && !test->argisrow &&
		IsA(test->arg, Var) && ((Var *) test->arg)->varlevelsup == 0 && aggref->agglevelsup == 0 ?
		(Var *) test->arg : NULL;
}

static bool
CountsRows(Aggref *aggref)
{
	return aggref->aggfnoid == F_COUNT_ && aggref->aggfilter == NULL && aggref->agglevelsup == 0;
}

static Node *
CountOneAtLeast(Node *node, void *context)
{
	MinMaxExpr *greatest;

	if (node == NULL || IsA(node, Query) || (IsA(node, Aggref) && !CountsRows((Aggref *) node)))
		return node;
	if (!IsA(node, Aggref))
		return expression_tree_mutator(node, CountOneAtLeast, context);
	greatest = makeNode(MinMaxExpr);
	greatest->minmaxtype = INT8OID;
	greatest->op = IS_GREATEST;
	greatest->args = list_make2(node, Int8Const(1));
	greatest->location = -1;
	return (Node *) greatest;
}

/* Let a query aggregate what is joined to one row by itself, if a row of NULLs makes no difference. */
void
TakeOutOneRow(Level *level)
{
	Query	   *query = level->query;
	JoinExpr   *join = IsOneRow(query) && query->jointree->quals == NULL ? JoinToOneRow(level) : NULL;
	ListCell   *cell;

	if (join == NULL)
		return;
	foreach(cell, AggregatesIn((Node *) query->targetList))
	{
		Var		   *column = ColumnOfFilter(lfirst(cell));

		if (!CountsRows(lfirst(cell)) && (column == NULL || column->varno != VarnoOf(join->rarg)))
			return;
	}
	query->targetList = (List *) ForgetNullable(CountOneAtLeast((Node *) query->targetList, NULL), join->rtindex);
	query->jointree->fromlist = list_make1(join->rarg);
	lfirst(list_nth_cell(query->rtable, join->rtindex - 1)) = MakeNoEntry();
	lfirst(list_nth_cell(query->rtable, VarnoOf(join->larg) - 1)) = MakeNoEntry();
}

/* Drop filters that leave nothing out.  Without one, PostgreSQL may find the first row by an index, or sort rows beside a sum of floats. */
void
DropFilters(Level *level)
{
	Query	   *query = level->query;
	bool		may_drop = query->hasAggs && AggregatesReadAll(query) && !HasInexactAggregate(query);
	ListCell   *cell;

	foreach(cell, may_drop ? AggregatesIn((Node *) query->targetList) : NIL)
	{
		Var		   *column = ColumnOfFilter(lfirst(cell));

		if (column != NULL && IsNeverNull(level, column))
			lfirst_node(Aggref, cell)->aggfilter = NULL;
	}
}

/* What a subquery selects, in the place of its columns or of its row: as it would stand in the query around it */
Node *
ExpandAtDepth(Var *var, int depth, void *context)
{
	const RangeTblEntry *rte = context;
	List	   *targets = rte->subquery->targetList;
	Node	   *result;

	if ((int) var->varlevelsup != depth)
		return NULL;
	if (var->varattno > 0)
		result = (Node *) copyObject(get_tle_by_resno(targets, var->varattno)->expr);
	else
		result = RowOf(copyObject(get_tlist_exprs(targets, false)), var, rte->eref->colnames);
	IncrementVarSublevelsUp(result, -1, 1);
	IncrementVarSublevelsUp(result, depth, 0);
	return result;
}

/* Is anything computed of aggregates in an expression?  That could raise an error. */
static bool
IsComputed(Node *expr, void *context)
{
	Node	   *value = StripRelabels(expr);

	check_stack_depth();
	if (IsA(value, CoalesceExpr) || IsA(value, List))
		return expression_tree_walker(value, IsComputed, context);
	return !(IsA(value, Aggref) || IsA(value, Var) || IsA(value, Const) || IsA(value, Param));
}

/* The function that makes of a value what an aggregate makes of it alone; InvalidOid if there is none */
static Oid
ArrayOf(const Aggref *aggref)
{
	if (aggref->agglevelsup > 0 || aggref->aggfilter != NULL || aggref->aggorder != NIL || aggref->aggdistinct != NIL ||
		list_length(aggref->args) != 1 || !IsA(linitial_node(TargetEntry, aggref->args)->expr, Var))
		return InvalidOid;
	if (aggref->aggfnoid == F_JSON_AGG)
		return F_JSON_BUILD_ARRAY_ANY;
	return aggref->aggfnoid == F_JSONB_AGG ? F_JSONB_BUILD_ARRAY_ANY : InvalidOid;
}

static Node *
AggregatesToArrays(Node *node, void *context)
{
	Aggref	   *aggref = (Aggref *) node;

	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, Aggref) && aggref->agglevelsup == 0)
		return (Node *) makeFuncExpr(ArrayOf(aggref), aggref->aggtype,
									 list_make1(linitial_node(TargetEntry, aggref->args)->expr), InvalidOid, InvalidOid,
									 COERCE_EXPLICIT_CALL);
	return expression_tree_mutator(node, AggregatesToArrays, context);
}

/* Do LIMIT and OFFSET leave the first row? */
bool
LeavesFirstRow(Level *level)
{
	int64		count = CountOf(level, level->query->limitCount);

	return count != 0 && count != UNKNOWN_COUNT && !SkipsRows(level);
}

/* A column, or all of the row, that the query of the one row computes, of which this is the select list */
static bool
FindComputed(Node *node, void *context)
{
	List	   *targets = context;
	Var		   *var = (Var *) node;

	if (node == NULL)
		return false;
	if (IsA(node, Var) && var->varlevelsup == 0)
		return IsComputed(var->varattno > 0 ? (Node *) get_tle_by_resno(targets, var->varattno)->expr :
						  (Node *) get_tlist_exprs(targets, true), NULL);
	return expression_tree_walker(node, FindComputed, context);
}

/*
 * The subquery whose one row a query only makes something of; NULL if it does more.  That of a view
 * has other entries before 16, which carry the permissions on the view.
 */
static RangeTblEntry *
OnlyOneRow(Level *level)
{
	Query	   *query = level->query;
	RangeTblEntry *rte;
	JoinExpr   *join;
	Node	   *item;

	if (!HasOnly(query, 0) || query->hasSubLinks)
		return NULL;
	join = JoinToOneRow(level);
	item = join != NULL ? join->rarg : linitial(query->jointree->fromlist);
	if (list_length(query->jointree->fromlist) != 1 || list_length(query->rtable) != (join != NULL ? 3 : 1) ||
		VarnoOf(item) == 0)
		return NULL;
	rte = rt_fetch(VarnoOf(item), query->rtable);
	if (rte->rtekind != RTE_SUBQUERY || rte->lateral || rte->security_barrier || rte->securityQuals != NIL ||
		OidIsValid(rte->relid) || !IsOneRow(rte->subquery))
		return NULL;
	/* Subqueries in its row would be computed twice where that is used twice. */
	if (checkExprHasSubLink((Node *) rte->subquery->targetList) &&
		list_length(pull_vars_of_level((Node *) query->targetList, 0)) > 1)
		return NULL;
	return FindComputed((Node *) NotAlwaysComputed((Node *) query->targetList), rte->subquery->targetList) ?
		NULL : rte;
}

/*
 * A subquery of one row takes the place of its query, one level further out, and makes of its row what that did.  It is
 * still the same statement.
 */
void
MergeOneRow(Level *level)
{
	Query	   *query = level->query;
	RangeTblEntry *rte = OnlyOneRow(level);
	Query		outer = *query;
	List	   *targets;

	if (rte == NULL)
		return;
	targets = (List *) ReplaceVars((Node *) query->targetList, ExpandAtDepth, rte);
	IncrementVarSublevelsUp((Node *) rte->subquery, -1, 2);
	*query = *rte->subquery;
	query->targetList = targets;
	query->queryId = outer.queryId;
	query->stmt_location = outer.stmt_location;
	query->stmt_len = outer.stmt_len;
}

/*
 * May a query's aggregates, of the one row of a subquery, be arrays of it?  Aggregates are computed in any case; what is made
 * of them, a condition may keep from it, so nothing in that may raise an error.  The user must be allowed to call either.
 */
static bool
MayMakeArrays(Level *level)
{
	Query	   *query = level->query;
	int			varno = IsOneRow(query) && query->jointree->quals == NULL ? OnlyItem(query->jointree) : 0;
	RangeTblEntry *rte = varno != 0 ? rt_fetch(varno, query->rtable) : NULL;
	Level		below;
	ListCell   *cell;

	if (rte == NULL || rte->rtekind != RTE_SUBQUERY)
		return false;
	below = LevelBelow(level, rte->subquery);
	if (!HasAny(below.query, PART_AGGREGATES) ||
		!HasOnly(below.query, PART_AGGREGATES | PART_WHERE | PART_LIMIT | PART_OFFSET) || !LeavesFirstRow(&below) ||
		IsComputed((Node *) get_tlist_exprs(below.query->targetList, true), NULL))
		return false;
	foreach(cell, AggregatesIn((Node *) query->targetList))
	{
		Aggref	   *aggref = lfirst(cell);
		Oid			function = ArrayOf(aggref);

		if (!OidIsValid(function) || !MayReplace(level, function) || !MayReplace(level, aggref->aggfnoid) ||
			!ConvertsAlike(level, (Node *) linitial_node(TargetEntry, aggref->args)->expr,
						   aggref->aggfnoid == F_JSON_AGG))
			return false;
	}
	return true;
}

/*
 * Let a query that aggregates the one row of a subquery make an array of it, if both become one query then.  By itself,
 * PostgreSQL could pull it up, and compute it more often, or not at all.
 */
static void
MakeArray(Level *level)
{
	Query	   *query = level->query;
	Query	   *array;
	Level		changed = *level;
	Level	   *outermost = level;
	Query	   *subquery;

	if (!MayMakeArrays(level))
		return;
	changed.query = array = copyObject(query);
	array->targetList = (List *) AggregatesToArrays((Node *) array->targetList, NULL);
	array->hasAggs = false;
	subquery = rt_fetch(OnlyItem(array->jointree), array->rtable)->subquery;
	subquery->limitCount = subquery->limitOffset = NULL;
	while (outermost->outer != NULL)
		outermost = outermost->outer;
	/* This is asked before the first thing changes its place. */
	if (OnlyOneRow(&changed) == NULL || CostsMayRaise(level, 0) ||
		WhyPlacesStay(level->rewrite, outermost->query) != NULL)
		return;
	MergeOneRow(&changed);
	*query = *array;
}

static void
SimplifyBelow(Query *query, int depth, void *outer)
{
	Level		level = LevelOfRead(outer, query);

	check_stack_depth();
	MakeArray(&level);
	VisitFree(&level, SimplifyBelow);
}

/* Write what is made of the one row of a subquery without LIMIT and aggregates, in a query and what it reads for its result. */
void
SimplifyOneRows(Query *query, Rewrite *rewrite)
{
	Level		level = {.query = query,.rewrite = rewrite};

	MakeArray(&level);
	VisitFree(&level, SimplifyBelow);
}
