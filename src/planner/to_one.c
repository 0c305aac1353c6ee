/*-------------------------------------------------------------------------
 *
 * to_one.c
 *		Look-ups by a unique key, whose LIMIT does nothing.
 *
 *		... FROM film f LEFT JOIN LATERAL (     ... FROM film f LEFT JOIN LATERAL (
 *			SELECT name FROM director               SELECT name FROM director
 *			WHERE id = f.director_id LIMIT 1        WHERE id = f.director_id
 *		) d ON true                             ) d ON true
 *
 * Tools send LIMIT 1 with each look-up, though there is a primary key.  PostgreSQL
 * then runs the subquery for each row; without LIMIT, it makes a join of it and
 * chooses how.
 *
 * Why nothing changes: the subquery reads one table, and WHERE gives each column of
 * a unique key one value, so there is no second row.  A join, though, computes the
 * subquery's conditions and values for rows that no film refers to.  So none of
 * them may raise an error or reveal what it sees, and nothing may look at them: a
 * condition could be evaluated before the join (see survey.c).  What the query
 * makes of them is computed above the join, for the rows for which it always was.
 * More films may be read, or in another way.  So nothing in FROM and WHERE may raise an
 * error, nor may anything that queries around this one join to it.
 * A join may change the order of the films, so nothing must depend on an order that the
 * query itself does not ask for.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "parser/parsetree.h"
#include "planner/found_value.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/notes.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/query_parts.h"
#include "planner/to_one.h"

/* Does it take the first row, or more, and skip none? */
static bool
TakesFirst(Level *level)
{
	return CountOf(level, level->query->limitCount) >= 1 && !SkipsRows(level);
}

/*
 * The query with the LIMIT: this one, or one that it, or a subquery that is all of its FROM, only
 * projects.  NULL if there is no such LIMIT.
 */
static Query *
FindLookUp(Level *level)
{
	Query	   *query = level->query;
	int			varno = OnlyItem(query->jointree);
	RangeTblEntry *rte;
	Level		inner;

	check_stack_depth();
	if (varno == 0)
		return NULL;
	if (HasAny(query, PART_LIMIT))
		return HasOnly(query, PARTS_OF_ROWS | PART_LIMIT | PART_OFFSET) && TakesFirst(level) &&
			HasUniqueKey(query, varno) ? query : NULL;
	rte = rt_fetch(varno, query->rtable);
	if (!HasOnly(query, PARTS_OF_ROWS) || rte->rtekind != RTE_SUBQUERY || rte->security_barrier ||
		rte->securityQuals != NIL)
		return NULL;
	inner = LevelBelow(level, rte->subquery);
	return FindLookUp(&inner);
}

/* Drop LIMIT, and an order of one row. */
static void
DropLimit(Query *query)
{
	List	   *targets = NIL;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		if (!lfirst_node(TargetEntry, cell)->resjunk)
			targets = lappend(targets, lfirst(cell));
	}
	query->targetList = targets;
	query->sortClause = NIL;
	query->limitCount = query->limitOffset = NULL;
}

/* Why the LIMIT of a look-up stays; NULL if it goes */
static const char *
WhyLimited(Surveyed *surveyed, int varno)
{
	Level	   *level = &surveyed->level;

	if (ItemIsLookedAt(surveyed, varno))
		return "a condition looks at what it finds";
	if (QueryMayRaise(level, rt_fetch(varno, level->query->rtable)->subquery))
		return "something in it could raise an error, or reveal what it sees, for rows that nothing refers to";
	if (OtherRowsMayRaise(level, level->query->jointree))
		return OTHER_ROWS_MAY_RAISE;
	if (ReadersMayRaise(surveyed))
		return READERS_MAY_RAISE;
	if (ShowsChoice(level) || PlanIsSeen(surveyed))
		return "an order that was asked for could be lost";
	return NULL;
}

/* A subquery on the right side of a left join */
static void
DropLimitOf(const Survey *survey, Surveyed *surveyed, int varno)
{
	Level	   *level = &surveyed->level;
	RangeTblEntry *rte = rt_fetch(varno, level->query->rtable);
	Level		inner;
	Query	   *lookup;
	const char *reason;

	if (rte->rtekind != RTE_SUBQUERY || !rte->lateral || rte->security_barrier || rte->securityQuals != NIL)
		return;
	inner = LevelBelow(level, rte->subquery);
	lookup = FindLookUp(&inner);
	if (lookup == NULL)
		return;
	reason = WhyLimited(surveyed, varno);
	TakeNote(level->rewrite, FindSurveyed(survey, rte->subquery)->place, "look-up", "without LIMIT", reason);
	if (reason != NULL)
		return;
	DropLimit(lookup);
	if (!RunsOnceForAll(surveyed))
		ComputeAboveJoin(level, varno);
}

static void
DropLimitsIn(const Survey *survey, Surveyed *surveyed, Node *node)
{
	JoinExpr   *join = (JoinExpr *) node;
	ListCell   *cell;

	check_stack_depth();
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			DropLimitsIn(survey, surveyed, lfirst(cell));
		}
	}
	else if (IsA(node, JoinExpr))
	{
		DropLimitsIn(survey, surveyed, join->larg);
		DropLimitsIn(survey, surveyed, join->rarg);
		if (join->jointype == JOIN_LEFT && IsA(join->rarg, RangeTblRef))
			DropLimitOf(survey, surveyed, ((RangeTblRef *) join->rarg)->rtindex);
	}
}

/* Drop the limits of look-ups in the FROM of a query, which is changed where it is. */
void
DropLimits(const Survey *survey, Surveyed *surveyed)
{
	DropLimitsIn(survey, surveyed, (Node *) surveyed->level.query->jointree);
}
