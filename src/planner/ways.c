/*-------------------------------------------------------------------------
 *
 * ways.c
 *		What depends on the way in which PostgreSQL carries out a query.
 *
 * It chooses by cost, and a rewrite makes cheaper what it changes.  So PostgreSQL may
 * carry out the queries around it in another way, though nothing in them has changed:
 *
 * - it joins their items in another order, or in another manner.  A merge join stops where
 *   one side ends;
 * - it evaluates conditions in another order;
 * - an item that it plans by itself, for it has GROUP BY or LIMIT, has several ways: the
 *   cheapest, one that is sorted, one that starts early.  What is around it decides
 *   which one is taken, and under a LIMIT these read different rows;
 * - EXISTS in an expression looks for each row, or reads all rows once, as many rows
 *   as are expected to ask;
 * - a subquery that refers to no row is run once, when its value is needed first; but if
 *   parallel workers need it, before they read any row.
 *
 * None of them may raise an error that the other does not.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/folding.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/order.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/*
 * The order of conditions
 */

/* What is asked of conditions, whose order PostgreSQL may choose */
typedef struct AskedConditions
{
	int			count;
	bool		may_raise;
	bool		raises;			/* the order of some may raise an error,
								 * whatever the others are */
} AskedConditions;

static bool
IsCondition(Node *node, void *context)
{
	return exprType(node) == BOOLOID;
}

/* May PostgreSQL make several conditions of one that has others within, or calls a function in SQL? */
static bool
MayBeSeveral(Node *condition)
{
	switch (nodeTag(condition))
	{
		case T_OpExpr:
			return !FunctionIsCompiled(get_opcode(((OpExpr *) condition)->opno)) ||
				expression_tree_walker((Node *) ((OpExpr *) condition)->args, IsCondition, NULL);
		case T_FuncExpr:
			return FunctionIsSql(((FuncExpr *) condition)->funcid) ||
				OidIsValid(get_func_support(((FuncExpr *) condition)->funcid)) ||
				expression_tree_walker((Node *) ((FuncExpr *) condition)->args, IsCondition, NULL);
		default:
			return true;
	}
}

/* Those of WHERE, joins and HAVING */
static List *
AllConditions(const Query *query)
{
	return list_concat(ConditionsIn((Node *) query->jointree), make_ands_implicit((Expr *) query->havingQual));
}

/* How many are there?  2 stands for several.  OR over what is one condition each, it does not take apart. */
static int
CountOfConditions(List *conditions)
{
	ListCell   *cell,
			   *part;

	foreach(cell, conditions)
	{
		foreach(part, is_orclause(lfirst(cell)) ? lfirst_node(BoolExpr, cell)->args : list_make1(lfirst(cell)))
		{
			if (MayBeSeveral(lfirst(part)))
				return 2;
		}
	}
	return list_length(conditions);
}

/*
 * Ask it of those of a query, and of what is in its FROM: PostgreSQL may evaluate some earlier,
 * within a subquery, and others later.  Not beyond a LIMIT, whose query it plans by itself; nor beside those of a query that
 * aggregates all its rows, into which nothing comes but what it has after that.
 */
static void
AskConditions(Level *level, AskedConditions *conditions)
{
	Query	   *query = level->query;
	ListCell   *cell;
	Level		inner;

	check_stack_depth();
	conditions->raises |= VisitsTooMany(level);
	if (conditions->raises)
		return;
	conditions->count += CountOfConditions(AllConditions(query));
	conditions->may_raise = conditions->may_raise || ConditionsMayRaise(level, query->jointree) ||
		HavingMayRaise(level);
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		conditions->count += CountOfConditions(rte->securityQuals);
		conditions->may_raise = conditions->may_raise || PoliciesMayRaise(level, rte->securityQuals);
		conditions->raises |= FunctionsBecomeQueries(rte->functions);
		if (QueryOfEntry(level, rte, &inner) == NULL)
			continue;
		if (IsOneRow(inner.query))
			conditions->raises |= OrderOfConditionsMayRaise(&inner);
		else if (!HasAny(inner.query, PART_LIMIT | PART_OFFSET))
			AskConditions(&inner, conditions);
	}
}

/*
 * May PostgreSQL meet an error if it evaluates a query's conditions in another order?  It does
 * so in the order of their costs, but first those by which it reads an index, and which one
 * that is, follows costs, too.
 */
bool
OrderOfConditionsMayRaise(Level *level)
{
	AskedConditions conditions = {0};

	AskConditions(level, &conditions);
	return conditions.raises || (conditions.count > 1 && conditions.may_raise);
}

/* The same of a query and those around it, whose conditions PostgreSQL may evaluate in one place; not beyond a LIMIT */
bool
OrderMayRaiseAround(Level *level)
{
	while (!OrderOfConditionsMayRaise(level))
	{
		if (!level->may_merge || HasAny(level->query, PART_LIMIT | PART_OFFSET))
			return false;
		level = level->outer;
	}
	return true;
}

static bool
HasConditions(const Query *query)
{
	return AllConditions(query) != NIL;
}

/* Does a query read other queries under conditions, which may be theirs? */
static bool
HasConditionsOnQueries(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RTEKind		kind = lfirst_node(RangeTblEntry, cell)->rtekind;

		if (kind == RTE_CTE || kind == RTE_SUBQUERY)
			return HasConditions(query);
	}
	return false;
}

/* Is a query an item of FROM or a query of WITH, and not in an expression? */
static bool
IsItemOrCte(const Query *outer, const Query *query)
{
	ListCell   *cell;

	if (ItemOf(outer, query) > 0)
		return true;
	foreach(cell, outer->cteList)
	{
		if (lfirst_node(CommonTableExpr, cell)->ctequery == (Node *) query)
			return true;
	}
	return false;
}

/* A query that another one reads for its result, to be looked at */
Level
LevelOfRead(Level *outer, Query *query)
{
	Level		level = LevelBelow(outer, query);

	level.may_merge = IsItemOrCte(outer->query, query);
	return level;
}

/* Has anything conditions but a query of WITH itself?  This is asked for each of its columns. */
static bool
IsFilteredCte(Level *level)
{
	if (!level->is_asked)
		level->is_filtered = IsSoOutside(level->outer->query, level->query, HasConditionsOnQueries);
	level->is_asked = true;
	return level->is_filtered;
}

/* May a column of an item of FROM be in a condition? */
static bool
IsInCondition(Query *outer, int varno, AttrNumber attno)
{
	return HasConditions(outer) &&
		(HasColumnsOfJoins(outer) ||
		 RefersToColumn((Node *) list_make2(outer->jointree, outer->havingQual), varno, attno));
}

/* How many conditions of a query are about an item? */
static int
ConditionsOn(Query *query, int varno)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, AllConditions(query))
	{
		n += RefersTo(lfirst(cell), varno);
	}
	return n;
}

static bool
HasPages(Node *table, void *context)
{
	Relation	relation = table_open(castNode(RangeTblEntry, table)->relid, NoLock);
	bool		result = RELKIND_HAS_STORAGE(relation->rd_rel->relkind) && PagesOfRelation(relation) > 0;

	table_close(relation, NoLock);
	return result;
}

/* One with LIMIT costs a part of what reading its table costs, and so does EXISTS in it; but what becomes a collection changes as a whole. */
static bool
MayStopSoon(const Query *query)
{
	return query->limitCount != NULL || query->hasSubLinks;
}

/* Does a subquery read a table that has pages, for each row; and (to_end) to its end? */
static bool
FindReading(Node *node, void *context)
{
	bool	   *to_end = context;
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && (sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK) &&
		contain_vars_of_level(sublink->subselect, 1) &&
		!(*to_end && CountQueries(castNode(Query, sublink->subselect), MayStopSoon) > 0) &&
		expression_tree_walker((Node *) TablesIn(sublink->subselect), HasPages, NULL))
		return true;
	return expression_tree_walker(node, FindReading, context);
}

/* Does an expression cost much, because it reads a table for each row?  (Unless PostgreSQL finds out that it need not.) */
static bool
CostsMuch(Node *expr, bool to_end)
{
	return Min(seq_page_cost, random_page_cost) > 10 * cpu_operator_cost && FindReading(expr, &to_end);
}

/*
 * May an entry of the select list (0: one with a subquery), or what is made of the column of an item of FROM, cost so
 * little that PostgreSQL computes it before it sorts and cuts off rows, for all of them; and may that raise an error
 * (or, in_any_case, what is made of it further out)?  Where a subquery changes, not what it is a part of (in_subquery), an entry that reads a
 * table for each row costs much as well afterwards.
 */
static bool
CheapMayRaise(Level *level, int varno, AttrNumber attno, bool in_subquery, bool in_any_case)
{
	ListCell   *cell;

	foreach(cell, level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		Node	   *expr = (Node *) entry->expr;
		bool		is_part = varno > 0 ? !IsA(expr, Var) && RefersToColumn(expr, varno, attno) :
			attno > 0 ? entry->resno == attno : checkExprHasSubLink(expr);

		if (is_part && !(in_subquery && CostsMuch(expr, attno > 0)) && (in_any_case || ExpressionMayRaise(level, expr)))
			return true;
	}
	return false;
}

bool
HasOrder(const Query *query)
{
	return query->sortClause != NIL;
}

/*
 * Does what a column of a query costs (any, if attno is 0) decide in which order conditions are evaluated, of which one may
 * raise an error?  Where PostgreSQL pulls up the query, or pushes conditions down into it, the column becomes what it is
 * computed from.  Conditions on what aggregates without GROUP BY are evaluated by themselves.  Or does it decide what is computed
 * before rows are sorted?
 */
static bool
CostsOfPartMayRaise(Level *level, AttrNumber attno, bool in_subquery)
{
	Level	   *changed = level;
	AttrNumber	column = attno;
	bool		matters = !level->rewrite->may_precede_sort;
	bool		may_raise = matters && CheapMayRaise(level, 0, attno, in_subquery, false);

	if (may_raise && HasOrder(level->query))
		return true;
	for (; level->may_merge && !HasAny(level->query, PART_LIMIT | PART_OFFSET); level = level->outer, column = 0)
	{
		Query	   *outer = level->outer->query;
		int			varno = ItemOf(outer, level->query);

		/* What IN selects becomes a condition. */
		if (!IsItemOrCte(outer, level->query) || (varno == 0 && IsFilteredCte(level)))
			return true;
		/* Who reads a CTE is not looked at. */
		if (matters && varno == 0 && !IsFenced(level->query) &&
			CheapMayRaise(attno > 0 ? changed : level, 0, attno, in_subquery, true) && IsSoOutside(outer, level->query, HasOrder))
			return true;
		if (varno > 0 && !IsFenced(level->query))
		{
			may_raise = may_raise || (matters && CheapMayRaise(level->outer, varno, column, in_subquery, false));
			if (may_raise && HasOrder(outer))
				return true;
		}
		if (varno == 0 || (IsOneRow(level->query) && ConditionsOn(outer, varno) < 2))
			continue;
		if (IsInCondition(outer, varno, column) && OrderMayRaiseAround(level->outer))
			return true;
	}
	return false;
}

/* The same if it is a subquery in it that costs something else */
bool
CostsMayRaise(Level *level, AttrNumber attno)
{
	return CostsOfPartMayRaise(level, attno, true);
}

/* ... or what stands beside any subquery */
bool
OwnCostsMayRaise(Level *level, AttrNumber attno)
{
	return CostsOfPartMayRaise(level, attno, false);
}

static bool
SortsOrGroups(const Query *query)
{
	return HasOrder(query) || query->groupClause != NIL || query->distinctClause != NIL;
}

/*
 * May a column of a query be compared further out, or sorted or grouped by, once PostgreSQL has pulled the query up?  Then
 * what it is computed from counts as the same wherever it stands.
 */
bool
IsComparedOutside(Level *level)
{
	for (; level->may_merge && !IsFenced(level->query); level = level->outer)
	{
		Query	   *outer = level->outer->query;
		int			varno = ItemOf(outer, level->query);

		if (!IsItemOrCte(outer, level->query) || SortsOrGroups(outer) ||
			(varno == 0 && (IsFilteredCte(level) || IsSoOutside(outer, level->query, SortsOrGroups))) ||
			(varno > 0 && (IsInCondition(outer, varno, 0) || FromRefersTo(outer, NULL, varno))))
			return true;
	}
	return false;
}

/*
 * Show the visitor what a query reads for its result, CTEs too, where it may cost something else.  It is told the query's level.
 */
void
VisitFree(Level *level, QueryVisitor visitor)
{
	VisitCtes(level->query, visitor, level);
	if (level->query->hasSubLinks && CostsMayRaise(level, 0))
		VisitItems(level->query, visitor, level);
	else
		VisitBelow(level->query, visitor, level);
}

/*
 * Items
 */

/*
 * May aggregates of groups raise an error for rows that a join takes away?  PostgreSQL 19 may compute parts of them
 * before it joins.
 */
bool
GroupsMayRaise(Level *level)
{
	Query	   *query = level->query;
	ListCell   *cell;

	if (!AGGREGATES_BELOW_JOINS || !HasAny(query, PART_GROUPS) || LeadingInput(query) != 0)
		return false;
	foreach(cell, list_concat(AggregatesIn((Node *) query->targetList), AggregatesIn(query->havingQual)))
	{
		Aggref	   *aggref = copyObject(lfirst(cell));

		/* One in a subquery is computed here, too. */
		IncrementVarSublevelsUp((Node *) aggref, -(int) aggref->agglevelsup, aggref->agglevelsup);
		if (MayBePartial(aggref) && ExpressionMayRaise(level, (Node *) aggref))
			return true;
	}
	return false;
}

/*
 * May something that gives one row raise an error beside the only item (0 if there are more) that it could belong to?
 * It may be computed for rows of that which something else takes away; or before there are any, if it belongs to none
 * of them.
 */
bool
OneRowMayRaise(Level *level, int leading)
{
	Query	   *query = level->query;
	bool		is_only = leading != 0 && IsOneItem(makeFromExpr(list_make1(MakeRef(leading)), query->jointree->quals),
													query->rtable);

	for (int varno = 1; varno <= list_length(query->rtable); varno++)
	{
		Query	   *subquery = rt_fetch(varno, query->rtable)->subquery;

		if (varno != leading && subquery != NULL && IsOneRow(subquery) &&
			!(is_only && StaysForEachRow(level, subquery)) && QueryMayRaise(level, subquery))
			return true;
	}
	return false;
}

/*
 * May what a query reads raise an error if it is read in another way?  Of several items, one may be read only if
 * there are rows of another.  The only one may be the query that changes, of which this is asked by itself.
 */
bool
ItemsMayRaise(Level *level, const Query *changed)
{
	int			leading = LeadingInput(level->query);
	Level		inner;
	Query	   *item;

	if (leading == 0)
		return JoiningMayRaise(level) || GroupsMayRaise(level);
	item = LeadingQuery(level, &inner);
	return OneRowMayRaise(level, leading) || (item != NULL && item != changed && OtherWayMayRaise(&inner, NULL));
}

/*
 * May a query that PostgreSQL plans by itself raise an error if it is carried out in another way?  A query in its FROM
 * may be the one that changes, of which this is asked by itself.
 */
bool
OtherWayMayRaise(Level *level, const Query *changed)
{
	check_stack_depth();
	return OrderOfConditionsMayRaise(level) || ItemsMayRaise(level, changed) ||
		(CutsRows(level) && MayComeSorted(level) && (JoiningMayRaise(level) || ValuesMayRaise(level)));
}

/* What PostgreSQL does by sorting or by hashing: if somebody stops, only by sorting it need not read all */
#define PARTS_IN_ONE_OF_WAYS	(PART_GROUPS | PART_GROUPING_SETS | PART_DISTINCT | PART_DISTINCT_ON | PART_WINDOWS)

/* Might PostgreSQL stop elsewhere if something in a query cost less, and read rows of which one raises an error? */
static bool
StopDecides(Level *level)
{
	int			visits = level->rewrite->visits;
	Level		inner;
	Query	   *item;

	if (level->rewrite->may_stop && !level->costs_are_asked)
	{
		level->costs_are_asked = true;
		level->rewrite->visits = 0;
		item = LeadingQuery(level, &inner);
		/* What is planned by itself knows nothing of the costs around it. */
		level->costs_decide = OtherWayMayRaise(level, item != NULL && IsFenced(item) ? item : NULL) ||
			(HasAny(level->query, PARTS_IN_ONE_OF_WAYS) && JoiningMayRaise(level));
		level->rewrite->visits = visits;
	}
	return level->costs_decide;
}

/*
 * May a condition compare two items, so that there are several ways to join them?  One of them may be pulled up, and what has both; and
 * a subquery may become a join.
 */
static bool
ComparesItems(Node *condition, void *context)
{
	OpExpr	   *op = (OpExpr *) condition;

	return checkExprHasSubLink(condition) ||
		(IsA(condition, OpExpr) && list_length(op->args) == 2 &&
		 op_mergejoinable(op->opno, exprType(linitial(op->args))) &&
		 contain_var_clause(linitial(op->args)) && contain_var_clause(lsecond(op->args)));
}

/*
 * Might PostgreSQL join the items of a query in another way if one of them cost less, and read rows of which one raises an error?  A merge
 * join stops where one side ends.
 */
bool
JoinsDecide(Level *level)
{
	int			visits = level->rewrite->visits;
	List	   *conditions;

	if (!level->joins_are_asked)
	{
		level->joins_are_asked = true;
		level->rewrite->visits = 0;
		conditions = ConditionsIn((Node *) level->query->jointree);
		level->joins_decide = expression_tree_walker((Node *) conditions, ComparesItems, NULL) && JoiningMayRaise(level);
		level->rewrite->visits = visits;
	}
	return level->joins_decide;
}

/*
 * Might PostgreSQL choose another plan if something in a query cost less, and read rows of which one raises an error?  So it may where it
 * stops when it has enough rows, but an aggregate without GROUP BY reads all; and where it joins.  What the query costs is a part of what
 * those around it cost, whatever it is there: of those that stop, and of how they join; but what a select list costs is the same however
 * its rows are joined.
 */
bool
CostsDecide(Level *level)
{
	bool		is_planned = true;	/* with those around it, as far as here */

	if (!IsOneRow(level->query) && StopDecides(level))
		return true;
	for (; level->outer != NULL; level = level->outer)
	{
		Level	   *outer = level->outer;
		bool		cuts = CutsRows(outer);

		is_planned = is_planned && level->may_merge && !IsFenced(level->query) && !IsOneRow(level->query);
		if ((cuts || (is_planned && !IsOneRow(outer->query))) && StopDecides(outer))
			return true;
		if ((cuts || level->may_merge || outer->entry == NULL) && JoinsDecide(outer))
			return true;
	}
	return false;
}

/*
 * May PostgreSQL meet an error if it joins what a query reads in another way, or reads more
 * or less of it?
 */
bool
JoiningMayRaise(Level *level)
{
	bool		reads_all;
	Level		arm;
	ListCell   *cell;

	if (!HasAny(level->query, PART_SET_OPERATION))
		return OtherRowsMayRaise(level, level->query->jointree);
	/* All of its arms may be read, unless somebody stops. */
	reads_all = level->outer == NULL && !HasAny(level->query, PART_LIMIT) && !level->rewrite->is_cursor &&
		ReadsAllArms(level->query);
	foreach(cell, level->query->rtable)
	{
		if (reads_all ? QueryOfEntry(level, lfirst(cell), &arm) == NULL || OtherWayMayRaise(&arm, NULL) :
			ReadingMayRaise(level, lfirst(cell)))
			return true;
	}
	return false;
}

/*
 * Subqueries in expressions
 */

static Visit
VisitExists(Node *node, int depth, void *context)
{
	SubLink    *sublink = (SubLink *) node;

	return depth == 0 && IsA(node, SubLink) && sublink->subLinkType == EXISTS_SUBLINK &&
		QueryMayRaise(context, castNode(Query, sublink->subselect)) ? VISIT_FOUND : VISIT_CHILDREN;
}

static Visit
VisitRunOnce(Node *node, int depth, void *context)
{
	return depth == 0 && IsA(node, SubLink) && !StaysForEachRow(context, castNode(Query, ((SubLink *) node)->subselect)) &&
		ExpressionMayRaise(context, node) ? VISIT_FOUND : VISIT_CHILDREN;
}

/*
 * May subqueries in a query's expressions raise an error that they would not raise if PostgreSQL expected another
 * number of rows, or if no parallel workers carried it out?
 */
bool
SubqueriesMayRaise(Level *level)
{
	Query	   *query = level->query;
	Node	   *values = query->hasSubLinks ? (Node *) list_concat_copy(query->targetList, GroupingOf(query)) : NULL;

	return query->hasSubLinks &&
		(FindInLevels((Node *) list_make3(values, query->jointree, query->havingQual), VisitExists, level) ||
		 (!HasAny(query, PART_NO_FROM) && FindInLevels(values, VisitRunOnce, level)));
}
