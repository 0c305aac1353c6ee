/*-------------------------------------------------------------------------
 *
 * value_items.c
 *		Items of FROM that are values.
 *
 * What gives one row in any case, and is joined to all the rest, is a value for each row of that.  pg_graphql writes
 *
 *		SELECT jsonb_build_object('n', t.n,         SELECT jsonb_build_object('n', (SELECT count(*) FROM c),
 *			'edges', jsonb_agg(r.x) FILTER (            'edges', jsonb_agg(r.x) FILTER (
 *			WHERE r.id IS NOT NULL))                    WHERE r.id IS NOT NULL))
 *		FROM (SELECT count(*) AS n FROM c) t        FROM (SELECT) one
 *			CROSS JOIN (SELECT EXISTS (                 LEFT JOIN r ON true
 *				SELECT 1 FROM r) AS e) h
 *			LEFT JOIN r ON true
 *		GROUP BY t.n, h.e
 *
 * There is a row, and all rows are equal in what they are grouped by: they are one group, with GROUP BY and without.  A value
 * that is used once, and always, becomes a subquery in its place: it is computed once, as before.  One that is not used
 * is computed no more; so it must not raise an error, nor read a table that nothing else in the statement reads, or a WITH query but that
 * of r.  Without GROUP BY, PostgreSQL may pull up a query that makes nothing of rows: fences.c knows that.
 *
 * Of rows that are there, or of the one of NULLs that stands for none,
 *
 *		bool_and(t.n)                               t.n
 *		CASE WHEN h.e THEN                          (array_agg(r.x) FILTER (
 *			(array_agg(r.x))[1] END                     WHERE r.id IS NOT NULL))[1]
 *
 * if r.id is NULL in no row of r: without rows, either is NULL.
 *
 * What is left is known elsewhere: chains.c takes out the row that r is left-joined to, and other_ways.c what is computed of
 * values only.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/survey.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/* A query while values are taken out of its FROM */
typedef struct Taking
{
	Level	   *level;			/* of a copy of the query, which is changed */
	Bitmapset  *values;			/* items of FROM that are */
	RangeTblEntry *rows;		/* what is left-joined to them, or NULL */
	int			varno;			/* its number */
	int			join;			/* that of the join */
	Var		   *never_null;		/* a column that it has in each row, or NULL */
	bool		reads_other;	/* does what is dropped read WITH queries? */
} Taking;

/* Is an item of FROM one row, of one column, in any case? */
static bool
IsValue(Level *level, Node *item)
{
	RangeTblEntry *rte = VarnoOf(item) > 0 ? rt_fetch(VarnoOf(item), level->query->rtable) : NULL;
	Level		inner;

	if (rte == NULL || rte->rtekind != RTE_SUBQUERY || rte->lateral || rte->security_barrier ||
		rte->securityQuals != NIL || OidIsValid(rte->relid) || list_length(rte->subquery->targetList) != 1)
		return false;
	inner = LevelBelow(level, rte->subquery);
	return GivesOneRow(&inner) && !CallsVolatile((Node *) rte->subquery);
}

/* A column that has a value in each row of what is left-joined; NULL if there is none */
static Var *
NeverNullColumn(const Taking *taking)
{
	Level		below;
	ListCell   *cell;

	if (taking->rows == NULL || QueryOfEntry(taking->level, taking->rows, &below) == NULL ||
		!HasOnly(below.query, PARTS_OF_ROWS | PART_LIMIT | PART_OFFSET))
		return NULL;
	foreach(cell, below.query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!entry->resjunk && IsA(entry->expr, Var) && IsNeverNull(&below, (Var *) entry->expr))
		{
			Var		   *column = makeVarFromTargetEntry(taking->varno, entry);

			MarkNullable(column, taking->join);
			return column;
		}
	}
	return NULL;
}

/*
 * Is FROM such that there is a row, of values, and of others that are left-joined to these?  Joins of values are taken out of
 * what *node points to; the first item stays, for what is left-joined needs one.
 */
static bool
TakeJoins(Taking *taking, Node **node)
{
	JoinExpr   *join = (JoinExpr *) *node;

	check_stack_depth();
	if (!IsA(join, JoinExpr))
	{
		taking->values = bms_add_member(taking->values, VarnoOf(*node));
		return true;			/* That has been asked. */
	}
	if (!IsTrue(join->quals) || join->usingClause != NIL || join->alias != NULL || !IsA(join->rarg, RangeTblRef) ||
		!TakeJoins(taking, &join->larg))
		return false;
	if (IsValue(taking->level, join->rarg) && (join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT))
	{
		taking->values = bms_add_member(taking->values, VarnoOf(join->rarg));
		taking->level->query->targetList = (List *) ForgetNullable((Node *) taking->level->query->targetList, join->rtindex);
		*node = join->larg;
		return true;
	}
	if (join->jointype != JOIN_LEFT || taking->rows != NULL)
		return false;
	taking->varno = VarnoOf(join->rarg);
	taking->join = join->rtindex;
	taking->rows = rt_fetch(taking->varno, taking->level->query->rtable);
	taking->never_null = NeverNullColumn(taking);
	return !taking->rows->lateral && (taking->rows->rtekind != RTE_CTE || taking->rows->ctelevelsup == 1);
}

/* Is it one of the values? */
static bool
IsValueVar(const Taking *taking, Node *node)
{
	return IsA(node, Var) && ((Var *) node)->varlevelsup == 0 && bms_is_member(((Var *) node)->varno, taking->values);
}

/*
 * Groups
 */

/* Let what is grouped by values be one group. */
static bool
TakeGroups(Taking *taking)
{
	Query	   *query = taking->level->query;
	ListCell   *cell;

	ExpandGroups(query);
	if (SortingMayRaise(query->groupClause, query->targetList))
		return false;
	foreach(cell, query->groupClause)
	{
		if (!IsValueVar(taking, get_sortgroupclause_expr(lfirst(cell), query->targetList)) ||
			!MayReplace(taking->level, get_opcode(lfirst_node(SortGroupClause, cell)->eqop)))
			return false;
	}
	query->groupClause = NIL;
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		entry->ressortgroupref = 0;
		if (entry->resjunk)
			query->targetList = foreach_delete_current(query->targetList, cell);
	}
	return true;
}

/*
 * What stands for the rows
 */

/* Is a value whether what is left-joined has any rows?  It is a WITH query then, which both read. */
static bool
TellsWhetherRowsExist(const Taking *taking, const Var *value)
{
	Query	   *query = rt_fetch(value->varno, taking->level->query->rtable)->subquery;
	SubLink    *exists = (SubLink *) linitial_node(TargetEntry, query->targetList)->expr;
	RangeTblEntry *rte;
	int			varno;

	if (taking->rows == NULL || taking->rows->rtekind != RTE_CTE || !IsA(exists, SubLink) ||
		exists->subLinkType != EXISTS_SUBLINK || !HasOnly((Query *) exists->subselect, 0))
		return false;
	query = castNode(Query, exists->subselect);
	varno = OnlyItem(query->jointree);
	rte = varno > 0 ? rt_fetch(varno, query->rtable) : NULL;
	return rte != NULL && rte->rtekind == RTE_CTE && strcmp(rte->ctename, taking->rows->ctename) == 0 &&
		rte->ctelevelsup == taking->rows->ctelevelsup + 2;
}

/* The aggregate of what is an element of it, or NULL without rows, in CASE WHEN rows exist THEN (array_agg(x))[1] END; or NULL */
static Aggref *
AggregateUnderCase(const Taking *taking, CaseExpr *expr)
{
	CaseWhen   *when = linitial_node(CaseWhen, expr->args);
	SubscriptingRef *element = (SubscriptingRef *) when->result;
	Aggref	   *aggref = IsA(element, SubscriptingRef) ? (Aggref *) element->refexpr : NULL;

	if (expr->arg != NULL || list_length(expr->args) != 1 || !IsA(expr->defresult, Const) ||
		!((Const *) expr->defresult)->constisnull || !IsValueVar(taking, (Node *) when->expr) ||
		!TellsWhetherRowsExist(taking, (Var *) when->expr))
		return NULL;
	return aggref != NULL && IsA(aggref, Aggref) && element->refassgnexpr == NULL && element->reflowerindexpr == NIL &&
		list_length(element->refupperindexpr) == 1 && IsA(linitial(element->refupperindexpr), Const) &&
		OidIsValid(get_element_type(element->refcontainertype)) && IsNullForNoRows(aggref) && !ExpressionMayRaise(taking->level, (Node *) aggref) ? aggref : NULL;
}

/* Is an aggregate of one value, however often it comes, that value? */
static bool
IsValueItself(const Taking *taking, const Aggref *aggref)
{
	return (aggref->aggfnoid == F_BOOL_AND || aggref->aggfnoid == F_BOOL_OR || aggref->aggfnoid == F_EVERY) &&
		aggref->agglevelsup == 0 && aggref->aggfilter == NULL && list_length(aggref->args) == 1 &&
		IsValueVar(taking, (Node *) linitial_node(TargetEntry, aggref->args)->expr) &&
		MayReplace(taking->level, aggref->aggfnoid);
}

/* An expression of the one group, by its values themselves */
static Node *
TakeAggregates(Node *node, void *context)
{
	const Taking *taking = context;
	Aggref	   *aggref;

	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, Aggref) && IsValueItself(taking, (Aggref *) node))
		return (Node *) linitial_node(TargetEntry, ((Aggref *) node)->args)->expr;
	if (IsA(node, CaseExpr) && taking->never_null != NULL &&
		(aggref = AggregateUnderCase(taking, (CaseExpr *) node)) != NULL)
	{
		aggref->aggfilter = (Expr *) IsNotNull(copyObject((Node *) taking->never_null));
		return (Node *) linitial_node(CaseWhen, ((CaseExpr *) node)->args)->result;
	}
	return expression_tree_mutator(node, TakeAggregates, context);
}

/*
 * Values
 */

/* What stands for a value, which is used in no query within */
static Node *
ValueOf(Var *var, int depth, void *context)
{
	const Taking *taking = context;
	Query	   *query;

	if (depth > 0 || !IsValueVar(taking, (Node *) var))
		return NULL;
	query = copyObject(rt_fetch(var->varno, taking->level->query->rtable)->subquery);
	if (HasOnly(query, PART_NO_FROM) && IsA(linitial_node(TargetEntry, query->targetList)->expr, Const))
		return (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	return (Node *) MakeSubLink(EXPR_SUBLINK, query);
}

/* The values that a select list uses, if each is used once, always, and in no subquery; or else false */
static bool
FindUsed(const Taking *taking, Bitmapset **used)
{
	List	   *targets = taking->level->query->targetList;
	ListCell   *cell;

	foreach(cell, pull_vars_of_level((Node *) targets, 0))
	{
		Var		   *var = lfirst_node(Var, cell);

		if (!bms_is_member(var->varno, taking->values))
			continue;
		if (var->varlevelsup > 0 || var->varattno <= 0 || bms_is_member(var->varno, *used))
			return false;
		*used = bms_add_member(*used, var->varno);
	}
	return !bms_overlap(pull_varnos(NULL, (Node *) list_make2(AggregatesIn((Node *) targets),
															  NotAlwaysComputed((Node *) targets))), *used);
}

/* How often is a table among these? */
static int
CountTable(List *tables, Oid table)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, tables)
	{
		n += lfirst_node(RangeTblEntry, cell)->relid == table;
	}
	return n;
}

/* Does a query read a WITH query, be it one of its own, but that of the rows? */
static void
FindOtherCte(Query *query, int depth, void *context)
{
	Taking	   *taking = context;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		taking->reads_other |= rte->rtekind == RTE_CTE &&
			(taking->rows == NULL || taking->rows->rtekind != RTE_CTE || strcmp(rte->ctename, taking->rows->ctename) != 0);
	}
}

/* May items of FROM be read no more?  What WITH queries read, nobody looks for. */
static bool
MayBeDropped(Taking *taking, Bitmapset *items)
{
	Level	   *outermost = taking->level;
	List	   *queries = NIL;
	List	   *tables;
	List	   *all;
	ListCell   *cell;

	for (int i = -1; (i = bms_next_member(items, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, taking->level->query->rtable);
		Level		inner;

		if (QueryOfEntry(taking->level, rte, &inner) == NULL || ReadingMayRaise(taking->level, rte))
			return false;
		VisitQueries(inner.query, FindOtherCte, taking);
		queries = lappend(queries, inner.query);
	}
	while (outermost->outer != NULL)
		outermost = outermost->outer;
	tables = TablesIn((Node *) queries);
	all = TablesIn((Node *) outermost->query);
	foreach(cell, tables)
	{
		Oid			table = lfirst_node(RangeTblEntry, cell)->relid;

		/* Nothing else reads it. */
		if (CountTable(all, table) <= CountTable(tables, table))
			return false;
	}
	return !taking->reads_other;
}

/* A row of nothing, to which rows are left-joined */
static RangeTblEntry *
MakeOneRow(void)
{
	Query	   *query = makeNode(Query);

	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->jointree = makeFromExpr(NIL, NULL);
	return MakeSubqueryEntry(query, "one");
}

/* Put values in their places. */
static bool
TakeValues(Taking *taking)
{
	Query	   *query = taking->level->query;
	Bitmapset  *dropped = bms_copy(taking->values);
	Bitmapset  *used = NULL;
	int			first;

	if (!FindUsed(taking, &used))
		return false;
	dropped = bms_del_members(dropped, used);
	query->hasAggs = contain_aggs_of_level((Node *) query->targetList, 0);
	if (!query->hasAggs && taking->rows != NULL)
		dropped = bms_add_member(dropped, taking->varno);
	if (!MayBeDropped(taking, dropped))
		return false;
	query->hasSubLinks |= !bms_is_empty(used);
	query->targetList = (List *) ReplaceVars((Node *) query->targetList, ValueOf, taking);
	if (!query->hasAggs)
	{
		query->jointree->fromlist = query->rtable = NIL;
		return true;
	}
	RemoveEntries(query);
	first = VarnoOf(linitial(NodesOfJoinTree((Node *) query->jointree)));
	lfirst(list_nth_cell(query->rtable, first - 1)) = MakeOneRow();
	/* It has columns of items that are gone. */
	if (taking->rows != NULL)
		lfirst(list_nth_cell(query->rtable, taking->join - 1)) = MakeJoinEntry(JOIN_LEFT);
	return true;
}

/* Take what are values out of a query's FROM, if it gives one row. */
void
TakeOutValues(Level *level)
{
	Query	   *query = level->query;
	Level		copy = *level;
	Taking		taking = {.level = &copy};

	if (!ReadsOneJoin(query) || !IsValue(level, linitial(NodesOfJoinTree((Node *) query->jointree))) ||
		HasColumnsOfJoins(query) || CostsMayRaise(level, 0) ||
		(level->outer != NULL && level->outer->query->cteList != NIL && WithKeepsApart(level->outer)))
		return;
	copy.query = copyObject(query);
	if (!TakeJoins(&taking, (Node **) &linitial(copy.query->jointree->fromlist)) || bms_num_members(taking.values) < 2 ||
		(taking.rows != NULL && !HasAny(query, PART_AGGREGATES | PART_GROUPS)) ||
		(query->groupClause != NIL && !TakeGroups(&taking)))
		return;
	copy.query->targetList = (List *) TakeAggregates((Node *) copy.query->targetList, &taking);
	if (!TakeValues(&taking))
		return;
	*query = *copy.query;
	if (taking.rows != NULL && taking.rows->rtekind == RTE_CTE)
		CountReferences(level->outer->query);
}
