/*-------------------------------------------------------------------------
 *
 * to_one.c
 *		Look-ups by a unique key: whose LIMIT does nothing, or in a select list.
 *
 *		... FROM film f LEFT JOIN LATERAL (     ... FROM film f LEFT JOIN LATERAL (
 *			SELECT name FROM director               SELECT name FROM director
 *			WHERE id = f.director_id LIMIT 1        WHERE id = f.director_id
 *		) d ON true                             ) d ON true
 *
 * Tools send LIMIT 1 with each look-up, though there is a primary key.  PostgreSQL then runs the subquery for each
 * row; without LIMIT, it makes a join of it and chooses how.
 *
 * Why nothing changes: the subquery reads one table, or a view of one, and WHERE gives each column of a unique key one
 * value, so there is no second row.  A join, though, computes the subquery's conditions and values for rows that no
 * film refers to.  So none of them may raise an error or reveal what it sees, and nothing may look at them: a
 * condition could be evaluated before the join (see survey.c).  What the query makes of them is computed above the
 * join, for the rows for which it always was.  More films may be read, or in another way.  So nothing in FROM and
 * WHERE may raise an error, nor may anything that queries around this one join to it.  A join may change the order of
 * the films, so nothing must depend on an order that the query itself does not ask for.
 *
 * The same in a select list, with a LIMIT or without, becomes such an item of FROM (Kysely's
 * jsonObjectFrom, and what is written by hand):
 *
 *		SELECT f.title, (SELECT to_json(name)   SELECT f.title, CASE WHEN d.found THEN to_json(d.name) END
 *			FROM director                       FROM film f LEFT JOIN LATERAL (SELECT true AS found, name
 *			WHERE id = f.director_id)               FROM director WHERE id = f.director_id) d ON true
 *		FROM film f
 *
 * It would be an error if it found two rows, which a unique key excludes.  A place where it is not always
 * computed is none for a join, as for collections.
 *
 * What it selects is computed above the join, so the costs of both ways decide.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/by_index.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/notes.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "planner/ways.h"

/* Reasons */
#define FEW_LOOK_UP			"few rows look something up"
#define LOOKUP_MAY_RAISE	"something in it could raise an error, or reveal what it sees, for rows that nothing refers to"

/*
 * The query with the LIMIT, or (not limited) the one that finds the row: this one, or one that it, or a subquery that is all of
 * its FROM, only projects.  NULL if there is none.
 */
static Query *
FindLookUp(Level *level, bool limited)
{
	Query	   *query = level->query;
	int			varno = OnlyItem(query->jointree);
	RangeTblEntry *rte;
	Level		inner;

	check_stack_depth();
	if (varno == 0)
		return NULL;
	rte = rt_fetch(varno, query->rtable);
	if (limited ? HasAny(query, PART_LIMIT | PART_OFFSET) : HasUniqueKey(query, varno))
		return HasOnly(query, PARTS_OF_ROWS | PART_LIMIT | PART_OFFSET) && LeavesFirstRow(level) &&
			HasUniqueKey(query, varno) ? query : NULL;
	if (!HasOnly(query, PARTS_OF_ROWS) || rte->rtekind != RTE_SUBQUERY || rte->security_barrier ||
		rte->securityQuals != NIL)
		return NULL;
	inner = LevelBelow(level, rte->subquery);
	return FindLookUp(&inner, limited);
}

/* Is something that a subquery in its FROM computes, or one within, used more than once?  With LIMIT, it is computed once. */
static bool
ComputesAgain(Query *query)
{
	int			varno = OnlyItem(query->jointree);
	RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	ListCell   *cell;

	if (rte->rtekind != RTE_SUBQUERY)
		return false;
	foreach(cell, rte->subquery->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!IsA(entry->expr, Var) && !IsA(entry->expr, Const) &&
			IsUsedAgain((Node *) query->targetList, varno, entry->resno))
			return true;
	}
	return ComputesAgain(rte->subquery);
}

/* Does a query find one row by a unique key, and has a LIMIT? */
bool
IsLookUp(Level *level)
{
	return FindLookUp(level, true) != NULL;
}

/*
 * Does a query find one row, whatever its LIMIT is, and collect what belongs to that?  What it sorts by is computed, be it
 * the only row.
 */
bool
FindsOneWithCollections(Level *level)
{
	Query		unlimited = *level->query;
	Level		below = {.query = &unlimited,.outer = level->outer,.rewrite = level->rewrite};

	unlimited.limitCount = unlimited.limitOffset = NULL;
	return !HasAny(&unlimited, PART_NO_FROM) && HasOnly(&unlimited, PARTS_OF_ROWS) && LeavesFirstRow(level) &&
		GivesNoMoreThanOneRow(&below) && !SortingMayRaise(unlimited.sortClause, unlimited.targetList) &&
		!ExpressionMayRaise(level, (Node *) get_sortgrouplist_exprs(unlimited.sortClause, unlimited.targetList)) &&
		CountQueries(&unlimited, MayBeCollection) > 0;
}

/* Does PostgreSQL join what an item with collections of its own finds?  It computes these for all its table then. */
bool
JoinsCollections(Level *level)
{
	ListCell   *cell;

	foreach(cell, level->query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		Level		inner = LevelBelow(level, rte->subquery);

		if (rte->rtekind == RTE_SUBQUERY && rte->lateral && HasOnly(rte->subquery, PART_WHERE) &&
			FindsOneWithCollections(&inner))
			return true;
	}
	return false;
}

/*
 * Without a LIMIT, PostgreSQL joins a look-up.  For few rows, an index finds what they look up; a hash join would read all
 * of its table, perhaps for each row of another query.
 */
void
KeepFromJoining(Level *level)
{
	if (HasOnly(level->query, PART_WHERE) && (FindsOneWithCollections(level) || FindLookUp(level, false) != NULL))
		level->query->limitOffset = (Node *) Int8Const(0);
}

/* Drop LIMIT, and an order of one row. */
static void
DropLimit(Query *query)
{
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		if (lfirst_node(TargetEntry, cell)->resjunk)
			query->targetList = foreach_delete_current(query->targetList, cell);
	}
	query->sortClause = NIL;
	query->limitCount = query->limitOffset = NULL;
}

/*
 * Drop that of a query that finds one row, and of look-ups in its FROM; but not if these compute something that may raise an
 * error, which they would no longer do in any case.
 */
void
DropLimitsOfOne(Level *level)
{
	ListCell   *cell;

	DropLimit(level->query);
	foreach(cell, level->query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		Level		inner = LevelBelow(level, rte->subquery);
		Query	   *limited = rte->rtekind == RTE_SUBQUERY && !rte->lateral ? FindLookUp(&inner, true) : NULL;

		if (limited != NULL && !QueryMayRaise(level, rte->subquery))
			DropLimit(limited);
	}
}

/* Why no look-up may be computed for more rows of a query, or in another way; NULL if they may */
static const char *
WhyNoneForAll(Surveyed *surveyed, Level *level, FromExpr *from)
{
	if (OtherRowsMayRaise(level, from) || HavingMayRaise(level) || GroupsMayRaise(level))
		return OTHER_ROWS_MAY_RAISE;
	return ReadersMayRaise(surveyed) || ItsSubqueriesMayRaise(surveyed) ? READERS_MAY_RAISE : NULL;
}

/* A column of a query around, but in column = column where equal values are the same */
static Visit
VisitOuterOtherwise(Node *node, int depth, void *context)
{
	ListCell   *cell;

	if (!IsA(node, OpExpr))
		return VisitOuterColumn(node, depth, context);
	foreach(cell, ((OpExpr *) node)->args)
	{
		if (!IsA(StripRelabels(lfirst(cell)), Var) || !EqualIsSame(lfirst(cell)))
			return VISIT_CHILDREN;
	}
	return VISIT_NEXT;
}

/*
 * Could a join give what belongs to another value?  A nested loop that remembers what it found (Memoize) gives it again for an equal
 * value.  PostgreSQL lets it tell 1.0 from 1.00 if a subquery selects them, but not if that has been pulled up.
 */
static bool
MayBeConfused(const Query *query)
{
	List	   *selected = NIL;
	List	   *conditions = NIL;
	const RangeTblEntry *rte;

	do
	{
		selected = list_concat(selected, query->targetList);
		conditions = lappend(conditions, query->jointree->quals);
		rte = rt_fetch(OnlyItem(query->jointree), query->rtable);
		query = rte->subquery;
	} while (rte->rtekind == RTE_SUBQUERY);
	return FindInLevels((Node *) selected, VisitOuterColumn, NULL) &&
		FindInLevels((Node *) conditions, VisitOuterOtherwise, NULL);
}

/*
 * Do at least as many rows look something up as the table has?  A join computes what an item of FROM selects for all rows
 * of that, in the worst case, and PostgreSQL counts little for a function that makes JSON.
 */
static bool
IsForMany(Level *level, const Query *lookup)
{
	const RangeTblEntry *table = rt_fetch(OnlyItem(lookup->jointree), lookup->rtable);
	Oid			referring = LeadingTable(level, true);

	if (table->rtekind == RTE_SUBQUERY)
		return IsForMany(level, table->subquery);
	return level->rewrite->always ||
		(OidIsValid(referring) && SizeOfTable(referring).rows >= SizeOfTable(table->relid).rows);
}

/* A look-up in the FROM of a query, and why its LIMIT stays in any case; or NULL */
typedef struct LookUp
{
	int			varno;
	const char *place;			/* if somebody asks */
	const char *reason;
} LookUp;

/* Why it stays so far, though nothing would change */
static const char *
WhyNoGain(Surveyed *surveyed, Level *level)
{
	if (!RunsOnceForAll(surveyed))
		return "it is for a query that runs once for each row of another, where a join would be made each time";
	if (CountColumns(level->query) > MAX_COLUMNS)
		return TOO_MANY_COLUMNS;
	return ReadsFewRows(level) ? FEW_LOOK_UP : NULL;
}

/* The query with the LIMIT in an item of FROM; NULL if that is no look-up */
static Query *
LookUpIn(Level *level, int varno)
{
	RangeTblEntry *rte = varno > 0 && varno <= list_length(level->query->rtable) ?
		rt_fetch(varno, level->query->rtable) : NULL;
	Level		inner;

	if (rte == NULL || rte->rtekind != RTE_SUBQUERY || !rte->lateral || rte->security_barrier ||
		rte->securityQuals != NIL)
		return NULL;
	inner = LevelBelow(level, rte->subquery);
	return FindLookUp(&inner, true);
}

/* Those in the FROM of a query, on the right sides of left joins, by their numbers */
List *
LookUpsOf(Level *level)
{
	List	   *varnos = NIL;
	ListCell   *cell;

	foreach(cell, NodesOfJoinTree((Node *) level->query->jointree))
	{
		JoinExpr   *join = lfirst(cell);

		if (IsA(join, JoinExpr) && join->jointype == JOIN_LEFT && LookUpIn(level, VarnoOf(join->rarg)) != NULL)
			varnos = lappend_int(varnos, VarnoOf(join->rarg));
	}
	return varnos;
}

/* Take note of them, and why their limits stay. */
void
FindLookUps(Surveyed *surveyed)
{
	Level	   *level = &surveyed->level;
	List	   *varnos = LookUpsOf(level);
	const char *reason;
	ListCell   *cell;

	if (varnos == NIL)
		return;
	reason = WhyNoneForAll(surveyed, level, level->query->jointree);
	if (reason == NULL && (ShowsChoice(level) || TiesKeepOrder(level) || PlanIsSeen(surveyed)))
		reason = "an order that was asked for could be lost";
	foreach(cell, varnos)
	{
		int			varno = lfirst_int(cell);
		Query	   *item = rt_fetch(varno, level->query->rtable)->subquery;
		LookUp	   *lookup = palloc(sizeof(LookUp));

		lookup->varno = varno;
		lookup->place = FindSurveyed(surveyed->survey, item)->place;
		if (ItemIsLookedAt(surveyed, varno))
			lookup->reason = "a condition looks at what it finds";
		else if (MayBeConfused(item))
			lookup->reason = "it selects what it looks up, and equal values are not always the same";
		else
			lookup->reason = QueryMayRaise(level, item) || FindingEqualMayRaise(level, (Node *) item) ? LOOKUP_MAY_RAISE : reason;
		surveyed->lookups = lappend(surveyed->lookups, lookup);
	}
}

/*
 * Let a scalar subquery that looks something up be one that may be an item of FROM; false if it is no look-up, or must
 * stay, for a reason.  The query around it is given as it was before it got joins, too.
 */
bool
TakeScalarLookUp(Surveyed *surveyed, Level *level, Query *before, Query *subquery, const char **reason)
{
	Level		inner = LevelBelow(level, subquery);
	Query	   *lookup = FindLookUp(&inner, true);

	*reason = NULL;
	if (lookup == NULL)
		lookup = FindLookUp(&inner, false);
	if (lookup == NULL || !IsCorrelated(subquery))
		return false;
	*reason = ReadsFewRows(level) ? FEW_LOOK_UP : ComputesAgain(subquery) ? COMPUTED_AGAIN :
		QueryMayRaise(level, subquery) || FindingEqualMayRaise(level, (Node *) subquery) ? LOOKUP_MAY_RAISE :
		WhyNoneForAll(surveyed, level, before->jointree);
	if (*reason != NULL)
		return false;
	DropLimit(lookup);
	return true;
}

/* Let a query on the way to the table select nothing, unless something above it looks at that: a condition, or what that looks at. */
static void
SelectNothing(Source *source)
{
	Query	   *above = source->above != NULL ? source->above->query : NULL;
	RangeTblEntry *rte = above != NULL ? rt_fetch(source->varno, above->rtable) : NULL;

	DropLimit(source->query);
	if (above != NULL && (above->jointree->quals != NULL || above->targetList != NIL))
		return;
	source->query->targetList = NIL;
	if (rte == NULL)
		return;
	rte->alias = NULL;
	rte->eref = makeAlias(rte->eref->aliasname, NIL);
}

/* The query that reads the table of a scalar look-up, and the value of that, of columns of the table: these are yet to be selected */
Source *
TableOfLookUp(Query *query, Node **value)
{
	Source	   *source = palloc0(sizeof(Source));

	source->query = query;
	*value = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	for (;;)
	{
		int			varno = OnlyItem(source->query->jointree);
		RangeTblEntry *rte = rt_fetch(varno, source->query->rtable);

		SelectNothing(source);
		if (rte->rtekind != RTE_SUBQUERY)
			return source;
		*value = ReplaceVars(*value, ExpandAtDepth, rte);
		source = SourceBelow(source, varno);
	}
}

/*
 * Drop the limits of those that are found, where they are now, if there is something to gain.  In a collection that
 * becomes a join (see unnest.c), they are a part of what is compared by its costs; then there are other notes on them.
 */
void
DropLimits(Surveyed *surveyed, Level *level, Notes *in_join)
{
	Notes	   *notes = level->rewrite->notes;
	const char *no_gain = surveyed->lookups != NIL ? WhyNoGain(surveyed, level) : NULL;
	ListCell   *cell;

	if (notes != NULL && in_join != NULL)
		level->rewrite->notes = in_join;
	foreach(cell, surveyed->lookups)
	{
		LookUp	   *lookup = lfirst(cell);
		const char *reason = lookup->reason != NULL ? lookup->reason : no_gain;
		Query	   *query = LookUpIn(level, lookup->varno);

		if (query == NULL)
			continue;
		if (reason == NULL && in_join == NULL && !IsForMany(level, query))
			reason = FEW_LOOK_UP;
		TakeNote(level->rewrite, lookup->place, "look-up", "without LIMIT", reason);
		if (reason == NULL)
			DropLimit(query);
	}
	level->rewrite->notes = notes;
}
