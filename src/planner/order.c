/*-------------------------------------------------------------------------
 *
 * order.c
 *		The order that a query's rows come in, and who asked for it.
 *
 * SELECT json_agg(x) FROM (SELECT ... ORDER BY name) x asks for an order, though
 * the aggregate does not: PostgreSQL reads the subquery's rows as they come.  A
 * join that is added to the query, or groups that it gets, may lose that order.
 *
 * So a query whose FROM has an order gets joins only if the order can be asked for
 * in another way (KeepOrder), or does not matter.  Known to come in no particular
 * order are tables, and what is made of them without ORDER BY; a function may
 * return its rows in order, and so may anything else.
 *
 * SELECT json_agg(x ORDER BY grade) FROM (SELECT ... ORDER BY grade, name) x may ask for an
 * order twice.  PostgreSQL does not sort rows that are sorted already, so those of one
 * grade come by their names: what is sorted above is sorted by both.  If several aggregates take their rows in one order,
 * rows are numbered in it, and all sort by that: what is equal in it comes in the same place of each.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parse_clause.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/query_parts.h"
#include "planner/rewrite.h"
#include "planner/row_shape.h"
#include "planner/source.h"
#include "utils/fmgroids.h"

static bool QueryHasOrder(Level *level);

/*
 * Has anybody asked for an order?
 */

/* Does any item of FROM, or arm of a set operation, except one have an order? */
static bool
OtherItemsHaveOrder(Level *level, int varno)
{
	Query	   *query = level->query;
	Relids		from = RelidsInJointree((Node *) query->jointree);
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		int			i = foreach_current_index(cell) + 1;
		RangeTblEntry *rte = lfirst(cell);
		Level		inner;

		if (i == varno || (query->setOperations == NULL && !bms_is_member(i, from)))
			continue;
		switch (rte->rtekind)
		{
			case RTE_RELATION:
			case RTE_JOIN:
			case RTE_RESULT:
				break;
			case RTE_SUBQUERY:
			case RTE_CTE:
				if (QueryOfEntry(level, rte, &inner) == NULL || QueryHasOrder(&inner))
					return true;
				break;
			default:
				return true;
		}
	}
	return false;
}

/* Has the query asked for an order of its rows, or of those that it reads? */
static bool
QueryHasOrder(Level *level)
{
	if (VisitsTooMany(level) || HasAny(level->query, PART_ORDER | PART_NO_SELECT | PART_UNKNOWN))
		return true;
	return !IsOneRow(level->query) && HasInputOrder(level);
}

/* Has anybody asked for an order of what a query reads? */
bool
HasInputOrder(Level *level)
{
	return OtherItemsHaveOrder(level, 0);
}

/*
 * Who sees it?
 */

/* Clauses with which a query's result does not depend on the order of the rows it reads */
#define PARTS_OF_ANY_ORDER	(PARTS_OF_ROWS | PART_AGGREGATES | PART_GROUPS | PART_HAVING | PART_COUNTS | PART_CTES | \
							 PART_SET_OPERATION)

/* Is it known which of several equal values is shown for a group, or is left by DISTINCT or UNION? */
static bool
EqualGroupsAreSame(Query *query)
{
	SetOperationStmt *operation = (SetOperationStmt *) query->setOperations;
	List	   *exprs = get_sortgrouplist_exprs(list_concat_copy(query->groupClause, query->distinctClause),
												query->targetList);
	ListCell   *cell;

	if (operation != NULL && !(operation->op == SETOP_UNION && operation->all))
		exprs = list_concat(exprs, get_tlist_exprs(query->targetList, true));
	foreach(cell, exprs)
	{
		if (!EqualIsSame(lfirst(cell)))
			return false;
	}
	return true;
}

/*
 * Would another order of the rows that a query reads be seen in more than in the
 * order of what it gives, and in which rows LIMIT takes?  A sum of floats differs in
 * its last digits.
 */
bool
ValuesDependOnOrder(Query *query)
{
	return !HasOnly(query, PARTS_OF_ANY_ORDER | PART_LIMIT | PART_OFFSET) ||
		HasInexactAggregate(query) || !EqualGroupsAreSame(query);
}

/* The same, and would LIMIT take other rows? */
bool
ResultDependsOnOrder(Level *level)
{
	return CutsRows(level) || ValuesDependOnOrder(level->query);
}

/* Is the order of the rows that a query reads lost?  Aggregates may give the same in any order, or ask for one. */
bool
HidesInputOrder(Query *query)
{
	ListCell   *cell;

	if (!HasAny(query, PART_AGGREGATES | PART_GROUPS))
		return HasAny(query, PART_ORDER);
	foreach(cell, AggregatesIn((Node *) list_make2(query->targetList, query->havingQual)))
	{
		Aggref	   *aggref = lfirst_node(Aggref, cell);

		if (GathersRows(aggref) && aggref->aggorder == NIL && aggref->aggdistinct == NIL)
			return false;
	}
	return true;
}

/* Clauses that PostgreSQL carries out in several ways; which, depends on what is done with the rows */
#define PARTS_OF_GROUPS	(PART_GROUPS | PART_GROUPING_SETS | PART_DISTINCT | PART_DISTINCT_ON | PART_WINDOWS | \
						 PART_SET_OPERATION)

/*
 * Does a query that groups, or any in its FROM, see the order of what it reads, be it
 * only in which of several equal values it shows?
 */
static bool
GroupsSeeOrder(Level *level)
{
	return VisitsTooMany(level) || !EqualGroupsAreSame(level->query) ||
		(HasAny(level->query, PARTS_OF_GROUPS) &&
		 (HasInexactAggregate(level->query) ||
		  (HasInputOrder(level) && !(HasAny(level->query, PART_GROUPS) && HidesInputOrder(level->query))))) ||
		ReadsOrderedGroups(level);
}

/*
 * Is there an item of FROM, at any depth, that makes groups of rows in an order
 * that is seen in them?  A join to it may make PostgreSQL group in another way.
 */
bool
ReadsOrderedGroups(Level *level)
{
	ListCell   *cell;
	Level		inner;

	foreach(cell, level->query->rtable)
	{
		if (QueryOfEntry(level, lfirst(cell), &inner) != NULL && GroupsSeeOrder(&inner))
			return true;
	}
	return false;
}

/* Is the order of the rows that a query reads, which somebody asked for, seen in its aggregates, or in its groups? */
bool
AggregatesShowOrder(Level *level)
{
	return HasInexactAggregate(level->query) || ReadsOrderedGroups(level) ||
		(HasInputOrder(level) && !HidesInputOrder(level->query));
}

/*
 * Would it be seen if PostgreSQL joined or grouped the rows that a query reads in
 * another way?
 */
bool
ShowsChoice(Level *level)
{
	return ValuesDependOnOrder(level->query) || AggregatesShowOrder(level);
}

/* The query that is the only item of FROM, but for what belongs to each of its rows, with its level; NULL if there is none */
Query *
LeadingQuery(Level *level, Level *inner)
{
	int			leading = LeadingInput(level->query);

	return leading != 0 ? QueryOfEntry(level, rt_fetch(leading, level->query->rtable), inner) : NULL;
}

/* Would it be seen if the only item of FROM, but for what belongs to each of its rows, were? */
static bool
ShowsWayOfItem(Level *level, const Query *changed)
{
	Level		inner;
	Query	   *item = LeadingQuery(level, &inner);

	return item != NULL && item != changed && ShowsWay(&inner);
}

/* Would it be seen if a query that PostgreSQL plans by itself were carried out in another way (ways.c)? */
bool
ShowsWay(Level *level)
{
	bool		takes_any = CutsRows(level) && !HasAny(level->query, PART_ORDER);

	/* It may join or group to find any. */
	return GroupsSeeOrder(level) ||
		(takes_any && (HasAny(level->query, PARTS_OF_GROUPS) || LeadingInput(level->query) == 0)) ||
		ShowsWayOfItem(level, NULL);
}

/*
 * Would it be seen if what a query reads cost something else?  Not if all that it
 * does is to read one item of FROM and what belongs to each of its rows.  This may be
 * the query that changes.
 */
bool
ShowsPlan(Level *level, const Query *changed)
{
	bool		in_turn = LeadingInput(level->query) != 0 &&
		HasOnly(level->query, PARTS_OF_ROWS | PART_AGGREGATES | PART_COUNTS | PART_CTES | PART_LIMIT | PART_OFFSET);

	return in_turn ? ShowsWayOfItem(level, changed) : ShowsChoice(level);
}

/*
 * How it is kept
 */

/*
 * The only item in FROM except for collections, which PostgreSQL computes for each
 * of its rows in turn; 0 if there are more
 */
int
LeadingInput(Query *query)
{
	List	   *fromlist = query->jointree->fromlist;
	Node	   *node = fromlist != NIL ? linitial(fromlist) : NULL;

	for (int i = 1; i < list_length(fromlist); i++)
		if (!IsOneRowItem(query, list_nth(fromlist, i)))
			return 0;
	while (node != NULL && IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (!IsOneRowItem(query, join->rarg) ||
			!(join->jointype == JOIN_LEFT || (join->jointype == JOIN_INNER && IsTrue(join->quals))))
			return 0;
		node = join->larg;
	}
	return node != NULL ? VarnoOf(node) : 0;
}

/* Does a query, or an aggregate of it, sort rows whose order is seen? */
static bool
SortsRows(Query *query)
{
	ListCell   *cell;

	if (!HasAny(query, PART_AGGREGATES | PART_GROUPS))
		return HasAny(query, PART_ORDER);
	foreach(cell, AggregatesIn((Node *) query->targetList))
	{
		if (GathersRows(lfirst(cell)) && lfirst_node(Aggref, cell)->aggorder != NIL)
			return true;
	}
	return false;
}

/*
 * Are rows of FROM made of one row of it and several of a subquery that has an order of its own?  What is written
 * first may be joined within, as in a view.
 */
static bool
RowsHaveOrderWithin(Level *level)
{
	Query	   *query = level->query;
	int			first = VarnoOf(linitial(NodesOfJoinTree((Node *) query->jointree)));
	Relids		from = RelidsInJointree((Node *) query->jointree);
	Level		inner;

	check_stack_depth();
	for (int i = -1; (i = bms_next_member(from, i)) >= 0;)
		if (QueryOfEntry(level, rt_fetch(i, query->rtable), &inner) != NULL && !GivesNoMoreThanOneRow(&inner) &&
			(i == first ? RowsHaveOrderWithin(&inner) : QueryHasOrder(&inner)))
			return true;
	return false;
}

/* Does a query sort rows that are equal to it, but have an order within one row of its FROM? */
static bool
TiesHaveOrder(Level *level)
{
	return SortsRows(level->query) && RowsHaveOrderWithin(level);
}

/*
 * The subquery that alone determines the order of the rows that a query reads, in
 * a way that can be asked for above, with its level; NULL if there is none.
 */
static Source *
FindOrder(Level *level, Level **found)
{
	Source	   *source = palloc0(sizeof(Source));

	source->query = level->query;
	while (source->above == NULL || !HasAny(source->query, PART_ORDER))
	{
		Level	   *inner = palloc0(sizeof(Level));
		int			varno = LeadingInput(source->query);
		RangeTblEntry *rte;

		if (varno == 0 || OtherItemsHaveOrder(level, varno))
			return NULL;
		rte = rt_fetch(varno, source->query->rtable);
		if (!IsSource(rte) || (GroupsRows(rte->subquery) && !HasAny(rte->subquery, PART_ORDER)))
			return NULL;
		source = SourceBelow(source, varno);
		*inner = LevelBelow(level, source->query);
		level = inner;
	}
	*found = level;
	return TiesHaveOrder(level) || !HasRoom(source, list_length(source->query->sortClause)) ? NULL : source;
}

/* Does a query sort rows that are equal to it, but have the order of what it reads first? */
bool
TiesKeepOrder(Level *level)
{
	int			first = VarnoOf(linitial(NodesOfJoinTree((Node *) level->query->jointree)));
	Level		inner;

	return first != 0 && SortsRows(level->query) &&
		QueryOfEntry(level, rt_fetch(first, level->query->rtable), &inner) != NULL && QueryHasOrder(&inner);
}

static Visit
VisitAggregateWithin(Node *node, int depth, void *context)
{
	return IsA(node, Aggref) && depth > 0 && ((Aggref *) node)->agglevelsup == depth ?
		VISIT_FOUND : VISIT_CHILDREN;
}

/* Are there aggregates of the query in a subquery of its select list? */
static bool
HasAggregatesWithin(Query *query)
{
	return FindInLevels((Node *) query->targetList, VisitAggregateWithin, NULL);
}

/* Does an aggregate take its rows in the order of what the query reads, if it asks for none itself? */
static bool
IsSortedAlike(Aggref *aggref)
{
	return GathersRows(aggref) && aggref->aggkind == AGGKIND_NORMAL && aggref->agglevelsup == 0 && aggref->aggdistinct == NIL;
}

/* Does LIMIT or OFFSET, of the subquery or above, take rows in its order? */
static bool
OrderIsUsed(Source *source)
{
	for (; source->above != NULL; source = source->above)
		if (HasAny(source->query, PART_LIMIT | PART_OFFSET))
			return true;
	return false;
}

/* Do several aggregates take rows in the order that they come in?  Where each sorts them for itself, equal ones may come in another one. */
static bool
SeveralAreSortedAlike(const List *aggregates)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, aggregates)
	{
		n += IsSortedAlike(lfirst(cell));
	}
	return n > 1;
}

/* May everybody call what tells whether values are equal that a query sorts or groups by? */
bool
MayCompareAll(Level *level, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		if (!MayReplace(level, get_opcode(lfirst_node(SortGroupClause, cell)->eqop)))
			return false;
	}
	return true;
}

/*
 * Numbering rows calls the function that compares their order, which sorting does not check; may anybody call it?  The
 * order of what is read counts, too, for it decides where this one leaves ties.
 */
bool
OrderIsFit(Level *level)
{
	ListCell   *cell;

	check_stack_depth();
	if (!MayCompareAll(level, level->query->sortClause))
		return false;
	foreach(cell, level->query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		Level		inner = LevelBelow(level, rte->subquery);

		if (rte->rtekind == RTE_SUBQUERY && !OrderIsFit(&inner))
			return false;
	}
	return true;
}

/* Can a subquery number its rows in their order, so that all aggregates sort them by that? */
static bool
CanNumberRows(Level *level, Source *source)
{
	Level		inner = LevelBelow(level, source->query);

	return MayReplace(level, F_ROW_NUMBER) && HasOnly(source->query, PARTS_OF_ROWS | PART_CTES) && !OrderIsUsed(source) &&
		OrderIsFit(&inner);
}

/* Are no two rows equal in the order that a query asks for, because it sorts by a unique key? */
static bool
HasNoTies(Level *level)
{
	ListCell   *cell;

	foreach(cell, level->query->sortClause)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(cell), level->query->targetList);

		if (IsA(expr, Var) && IsNeverNull(level, (Var *) expr) && IsOneRowByValue(level, expr) &&
			lfirst_node(SortGroupClause, cell)->eqop == lookup_type_cache(exprType(expr), TYPECACHE_EQ_OPR)->eq_opr)
			return true;
	}
	return false;
}

/* May several aggregates lose an order in common that somebody asked for? */
static bool
OrderInCommonMayBeLost(Level *level)
{
	Level	   *inner;
	Source	   *source = SeveralAreSortedAlike(AggregatesIn((Node *) level->query->targetList)) && HasInputOrder(level) ?
		FindOrder(level, &inner) : NULL;

	return source != NULL && !GivesNoMoreThanOneRow(inner) && !HasNoTies(inner) && !CanNumberRows(level, source);
}

/*
 * Can a query get joins, or be grouped, without losing an order that was asked
 * for?
 */
bool
CanKeepOrder(Level *level)
{
	Level	   *inner;
	bool		sees_within = HasAggregatesWithin(level->query);

	if (ReadsOrderedGroups(level) || TiesHaveOrder(level) || OrderInCommonMayBeLost(level) || (sees_within && TiesKeepOrder(level)))
		return false;
	return !HasInputOrder(level) || HidesInputOrder(level->query) ||
		(!HasAny(level->query, PART_GROUPS) && !sees_within && FindOrder(level, &inner) != NULL);
}

/* Sort targets by these columns, which they get, in the order of these clauses; first by what they are sorted by already. */
static void
AddOrder(List **sort, List **targets, List *clauses, List *columns)
{
	ListCell   *cell,
			   *column;

	forboth(cell, clauses, column, columns)
	{
		SortGroupClause *clause = copyObject(lfirst_node(SortGroupClause, cell));
		TargetEntry *entry = tlist_member(lfirst(column), *targets);

		if (entry == NULL)
		{
			entry = makeTargetEntry(copyObject(lfirst(column)), list_length(*targets) + 1, NULL, true);
			*targets = lappend(*targets, entry);
		}
		if (targetIsInSortList(entry, clause->sortop, *sort))
			continue;
		clause->tleSortGroupRef = assignSortGroupRef(entry, *targets);
		*sort = lappend(*sort, clause);
	}
}

/* Does a subquery compute something that the query around it uses more than once?  Sorted, it does so once, for it is not pulled up. */
static bool
IsComputedForMany(const Source *source)
{
	ListCell   *cell;

	foreach(cell, source->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!IsA(entry->expr, Var) && IsUsedAgain((Node *) source->above->query, source->varno, entry->resno))
			return true;
	}
	return false;
}

/*
 * What rows are sorted by to have the order of a subquery: clauses, and columns of the query.  Of several
 * aggregates, all sort by a row's number.
 */
static List *
BringUpOrder(Level *level, Source *source, List *aggregates, List **clauses)
{
	List	   *columns = NIL;
	ListCell   *cell;

	*clauses = source->query->sortClause;
	if (SeveralAreSortedAlike(aggregates) && CanNumberRows(level, source))
	{
		SortGroupClause *by_number = makeNode(SortGroupClause);

		get_sort_group_operators(INT8OID, true, true, false, &by_number->sortop, &by_number->eqop, NULL,
								 &by_number->hashable);
		*clauses = list_make1(by_number);
		return list_make1(BringUp(source, NumberRows(source->query, NIL)));
	}
	foreach(cell, *clauses)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(cell), source->query->targetList);

		columns = lappend(columns, BringUp(source, (Expr *) copyObject(expr)));
	}
	return columns;
}

/* The order of a query's rows is that of a subquery; but what asks for one of its own, sorts by that first. */
static void
SortAlike(Level *level, Source *source, List *aggregates)
{
	Query	   *query = level->query;
	List	   *clauses;
	List	   *columns = BringUpOrder(level, source, aggregates, &clauses);
	ListCell   *cell;

	foreach(cell, aggregates)
	{
		Aggref	   *aggref = lfirst_node(Aggref, cell);

		if (IsSortedAlike(aggref))
			AddOrder(&aggref->aggorder, &aggref->args, clauses, columns);
	}
	if (!HasAny(query, PART_AGGREGATES | PART_GROUPS))
		AddOrder(&query->sortClause, &query->targetList, clauses, columns);
	/* An error of comparing what it sorts by stays where it is. */
	if (!OrderIsUsed(source) && !HasAny(query, PART_GROUPS) && !HasAggregatesWithin(query) && !IsComputedForMany(source) &&
		!SortingMayRaise(source->query->sortClause, source->query->targetList))
		source->query->sortClause = NIL;
}

/*
 * If a subquery determines the order of a query's rows, let these aggregates over
 * them, or else the query itself, sort in that order.  Whole rows must have been
 * taken apart (ExpandRowsOfSources), for subqueries get more columns.
 */
void
KeepOrder(Level *level, List *aggregates)
{
	Source	   *source;
	Level	   *inner = NULL;
	int			visits = level->rewrite->visits;
	bool		has_order;

	check_stack_depth();
	/* What CanKeepOrder has found must be found again. */
	level->rewrite->visits = 0;
	has_order = HasInputOrder(level);
	source = has_order ? FindOrder(level, &inner) : NULL;
	level->rewrite->visits = visits;
	if (source != NULL)
	{
		KeepOrder(inner, NIL);
		SortAlike(level, source, aggregates);
	}
	else if (has_order && !HidesInputOrder(level->query))
		elog(ERROR, "an order cannot be kept");
}
