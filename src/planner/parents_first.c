/*-------------------------------------------------------------------------
 *
 * parents_first.c
 *		The rows of a page first, and then what belongs to them.
 *
 *		SELECT f.id, f.title, a.d                   SELECT p.id, p.title, a.d
 *		FROM film f                                 FROM (SELECT f.id, f.title, f.rating
 *		LEFT JOIN LATERAL (SELECT json_agg(...) d         FROM film f ORDER BY f.rating LIMIT 20) p
 *			FROM actor WHERE film_id = f.id) a      LEFT JOIN LATERAL (SELECT json_agg(...) d
 *			ON true                                     FROM actor WHERE film_id = p.id) a ON true
 *		ORDER BY f.rating LIMIT 20                  ORDER BY p.rating OFFSET 0
 *
 * A query becomes two: the parents, a subquery with all that decides which rows
 * there are and in which order; and above it what page.c found to be late.
 *
 * Why nothing changes:
 *
 * - Rows.  What is late neither adds rows nor removes any, so LIMIT takes the same
 *   rows before it.  Conditions, sort keys and other items of FROM stay with the
 *   parents, and refer to nothing that is late.  So does count(*) OVER (), which
 *   counts as many rows without what is late.
 * - Values.  A late expression is computed from columns of the parents that have
 *   the values that it was computed from before.  No function is volatile.
 * - Order.  The query still asks for it, by columns of the parents.  These come in
 *   that order, so PostgreSQL need not sort again.  A query that asks for none
 *   reads its parents one after another, as they come.
 * - What is seen, and errors.  Late expressions are computed for the rows that are
 *   returned, which is a part of those for which they were computed before, and
 *   where they were: under the same conditions.  A late subquery is one that
 *   PostgreSQL runs for each row, or one that may become a join because nothing in it
 *   could raise an error.  What stays may be read in another way, and cannot raise
 *   any (page.c).  OFFSET 0 does what LIMIT did: conditions from above stay out, and the
 *   query is not pulled up.
 * - Privileges.  Range table entries move with their permissions and policies; none
 *   is read twice.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/by_index.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/notes.h"
#include "planner/other_ways.h"
#include "planner/page.h"
#include "planner/query_parts.h"

/*
 * Columns of the parents
 */

/* The parents' column that is this one of an item of their FROM */
static TargetEntry *
ColumnFor(RowPage *page, const Var *var)
{
	ListCell   *cell;
	RangeTblEntry *rte;
	Var		   *own;

	foreach(cell, page->parents->targetList)
	{
		TargetEntry *column = lfirst_node(TargetEntry, cell);

		own = (Var *) column->expr;
		if (IsA(own, Var) && own->varlevelsup == 0 && own->varno == var->varno && own->varattno == var->varattno)
			return column;
	}
	own = copyObject((Var *) var);
	own->varlevelsup = 0;
	rte = rt_fetch(var->varno, page->parents->rtable);
	return AddEntry(page->parents, (Expr *) own, pstrdup(get_rte_attribute_name(rte, var->varattno)));
}

/* The parents' column in an expression that is late, or a query within */
static Node *
ReferToParents(Var *var, int depth, void *context)
{
	RowPage    *page = context;
	Var		   *result;

	if ((int) var->varlevelsup != depth || var->varno == page->varno || bms_is_member(var->varno, page->items))
		return NULL;
	result = makeVarFromTargetEntry(page->varno, ColumnFor(page, var));
	result->varlevelsup = depth;
	return (Node *) result;
}

/*
 * What is in FROM
 */

/* What is late, joined to the parents in its order */
static FromExpr *
JoinLate(RowPage *page)
{
	Node	   *joined = (Node *) MakeRef(page->varno);
	ListCell   *cell;

	foreach(cell, page->late)
	{
		JoinExpr   *join = lfirst(cell);

		if (!IsA(join, JoinExpr))
			joined = (Node *) makeFromExpr(list_make2(joined, join), NULL);
		else
		{
			join->larg = joined;
			joined = (Node *) join;
		}
	}
	return IsA(joined, FromExpr) ? (FromExpr *) joined : makeFromExpr(list_make1(joined), NULL);
}

/* Each entry of the range table goes to the parents, or stays because it is late. */
static void
DivideEntries(RowPage *page)
{
	Relids		joined = RelidsInJointree((Node *) page->parents->jointree);
	ListCell   *cell;

	foreach(cell, page->level->query->rtable)
	{
		int			varno = foreach_current_index(cell) + 1;
		ListCell   *other = list_nth_cell(page->parents->rtable, varno - 1);
		RangeTblEntry *rte = lfirst(cell);
		bool		is_join = rte->rtekind == RTE_JOIN;

		if (is_join)
			lfirst(cell) = MakeJoinEntry(rte->jointype);
		if (bms_is_member(varno, page->items) || (is_join && !bms_is_member(varno, joined)))
			lfirst(other) = MakeNoEntry();
		else
		{
			lfirst(other) = lfirst(cell);
			lfirst(cell) = MakeNoEntry();
		}
	}
}

/*
 * The two queries
 */

/* Take out of the query what decides which rows there are: groups, and what looks at their windows, and LIMIT. */
static Query *
TakeParents(Query *query, PageCut cut)
{
	Query	   *parents = MakeReader(query);

	if (cut == AFTER_LIMIT || cut == AFTER_GROUPS)
	{
		parents->hasAggs = query->hasAggs;
		parents->groupClause = query->groupClause;
		parents->groupDistinct = query->groupDistinct;
		parents->havingQual = query->havingQual;
		parents->windowClause = query->windowClause;
		parents->hasWindowFuncs = query->hasWindowFuncs;
		TakeGroupEntry(query, parents);
		query->hasAggs = query->hasWindowFuncs = query->groupDistinct = false;
		query->groupClause = query->windowClause = NIL;
		query->havingQual = NULL;
	}
	if (cut == AFTER_WHERE || cut == AFTER_GROUPS)
	{
		parents->limitOffset = (Node *) Int8Const(0);
		return parents;
	}
	parents->sortClause = copyObject(query->sortClause);
	parents->limitOffset = query->limitOffset;
	parents->limitCount = query->limitCount;
	parents->limitOption = query->limitOption;
	query->limitOffset = query->limitCount = NULL;
	return parents;
}

/* Divide the select list; sort keys first, so that columns of their own are found. */
static void
DivideTargets(RowPage *page)
{
	ListCell   *cell;

	foreach(cell, page->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		TargetEntry *column;

		if (bms_is_member(entry->resno, page->entries))
			continue;
		column = AddEntry(page->parents, entry->expr, pstrdup(entry->resname != NULL ? entry->resname : "key"));
		column->ressortgroupref = entry->ressortgroupref;
		entry->expr = (Expr *) makeVarFromTargetEntry(page->varno, column);
	}
	foreach(cell, page->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (bms_is_member(entry->resno, page->entries))
			entry->expr = (Expr *) ReplaceVars((Node *) entry->expr, ReferToParents, page);
	}
}

/* Let the late subqueries refer to the parents. */
static void
DivideItems(RowPage *page)
{
	ListCell   *cell;

	foreach(cell, page->late)
	{
		JoinExpr   *join = lfirst(cell);
		RangeTblEntry *rte = rt_fetch(VarnoOfLate((Node *) join), page->level->query->rtable);
		Query	   *group;

		if (page->cut == BEFORE_GROUPS)
		{
			join->quals = ReplaceVars(join->quals, ReferToParents, page);
			continue;
		}
		group = page->groups[VarnoOfLate((Node *) join)];
		if (group != NULL)
		{
			rte->subquery = group;
			rte->lateral = true;
			join->quals = makeBoolConst(true, false);
		}
		rte->subquery = linitial_node(Query, (List *) ReplaceVars((Node *) list_make1(rte->subquery),
																  ReferToParents, page));

		/*
		 * PostgreSQL pulls up what is not left-joined: it may know what that
		 * computes.
		 */
		if (page->is_small && !page->for_batches && IsA(join, JoinExpr) && join->jointype == JOIN_LEFT)
		{
			Level		inner = LevelBelow(page->level, rte->subquery);

			KeepFromJoining(&inner);
		}
	}
}

/* Make two queries of one, where it is. */
static void
SplitPage(RowPage *page)
{
	Query	   *query = page->level->query;

	page->varno = list_length(query->rtable) + 1;
	page->parents = TakeParents(query, page->cut);
	page->parents->jointree = PageParents(page);
	DivideTargets(page);
	DivideItems(page);
	DivideEntries(page);
	query->jointree = JoinLate(page);
	MoveDown(page->parents);
	query->rtable = lappend(query->rtable, MakeSubqueryEntry(page->parents, "parents"));
	if (page->cut != AFTER_WHERE)
		query->limitOffset = (Node *) Int8Const(0);
}

/*
 * Pages of what a subquery makes
 */

/*
 * Tools compute in a subquery what they cut off around it, as Prisma does.  PostgreSQL pulls that up; only then what is
 * late can be told from what is not.
 *
 *		SELECT m.d FROM (SELECT json_build_object('id', f.id, 'actors', a.d) AS d, f.id FROM film f
 *			LEFT JOIN LATERAL (...) a ON true) m ORDER BY m.id LIMIT 20
 *
 * So it is merged, wherever rows are read for the result.  What is in EXISTS, PostgreSQL looks at before it pulls up anything,
 * and may make a join of it: not of what is one query deeper.
 */
static void
MergePages(Query *query, int depth, void *rewrite)
{
	Level		level = {.query = query,.rewrite = rewrite};

	check_stack_depth();
	if (CutsRows(&level))
	{
		MergeOnlyItem(&level);
		if (MayBeGroupedPage(query))
			ExpandGroups(query);
	}
	VisitCtes(query, MergePages, rewrite);
	VisitBelow(query, MergePages, rewrite);
}

/*
 * All pages of a query
 */

/* The survey is made when it is first needed: until then nothing is changed.  NULL if nothing may be. */
static Surveyed *
SurveyedIn(Paging *paging, Query *query)
{
	if (WhyPlacesStay(paging->rewrite, paging->query) != NULL)
		return NULL;
	if (paging->survey == NULL)
		paging->survey = MakeSurvey(paging->query, paging->rewrite);
	return FindSurveyed(paging->survey, query);
}

/*
 * Is it a page that gains nothing, because PostgreSQL reads it by an index, and what belongs to its rows, too?  If
 * that depends on its plan, is_filtered is set.
 */
static bool
StaysByIndex(Paging *paging, Level *level, bool *is_filtered)
{
	Rewrite    *rewrite = paging->rewrite;
	Surveyed   *surveyed;
	bool		comes;

	if (paging->for_batches || rewrite->always || JoinsCollections(level))
		return false;
	comes = HasOnly(level->query, PARTS_OF_PAGE) && HasAny(level->query, PART_ORDER) && !SkipsRows(level) &&
		ComesByIndex(level->query, is_filtered);

	/*
	 * In what is run for each row of something else, other rows may be read
	 * in another way.
	 */
	*is_filtered = !IsCorrelated(level->query) &&
		(*is_filtered ||
		 (MayBeSortedGroups(level->query) && CountOf(level, level->query->limitOffset) <= SMALL_PAGE));
	surveyed = comes && rewrite->notes != NULL ? SurveyedIn(paging, level->query) : NULL;
	if (surveyed != NULL)
		TakeNote(rewrite, surveyed->place, "page", NULL, COMES_BY_INDEX);
	return comes;
}

/* Split what cuts its rows, if it is a page and of the kind that is wanted. */
static void
TakePage(Paging *paging, Surveyed *surveyed, bool is_filtered)
{
	RowPage		page;
	const char *reason = MayBeGroupedPage(surveyed->level.query) ?
		FindGroupedPage(surveyed, paging->for_batches, &page) : FindPage(surveyed, paging->for_batches, &page);
	Note	   *note = TakeNote(paging->rewrite, surveyed->place, "page", "parents first", reason);

	if (reason != NULL)
		return;
	if (!page.is_small || is_filtered)
	{
		paging->nlarge += !page.is_small;
		paging->nfiltered += page.is_small;
		if (note != NULL)
			paging->notes = lappend(paging->notes, note);
		if (!paging->all)
			return;
	}
	SplitPage(&page);
}

/*
 * Drop the limits of look-ups in the FROM of a query, if they could gain.  A survey would find out that a query runs
 * for each row of another; that takes longer than a look at what it refers to.
 */
static void
TakeLookUps(Paging *paging, Level *level)
{
	Surveyed   *surveyed;

	if (!HasLaterals(level->query) ||
		(paging->rewrite->notes == NULL &&
		 (IsCorrelated(level->query) || LookUpsOf(level) == NIL || ReadsFewRows(level))))
		return;
	surveyed = SurveyedIn(paging, level->query);
	if (surveyed == NULL)
		return;
	FindLookUps(surveyed);
	DropLimits(surveyed, &surveyed->level, NULL);
}

/* Read a query's rows once, if that is necessary for joins. */
static void
TakeRowsOnce(Paging *paging, Level *level)
{
	Surveyed   *surveyed = MayReadOnce(level) ? SurveyedIn(paging, level->query) : NULL;
	RowPage		page;

	if (surveyed != NULL && FindRowsOnce(surveyed, &page))
		SplitPage(&page);
}

/* First the queries within, because nothing is known about a page that has been split. */
static void
VisitLevel(Query *query, int depth, void *context)
{
	Paging	   *paging = context;
	Level		level = {.query = query,.rewrite = paging->rewrite};
	bool		is_filtered = false;
	Surveyed   *surveyed;

	check_stack_depth();

	/*
	 * Subqueries of conditions stay as they are: those of EXISTS and IN
	 * become joins, and the cost of others decides in which order conditions
	 * are evaluated.
	 */
	if (!query->hasRecursive)
		VisitCtes(query, VisitLevel, paging);
	VisitBelow(query, VisitLevel, paging);
	if (!CutsRows(&level))
	{
		/* For the look-ups of batches, see unnest.c. */
		if (paging->for_batches)
			TakeRowsOnce(paging, &level);
		else
			TakeLookUps(paging, &level);
		return;
	}
	if ((paging->for_batches && IsLookUp(&level)) || StaysByIndex(paging, &level, &is_filtered) ||
		(paging->rewrite->notes == NULL && WhyNoPage(&level, paging->for_batches) != NULL))
		return;
	surveyed = SurveyedIn(paging, query);
	if (surveyed != NULL)
		TakePage(paging, surveyed, is_filtered);
}

/* Compute in a query, which is changed where it is, what its pages need after LIMIT. */
void
PutParentsFirst(Query *query, Paging *paging)
{
	paging->rewrite->visits = 0;
	paging->query = query;
	paging->survey = NULL;
	MergePages(query, 0, paging->rewrite);
	VisitLevel(query, 0, paging);
}
