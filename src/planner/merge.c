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
 * PostgreSQL looks at EXISTS and IN in conditions before it pulls up anything, and makes joins of these, unless they compare
 * constants: so conditions must not get others.  And it asks the conditions of the subquery first: so unless that is all of FROM,
 * or has none, nothing in FROM and WHERE may raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "rewrite/rewriteManip.h"

/* What may stand around a subquery that is merged.  WITH queries would be one level nearer than they say. */
#define PARTS_AROUND	(PART_WHERE | PART_ORDER | PART_LIMIT | PART_OFFSET)

/* An item of FROM, and what takes its place */
typedef struct Merging
{
	int			varno;
	RangeTblEntry *rte;
	Node	   *tables;
} Merging;

/* Would PostgreSQL see another EXISTS or IN in a condition, or one of constants, once an item is merged? */
static bool
SubLinksChange(const Query *query, int varno, const Query *subquery)
{
	bool		has_sublinks = checkExprHasSubLink((Node *) query->jointree);
	ListCell   *cell;

	foreach(cell, has_sublinks || subquery->hasSubLinks ? subquery->targetList : NIL)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if ((checkExprHasSubLink((Node *) entry->expr) ||
			 (has_sublinks && !contain_vars_of_level((Node *) entry->expr, 0))) &&
			RefersToColumn((Node *) query->jointree, varno, entry->resno))
			return true;
	}
	return false;
}

/* Does a function in FROM refer to an item?  PostgreSQL folds these before it pulls up anything. */
static bool
FunctionsReferTo(const Query *query, int varno)
{
	Bitmapset  *subqueries = NULL;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
			subqueries = bms_add_member(subqueries, foreach_current_index(cell) + 1);
	}
	return FromRefersTo(query, subqueries, varno);
}

/*
 * May conditions become a part of WHERE?  PostgreSQL asks those of a subquery before those around it, and folds either by
 * themselves: if one is false, the others are still planned.  So not even constants in them may raise an error.
 */
static bool
ConditionsMayMove(Level *level, Query *subquery)
{
	Query	   *query = level->query;
	Level		below = LevelBelow(level, subquery);

	if (subquery->jointree->quals == NULL || (OnlyItem(query->jointree) > 0 && query->jointree->quals == NULL))
		return true;
	return !checkExprHasSubLink(subquery->jointree->quals) && !checkExprHasSubLink(query->jointree->quals) &&
		!ExpressionMayRaise(level, query->jointree->quals) && !ExpressionMayRaise(&below, subquery->jointree->quals) &&
		!FromMayRaise(level, query->jointree, query->rtable, 0) &&
		!FromMayRaise(&below, subquery->jointree, subquery->rtable, 0);
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

/* Has a query subqueries, in FROM or in its select list? */
bool
MayHoldCollections(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
			return true;
	}
	return checkExprHasSubLink((Node *) query->targetList);
}

/* Does PostgreSQL pull up an item of FROM, and is it all the same whether it is done before? */
static bool
MayMerge(Level *level, int varno)
{
	Query	   *query = level->query;
	const RangeTblEntry *rte = rt_fetch(varno, query->rtable);

	return rte->rtekind == RTE_SUBQUERY && !rte->lateral && !rte->security_barrier && rte->securityQuals == NIL &&
		HasOnly(rte->subquery, PART_WHERE) && ReadsTables(rte->subquery) &&
		!CallsVolatile((Node *) rte->subquery->targetList) && RowIsThere(level, varno) && !HasColumnsOfJoins(query) &&
		!RefersToRow(query, varno) && !SubLinksChange(query, varno, rte->subquery) && !FunctionsReferTo(query, varno) &&
		ConditionsMayMove(level, rte->subquery);
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
MergeItem(Level *level, int varno)
{
	Query	   *query = level->query;
	Merging		item = {.varno = varno,.rte = rt_fetch(varno, query->rtable)};
	Query	   *subquery;

	OffsetVarNodes((Node *) item.rte->subquery, list_length(query->rtable), 0);
	(void) ReplaceVars((Node *) query, ExpandItem, &item);
	subquery = rt_fetch(varno, query->rtable)->subquery;	/* a copy */
	IncrementVarSublevelsUp((Node *) subquery, -1, 2);
	query->hasRowSecurity |= subquery->hasRowSecurity;
	query->hasSubLinks |= subquery->hasSubLinks;
	item.tables = linitial(subquery->jointree->fromlist);
	query->jointree = castNode(FromExpr, PutTables((Node *) query->jointree, &item));
	query->jointree->quals = make_and_qual(subquery->jointree->quals, query->jointree->quals);
	KeepView(list_nth_cell(query->rtable, varno - 1));
	CombineEntries(query, subquery);
}

/*
 * Merge what PostgreSQL pulls up, if that is all that a query reads.  Tables are named in the same order then, and of several that the
 * user may not read the same one is told: so conditions have no subqueries, whose tables would come first as it is written.
 */
void
MergeOnlyItem(Level *level)
{
	Query	   *query = level->query;
	int			varno;

	while (HasOnly(query, PARTS_AROUND) && (varno = OnlyItem(query->jointree)) > 0 &&
		   !checkExprHasSubLink(query->jointree->quals) && MayMerge(level, varno))
		MergeItem(level, varno);
}

/*
 * Merge what PostgreSQL pulls up and may hold collections, for a user who may read all that there is.  Where all of its rows are
 * read, these are found in it as well.
 */
void
MergeCollections(Level *level)
{
	Query	   *query = level->query;

	if (!HasOnly(query, PARTS_AROUND | PART_AGGREGATES) ||
		(query->jointree->quals == NULL && OnlyItem(query->jointree) > 0))
		return;
	/* What is merged may have such items itself: they are at the end. */
	for (int varno = 1; varno <= list_length(query->rtable); varno++)
	{
		const Query *subquery = rt_fetch(varno, query->rtable)->subquery;

		if (subquery != NULL && MayHoldCollections(subquery) && MayMerge(level, varno))
			MergeItem(level, varno);
	}
}
