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
static double unnest_above_cost = 500;

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

/*
 * What a page costs that is in memory, in the planner's units: as much as 16
 * tuples (bench/workloads/unnest.py)
 */
#define CACHED_PAGE_COST	"0.2"

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

/* The query, with joins; joined tells for which collections, if it isn't NULL. */
static Query *
Unnested(const Planning *planning, const Bitmapset *kept, Bitmapset **joined)
{
	Unnesting	unnesting = {.rewrite = planning->rewrite,.kept = kept};
	Query	   *query = copyObject(planning->query);

	UnnestQuery(query, &unnesting);
	if (joined != NULL)
		*joined = unnesting.joined;
	return query;
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
static Cost
CostInMemory(const Planning *planning, PLANNER_PARAMETERS)
{
	Cost		cost;
	int			nest_level = NewGUCNestLevel();

	CHECK_FOR_INTERRUPTS();
	SetForNow("seq_page_cost", CACHED_PAGE_COST);
	SetForNow("random_page_cost", CACHED_PAGE_COST);
	cost = planning->plan(PLANNER_ARGUMENTS)->planTree->total_cost;
	AtEOXact_GUC(true, nest_level);
	return cost;
}

/*
 * From the best so far, try each collection by itself the other way: one more join
 * must gain, one join less need not.
 */
static Choice
TryEach(const Planning *planning, Choice best, const Bitmapset *collections, PLANNER_PARAMETERS)
{
	for (int i = -1; (i = bms_next_member(collections, i)) >= 0;)
	{
		Bitmapset  *kept = bms_copy(best.kept);
		Choice		other;

		kept = bms_is_member(i, kept) ? bms_del_member(kept, i) : bms_add_member(kept, i);
		query = Unnested(planning, kept, NULL);
		other.kept = kept;
		other.cost = CostInMemory(planning, PLANNER_ARGUMENTS);
		if (bms_is_member(i, kept) ? other.cost < best.cost :
			other.cost * LEAST_GAIN < best.cost)
			best = other;
	}
	return best;
}

/*
 * Which of the collections had better stay as they are.  Planning takes its time,
 * too: each try must be one that may gain as much as the setting says.
 */
static const Bitmapset *
BestToKeep(const Planning *planning, Query *joined, Choice written, PLANNER_PARAMETERS)
{
	int			tries = bms_num_members(written.kept);
	Choice		joins = {0};
	Choice		best = written;

	query = joined;
	joins.cost = CostInMemory(planning, PLANNER_ARGUMENTS);
	if (joins.cost * LEAST_GAIN < best.cost)
		best = joins;
	if (tries > 1 && tries <= MAX_TRIES && best.cost >= tries * unnest_above_cost)
		best = TryEach(planning, best, written.kept, PLANNER_ARGUMENTS);
	return best.kept;
}

/*
 * Plan a query as it is written; or with joins for those of its collections that
 * get cheaper by that.
 */
PlannedStmt *
PlanUnnested(PlanFunction plan, Rewrite *rewrite, PLANNER_PARAMETERS)
{
	Planning	planning = {.plan = plan,.rewrite = rewrite,.query = copyObject(query)};
	PlannedStmt *stmt = plan(PLANNER_ARGUMENTS);
	Choice		written = {.cost = stmt->planTree->total_cost};
	const Bitmapset *kept = NULL;
	Bitmapset  *collections;
	Query	   *joined;

	if (written.cost < unnest_above_cost)
		return stmt;			/* in memory it costs no more */
	query = copyObject(planning.query);
	written.cost = CostInMemory(&planning, PLANNER_ARGUMENTS);
	if (written.cost < unnest_above_cost)
		return stmt;
	joined = Unnested(&planning, NULL, &collections);
	if (collections == NULL)
		return stmt;
	if (unnest_above_cost > 0)
	{
		written.kept = collections;
		kept = BestToKeep(&planning, joined, written, PLANNER_ARGUMENTS);
		if (bms_equal(kept, collections))
			return stmt;
	}
	query = Unnested(&planning, kept, NULL);
	return plan(PLANNER_ARGUMENTS);
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
							 "It is the cost as if all pages were in memory. "
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
