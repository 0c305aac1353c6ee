/*-------------------------------------------------------------------------
 *
 * plan_cost.c
 *		What a finished plan costs.
 *
 * For a subquery that never finds a row, which only gives the header of an empty document,
 * the planner counts as if it read all rows, and for one that is run only where a LIMIT is reached
 * as if it were run for each row: that is subtracted (PlanCost).
 *
 * A subquery that scans an index for each row reads the same blocks again and again.  The
 * planner does not know that, and would choose joins long before they are faster.  So when
 * plans are compared, blocks cost what they do in memory (PlanCostInMemory).  Planning once
 * more with other settings would take as long as planning, and give the cost of another plan
 * than the one that is run.
 *
 * Where costs are a guess, it counts whether a plan reads whole tables again and again
 * (ReadsTablesAgain).  Where they are not, joins are sure to be cheaper if that is most of what
 * it costs (PlanCostWithoutRereads), and cannot be if little is run for each row (PlanCostOnce).
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "jit/jit.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/plan_cost.h"
#include "planner/tables.h"

/*
 * What a block costs that is in memory, in the planner's units: as much as five
 * tuples (bench/workloads/unnest.py)
 */
#define CACHED_PAGE_COST	0.05

/* What a group in a hash table costs more than the planner counts, in the same units */
#define COST_OF_GROUP		0.02

/* What a row of an aggregate costs at most, in the same units, but for subqueries */
#define COST_OF_ROW			0.1

/*
 * What does not count
 */

static bool
FindNever(Node *node, void *context)
{
	return node != NULL && ((IsA(node, FuncExpr) && IsNever((FuncExpr *) node)) ||
							expression_tree_walker(node, FindNever, context));
}

/* Is it a plan for the header of an empty document, or of a collection as it is written (see unnest.c)? */
static bool
CountsNothing(const Plan *plan)
{
	for (; plan != NULL; plan = outerPlan(plan))
		if (IsA(plan, Result) && FindNever(((const Result *) plan)->resconstantqual, NULL))
			return true;
	return false;
}

/*
 * Pages in memory
 */

/* A plan whose cost is counted anew */
typedef struct Counting
{
	const PlannedStmt *stmt;
	bool		in_memory;
	bool		without_rereads;	/* whole tables are read once */
	bool		once;			/* what is run for each row is run once */
	bool		guesses;		/* that there is one row may be wrong */
	double		runs;			/* how many times what is counted is run, */
	bool		again;			/* more than once, */
	double		share;			/* how much of it is read until there are
								 * enough rows, each time */
	double		missing;		/* for so many of the rows there is none below
								 * a LIMIT, without an index */
	double		few_pages;		/* so many are soon read */
	double		many_walks;		/* so many that stop are as bad as one that
								 * does not */
	bool	   *rereads;		/* set where all of a table that is not small
								 * is read again; or NULL */
	bool	   *filters;		/* set where rows are filtered by a subquery;
								 * or NULL */
} Counting;

static Cost SavedBy(const Counting *counting, Plan *plan);

/* What is run for each of so many rows; that there is one may be a guess */
static Counting
CountingOfEach(const Counting *around, double rows)
{
	Counting	counting = *around;

	counting.share = 1;
	counting.runs *= Max(rows, 1);
	counting.again |= rows > 1 || counting.guesses;
	return counting;
}

/* What is run only once if it does not depend on what is around it */
static Counting
CountingOfKept(const Counting *around, const Plan *plan)
{
	Counting	counting = *around;

	counting.share = 1;
	if (bms_is_empty(plan->extParam))
	{
		counting.runs = 1;
		counting.again = false;
	}
	return counting;
}

/* What a plan is to cost less that is run so many times: each time, or all but one of these */
static Cost
SavedByRuns(const Counting *counting, Plan *plan, double runs)
{
	Cost		saved = SavedBy(counting, plan);

	return counting->once ? Max(runs - 1, 0) * plan->total_cost + saved : runs * saved;
}

/* Subqueries in the expressions of a node */
typedef struct Subqueries
{
	const Counting *counting;
	double		rows;			/* for each of which they are run */
	Cost		cost;			/* theirs, as it is in that of the node */
	Cost		saved;
	bool		has_hashed_exists;	/* which is in that of the node as if it
									 * looked for each row */
} Subqueries;

static bool
FindSubPlans(Node *node, void *context)
{
	Subqueries *subqueries = context;
	SubPlan    *subplan = (SubPlan *) node;

	if (node == NULL)
		return false;
	if (IsA(node, SubPlan))
	{
		double		runs = subplan->useHashTable ? 1 : subqueries->rows * subqueries->counting->share;
		Plan	   *plan = list_nth(subqueries->counting->stmt->subplans, subplan->plan_id - 1);
		Counting	counting = CountingOfKept(subqueries->counting, plan);

		if (subplan->parParam != NIL && !subplan->useHashTable)
			counting = CountingOfEach(&counting, runs);
		subqueries->has_hashed_exists |= subplan->useHashTable && subplan->unknownEqFalse;
		subqueries->cost += subplan->startup_cost + subplan->per_call_cost * subqueries->rows;
		subqueries->saved += SavedByRuns(&counting, plan, runs);
	}
	return expression_tree_walker(node, FindSubPlans, context);
}

/* What is in its expressions; arguments of aggregates are computed for each row that is read. */
static Subqueries
SubqueriesOf(const Counting *counting, const Plan *plan)
{
	Subqueries	subqueries = {.counting = counting,.rows = 1};
	Cost		cost;

	FindSubPlans((Node *) plan->initPlan, &subqueries);
	subqueries.rows = IsA(plan, Agg) ? outerPlan(plan)->plan_rows : plan->plan_rows;
	FindSubPlans((Node *) plan->targetlist, &subqueries);
	cost = subqueries.cost;
	FindSubPlans((Node *) plan->qual, &subqueries);
	if (counting->filters != NULL && subqueries.cost > cost)
		*counting->filters = true;
	return subqueries;
}

/* How much less blocks cost in memory that cost so much each */
static Cost
SavedByPages(Cost pages, double page_cost)
{
	return page_cost > CACHED_PAGE_COST ? Max(pages, 0) * (1 - CACHED_PAGE_COST / page_cost) : 0;
}

/* The blocks and rows of the table that is scanned */
static TableSize
TableSizeOf(const PlannedStmt *stmt, const Plan *scan)
{
	return SizeOfTable(rt_fetch(((const Scan *) scan)->scanrelid, stmt->rtable)->relid);
}

/* Does it read an index from one end, and filter what it finds? */
static bool
ReadsWholeIndex(const Plan *plan)
{
	return (IsA(plan, IndexScan) && ((const IndexScan *) plan)->indexqual == NIL) ||
		(IsA(plan, IndexOnlyScan) && ((const IndexOnlyScan *) plan)->indexqual == NIL);
}

/* Does it read all of a table that has more than few_pages? */
static bool
ReadsAll(const Counting *counting, const Plan *plan)
{
	return (IsA(plan, SeqScan) ||
			(ReadsWholeIndex(plan) && (counting->share == 1 || counting->runs > counting->many_walks))) &&
		TableSizeOf(counting->stmt, plan).pages > counting->few_pages;
}

/*
 * What a scan of a table, by itself, is to cost less.  An index leads to no more pages than
 * there are; the rest is the cost of rows, also of those that are filtered out.
 */
static Cost
SavedByScan(const Counting *counting, const Plan *plan, Cost subqueries)
{
	TableSize	size;
	double		rows = plan->plan_rows;
	Cost		pages;

	if (counting->rereads != NULL && counting->again && ReadsAll(counting, plan))
		*counting->rereads = true;
	if (!counting->in_memory)
		return 0;
	/* By an index it may stop soon. */
	if (counting->without_rereads && counting->again && IsA(plan, SeqScan))
		return (plan->total_cost - subqueries) * (counting->guesses ? 1 : 1 - 1 / counting->runs);
	if (!IsA(plan, SeqScan) && !IsA(plan, IndexScan) && !IsA(plan, IndexOnlyScan) && !IsA(plan, BitmapIndexScan) &&
		!IsA(plan, BitmapHeapScan))
		return 0;
	size = TableSizeOf(counting->stmt, plan);
	if (IsA(plan, SeqScan))
		return SavedByPages(size.pages * seq_page_cost, seq_page_cost);
	if (ReadsWholeIndex(plan))
		rows = Max(rows, size.rows);
	pages = plan->total_cost - plan->startup_cost - subqueries -
		rows * (cpu_index_tuple_cost + cpu_tuple_cost + cpu_operator_cost);
	/* The way down an index is in the other scans' startup cost. */
	if (IsA(plan, BitmapIndexScan))
		pages -= 100 * cpu_operator_cost;
	return SavedByPages(Min(pages, size.pages * random_page_cost), random_page_cost);
}

/* The nodes right below one, but for those of its expressions; some may be NULL */
static List *
ChildrenOf(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Append:
			return ((const Append *) plan)->appendplans;
		case T_MergeAppend:
			return ((const MergeAppend *) plan)->mergeplans;
		case T_BitmapAnd:
			return ((const BitmapAnd *) plan)->bitmapplans;
		case T_BitmapOr:
			return ((const BitmapOr *) plan)->bitmapplans;
		case T_SubqueryScan:
			return list_make1(((const SubqueryScan *) plan)->subplan);
		default:
			return list_make2(outerPlan(plan), innerPlan(plan));
	}
}

/*
 * The same for the inner side of a join by nested loops, which is run for each row of the other.  The join may cost less than that:
 * what is kept costs less the next time, and not all may be read.
 */
static Cost
SavedByInner(const Counting *counting, const Plan *plan, double rows, Cost subqueries)
{
	Plan	   *inner = innerPlan(plan);
	Cost		most = (plan->total_cost - outerPlan(plan)->total_cost - subqueries) * counting->share;
	Cost		cost = inner->total_cost * rows;
	Counting	below = CountingOfEach(counting, rows);
	Cost		saved = SavedByRuns(&below, inner, IsA(inner, Material) ? 1 : rows);

	if (cost > most && !counting->once && !IsA(inner, Material))
		saved *= Max(most, 0) / cost;
	return Min(saved, most);
}

/* The same for both sides of a merge join, which stops where one of them ends: it reads that share after their first rows. */
static Cost
SavedByMerge(const Counting *counting, const Plan *plan, Cost subqueries)
{
	Plan	   *outer = outerPlan(plan);
	Plan	   *inner = innerPlan(plan);
	Cost		outer_run = outer->total_cost - outer->startup_cost;
	Cost		inner_run = inner->total_cost - inner->startup_cost;
	Cost		run = outer_run + inner_run;
	double		share = run > 0 ? Max(0, Min(1, (plan->total_cost - plan->startup_cost - subqueries) / run)) : 1;
	Cost		of_outer = SavedBy(counting, outer);
	Cost		of_inner = SavedBy(counting, inner);

	return of_outer + of_inner - (1 - share) * (Max(0, Min(of_outer, outer_run)) + Max(0, Min(of_inner, inner_run)));
}

/* What is read in vain of an index for a LIMIT, from one end to the other, where there is no row */
static Cost
ReadInVain(const Counting *counting, const Plan *limit)
{
	const Plan *plan = outerPlan(limit);

	while (plan != NULL && (IsA(plan, Result) || IsA(plan, SubqueryScan)))
		plan = linitial(ChildrenOf(plan));
	return plan != NULL && counting->again && ReadsWholeIndex(plan) ?
		counting->missing * (plan->total_cost - limit->total_cost) : 0;
}

/* What the nodes below are to cost less; the subqueries of the node itself cost so much. */
static Cost
SavedBelow(const Counting *counting, const Plan *plan, Cost subqueries)
{
	Plan	   *outer = outerPlan(plan);
	Counting	below = *counting;
	Cost		saved = 0;
	ListCell   *cell;

	switch (nodeTag(plan))
	{
		case T_NestLoop:
			return SavedBy(counting, outer) + SavedByInner(counting, plan, outer->plan_rows * counting->share, subqueries);
		case T_MergeJoin:
			return SavedByMerge(counting, plan, subqueries);
		case T_Material:
		case T_Hash:
			below = CountingOfKept(counting, outer);
			break;
		case T_Limit:
			below.share *= outer->plan_rows > 0 ? Min(plan->plan_rows / outer->plan_rows, 1) : 1;
			return SavedBy(&below, outer) - Max(ReadInVain(counting, plan), 0);
		case T_Sort:
		case T_Agg:
		case T_SetOp:
		case T_BitmapHeapScan:
			/* They read all before they give the first row. */
			below.share = 1;
			break;
		default:
			break;
	}
	foreach(cell, ChildrenOf(plan))
	{
		saved += SavedBy(&below, lfirst(cell));
	}
	return saved;
}

/* The same of what a node aggregates, by itself */
static Cost
SavedByAggregates(const Counting *counting, const Plan *plan, const Subqueries *subqueries)
{
	const Plan *outer = outerPlan(plan);
	Cost		saved = 0;

	if (counting->in_memory && ((const Agg *) plan)->aggstrategy == AGG_HASHED)
		saved -= plan->plan_rows * COST_OF_GROUP;
	if (subqueries->has_hashed_exists)
		saved += Max(plan->total_cost - outer->total_cost - subqueries->cost - outer->plan_rows * COST_OF_ROW, 0);
	return saved;
}

/* What a node, with all below, is to cost less each time that it is run, if a share of its rows is read */
static Cost
SavedBy(const Counting *counting, Plan *plan)
{
	Subqueries	subqueries;
	Cost		saved;

	if (plan == NULL)
		return 0;
	check_stack_depth();
	if (CountsNothing(plan))
		return plan->total_cost * counting->share;
	subqueries = SubqueriesOf(counting, plan);
	saved = SavedBelow(counting, plan, subqueries.cost) + subqueries.saved +
		SavedByScan(counting, plan, subqueries.cost) * counting->share;
	if (IsA(plan, Agg))
		saved += SavedByAggregates(counting, plan, &subqueries);
	return Min(saved, plan->total_cost);
}

/* All of a plan, run once and read to its end */
static Cost
CostOf(Counting *counting)
{
	Plan	   *plan = counting->stmt->planTree;

	counting->runs = counting->share = 1;
	return plan->total_cost - SavedBy(counting, plan);
}

Cost
PlanCost(const PlannedStmt *stmt)
{
	Counting	counting = {.stmt = stmt};

	return CostOf(&counting);
}

/* The same if all blocks are in memory, and not each row for which something is looked for has it */
Cost
PlanCostInMemory(const PlannedStmt *stmt, double found)
{
	Counting	counting = {.stmt = stmt,.in_memory = true,.missing = 1 - found};

	return CostOf(&counting);
}

/* The same if what is run for each row of something else were run only once: joins cost no less. */
Cost
PlanCostOnce(const PlannedStmt *stmt)
{
	Counting	counting = {.stmt = stmt,.in_memory = true,.once = true};

	return CostOf(&counting);
}

/* Does a subquery filter rows, so that their number is a guess? */
bool
FiltersBySubquery(const PlannedStmt *stmt)
{
	bool		filters = false;
	Counting	counting = {.stmt = stmt,.filters = &filters};

	(void) CostOf(&counting);
	return filters;
}

/* The same if whole tables were not read again and again.  That one is read for one row only, may be a guess. */
Cost
PlanCostWithoutRereads(const PlannedStmt *stmt, bool guesses)
{
	Counting	counting = {.stmt = stmt,.in_memory = true,.without_rereads = true,.guesses = guesses};

	return CostOf(&counting);
}

/*
 * Pages that are read in the order of an index
 */

/* Rows that have a sort key in common are few if there are so many groups of them. */
#define LEAST_GROUPS	4

/* Does it sort rows that have the first columns of their order in common, and are few?  All of them are computed. */
static bool
SortsSmallGroups(const Plan *plan)
{
	return IsA(plan, IncrementalSort) && plan->startup_cost * LEAST_GROUPS < plan->total_cost;
}

/* Does it take rows, or groups of them, one after the other, from its first child? */
static bool
StartsWithFirst(const Plan *plan)
{
	if (IsA(plan, MergeJoin))
		return IsA(innerPlan(plan), IndexScan) || IsA(innerPlan(plan), IndexOnlyScan);
	return IsA(plan, NestLoop) || IsA(plan, Result) || IsA(plan, SubqueryScan) || SortsSmallGroups(plan) ||
		(IsA(plan, Agg) && ((const Agg *) plan)->aggstrategy == AGG_SORTED);
}

/* Of a LIMIT, the node below that decides when its first rows are there; NULL if there is none, and of other nodes */
static const Plan *
FirstRowsOf(const Plan *limit)
{
	const Plan *plan = limit != NULL && IsA(limit, Limit) ? outerPlan(limit) : NULL;

	while (plan != NULL && StartsWithFirst(plan))
		plan = linitial(ChildrenOf(plan));
	return plan;
}

/* Does each LIMIT, but in what is run for each row of something else, stop what is read as soon as there are enough rows? */
bool
PagesStartAtOnce(const PlannedStmt *stmt, const Plan *plan)
{
	const Plan *first = FirstRowsOf(plan);
	ListCell   *cell;

	if (plan == NULL)
		return true;
	check_stack_depth();
	if (IsA(plan, Limit) &&
		!(first != NULL && (IsA(first, IndexScan) || IsA(first, IndexOnlyScan) || IsA(first, SeqScan))))
		return false;
	foreach(cell, plan->initPlan)
	{
		if (!PagesStartAtOnce(stmt, list_nth(stmt->subplans, lfirst_node(SubPlan, cell)->plan_id - 1)))
			return false;
	}
	foreach(cell, ChildrenOf(plan))
	{
		if ((!IsA(plan, NestLoop) || lfirst(cell) == outerPlan(plan)) && !PagesStartAtOnce(stmt, lfirst(cell)))
			return false;
	}
	return true;
}

/* Is there a LIMIT in these plans that may stop before all is read that belongs to it?  An index leads to its rows. */
static bool
FindStopping(List *plans)
{
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, plans)
	{
		const Plan *plan = lfirst(cell);
		const Plan *first = FirstRowsOf(plan);

		if (first != NULL && !ReadsWholeIndex(first) &&
			(IsA(first, IndexScan) || IsA(first, IndexOnlyScan) || IsA(first, BitmapHeapScan)))
			return true;
		if (plan != NULL && FindStopping(ChildrenOf(plan)))
			return true;
	}
	return false;
}

/* May any LIMIT of a plan stop before all is read that belongs to it, be it for each row of something else? */
bool
SomeLimitStops(const PlannedStmt *stmt)
{
	return FindStopping(stmt->subplans) || FindStopping(list_make1(stmt->planTree));
}

/* Is it worth compiling? */
void
ChooseJit(PlannedStmt *stmt)
{
	Cost		cost = PlanCost(stmt);

	if (cost <= jit_above_cost)
		stmt->jitFlags = PGJIT_NONE;
	if (cost <= jit_optimize_above_cost)
		stmt->jitFlags &= ~PGJIT_OPT3;
	if (cost <= jit_inline_above_cost)
		stmt->jitFlags &= ~PGJIT_INLINE;
}

/*
 * Does a plan read all of a table that has more than few_pages for each row of another?  That there is one such row, may
 * be a guess.  An index that is read from one end until there are enough rows counts if it is read for more rows than
 * many_walks, as the planner expects: some have theirs at that end, but not all.
 */
bool
ReadsTablesAgain(const PlannedStmt *stmt, double few_pages, double many_walks)
{
	bool		rereads = false;
	Counting	counting = {.stmt = stmt,.guesses = true,.few_pages = few_pages,.many_walks = many_walks,
	.rereads = &rereads};

	(void) CostOf(&counting);
	return rereads;
}
