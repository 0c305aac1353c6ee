/*-------------------------------------------------------------------------
 *
 * parallel_cost.c
 *		The cost of aggregating in parallel workers.
 *
 * Most aggregates send a few bytes per worker to the leader, and that is what
 * the planner assumes for all of them.  Ours send all the rows.  Writing rows
 * takes so little time that sending them through the leader's queues often
 * costs more than was saved, so the planner must know about it.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

PG_FUNCTION_INFO_V1(jsonrow_agg_serialfn_support);

/*
 * The cost of a row within a state, relative to one that Gather takes from a
 * worker by itself (measured: about 30 ns and 150 ns).
 */
#define ROW_IN_STATE	0.2

/* How many rows the planner expects to be aggregated */
static double
AggregatedRows(PlannerInfo *root)
{
	int			relid;

	if (root->join_rel_list != NIL)
		return llast_node(RelOptInfo, root->join_rel_list)->rows;
	if (bms_get_singleton_member(root->all_baserels, &relid))
		return root->simple_rel_array[relid]->rows;
	return 1;
}

/* ... and how many states they make */
static double
AggregatedGroups(PlannerInfo *root, double rows)
{
	List	   *exprs;

	if (root->parse->groupClause == NIL)
		return 1;
	exprs = get_sortgrouplist_exprs(root->parse->groupClause, root->parse->targetList);
	return estimate_num_groups(root, exprs, rows, NULL, NULL);
}

/*
 * Answers the planner's question what one call of jsonrow_agg_serialfn costs.
 */
Datum
jsonrow_agg_serialfn_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestCost) && ((SupportRequestCost *) request)->root != NULL)
	{
		SupportRequestCost *cost = (SupportRequestCost *) request;
		double		rows = AggregatedRows(cost->root);
		double		groups = AggregatedGroups(cost->root, rows);

		cost->startup = 0;
		cost->per_tuple = cpu_operator_cost +
			rows / groups * parallel_tuple_cost * ROW_IN_STATE;
		PG_RETURN_POINTER(cost);
	}
	PG_RETURN_POINTER(NULL);
}
