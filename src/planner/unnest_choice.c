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
static double unnest_above_cost = 1000;

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

/* A plan in which some collections stay as they are, and what it was made from */
typedef struct Choice
{
	Bitmapset  *kept;
	PlannedStmt *plan;
	Unnesting	unnesting;
} Choice;

static double
CostOf(const Choice *choice)
{
	return choice->plan->planTree->total_cost;
}

/* Plan a copy of the query, for the planner does not leave it as it is. */
static Choice
Try(PlanFunction plan, Rewrite *rewrite, Bitmapset *kept, PLANNER_PARAMETERS)
{
	Choice		choice = {.kept = kept,.unnesting = {.rewrite = rewrite,.kept = kept}};

	CHECK_FOR_INTERRUPTS();
	query = copyObject(query);
	UnnestQuery(query, &choice.unnesting);
	choice.plan = plan(PLANNER_ARGUMENTS);
	return choice;
}

/*
 * Plan a query as it is written, and as joins, and then with each collection by
 * itself the other way, starting from what was cheaper.
 */
PlannedStmt *
PlanUnnested(PlanFunction plan, Rewrite *rewrite, PLANNER_PARAMETERS)
{
	Query	   *original = copyObject(query);
	Choice		best = {.plan = plan(PLANNER_ARGUMENTS)};
	Choice		joins;

	if (CostOf(&best) < unnest_above_cost)
		return best.plan;
	query = original;
	joins = Try(plan, rewrite, NULL, PLANNER_ARGUMENTS);
	best.kept = joins.unnesting.joined;
	if (CostOf(&joins) < CostOf(&best))
		best = joins;
	if (bms_num_members(joins.unnesting.joined) > MAX_TRIES ||
		bms_num_members(joins.unnesting.joined) < 2)
		return best.plan;
	for (int i = -1; (i = bms_next_member(joins.unnesting.joined, i)) >= 0;)
	{
		Bitmapset  *kept = bms_copy(best.kept);
		Choice		other;

		kept = bms_is_member(i, kept) ? bms_del_member(kept, i) : bms_add_member(kept, i);
		other = Try(plan, rewrite, kept, PLANNER_ARGUMENTS);
		if (CostOf(&other) < CostOf(&best))
			best = other;
	}
	return best.plan;
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
							 NULL,
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
