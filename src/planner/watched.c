/*-------------------------------------------------------------------------
 *
 * watched.c
 *		What conditions look at.
 *
 * A condition on what a collection gives is evaluated for the rows of the query
 * around it.  If the collection is a join, the planner may evaluate the condition
 * before it joins: for rows that no parent reaches, or that row-level security
 * hides.  It does so if the condition is strict, for then the join needs to make
 * no rows of NULLs.  So collections that conditions look at stay as they are, but
 * where the condition can neither raise nor tell anything.
 *
 * Queries are gone through from the outermost inwards, since a condition may look
 * at a column through the select lists of subqueries.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/collection.h"
#include "planner/watched.h"

/* A query while it is gone through */
typedef struct Watch
{
	Level		level;
	struct Watch *outer;		/* the outermost has no query */
	Bitmapset **items;			/* columns of each range table entry that are
								 * looked at; 0 stands for all */
	Bitmapset **ctes;			/* the same of each CTE */
	List	  **found;
} Watch;

static void WatchQuery(Watch *outer, Query *query, const Bitmapset *columns);
static void WatchExpressions(Watch *watch, Node *expr);

static bool
IsColumnWatched(const Bitmapset *columns, AttrNumber attno)
{
	return bms_is_member(attno, columns) || bms_is_member(0, columns);
}

static Bitmapset *
AllColumns(void)
{
	return bms_make_singleton(0);
}

/* A column, or all of a row (0), is looked at. */
static void
WatchColumn(Watch *watch, int varno, AttrNumber attno)
{
	RangeTblEntry *rte = rt_fetch(varno, watch->level.query->rtable);

	if (rte->rtekind == RTE_JOIN && attno > 0)
		WatchExpressions(watch, list_nth(rte->joinaliasvars, attno - 1));
	else if (rte->rtekind == RTE_JOIN)
		WatchExpressions(watch, (Node *) rte->joinaliasvars);
	else if (RteIsGroup(rte))
		WatchExpressions(watch, (Node *) GroupExpressions(rte));
	else if (attno >= 0)
		watch->items[varno] = bms_add_member(watch->items[varno], attno);
}

typedef struct Looking
{
	Watch	   *watch;
	int			depth;			/* below the query of watch */
} Looking;

static bool
LookAt(Node *node, void *context)
{
	Looking    *looking = context;
	Watch	   *watch = looking->watch;
	bool		result;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Var))
	{
		int			up = (int) ((Var *) node)->varlevelsup - looking->depth;

		for (; up > 0 && watch->outer != NULL; up--)
			watch = watch->outer;
		if (up == 0 && watch->level.query != NULL)
			WatchColumn(watch, ((Var *) node)->varno, ((Var *) node)->varattno);
		return false;
	}
	if (!IsA(node, Query))
		return expression_tree_walker(node, LookAt, context);
	looking->depth++;
	result = query_tree_walker((Query *) node, LookAt, context, QTW_IGNORE_JOINALIASES);
	looking->depth--;
	return result;
}

/* All columns in an expression are looked at. */
static void
WatchExpressions(Watch *watch, Node *expr)
{
	Looking		looking = {.watch = watch};

	LookAt(expr, &looking);
}

/* Those in conditions, unless they are harmless wherever they are evaluated */
static void
WatchConditions(Watch *watch, Node *quals)
{
	ListCell   *cell;

	if (quals == NULL)
		return;
	if (IsA(quals, List) || is_andclause(quals))
	{
		foreach(cell, IsA(quals, List) ? (List *) quals : ((BoolExpr *) quals)->args)
			WatchConditions(watch, lfirst(cell));
	}
	else if (PulledUpMayRaise(&watch->level, quals))
		WatchExpressions(watch, quals);
}

static void
WatchJoinTree(Watch *watch, Node *node)
{
	ListCell   *cell;

	check_stack_depth();
	if (node == NULL || IsA(node, RangeTblRef))
		return;
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
			WatchJoinTree(watch, lfirst(cell));
		WatchConditions(watch, ((FromExpr *) node)->quals);
	}
	else
	{
		JoinExpr   *join = castNode(JoinExpr, node);

		WatchJoinTree(watch, join->larg);
		WatchJoinTree(watch, join->rarg);
		WatchConditions(watch, join->quals);
	}
}

/* The queries in an expression; nothing can be moved into those of one value */
static bool
WatchSubLinks(Node *node, void *context)
{
	Watch	   *watch = context;
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink))
		WatchQuery(watch, castNode(Query, sublink->subselect),
				   sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK ?
				   NULL : AllColumns());
	return expression_tree_walker(node, WatchSubLinks, context);
}

static void
WatchTargets(Watch *watch, const Bitmapset *columns)
{
	ListCell   *cell;

	foreach(cell, watch->level.query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (IsColumnWatched(columns, entry->resno))
			WatchExpressions(watch, (Node *) entry->expr);
	}
}

/* The number of the CTE that a range table entry is of; watch is then where it is. */
static int
FindCte(Watch **watch, RangeTblEntry *rte)
{
	ListCell   *cell;

	for (Index up = rte->ctelevelsup; up > 0 && (*watch)->outer != NULL; up--)
		*watch = (*watch)->outer;
	if ((*watch)->level.query == NULL)
		return -1;
	foreach(cell, (*watch)->level.query->cteList)
		if (strcmp(lfirst_node(CommonTableExpr, cell)->ctename, rte->ctename) == 0)
		return foreach_current_index(cell);
	return -1;
}

/* What is in FROM; what comes later may look at what comes before. */
static void
WatchRangeTable(Watch *watch, const Bitmapset *columns)
{
	Query	   *query = watch->level.query;

	for (int i = list_length(query->rtable); i > 0; i--)
	{
		RangeTblEntry *rte = rt_fetch(i, query->rtable);
		const Bitmapset *looked_at = query->setOperations != NULL ? columns : watch->items[i];
		Watch	   *owner = watch;
		int			cte;

		if (rte->rtekind == RTE_SUBQUERY)
			WatchQuery(watch, rte->subquery, looked_at);
		else if (rte->rtekind == RTE_CTE && (cte = FindCte(&owner, rte)) >= 0)
			owner->ctes[cte] = bms_add_members(owner->ctes[cte], looked_at);
		else if (rte->rtekind != RTE_JOIN && !RteIsGroup(rte))
		{
			WatchExpressions(watch, (Node *) rte->functions);
			WatchExpressions(watch, (Node *) rte->values_lists);
			WatchExpressions(watch, (Node *) rte->tablefunc);
			WatchExpressions(watch, (Node *) rte->tablesample);
			WatchSubLinks((Node *) rte->functions, watch);
			WatchSubLinks((Node *) rte->values_lists, watch);
		}
	}
}

/* Go through a query, of which these columns are looked at. */
static void
WatchQuery(Watch *outer, Query *query, const Bitmapset *columns)
{
	Watch		watch = {.level = {.query = query,.outer = &outer->level,.rewrite = outer->level.rewrite},
	.outer = outer,.found = outer->found};
	WatchedColumns *result = palloc0(sizeof(WatchedColumns));

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	watch.items = palloc0((list_length(query->rtable) + 1) * sizeof(Bitmapset *));
	watch.ctes = palloc0((list_length(query->cteList) + 1) * sizeof(Bitmapset *));

	WatchJoinTree(&watch, (Node *) query->jointree);
	WatchConditions(&watch, query->havingQual);
	WatchTargets(&watch, columns);
	WatchSubLinks((Node *) query->jointree, &watch);
	WatchSubLinks(query->havingQual, &watch);
	WatchSubLinks((Node *) query->targetList, &watch);
	WatchRangeTable(&watch, columns);
	for (int i = list_length(query->cteList) - 1; i >= 0; i--)
	{
		CommonTableExpr *cte = list_nth_node(CommonTableExpr, query->cteList, i);

		WatchQuery(&watch, castNode(Query, cte->ctequery),
				   cte->cterecursive ? AllColumns() : watch.ctes[i]);
	}

	result->query = query;
	result->columns = columns;
	for (int i = 1; i <= list_length(query->rtable); i++)
		if (watch.items[i] != NULL)
			result->items = bms_add_member(result->items, i);
	*watch.found = lappend(*watch.found, result);
}

/* What conditions look at in a query and those within, a list of WatchedColumns */
List *
FindWatchedColumns(Query *query, Rewrite *rewrite)
{
	List	   *found = NIL;
	Watch		nothing = {.level = {.rewrite = rewrite},.found = &found};

	WatchQuery(&nothing, query, NULL);
	return found;
}

/* NULL for a query in a place that was not gone through, such as LIMIT */
static const WatchedColumns *
WatchedIn(const List *found, const Query *query)
{
	const ListCell *cell;

	foreach(cell, found)
		if (((WatchedColumns *) lfirst(cell))->query == query)
		return lfirst(cell);
	return NULL;
}

/* Does a condition above the query look at what its select list gives? */
bool
TargetIsWatched(const List *found, const Query *query, AttrNumber resno)
{
	const WatchedColumns *watched = WatchedIn(found, query);

	return watched == NULL || IsColumnWatched(watched->columns, resno);
}

/* Does a condition look at something of what is in the query's FROM? */
bool
ItemIsWatched(const List *found, const Query *query, int varno)
{
	const WatchedColumns *watched = WatchedIn(found, query);

	return watched == NULL || bms_is_member(varno, watched->items);
}
