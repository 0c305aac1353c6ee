/*-------------------------------------------------------------------------
 *
 * merge.c
 *		Subqueries in FROM become part of the query around them.
 *
 *		SELECT x.id, x.cs FROM (                SELECT p.id, (SELECT json_agg(c.v) FROM c WHERE pid = p.id)
 *			SELECT p.id, p.city,                FROM p WHERE p.city = 'Rome'
 *				(SELECT json_agg(v) FROM c
 *				WHERE pid = p.id) AS cs
 *			FROM p) x
 *		WHERE x.city = 'Rome'
 *
 * So does PostgreSQL with a subquery, or a view, that only reads, filters and computes, when it plans
 * (pull_up_simple_subquery): it plans the same query as before.  Only then is it known which rows a collection is for, and
 * which of what a page reads is late.
 *
 * PostgreSQL looks at EXISTS and IN in conditions before it pulls up anything, and makes joins of these.  What a
 * subquery computes so it would not find there: so no condition may refer to a column that is computed by a subquery.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/chains.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/merge.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "rewrite/rewriteManip.h"

/* What may stand around a subquery that is merged.  WITH queries would be one level nearer than they say. */
#define PARTS_AROUND	(PART_WHERE | PART_ORDER | PART_AGGREGATES | PART_LIMIT | PART_OFFSET)

/* An item of FROM, and what takes its place */
typedef struct Merging
{
	int			varno;
	RangeTblEntry *rte;
	Node	   *tables;
} Merging;

static Visit
VisitItemAsWhole(Node *node, int depth, void *context)
{
	Var		   *var = (Var *) node;

	return IsA(node, Var) && var->varno == *(int *) context && (int) var->varlevelsup == depth && var->varattno <= 0 ?
		VISIT_FOUND : VISIT_CHILDREN;
}

/* Does a condition refer to a column that a subquery computes? */
static bool
ConditionsUseSubLinks(const Query *query, int varno, const Query *subquery)
{
	ListCell   *cell;

	foreach(cell, subquery->hasSubLinks ? subquery->targetList : NIL)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (checkExprHasSubLink((Node *) entry->expr) && RefersToColumn((Node *) query->jointree, varno, entry->resno))
			return true;
	}
	return false;
}

/*
 * Does a query read one item only, and from tables?  PostgreSQL goes on to take constants out of a VALUES list of one row, and of
 * functions; of a subquery it is known that it does.
 */
static bool
ReadsTables(const Query *query)
{
	const Node *item = linitial(query->jointree->fromlist);
	RTEKind		kind = VarnoOf(item) > 0 ? rt_fetch(VarnoOf(item), query->rtable)->rtekind : RTE_JOIN;

	return list_length(query->jointree->fromlist) == 1 &&
		(kind == RTE_RELATION || kind == RTE_SUBQUERY || kind == RTE_CTE || kind == RTE_JOIN);
}

/* Has a subquery others itself? */
static bool
MayHoldCollections(const Query *subquery)
{
	ListCell   *cell;

	foreach(cell, subquery->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
			return true;
	}
	return checkExprHasSubLink((Node *) subquery->targetList);
}

/* Does PostgreSQL pull up an item of FROM, which no join makes NULL? */
static bool
MayMerge(Query *query, int varno, bool holds_collections)
{
	const RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	Level		level = {.query = query};
	Query	   *subquery = rte->subquery;

	return rte->rtekind == RTE_SUBQUERY && !rte->lateral && !rte->security_barrier && rte->securityQuals == NIL &&
		HasOnly(subquery, PART_WHERE) && ReadsTables(subquery) &&
		(!holds_collections || MayHoldCollections(subquery)) &&
		RowIsThere(&level, varno) && !CallsVolatile((Node *) subquery->targetList) &&
		!ConditionsUseSubLinks(query, varno, subquery) && !FindInLevels((Node *) query, VisitItemAsWhole, &varno) &&
		!HasColumnsOfJoins(query);
}

/* Of what is read no longer, that of a view stays, for the permissions on it, and the lock. */
static void
KeepView(ListCell *entry)
{
	RangeTblEntry *rte = lfirst_node(RangeTblEntry, entry);

	if (!OidIsValid(rte->relid))
		lfirst(entry) = MakeNoEntry();
	else
	{
		rte->rtekind = RTE_RELATION;
		rte->relkind = RELKIND_VIEW;
		rte->rellockmode = AccessShareLock;
		rte->subquery = NULL;
		rte->inh = false;
	}
}

static Node *
ExpandItem(Var *var, int depth, void *context)
{
	const Merging *item = context;

	return var->varno == item->varno ? ExpandAtDepth(var, depth, item->rte) : NULL;
}

static Node *
PutTables(Node *node, void *context)
{
	const Merging *item = context;

	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, RangeTblRef) && ((RangeTblRef *) node)->rtindex == item->varno)
		return item->tables;
	return expression_tree_mutator(node, PutTables, context);
}

static void
MergeItem(Query *query, int varno)
{
	Merging		item = {.varno = varno,.rte = rt_fetch(varno, query->rtable)};
	Query	   *subquery;

	OffsetVarNodes((Node *) item.rte->subquery, list_length(query->rtable), 0);
	(void) ReplaceVars((Node *) query, ExpandItem, &item, item.rte->subquery->hasSubLinks);
	subquery = rt_fetch(varno, query->rtable)->subquery;	/* a copy */
	IncrementVarSublevelsUp((Node *) subquery, -1, 2);
	query->hasRowSecurity |= subquery->hasRowSecurity;
	item.tables = linitial(subquery->jointree->fromlist);
	query->jointree = castNode(FromExpr, PutTables((Node *) query->jointree, &item));
	query->jointree->quals = make_and_qual(subquery->jointree->quals, query->jointree->quals);
	KeepView(list_nth_cell(query->rtable, varno - 1));
	CombineEntries(query, subquery);
}

/*
 * Merge what PostgreSQL pulls up: all that there is, or only what may hold collections.  Where all of its rows are read, these are
 * found in it as well.
 */
void
MergeItems(Query *query, bool holds_collections)
{
	if (!HasOnly(query, PARTS_AROUND) ||
		(holds_collections && query->jointree->quals == NULL && OnlyItem(query->jointree) > 0))
		return;
	/* What is merged may have such items itself: they are at the end. */
	for (int varno = 1; varno <= list_length(query->rtable); varno++)
		if (MayMerge(query, varno, holds_collections))
			MergeItem(query, varno);
}
