/*-------------------------------------------------------------------------
 *
 * exists.c
 *		Rows of a query that have something in a collection, or nothing.
 *
 * Who asks for these, as PostgREST does with !inner and is.null, asks whether the collection is NULL:
 *
 *		SELECT f.id, a.d                        SELECT f.id, a.d
 *		FROM film f JOIN LATERAL (              FROM film f JOIN LATERAL (
 *			SELECT json_agg(x) d FROM (             SELECT json_agg(x) d FROM (
 *				SELECT ... FROM actor                   SELECT ... FROM actor
 *				WHERE film_id = f.id) x                 WHERE film_id = f.id) x
 *			) a ON a.d IS NOT NULL                  ) a ON true
 *		ORDER BY f.rating LIMIT 20              WHERE EXISTS (SELECT FROM actor WHERE film_id = f.id)
 *												ORDER BY f.rating LIMIT 20
 *
 * json_agg, jsonb_agg and array_agg give NULL for no rows, and never else.  So the rows are the same, if those of the
 * collection are whenever they are read; and as nothing looks at the collection any more, it may be computed for the
 * page only, or for all rows at once.  IS NULL becomes NOT EXISTS.
 *
 * PostgreSQL makes a join of either, so its conditions are evaluated for rows that belong to no parent, and those of
 * the query around it in another order: none may raise an error.  They are those of the collection, so they are
 * evaluated under the same privileges.  Of each parent fewer rows are read, or as many.  EXISTS asks neither for an
 * order nor for what is joined to each row beside it.  Nor may the collection itself, which nobody might use
 * otherwise, or one beside it, which might be computed before it is asked.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/domains.h"
#include "nodes/makefuncs.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/parents.h"
#include "planner/query_parts.h"
#include "planner/survey.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"

/*
 * The question
 */

/* A query, the number of an item of its FROM, and what is asked of it */
typedef struct Tested
{
	Query	   *query;
	int			varno;
	NullTestType type;
} Tested;

/* Does a condition ask whether a collection is NULL?  Then tell which item of FROM it is. */
static int
CollectionOf(const Query *query, Node *condition)
{
	NullTest   *test = (NullTest *) condition;
	Var		   *column;
	RangeTblEntry *rte;
	Node	   *value;

	if (!IsA(test, NullTest) || test->argisrow)
		return 0;
	column = (Var *) StripRelabels((Node *) test->arg);
	if (!IsA(column, Var) || column->varlevelsup > 0 || column->varattno <= 0)
		return 0;
	rte = rt_fetch(column->varno, query->rtable);
	if (rte->rtekind != RTE_SUBQUERY || !rte->lateral || rte->security_barrier || rte->securityQuals != NIL ||
		!IsOneRow(rte->subquery))
		return 0;
	value = StripRelabels((Node *) list_nth_node(TargetEntry, rte->subquery->targetList, column->varattno - 1)->expr);
	if (IsA(value, CoerceViaIO))
		value = (Node *) ((CoerceViaIO *) value)->arg;
	return IsA(value, Aggref) && IsNullForNoRows((Aggref *) value) ? (int) column->varno : 0;
}

static bool
IsTestOf(Node *condition, void *context)
{
	Tested	   *tested = context;

	return CollectionOf(tested->query, condition) == tested->varno && ((NullTest *) condition)->nulltesttype == tested->type;
}

/*
 * The rows of a collection
 */

/* Does an item of FROM neither add rows nor take some away, so that nobody sees it in EXISTS? */
static bool
MakesNoDifference(const JoinExpr *join, Node *item, void *context)
{
	Query	   *query = context;
	int			varno = VarnoOf(item);

	return LeavesKeys(query, join, item) && !FromRefersTo(query, NULL, varno) && !RefersTo((Node *) query->jointree, varno);
}

/* The only subquery that a query reads, if it has a row whenever that has one */
static Query *
OnlySubquery(Level *level)
{
	Query	   *query = level->query;
	int			varno = query->jointree->quals == NULL ? OnlyItem(query->jointree) : 0;
	RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, query->rtable) : NULL;
	Level		below;

	if (rte == NULL || rte->rtekind != RTE_SUBQUERY || rte->security_barrier || rte->securityQuals != NIL ||
		query->cteList != NIL)
		return NULL;
	below = LevelBelow(level, rte->subquery);
	return HasOnly(below.query, PART_WHERE | PART_ORDER | PART_LIMIT | PART_OFFSET) && LeavesFirstRow(&below) ?
		below.query : NULL;
}

/* Take out of a query what does not matter to whether it has a row. */
static void
TakeColumns(Query *query)
{
	query->targetList = query->sortClause = NIL;
	query->limitCount = query->limitOffset = NULL;
	query->hasAggs = false;
	if (!HasColumnsOfJoins(query))
		(void) WithoutItems((Node *) query->jointree, MakesNoDifference, query);
}

/* A query that has a row if a collection has one.  What it reads may be a page that has been split. */
static Query *
RowsOf(Level *outer, Query *collection)
{
	Query	   *query = copyObject(collection);
	Level		level = LevelBelow(outer, query);
	Query	   *subquery;

	TakeColumns(query);
	while ((subquery = OnlySubquery(&level)) != NULL)
	{
		IncrementVarSublevelsUp((Node *) subquery, -1, 2);
		TakeColumns(subquery);
		level.query = query = subquery;
	}
	RemoveEntries(query);
	return query;
}

/*
 * Queries
 */

static bool
IsCollection(const JoinExpr *join, Node *item, void *context)
{
	return IsOneRowItem(context, item);
}

/* May PostgreSQL join what is in FROM in any order, and nobody sees it? */
static bool
MayBeJoined(Surveyed *surveyed)
{
	Level	   *level = &surveyed->level;
	Node	   *from = WithoutItems((Node *) copyObject(level->query->jointree), IsCollection, level->query);

	return !OtherRowsMayRaise(level, castNode(FromExpr, from)) && !ConditionsMayRaise(level, level->query->jointree) &&
		!HavingMayRaise(level) && !OneRowMayRaise(level, 0) && !GroupsMayRaise(level) &&
		!ReadersMayRaise(surveyed) && !ItsSubqueriesMayRaise(surveyed) && !PlanIsSeen(surveyed) &&
		!(MayBeStopped(surveyed) && OtherRowsRaise(surveyed)) &&
		!ValuesDependOnOrder(level->query) && !OrderIsSeen(surveyed) &&
		(!HasInputOrder(level) || HidesInputOrder(level->query));
}

/* Ask whether a collection has rows instead of whether it is NULL. */
static void
AskOfCollection(Surveyed *surveyed, int varno)
{
	Level	   *level = &surveyed->level;
	Query	   *query = level->query;
	Tested		tested = {query, varno, IS_NOT_NULL};
	Node	   *quals = query->jointree->quals;
	Query	   *rows;
	Level		below;
	JoinExpr   *place;
	bool		is_inner;
	SubLink    *exists;
	Node	   *condition;

	if (!rt_fetch(varno, query->rtable)->lateral || !FindPlace((Node *) query->jointree, varno, &place) ||
		(place != NULL && place->jointype == JOIN_LEFT && !IsTrue(place->quals)))
		return;
	/* What an inner join asks for, the query does as well. */
	is_inner = place != NULL && place->jointype == JOIN_INNER;
	if (is_inner)
		quals = make_and_qual(place->quals, quals);
	if (!HasCondition(quals, IsTestOf, &tested))
		tested.type = IS_NULL;
	if (!HasCondition(quals, IsTestOf, &tested))
		return;
	rows = RowsOf(level, rt_fetch(varno, query->rtable)->subquery);
	below = LevelBelow(level, rows);
	if (RowsMayRaise(level, rows) || FindingEqualMayRaise(level, (Node *) rows) || !HasOnly(rows, PARTS_OF_ROWS) || !RowsRepeat(&below, rows) || !MayBeJoined(surveyed))
		return;
	exists = MakeSubLink(EXISTS_SUBLINK, rows);
	exists->subLinkId = varno;
	condition = tested.type == IS_NOT_NULL ? (Node *) exists : (Node *) make_notclause((Expr *) exists);
	if (is_inner)
		place->quals = NULL;
	query->jointree->quals = make_and_qual(WithoutConditions(quals, IsTestOf, &tested), condition);
	query->hasSubLinks = true;
}

static bool
HasTests(const Query *query)
{
	ListCell   *cell;

	foreach(cell, HasLaterals(query) ? ConditionsIn((Node *) query->jointree) : NIL)
	{
		if (CollectionOf(query, lfirst(cell)) > 0)
			return true;
	}
	return false;
}

/* Change a query where it is, and those within, from the innermost outwards. */
void
AskWhetherRowsExist(Query *query, Rewrite *rewrite)
{
	Notes	   *notes = rewrite->notes;
	List	   *queries;

	if (CountQueries(query, HasTests) == 0)
		return;
	rewrite->notes = NULL;
	queries = MakeSurvey(query, rewrite)->queries;
	rewrite->notes = notes;
	for (int i = list_length(queries) - 1; i >= 0; i--)
	{
		Surveyed   *surveyed = list_nth(queries, i);

		for (int varno = list_length(surveyed->level.query->rtable); varno > 0; varno--)
			AskOfCollection(surveyed, varno);
	}
}
