/*-------------------------------------------------------------------------
 *
 * grouped_page.c
 *		Pages whose rows are grouped with what is left-joined to them.
 *
 *		SELECT p.id, p.name, json_agg(c.x)          SELECT p.id, p.name, json_agg(c.x)
 *		FROM p LEFT JOIN c ON c.pid = p.id          FROM (SELECT p.id, p.name FROM p
 *		GROUP BY p.id                                   ORDER BY p.name LIMIT 20) p
 *		ORDER BY p.name LIMIT 20                    LEFT JOIN c ON c.pid = p.id
 *		                                            GROUP BY p.id
 *		                                            ORDER BY p.name OFFSET 0
 *
 * This is what is written by hand, and by Django, SQLAlchemy and Ecto.  PostgreSQL joins and aggregates what belongs to
 * all rows to keep twenty.
 *
 * Why nothing changes: what is left-joined is late, if only aggregates look at it.  The rows of what remains, the
 * parents, are told apart by what is grouped by: the unique keys of their items, but of those that others find by
 * theirs.  So each of them is a group of its own, and there is one for each of them, for a left join keeps its left
 * side.  They are sorted by what they have themselves, so LIMIT takes the same ones before anything is joined; and the
 * rows that each is joined to are the same.  They may be joined in another way: so nothing that is joined, and no
 * condition, may raise an error, nor may the order of the rows be seen in what they aggregate, except in arrays for which
 * nobody asked for one.  Aggregates are computed for some of the groups for which they were; so are the values that are
 * made of them.  Groups that are numbers look as they did: each is that of its row.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/stratnum.h"
#include "miscadmin.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/page.h"
#include "planner/tables.h"
#include "planner/ways.h"
#include "utils/lsyscache.h"

/*
 * The rows of the parents
 */

/* Does a query group by a column, and take for equal only what an index does? */
static bool
GroupsBy(const Query *query, const KeyColumn *column)
{
	ListCell   *cell;

	foreach(cell, query->groupClause)
	{
		SortGroupClause *clause = lfirst(cell);

		if (IsClauseOfKey(query, clause, column) &&
			get_op_opfamily_strategy(clause->eqop, column->opfamily) == BTEqualStrategyNumber)
			return true;
	}
	return false;
}

/*
 * May everybody group the rows so, without an error?  PostgreSQL groups by a primary key alone, but what a subquery gives by all that is
 * written.
 */
static bool
MayGroup(Level *level)
{
	const Query *query = level->query;

	return MayCompareAll(level, query->groupClause) && !SortingMayRaise(query->groupClause, query->targetList);
}

/* Does a query group by a unique key of an item of FROM? */
static bool
GroupsByKey(const Query *query, int varno)
{
	ListCell   *key,
			   *column;

	foreach(key, rt_fetch(varno, query->rtable)->rtekind == RTE_RELATION ? UniqueKeysOf(query, varno) : NIL)
	{
		bool		is_grouped = true;

		foreach(column, (List *) lfirst(key))
		{
			is_grouped = is_grouped && GroupsBy(query, lfirst(column));
		}
		if (is_grouped)
			return true;
	}
	return false;
}

/* Are the rows of a join tree told apart by what a query groups by? */
static bool
AreToldApart(const Query *query, Node *node)
{
	JoinExpr   *join = (JoinExpr *) node;
	ListCell   *cell;

	check_stack_depth();
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			if (!AreToldApart(query, lfirst(cell)))
				return false;
		}
		return true;
	}
	if (IsA(node, JoinExpr))
		return (join->jointype == JOIN_LEFT || join->jointype == JOIN_INNER) && AreToldApart(query, join->larg) &&
			(JoinFindsOne(query, join) || AreToldApart(query, join->rarg));
	return GroupsByKey(query, VarnoOf(node));
}

/*
 * What is late
 */

/* The left joins of a join tree, those first that others may refer to */
static void
AddLeftJoins(RowPage *page, Node *node)
{
	JoinExpr   *join = (JoinExpr *) node;
	int			varno;
	RangeTblEntry *rte;
	ListCell   *cell;

	check_stack_depth();
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			AddLeftJoins(page, lfirst(cell));
		}
	}
	if (!IsA(node, JoinExpr) || (join->jointype != JOIN_LEFT && join->jointype != JOIN_INNER))
		return;
	AddLeftJoins(page, join->larg);
	varno = VarnoOf(join->rarg);
	rte = varno > 0 ? rt_fetch(varno, page->level->query->rtable) : NULL;
	if (rte == NULL || rte->lateral || rte->tablesample != NULL || join->jointype == JOIN_INNER ||
		join->usingClause != NIL || join->alias != NULL)
		return;
	page->late = lappend(page->late, join);
	page->items = bms_add_member(page->items, varno);
}

/* Does anything that decides which rows there are refer to an item? */
static bool
DecidesRows(const RowPage *page, int varno)
{
	Query	   *query = page->level->query;
	FromExpr   *parents = PageParents(page);
	List	   *sorted = get_sortgrouplist_exprs(list_concat_copy(query->groupClause, query->sortClause), query->targetList);

	return RefersTo((Node *) parents, varno) || RefersTo((Node *) sorted, varno) ||
		FromRefersTo(query, page->items, varno);
}

/* What only aggregates look at; what that refers to stays with the parents, if it is not late. */
static void
FindLateJoins(RowPage *page)
{
	int			njoins;

	AddLeftJoins(page, (Node *) page->level->query->jointree);
	do
	{
		njoins = list_length(page->late);
		for (int i = njoins - 1; i >= 0; i--)
		{
			JoinExpr   *join = list_nth(page->late, i);
			int			varno = VarnoOf(join->rarg);

			if (!DecidesRows(page, varno) && CanBeLate(page, join->quals))
				continue;
			page->items = bms_del_member(page->items, varno);
			page->late = list_delete_nth_cell(page->late, i);
		}
	} while (list_length(page->late) < njoins);
}

/* Which values are late: those that are made of aggregates, or could raise an error for rows that are not on the page */
static bool
FindLateValues(RowPage *page)
{
	ListCell   *cell;

	foreach(cell, page->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		Node	   *expr = (Node *) entry->expr;
		bool		may = entry->ressortgroupref == 0 && CanBeLate(page, expr);
		bool		must = contain_aggs_of_level(expr, 0) || bms_overlap(pull_varnos_of_level(NULL, expr, 0), page->items) ||
			ExpressionMayRaise(page->level, expr);

		if (must && !may)
			return false;
		if (must || (may && checkExprHasSubLink(expr)))
			page->entries = bms_add_member(page->entries, entry->resno);
	}
	return true;
}

/*
 * May a value raise an error for other groups of equal standing than those that PostgreSQL takes?  If groups come in the order of the page,
 * it computes no others.
 */
static bool
OtherGroupsMayRaise(Level *level)
{
	return MayBeSortedGroups(level->query) && ExpressionMayRaise(level, (Node *) level->query->targetList);
}

/*
 * What of a query that groups the rows of its page can be joined and aggregated for these only; NULL if there is something, or else the
 * reason why not.
 */
const char *
FindGroupedPage(Surveyed *surveyed, bool for_batches, RowPage *page)
{
	Level	   *level = &surveyed->level;

	*page = PageOf(level, for_batches);
	page->cut = BEFORE_GROUPS;
	if (HasColumnsOfJoins(level->query))
		return PAGE_AGGREGATES;
	FindLateJoins(page);
	return page->late != NIL && AreToldApart(level->query, (Node *) PageParents(page)) && FindLateValues(page) &&
		MayGroup(level) && ColumnsOfParents(page) <= MAX_COLUMNS && !JoiningMayRaise(level) &&
		!FindingEqualMayRaise(level, (Node *) level->query->jointree) && !GroupsMayRaise(level) &&
		!OtherGroupsMayRaise(level) && !SubqueriesMayRaise(level) && !SortKeysMayRaise(level) &&
		!ReadersMayRaise(surveyed) && !AggregatesShowOrder(level) && !ReadersShowPlan(surveyed) ?
		NULL : PAGE_AGGREGATES;
}
