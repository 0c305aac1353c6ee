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
#include "planner/unnest.h"
#include "planner/unnest_choice.h"
#include "utils/guc.h"
#include "utils/plancache.h"

/* With more collections than these, only all of them or none become joins. */
#define MAX_TRIES	8

static bool unnest = false;
static double unnest_above_cost = 20000;

bool
UnnestIsOn(void)
{
	return unnest;
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

/* What a page costs that is in memory, in the planner's units: a few tuples */
#define CACHED_PAGE_COST	"0.03"

/* Some collections stay as they are, the others become joins, at a cost. */
typedef struct Choice
{
	const Bitmapset *kept;
	double		cost;
} Choice;

/* The planner and a query for it, of which each plan is made from a copy */
typedef struct Planning
{
	PlanFunction plan;
	Rewrite    *rewrite;
	Query	   *query;
} Planning;

/* Plan the query; joined tells which collections became joins, if it isn't NULL. */
static PlannedStmt *
PlanKeeping(const Planning *planning, const Bitmapset *kept, Bitmapset **joined,
			PLANNER_PARAMETERS)
{
	Unnesting	unnesting = {.rewrite = planning->rewrite,.kept = kept};

	CHECK_FOR_INTERRUPTS();
	query = copyObject(planning->query);
	UnnestQuery(query, &unnesting);
	if (joined != NULL)
		*joined = unnesting.joined;
	return planning->plan(PLANNER_ARGUMENTS);
}

/* Change a setting until the level of settings ends, as SET in a function does. */
static void
SetForNow(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * What the same costs if all pages are in memory.  A walk down an index for each
 * row meets the same pages again and again, which the planner does not know of
 * subqueries; it would take joins long before they gain.
 */
static Choice
CostKeeping(const Planning *planning, const Bitmapset *kept, Bitmapset **joined,
			PLANNER_PARAMETERS)
{
	Choice		choice = {.kept = kept};
	int			nest_level = NewGUCNestLevel();

	SetForNow("seq_page_cost", CACHED_PAGE_COST);
	SetForNow("random_page_cost", CACHED_PAGE_COST);
	choice.cost = PlanKeeping(planning, kept, joined, PLANNER_ARGUMENTS)->planTree->total_cost;
	AtEOXact_GUC(true, nest_level);
	return choice;
}

/*
 * From the best so far, try each collection by itself the other way: one more join
 * must gain, one join less need not.
 */
static Choice
TryEach(const Planning *planning, Choice best, const Bitmapset *joined, PLANNER_PARAMETERS)
{
	for (int i = -1; (i = bms_next_member(joined, i)) >= 0;)
	{
		Bitmapset  *kept = bms_copy(best.kept);
		Choice		other;

		kept = bms_is_member(i, kept) ? bms_del_member(kept, i) : bms_add_member(kept, i);
		other = CostKeeping(planning, kept, NULL, PLANNER_ARGUMENTS);
		if (bms_is_member(i, kept) ? other.cost < best.cost :
			other.cost * LEAST_GAIN < best.cost)
			best = other;
	}
	return best;
}

/*
 * Plan a query as it is written; or with joins for those of its collections that
 * get cheaper by that.
 */
PlannedStmt *
PlanUnnested(PlanFunction plan, Rewrite *rewrite, PLANNER_PARAMETERS)
{
	Planning	planning = {.plan = plan,.rewrite = rewrite,.query = copyObject(query)};
	PlannedStmt *written = plan(PLANNER_ARGUMENTS);
	Bitmapset  *joined;
	Choice		best;
	Choice		joins;

	if (written->planTree->total_cost < unnest_above_cost)
		return written;
	joins = CostKeeping(&planning, NULL, &joined, PLANNER_ARGUMENTS);
	if (joined == NULL)
		return written;
	if (unnest_above_cost > 0)
	{
		best = CostKeeping(&planning, joined, NULL, PLANNER_ARGUMENTS);
		if (joins.cost * LEAST_GAIN < best.cost)
			best = joins;
		if (bms_num_members(joined) > 1 && bms_num_members(joined) <= MAX_TRIES)
			best = TryEach(&planning, best, joined, PLANNER_ARGUMENTS);
	}
	else
		best = joins;
	if (bms_equal(best.kept, joined))
		return written;
	return PlanKeeping(&planning, best.kept, NULL, PLANNER_ARGUMENTS);
}

/* The settings */
void
InitUnnesting(void)
{
	DefineCustomBoolVariable("jsonrow.unnest",
							 "Runs subqueries that aggregate what belongs to a row as joins, where that is cheaper.",
							 NULL,
							 &unnest,
							 false,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 AssignUnnest,
							 NULL);
	DefineCustomRealVariable("jsonrow.unnest_above_cost",
							 "Queries that cost the planner less than this stay as they are.",
							 "With 0, whatever can become a join does, whether it is cheaper or not.",
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
