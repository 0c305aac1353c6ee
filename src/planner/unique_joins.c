/*-------------------------------------------------------------------------
 *
 * unique_joins.c
 *		Joins to a table together with what is joined to each of its rows.
 *
 * Collections are joined to the rows that they belong to, and these rows may be joined to others,
 * many to one: the actors with their awards to film_actor.  There are two orders:
 *
 *		(film_actor JOIN actor) LEFT JOIN awards	looks for awards for each row of film_actor
 *		film_actor JOIN (actor LEFT JOIN awards)	looks for them for each actor
 *
 * PostgreSQL knows of a table or a grouped subquery that a key finds one row of it at most: the executor
 * looks no further than the first match, and the planner counts on that.  It does not try to
 * know it of several that are joined, and so takes the second order to be much dearer than it is.
 * But if each other one gives at most one row for each row of the first, then what is unique in that is unique
 * in all of them.
 *
 * The paths that are added here are PostgreSQL's own hash joins.  They give the same rows, and are considered
 * only where a query that unnesting has made is planned.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planmain.h"
#include "planner/unique_joins.h"

static set_join_pathlist_hook_type next_hook = NULL;
static bool considers_unique_joins = false;

/*
 * The table each of whose rows a path gives once at most, with what is joined to it; NULL if the path is of another
 * kind
 */
static RelOptInfo *
LeadingRel(PlannerInfo *root, Path *path)
{
	while (IsA(path, NestPath) || IsA(path, MergePath) || IsA(path, HashPath))
	{
		JoinPath   *join = (JoinPath *) path;
		Path	   *outer = join->outerjoinpath;
		Path	   *inner = join->innerjoinpath;

		if ((join->jointype == JOIN_LEFT || join->jointype == JOIN_INNER) && join->inner_unique)
			path = outer;
		else if (join->jointype == JOIN_RIGHT &&
				 innerrel_is_unique(root, path->parent->relids, inner->parent->relids, outer->parent, JOIN_LEFT,
									join->joinrestrictinfo, false))
			path = inner;
		else
			return NULL;
	}
	return IS_SIMPLE_REL(path->parent) ? path->parent : NULL;
}

/* Does a clause compare something of one side with something of the other? */
static bool
ComparesSides(RestrictInfo *clause, Relids left, Relids right)
{
	return bms_is_subset(clause->left_relids, left) && bms_is_subset(clause->right_relids, right);
}

/* The clauses by which two sides can be joined by hashing */
static List *
HashClauses(RelOptInfo *joinrel, Relids outer, Relids inner, JoinType jointype, List *clauses)
{
	List	   *hash_clauses = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (!clause->can_join || !OidIsValid(clause->hashjoinoperator) ||
			(IS_OUTER_JOIN(jointype) && RINFO_IS_PUSHED_DOWN(clause, joinrel->relids)))
			continue;
		clause->outer_is_left = ComparesSides(clause, outer, inner);
		if (clause->outer_is_left || ComparesSides(clause, inner, outer))
			hash_clauses = lappend(hash_clauses, clause);
	}
	return hash_clauses;
}

/* A hash join whose inner side is known to be unique */
static Path *
UniqueJoin(PlannerInfo *root, RelOptInfo *joinrel, Path *outer, Path *inner, JoinType jointype,
		   JoinPathExtraData *extra, List *hash_clauses)
{
	JoinCostWorkspace workspace;

	initial_cost_hashjoin(root, &workspace, jointype, hash_clauses, outer, inner, extra, false);
	return (Path *) create_hashjoin_path(root, joinrel, jointype, &workspace, extra, outer, inner, false,
										 extra->restrictlist, NULL, hash_clauses);
}

/* Add joins to what is led by a table in which the clauses find one row at most. */
static void
AddUniqueJoins(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel, JoinType jointype,
			   const JoinPathExtraData *given)
{
	JoinPathExtraData extra = *given;
	Path	   *outer = outerrel->cheapest_total_path;
	Path	   *inner = innerrel->cheapest_total_path;
	RelOptInfo *leading = LeadingRel(root, inner);
	List	   *hash_clauses;

	if (leading == NULL || PATH_REQ_OUTER(outer) != NULL || PATH_REQ_OUTER(inner) != NULL ||
		!innerrel_is_unique(root, joinrel->relids, outerrel->relids, leading, jointype, extra.restrictlist, false))
		return;
	hash_clauses = HashClauses(joinrel, outerrel->relids, innerrel->relids, jointype, extra.restrictlist);
	if (hash_clauses == NIL)
		return;
	extra.inner_unique = true;
	compute_semi_anti_join_factors(root, joinrel, outerrel, innerrel, jointype, extra.sjinfo, extra.restrictlist,
								   &extra.semifactors);
	add_path(joinrel, UniqueJoin(root, joinrel, outer, inner, jointype, &extra, hash_clauses));
	if (joinrel->consider_parallel && outerrel->partial_pathlist != NIL && inner->parallel_safe &&
		bms_is_empty(joinrel->lateral_relids))
		add_partial_path(joinrel, UniqueJoin(root, joinrel, linitial(outerrel->partial_pathlist), inner, jointype,
											 &extra, hash_clauses));
}

static void
ConsiderUniqueJoins(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
					JoinType jointype, JoinPathExtraData *extra)
{
	if (next_hook != NULL)
		next_hook(root, joinrel, outerrel, innerrel, jointype, extra);
	if (considers_unique_joins && (jointype == JOIN_INNER || jointype == JOIN_LEFT) && IS_JOIN_REL(innerrel) &&
		!extra->inner_unique)
		AddUniqueJoins(root, joinrel, outerrel, innerrel, jointype, extra);
}

/* Plan a query that unnesting has made, with such joins. */
PlannedStmt *
PlanWithUniqueJoins(PlanFunction plan, PLANNER_PARAMETERS)
{
	bool		considered = considers_unique_joins;
	PlannedStmt *volatile stmt = NULL;

	considers_unique_joins = true;
	PG_TRY();
	{
		stmt = plan(PLANNER_ARGUMENTS);
	}
	PG_FINALLY();
	{
		considers_unique_joins = considered;
	}
	PG_END_TRY();
	return stmt;
}

void
InitUniqueJoins(void)
{
	next_hook = set_join_pathlist_hook;
	set_join_pathlist_hook = ConsiderUniqueJoins;
}
