/*-------------------------------------------------------------------------
 *
 * unnest_choice.c
 *		Which collections become joins: those that get cheaper.
 *
 * A few rows are best served by a walk down an index for each; many, by one
 * pass over all that belongs to them.  The planner's own costs decide.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <float.h>

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "planner/by_index.h"
#include "planner/may_raise.h"
#include "planner/notes.h"
#include "planner/other_ways.h"
#include "planner/parents_first.h"
#include "planner/twins.h"
#include "planner/unnest.h"
#include "planner/unnest_choice.h"
#include "utils/guc.h"
#include "utils/plancache.h"

/* A reason */
#define PLANNING_IS_SEEN	"a function that a user made would run once more while planning"

/* With more collections than these, only all of them or none become joins. */
#define MAX_TRIES	8

static bool unnest = false;
static double unnest_above_cost = 500;

bool
UnnestIsOn(void)
{
	return unnest;
}

bool
UnnestsAlways(void)
{
	return unnest_above_cost == 0;
}

static void
AssignUnnest(bool newval, void *extra)
{
	if (newval != unnest)
		ResetPlanCache();
}

static void
AssignCost(double newval, void *extra)
{
	if (newval != unnest_above_cost)
		ResetPlanCache();
}

/*
 * How many times cheaper joins must be.  The planner counts any function of an
 * aggregate as if it added integers, while JSON is made of rows that nobody
 * asked for, too.
 */
#define LEAST_GAIN			2

/*
 * The same for the first rows of each parent.  A join numbers all rows, which a walk down
 * an index by their order would not read; the planner counts little for that, too.
 */
#define LEAST_GAIN_OF_FIRST	8

/*
 * What a page costs that is in memory, in the planner's units: as much as 16
 * tuples (bench/workloads/unnest.py)
 */
#define CACHED_PAGE_COST	"0.2"

/*
 * Functions that planning runs
 */

/* Does an expression depend on anything that the planner does not know? */
static bool
Varies(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Aggref:
		case T_WindowFunc:
		case T_GroupingFunc:
		case T_SubLink:
		case T_CaseTestExpr:
			return true;
		default:
			return expression_tree_walker(node, Varies, context);
	}
}

static bool
IsInlined(Oid function, void *context)
{
	return IsUsersFunction(function, context) && FunctionIsSql(function);
}

static bool
SearchUsersFunction(Node *node, void *context)
{
	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, SearchUsersFunction, context, 0);
	if (check_functions_in_node(node, IsInlined, NULL) ||
		(check_functions_in_node(node, IsUsersFunction, NULL) && !Varies(node, NULL)))
		return true;
	return expression_tree_walker(node, SearchUsersFunction, context);
}

/*
 * Does planning run a function of a user's?  It does if all arguments are known, and
 * what is in a SQL function that it puts in place of the call, is not known here.
 * Such a function may tell how often that happens: so the query is planned once.
 */
static bool
PlanningIsSeen(Node *node)
{
	return SearchUsersFunction(node, NULL);
}

/* Why what costs so much stays */
static const char *
NotCheaper(Cost written, Cost changed)
{
	return psprintf("it is not cheaper: the query costs %.2f as it is written, and would cost %.2f",
					written, changed);
}

static const char *
TooCheap(Cost cost)
{
	return psprintf("the query costs %.2f, less than jsonrow.unnest_above_cost", cost);
}

/* Some collections stay as they are, the others become joins, at a cost. */
typedef struct Choice
{
	const Bitmapset *kept;
	Cost		cost;
} Choice;

/* A query to be planned, of which each plan is made from a copy */
typedef struct Planning
{
	Rewrite    *rewrite;
	Query	   *query;
	Query	   *split;			/* the same with its pages taken apart; NULL
								 * until it is needed */
	List	   *notes;			/* JoinNotes, if somebody asks */
} Planning;

/* The query that gets joins: with collections that aggregate; of a page, the parents come first, for they are joined to. */
static Query *
SplitQuery(Planning *planning)
{
	Rewrite    *rewrite = planning->rewrite;
	Notes	   *notes = rewrite->notes;
	Paging		paging = {.rewrite = rewrite,.all = true,.for_batches = true};

	if (planning->split == NULL)
	{
		planning->split = copyObject(planning->query);
		WriteAsCollections(planning->split, rewrite);
		rewrite->notes = NULL;
		if (rewrite->cuts)
			PutParentsFirst(planning->split, &paging);
		rewrite->notes = notes;
	}
	return copyObject(planning->split);
}

/* The query, with joins; joined tells for which collections, if it isn't NULL. */
static Query *
Unnested(Planning *planning, const Bitmapset *kept, Bitmapset **joined)
{
	Bitmapset  *refused = NULL;

	for (;;)
	{
		Unnesting	unnesting = {.rewrite = planning->rewrite,.kept = bms_union(kept, refused)};
		Query	   *query = SplitQuery(planning);

		UnnestQuery(query, &unnesting);
		if (joined != NULL)
			*joined = unnesting.joined;
		if (unnesting.refused == NULL)
			return query;
		refused = bms_add_members(refused, unnesting.refused);
	}
}

/* Is there anything that could become a join? */
static bool
HasCollections(Planning *planning)
{
	Bitmapset  *collections;

	(void) Unnested(planning, NULL, &collections);
	return collections != NULL;
}

/* Note what could become a join, and why not what cannot; later tries take no more notes. */
static void
NoteCollections(Planning *planning)
{
	Notes	   *notes = planning->rewrite->notes;
	Bitmapset  *refused = NULL;
	int			before = notes != NULL ? list_length(notes->list) : 0;

	while (notes != NULL)
	{
		Unnesting	unnesting = {.rewrite = planning->rewrite,.kept = refused};

		notes->list = list_truncate(notes->list, before);
		UnnestQuery(SplitQuery(planning), &unnesting);
		planning->notes = unnesting.notes;
		if (unnesting.refused == NULL)
			break;
		refused = bms_add_members(refused, unnesting.refused);
	}
	planning->rewrite->notes = NULL;
}

/* These stay as they are, after all; all of them if kept is NULL. */
static void
NoteKept(Planning *planning, const Bitmapset *kept, const char *reason)
{
	ListCell   *cell;

	foreach(cell, planning->notes)
	{
		JoinNote   *joined = lfirst(cell);

		if (kept == NULL || bms_is_member(joined->id, kept))
			NoteAllStay(list_make1(joined->note), reason);
	}
}

/*
 * A plan that is made only for its costs: other planner hooks do not hear of it.
 * The query is lost.
 */
static PlannedStmt *
TryPlan(PLANNER_PARAMETERS)
{
	CHECK_FOR_INTERRUPTS();
	return standard_planner(PLANNER_ARGUMENTS);
}

static bool
FindNever(Node *node, void *context)
{
	return node != NULL && ((IsA(node, FuncExpr) && IsNever((FuncExpr *) node)) ||
							expression_tree_walker(node, FindNever, context));
}

/* Is it a plan for the header of an empty document (see unnest.c), which finds no rows? */
static bool
FindsNoRows(Plan *plan)
{
	for (; plan != NULL; plan = outerPlan(plan))
		if (IsA(plan, Result) && FindNever(((Result *) plan)->resconstantqual, NULL))
			return true;
	return false;
}

/* What a plan costs.  The planner counts what finds no rows as if it read all of them. */
static Cost
CostOf(PlannedStmt *stmt)
{
	Cost		cost = stmt->planTree->total_cost;
	ListCell   *cell;

	foreach(cell, stmt->subplans)
		if (lfirst(cell) != NULL && FindsNoRows(lfirst(cell)))
		cost -= ((Plan *) lfirst(cell))->total_cost;
	return cost;
}

/* Change a setting until the level of settings ends, as SET in a function does. */
static void
SetForNow(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * What it would cost if all pages were in memory.  A walk down an index for each
 * row meets the same pages again and again, which the planner does not know of
 * subqueries; it would take joins long before they gain.
 */
static Cost
CostInMemory(PLANNER_PARAMETERS)
{
	Cost		cost;
	int			nest_level = NewGUCNestLevel();

	SetForNow("seq_page_cost", CACHED_PAGE_COST);
	SetForNow("random_page_cost", CACHED_PAGE_COST);
	cost = CostOf(TryPlan(PLANNER_ARGUMENTS));
	AtEOXact_GUC(true, nest_level);
	return cost;
}

/* Is a query with joins so much cheaper?  It is the one that was made last. */
static bool
IsWorthIt(const Planning *planning, Cost cost, Cost best)
{
	return cost * (planning->rewrite->cut != NULL ? LEAST_GAIN_OF_FIRST : LEAST_GAIN) < best;
}

/*
 * From the best so far, try each collection by itself the other way: one more join
 * must gain, one join less need not.
 */
static Choice
TryEach(Planning *planning, Choice best, const Bitmapset *collections, PLANNER_PARAMETERS)
{
	for (int i = -1; (i = bms_next_member(collections, i)) >= 0;)
	{
		Bitmapset  *kept = bms_copy(best.kept);
		Choice		other;

		kept = bms_is_member(i, kept) ? bms_del_member(kept, i) : bms_add_member(kept, i);
		query = Unnested(planning, kept, NULL);
		other.kept = kept;
		other.cost = CostInMemory(PLANNER_ARGUMENTS);
		if (bms_is_member(i, kept) ? other.cost < best.cost :
			IsWorthIt(planning, other.cost, best.cost))
			best = other;
	}
	return best;
}

/*
 * Which of the collections had better stay as they are.  Planning takes its time,
 * too: each try must be one that may gain as much as the setting says.
 */
static const Bitmapset *
BestToKeep(Planning *planning, const Bitmapset *collections, Cost cost, PLANNER_PARAMETERS)
{
	int			tries = bms_num_members(collections);
	Choice		joins = {0};
	Choice		best = {.kept = collections,.cost = cost};

	joins.cost = CostInMemory(PLANNER_ARGUMENTS);
	if (IsWorthIt(planning, joins.cost, best.cost))
		best = joins;
	if (tries > 1 && tries <= MAX_TRIES && best.cost >= tries * unnest_above_cost)
		best = TryEach(planning, best, collections, PLANNER_ARGUMENTS);
	if (best.kept != NULL)
		NoteKept(planning, best.kept, NotCheaper(cost, joins.cost));
	return best.kept;
}

/*
 * The query with joins, if they are cheaper; cost is that of the query as it is
 * written.  NULL if it had better stay so.
 */
static Query *
BestQuery(Planning *planning, Cost written, PLANNER_PARAMETERS)
{
	Bitmapset  *collections;
	Query	   *joined = Unnested(planning, NULL, &collections);
	const Bitmapset *kept;
	Cost		cost;

	if (collections == NULL || planning->rewrite->always)
		return collections == NULL ? NULL : joined;
	query = copyObject(planning->query);
	cost = CostInMemory(PLANNER_ARGUMENTS);
	if (cost < unnest_above_cost)
	{
		NoteKept(planning, NULL, TooCheap(cost));
		return NULL;
	}
	query = joined;
	kept = BestToKeep(planning, collections, cost, PLANNER_ARGUMENTS);
	if (bms_equal(kept, collections))
		return NULL;
	/* Not with the server's own settings, for example if groups would spill? */
	query = Unnested(planning, kept, NULL);
	cost = CostOf(TryPlan(PLANNER_ARGUMENTS));
	if (cost >= written)
	{
		NoteKept(planning, NULL, NotCheaper(written, cost));
		return NULL;
	}
	return Unnested(planning, kept, NULL);
}

/*
 * Compute after LIMIT what only the rows of a page need.  Few rows gain in any case; of
 * many, others could have been computed in parallel, so costs decide.
 */
Query *
WithParentsFirst(Rewrite *rewrite, bool is_cursor, PLANNER_PARAMETERS)
{
	Paging		paging = {.rewrite = rewrite,.is_cursor = is_cursor};
	Query	   *written,
			   *late;
	Notes	   *notes = rewrite->notes;
	Cost		cost,
				late_cost;

	PutParentsFirst(query, &paging);
	if (paging.large == 0)
		return query;
	if (PlanningIsSeen((Node *) query))
	{
		NoteAllStay(paging.notes, PLANNING_IS_SEEN);
		return query;
	}
	paging.all = true;
	written = copyObject(query);
	late = copyObject(query);
	rewrite->notes = NULL;
	PutParentsFirst(late, &paging);
	rewrite->notes = notes;
	cost = TryPlan(PLANNER_ARGUMENTS)->planTree->total_cost;
	query = copyObject(late);
	late_cost = TryPlan(PLANNER_ARGUMENTS)->planTree->total_cost;
	if (late_cost < cost)
		return late;
	NoteAllStay(paging.notes, NotCheaper(cost, late_cost));
	return written;
}

/* Why there is nothing to choose; NULL if there is.  What is planned for its costs, is planned twice. */
static const char *
WhyNoChoice(Rewrite *rewrite, Query *query)
{
	if (!rewrite->always && IsFoundByIndex(query, rewrite))
		return "few rows are wanted, and an index finds what belongs to each";
	return PlanningIsSeen((Node *) query) ? PLANNING_IS_SEEN : NULL;
}

/*
 * Plan a query as it is written; or with joins for those of its collections that
 * get cheaper by that.  is_last tells that there is no other planner hook, so that
 * a plan that was made for its costs is as good as any.
 */
PlannedStmt *
PlanUnnested(PlanFunction plan, bool is_last, Rewrite *rewrite, PLANNER_PARAMETERS)
{
	Planning	planning = {.rewrite = rewrite};
	const char *reason = WhyNoChoice(rewrite, query);
	PlannedStmt *stmt;
	Query	   *best;

	if (reason != NULL && rewrite->notes == NULL)
		return plan(PLANNER_ARGUMENTS);
	planning.query = copyObject(query);
	NoteCollections(&planning);
	if (reason != NULL)
	{
		NoteKept(&planning, NULL, reason);
		return plan(PLANNER_ARGUMENTS);
	}
	if (!is_last && !HasCollections(&planning))
		return plan(PLANNER_ARGUMENTS);
	stmt = TryPlan(PLANNER_ARGUMENTS);
	best = NULL;
	if (stmt->planTree->total_cost >= unnest_above_cost)
		best = BestQuery(&planning, stmt->planTree->total_cost, PLANNER_ARGUMENTS);
	else
		NoteKept(&planning, NULL, TooCheap(stmt->planTree->total_cost));
	if (best == NULL && is_last)
		return stmt;
	query = best != NULL ? best : planning.query;
	return plan(PLANNER_ARGUMENTS);
}

/* The settings */
void
InitUnnesting(void)
{
	DefineCustomBoolVariable("jsonrow.unnest",
							 "Runs nested collections as joins, where that is cheaper.",
							 "What belongs to the rows of a page is computed for these only.",
							 &unnest,
							 false,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 AssignUnnest,
							 NULL);
	DefineCustomRealVariable("jsonrow.unnest_above_cost",
							 "Sets the planner's cost below which nested collections stay subqueries.",
							 "The cost is estimated as if all pages were in memory. "
							 "With 0, each collection that can become a join does, whether that is cheaper or not.",
							 &unnest_above_cost,
							 unnest_above_cost,
							 0,
							 DBL_MAX,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 AssignCost,
							 NULL);
}
