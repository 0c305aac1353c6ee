/*-------------------------------------------------------------------------
 *
 * unnest_choice.c
 *		Which collections become joins: those that get cheaper.
 *
 * For a few rows, an index scan for each is best; for many, one pass over all
 * that belongs to them.  The planner's own costs decide.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <float.h>

#include "miscadmin.h"
#include "optimizer/planmain.h"
#include "planner/by_index.h"
#include "planner/levels.h"
#include "planner/notes.h"
#include "planner/other_ways.h"
#include "planner/page.h"
#include "planner/plan_cost.h"
#include "planner/query_parts.h"
#include "planner/unnest.h"
#include "utils/guc.h"
#include "utils/plancache.h"

/* Reasons */
#define PLANNING_IS_SEEN	"a function that a user made would run once more while planning"
#define COSTS_ARE_GUESSES	"a table was never analyzed, and indexes find what belongs to each row"

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
 * How many times cheaper joins must be.  The planner counts any function of an aggregate as if it added integers,
 * while JSON is made of rows that nobody asked for, too.
 */
#define LEAST_GAIN			2

/*
 * The same for the first rows of each parent, of which some may have many more, if an index has them in their order,
 * so that it is not all read as it is written.  A join numbers all rows, which an index scan in their order would not
 * read; the planner counts little for that, too.
 */
#define LEAST_GAIN_OF_FIRST	6

/*
 * The same where most of the costs as written is reading whole tables again and again.  For how many rows, is often a wrong guess, with
 * which these costs grow without bound, and those of joins do not: so joins may cost a little more.
 */
#define LEAST_GAIN_OF_REREADING	0.8

/* So many blocks are soon read, again and again. */
#define FEW_PAGES			10

/* For more rows than this, an index that is read from one end is sure to be read far, for some. */
#define MANY_WALKS			100

/* As many rows as PostgreSQL expects at most of a table that was never analyzed, and may be empty: it counts ten blocks. */
#define MOST_GUESSED_WALKS	3000

/*
 * Of a table that was never analyzed, PostgreSQL expects that a condition leaves each 200th row.  Reading whole tables for each of these
 * costs without bound if there are more, and joins do not: so there are taken to be so many times more.
 */
#define ROWS_OF_GUESS		10

/* If more have rows than this, statistics may just have missed the others'. */
#define LARGE_SHARE			0.5

/* Where fewer parents have any rows, an index finds none for most, which costs a small part of what is expected. */
#define SMALL_SHARE			0.25
#define COST_OF_NONE		0.02

/* What a collection reads when it is joined: its parents twice, and its own table */
#define TABLES_OF_COLLECTION	3.0

/* With more tables, or joins, than this, the time that planning takes is no longer that of each. */
#define FEW_TABLES			8.0
#define FEW_JOINS			4.0

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
	return cost < unnest_above_cost ? psprintf("the query costs %.2f, less than jsonrow.unnest_above_cost", cost) :
		psprintf("the query costs %.2f, less than jsonrow.unnest_above_cost for each collection", cost);
}

/* A query to be planned, of which each plan is made from a copy */
typedef struct Planning
{
	Level		level;			/* of the query as it is written */
	Query	   *unnested;		/* the same with joins; NULL if it gets none */
	bool		is_unnested;	/* that is known */
	double		more_rows;		/* so many times more than it expects */
	int			njoins;			/* how many */
	List	   *notes;			/* on what becomes joins, if somebody asks */
	Notes		others;			/* on pages and look-ups that change with it */
} Planning;

/* The query with joins, which is made once, of collections that aggregate and of split pages; NULL if it gets none. */
static Query *
Unnested(Planning *planning)
{
	Rewrite    *rewrite = planning->level.rewrite;
	Notes	   *notes = rewrite->notes;
	int			before = notes != NULL ? list_length(notes->list) : 0;
	Paging		paging = {.rewrite = rewrite,.all = true,.for_batches = true};
	Unnesting	unnesting = {.rewrite = rewrite,.lookups = &planning->others};
	int			npages;
	Query	   *split,
			   *query;

	if (planning->is_unnested)
		return planning->unnested;
	split = copyObject(planning->level.query);
	WriteAsCollections(split, rewrite);
	AskWhetherRowsExist(split, rewrite);
	planning->others.context = CurrentMemoryContext;
	rewrite->notes = notes != NULL ? &planning->others : NULL;
	PutParentsFirst(split, &paging);
	rewrite->notes = notes;
	npages = list_length(planning->others.list);
	do
	{
		query = copyObject(split);
		planning->others.list = list_truncate(planning->others.list, npages);
		if (notes != NULL)
			notes->list = list_truncate(notes->list, before);
	} while (!UnnestQuery(query, &unnesting));
	planning->notes = unnesting.notes;
	planning->njoins = unnesting.njoins;
	planning->unnested = planning->njoins > 0 ? query : NULL;
	planning->is_unnested = true;
	return planning->unnested;
}

/* A plan that is made only for its costs: other planner hooks do not hear of it.  The query is lost. */
static PlannedStmt *
TryPlan(PLANNER_PARAMETERS)
{
	CHECK_FOR_INTERRUPTS();
	return standard_planner(PLANNER_ARGUMENTS);
}

/* Is it what a collection may be? */
static bool
OnlyAggregates(const Query *query)
{
	return HasAny(query, PART_AGGREGATES) && !HasAny(query, PART_GROUPS);
}

/* What a query must cost at least so that joins are tried.  It takes the longer to plan them, the more there are. */
static Cost
LeastCost(Query *query)
{
	int			ncollections = CountQueries(query, OnlyAggregates) - OnlyAggregates(query);

	return unnest_above_cost * Max(ncollections, 1);
}

/*
 * The same once the joins are known, if indexes find what belongs to each row.  Parents are read again for each
 * collection, and for each level of them, and all these tables may be joined in many orders.
 */
static Cost
LeastCostOfJoins(const Planning *planning)
{
	int			njoins = planning->njoins;
	int			ntables = list_length(TablesIn((Node *) planning->unnested));
	double		orders = Max(1, Max(ntables / FEW_TABLES, njoins / FEW_JOINS));

	return unnest_above_cost * Max(njoins, ntables / TABLES_OF_COLLECTION) * orders;
}

/* Is most of what a plan costs in memory that it reads whole tables again and again, also if it is a guess that there is one row? */
static bool
RereadsMost(const PlannedStmt *written, Cost cost, bool guesses)
{
	return PlanCostWithoutRereads(written, guesses) * LEAST_GAIN < cost;
}

/* How many times cheaper a query with joins must be than one that costs so much, if all blocks are in memory */
static double
LeastGain(Planning *planning, const PlannedStmt *written, Cost cost)
{
	const Rewrite *rewrite = planning->level.rewrite;
	double		gain = rewrite->reads_more && SomeLimitStops(written) ? LEAST_GAIN_OF_FIRST : LEAST_GAIN;
	double		share;

	if (gain == LEAST_GAIN && ReadsTablesAgain(written, FEW_PAGES, MANY_WALKS) &&
		RereadsMost(written, cost, !WantsFewRows(&planning->level)))
		return LEAST_GAIN_OF_REREADING;
	if (rewrite->share >= SMALL_SHARE || ReadsTablesAgain(written, 0, 0))
		return gain;
	share = rewrite->shares / rewrite->ncollections;
	return gain / (share + (1 - share) * COST_OF_NONE);
}

/*
 * Does a query cost enough as it is written?  Three quarters, if most of that is reading whole tables again and again, for
 * joins are sure to gain then.
 */
static bool
IsWorthTrying(const PlannedStmt *written, Cost cost, Cost least)
{
	return cost >= least || (cost * 4 >= least * 3 && RereadsMost(written, cost, false));
}

/* Why joins are not worth trying, if a query costs too little as it is written; otherwise NULL */
static const char *
WhyTooCheap(Planning *planning, const PlannedStmt *written)
{
	Cost		cost = written->planTree->total_cost;

	if (ReadsTablesAgain(written, FEW_PAGES, MOST_GUESSED_WALKS) && RowsAreGuessed(&planning->level))
		planning->more_rows = ROWS_OF_GUESS;
	if (cost * planning->more_rows >= unnest_above_cost)
	{
		cost = PlanCostInMemory(written, 1);
		if (IsWorthTrying(written, cost * planning->more_rows, LeastCost(planning->level.query)))
			return NULL;
	}
	return TooCheap(cost);
}

/*
 * Are costs a guess, though indexes find what belongs to each row?  Joins read tables once, however many rows these are for;
 * but where they read more rows than the subqueries do, all costs count.
 */
static bool
IsGuess(Planning *planning, const PlannedStmt *written)
{
	return CostIsGuess(&planning->level, planning->is_unnested && planning->level.rewrite->reads_more) &&
		!ReadsTablesAgain(written, FEW_PAGES, MOST_GUESSED_WALKS);
}

/* Of so many joins, finding the best order takes PostgreSQL longer than all else. */
#define MANY_JOINS		4

static bool
HasJoins(const Query *query)
{
	return !HasAny(query, PART_NO_FROM) && OnlyItem(query->jointree) == 0;
}

/*
 * Plan a query with joins.  Each parent has one row in each of these, so their order makes no difference; if the query joins nothing
 * itself, they are made in the order in which they are written.
 */
static PlannedStmt *
PlanJoins(PlanFunction plan, Planning *planning, PLANNER_PARAMETERS)
{
	bool		joins_itself = planning->njoins < MANY_JOINS || CountQueries(planning->level.query, HasJoins) > 0;
	int			limit = join_collapse_limit;
	PlannedStmt *volatile result = NULL;

	PG_TRY();
	{
		if (!joins_itself)
			join_collapse_limit = 1;
		result = plan(PLANNER_ARGUMENTS);
	}
	PG_FINALLY();
	{
		join_collapse_limit = limit;
	}
	PG_END_TRY();
	return result;
}

/*
 * Why joins are not worth it; NULL if they are, or if there are none.  What their plan, which is told, costs more than to compute
 * everything once must be so many times cheaper than in the query as it is written.  The rest is the same, and may be a wrong
 * guess: PostgreSQL counts an EXISTS for each row, and then hashes its rows.  Where it filters rows, their number is the worse
 * guess, so all costs count.
 */
static const char *
WhyNoGain(Planning *planning, const PlannedStmt *written, bool is_last, PlannedStmt **joined, PLANNER_PARAMETERS)
{
	Rewrite    *rewrite = planning->level.rewrite;
	Cost		cost = PlanCostInMemory(written, 1);
	Cost		once = planning->more_rows > 1 ? 0 : PlanCostOnce(written);
	double		gain;
	Cost		joined_cost;

	if (IsGuess(planning, written))
		return COSTS_ARE_GUESSES;
	/* No more can be gained than what is computed for each row. */
	if ((cost - once) * planning->more_rows * LEAST_GAIN < LeastCost(planning->level.query) &&
		!RereadsMost(written, cost, !WantsFewRows(&planning->level)))
		return NotCheaper(cost, once);
	if (Unnested(planning) == NULL)
		return NULL;
	if (rewrite->share < LARGE_SHARE)
		cost = PlanCostInMemory(written, rewrite->share);
	if (!IsWorthTrying(written, cost, LeastCostOfJoins(planning)) && !ReadsTablesAgain(written, FEW_PAGES, MANY_WALKS))
		return TooCheap(cost);
	if (rewrite->reads_more && IsGuess(planning, written))
		return COSTS_ARE_GUESSES;
	query = is_last ? planning->unnested : copyObject(planning->unnested);
	*joined = PlanJoins(TryPlan, planning, PLANNER_ARGUMENTS);
	gain = LeastGain(planning, written, cost);
	if (PlanCost(*joined) * Min(gain, 1) >= PlanCost(written) * planning->more_rows)
		return NotCheaper(PlanCost(written), PlanCost(*joined));
	joined_cost = PlanCostInMemory(*joined, 1);
	if (FiltersBySubquery(written))
		once = 0;
	return (joined_cost - once) * gain >= (cost - once) * planning->more_rows ? NotCheaper(cost, joined_cost) : NULL;
}

/*
 * Compute after LIMIT what only the rows of a page need.  Few rows gain in any case, unless they come in the order of an
 * index, with others that a filter drops: whether PostgreSQL reads them so, its plan tells.  Of many, others could
 * have been computed in parallel, so costs decide.  If the query is planned for that, and stays, tried is its plan.
 */
static Query *
WithParentsFirst(Rewrite *rewrite, PlannedStmt **tried, PLANNER_PARAMETERS)
{
	Paging		paging = {.rewrite = rewrite};
	Notes	   *notes = rewrite->notes;
	bool		are_large;
	Query	   *written,
			   *late;
	PlannedStmt *first;
	Cost		late_cost;

	PutParentsFirst(query, &paging);
	are_large = paging.nlarge > 0;
	if (!are_large && paging.nfiltered == 0)
		return query;
	if (PlanningIsSeen(rewrite, query))
	{
		NoteAllStay(paging.notes, PLANNING_IS_SEEN);
		return query;
	}
	written = copyObject(query);
	first = *tried = TryPlan(PLANNER_ARGUMENTS);
	if (!are_large && PagesStartAtOnce(first, first->planTree))
	{
		NoteAllStay(paging.notes, COMES_BY_INDEX);
		return written;
	}
	/* All pages change that can; notes on them have been taken. */
	late = copyObject(written);
	paging.all = true;
	rewrite->notes = NULL;
	PutParentsFirst(late, &paging);
	rewrite->notes = notes;
	if (are_large)
	{
		query = copyObject(late);
		late_cost = TryPlan(PLANNER_ARGUMENTS)->planTree->total_cost;
		if (late_cost >= first->planTree->total_cost)
		{
			NoteAllStay(paging.notes, NotCheaper(first->planTree->total_cost, late_cost));
			return written;
		}
	}
	*tried = NULL;
	return late;
}

/* The plan of a query as it is; tried, if that is known.  Other planner hooks are to hear of it. */
static PlannedStmt *
PlanAsIs(PlanFunction plan, bool is_last, PlannedStmt *tried, PLANNER_PARAMETERS)
{
	return is_last && tried != NULL ? tried : plan(PLANNER_ARGUMENTS);
}

/* Why there is nothing to choose; NULL if there is.  A query whose plans are compared is planned twice. */
static const char *
WhyNoChoice(Rewrite *rewrite, Query *query)
{
	if (WhyPlacesStay(rewrite, query) != NULL)
		return rewrite->places_stay;
	return PlanningIsSeen(rewrite, query) ? PLANNING_IS_SEEN : NULL;
}

/* Plan a query as it is written, of which tried may be the plan, or with joins for collections that get cheaper. */
static PlannedStmt *
PlanUnnested(PlanFunction plan, bool is_last, Rewrite *rewrite, PlannedStmt *tried, PLANNER_PARAMETERS)
{
	Planning	planning = {.level = {.query = query,.rewrite = rewrite},.more_rows = 1};
	Notes	   *notes = rewrite->notes;
	const char *reason = NULL;
	bool		plans_first = notes == NULL && is_last; /* most are cheap */
	PlannedStmt *written;
	PlannedStmt *joined = NULL;

	if (!rewrite->always && IsFoundByIndex(&planning.level))
		reason = "few rows are wanted, and an index finds what belongs to each";
	else if (!plans_first)
		reason = WhyNoChoice(rewrite, query);
	if (reason != NULL && notes == NULL)
		return PlanAsIs(plan, is_last, tried, PLANNER_ARGUMENTS);
	planning.level.query = copyObject(query);
	if (notes != NULL)
		(void) Unnested(&planning);
	rewrite->notes = NULL;
	if (reason != NULL)
	{
		NoteAllStay(planning.notes, reason);
		return PlanAsIs(plan, is_last, tried, PLANNER_ARGUMENTS);
	}
	if (!is_last && Unnested(&planning) == NULL)
		return plan(PLANNER_ARGUMENTS);
	written = tried != NULL ? tried : TryPlan(PLANNER_ARGUMENTS);
	reason = rewrite->always ? NULL : WhyTooCheap(&planning, written);
	if (reason == NULL && plans_first)
		reason = WhyNoChoice(rewrite, planning.level.query);
	if (reason == NULL && !rewrite->always)
		reason = WhyNoGain(&planning, written, is_last, &joined, PLANNER_ARGUMENTS);
	if (reason == NULL && Unnested(&planning) != NULL)
	{
		query = planning.unnested;
		if (!is_last || joined == NULL)
			joined = PlanJoins(plan, &planning, PLANNER_ARGUMENTS);
		ChooseJit(joined);
		if (notes != NULL)
			NoteAfterAll(notes, planning.others.list);
		return joined;
	}
	NoteAllStay(planning.notes, reason);
	query = planning.level.query;
	return PlanAsIs(plan, is_last, written, PLANNER_ARGUMENTS);
}

/*
 * Plan a query whose pages may change their places and, if it is nested, its collections.  is_last tells that there is
 * no other planner hook, so that a plan that was made for its costs is as good as any.
 */
PlannedStmt *
PlanByCosts(PlanFunction plan, bool is_last, bool is_nested, Rewrite *rewrite, PLANNER_PARAMETERS)
{
	PlannedStmt *tried = NULL;

	if (rewrite->limits)
		query = WithParentsFirst(rewrite, &tried, PLANNER_ARGUMENTS);
	return is_nested ? PlanUnnested(plan, is_last, rewrite, tried, PLANNER_ARGUMENTS) :
		PlanAsIs(plan, is_last, tried, PLANNER_ARGUMENTS);
}

/* The settings */
void
InitUnnesting(void)
{
	DefineCustomBoolVariable("jsonrow.unnest",
							 "Computes nested collections by joins, where that is cheaper.",
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
							 "The cost is that for each collection, as if all tables and indexes were in memory. "
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
