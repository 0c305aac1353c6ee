/*-------------------------------------------------------------------------
 *
 * levels.c
 *		Queries within queries: what a reference to one refers to.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "rewrite/rewriteManip.h"

/* A search through a query, or an expression, and the queries within, for nodes or for queries */
typedef struct Search
{
	Visitor		visitor;		/* NULL if it is for queries */
	QueryVisitor query_visitor;
	void	   *context;
	int			depth;
} Search;

static bool
SearchNode(Node *node, void *context)
{
	Search	   *search = context;
	bool		found;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query))
	{
		search->depth++;
		if (search->visitor == NULL)
			search->query_visitor((Query *) node, search->depth, search->context);
		found = query_tree_walker((Query *) node, SearchNode, context,
								  search->visitor != NULL ? QTW_IGNORE_JOINALIASES : 0);
		search->depth--;
		return found;
	}
	switch (search->visitor != NULL ? search->visitor(node, search->depth, search->context) : VISIT_CHILDREN)
	{
		case VISIT_FOUND:
			return true;
		case VISIT_NEXT:
			return false;
		default:
			return expression_tree_walker(node, SearchNode, context);
	}
}

/*
 * Show the visitor each node of an expression, or of a query, and of the queries within, until it has found what it
 * looks for.  What stands in the query itself is at depth 0, as what stands in the expression.
 */
bool
FindInLevels(Node *node, Visitor visitor, void *context)
{
	Search		search = {.visitor = visitor,.context = context};

	if (node != NULL && IsA(node, Query))
		return query_tree_walker((Query *) node, SearchNode, &search, QTW_IGNORE_JOINALIASES);
	return SearchNode(node, &search);
}

/* A change of the Vars in a query, or an expression, and in the queries within */
typedef struct Replacing
{
	Replacer	replacer;
	void	   *context;
	bool		sublinks;		/* what takes their place has subqueries */
	int			depth;
} Replacing;

static Node *
ReplaceInNode(Node *node, void *context)
{
	Replacing  *replacing = context;
	Node	   *result = NULL;

	if (node == NULL)
		return NULL;
	check_stack_depth();
	if (IsA(node, Query))
	{
		replacing->depth++;
		result = (Node *) query_tree_mutator((Query *) node, ReplaceInNode, context, QTW_IGNORE_JOINALIASES);
		replacing->depth--;
		((Query *) result)->hasSubLinks |= replacing->sublinks;
		return result;
	}
	if (IsA(node, Var))
		result = replacing->replacer((Var *) node, replacing->depth, replacing->context);
	replacing->sublinks |= checkExprHasSubLink(result);
	return result != NULL ? result : expression_tree_mutator(node, ReplaceInNode, context);
}

/* An expression with something else for some of its Vars, at depths as in FindInLevels; a query changes in place. */
Node *
ReplaceVars(Node *node, Replacer replacer, void *context)
{
	Replacing	replacing = {.replacer = replacer,.context = context};

	if (node == NULL || !IsA(node, Query))
		return ReplaceInNode(node, &replacing);
	(void) query_tree_mutator((Query *) node, ReplaceInNode, &replacing, QTW_IGNORE_JOINALIASES | QTW_DONT_COPY_QUERY);
	((Query *) node)->hasSubLinks |= replacing.sublinks;
	return node;
}

/*
 * How many expressions and queries are examined in one look at a query.  A column, or a CTE, may be used twice in
 * another one, and that twice in a third: there may be very many paths.
 */
#define MAX_VISITS	10000

/* Is it one too many?  Then the answer must be the one for the worst case. */
bool
VisitsTooMany(Level *level)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	return level->rewrite->visits++ > MAX_VISITS;
}

/* The level of a query around this one; NULL if it is not known */
Level *
LevelUp(Level *level, Index up)
{
	for (; up > 0 && level != NULL; up--)
		level = level->outer;
	return level;
}

/* Is a CTE materialized as it is written? */
bool
IsMaterialized(const CommonTableExpr *cte)
{
	return cte->ctematerialized == CTEMaterializeAlways ||
		(cte->ctematerialized == CTEMaterializeDefault && cte->cterefcount > 1);
}

/* The CTE that a range table entry refers to, and the level that defines it; or NULL */
CommonTableExpr *
FindCte(Level *level, RangeTblEntry *rte, Level **owner)
{
	ListCell   *cell;

	*owner = LevelUp(level, rte->ctelevelsup);
	if (*owner == NULL || (*owner)->query == NULL)
		return NULL;
	foreach(cell, (*owner)->query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		if (strcmp(cte->ctename, rte->ctename) == 0)
			return cte;
	}
	return NULL;
}

/* The query that a range table entry stands for, and its level; NULL for any other, and for a recursive one. */
Query *
QueryOfEntry(Level *level, RangeTblEntry *rte, Level *inner)
{
	CommonTableExpr *cte;

	*inner = LevelBelow(level, rte->subquery);
	if (rte->rtekind == RTE_SUBQUERY)
		return inner->query;
	if (rte->rtekind != RTE_CTE || rte->self_reference)
		return NULL;
	cte = FindCte(level, rte, &inner->outer);
	if (cte == NULL || cte->cterecursive)
		return NULL;
	return inner->query = castNode(Query, cte->ctequery);
}

/* A column of a query around */
Visit
VisitOuterColumn(Node *node, int depth, void *context)
{
	return IsA(node, Var) && (int) ((Var *) node)->varlevelsup > depth ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Does a query refer to a row of any query around it? */
bool
IsCorrelated(const Query *query)
{
	return FindInLevels((Node *) query, VisitOuterColumn, NULL);
}

/* Groups, and the rows of a window, each have another count. */
static Visit
VisitOwnValue(Node *node, int depth, void *context)
{
	switch (nodeTag(node))
	{
		case T_Var:
			return (int) ((Var *) node)->varlevelsup == depth ? VISIT_FOUND : VISIT_CHILDREN;
		case T_Aggref:
			return (int) ((Aggref *) node)->agglevelsup == depth ? VISIT_FOUND : VISIT_CHILDREN;
		case T_GroupingFunc:
			return (int) ((GroupingFunc *) node)->agglevelsup == depth ? VISIT_FOUND : VISIT_CHILDREN;
		case T_WindowFunc:
			if (depth == 0)
				return context != NULL && HasAny(context, PART_COUNTS) ? VISIT_NEXT : VISIT_FOUND;
			return VISIT_CHILDREN;
		default:
			return VISIT_CHILDREN;
	}
}

/* Has an expression one value for all rows of its query, whatever that is? */
bool
IsOneValue(Node *expr)
{
	return !expression_returns_set(expr) && !FindInLevels(expr, VisitOwnValue, NULL);
}

/* Has an expression one value for all rows of this query, and of those around it?  A count of all rows has. */
bool
IsOneValueIn(Query *query, Node *expr)
{
	return !expression_returns_set(expr) && !FindInLevels(expr, VisitOwnValue, query) &&
		!FindInLevels(expr, VisitOuterColumn, NULL);
}

/* Whatever column it is */
#define ANY_COLUMN	PG_INT16_MAX

/* A column of an item of FROM, and how often it, or the row, is used, until that is more than enough */
typedef struct Uses
{
	int			varno;
	AttrNumber	attno;			/* 0: only the row */
	int			n;
	int			most;
} Uses;

static Visit
VisitUse(Node *node, int depth, void *context)
{
	Uses	   *uses = context;
	Var		   *var = (Var *) node;

	if (!IsA(node, Var) || var->varno != uses->varno || (int) var->varlevelsup != depth ||
		(var->varattno != 0 && uses->attno != ANY_COLUMN && var->varattno != uses->attno))
		return VISIT_CHILDREN;
	return ++uses->n > uses->most ? VISIT_FOUND : VISIT_NEXT;
}

/* Is a column of an item of FROM used more than once in a query, or in an expression of it? */
bool
IsUsedAgain(Node *node, int varno, AttrNumber attno)
{
	Uses		uses = {.varno = varno,.attno = attno,.most = 1};

	return FindInLevels(node, VisitUse, &uses);
}

/* Does an expression of a query, or any within, refer to a column of an item of FROM (any, if attno is 0)? */
bool
RefersToColumn(Node *node, int varno, AttrNumber attno)
{
	Uses		uses = {.varno = varno,.attno = attno != 0 ? attno : ANY_COLUMN};

	return FindInLevels(node, VisitUse, &uses);
}

/* The same of any of its columns, or its row */
bool
RefersTo(Node *node, int varno)
{
	return RefersToColumn(node, varno, 0);
}

/* Does a query refer to an item of FROM as a whole? */
bool
RefersToRow(Query *query, int varno)
{
	Uses		uses = {.varno = varno};

	return FindInLevels((Node *) query, VisitUse, &uses);
}

/* The number of an item of FROM that is this subquery; 0 if none is */
int
ItemOf(const Query *query, const Query *subquery)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->subquery == subquery)
			return foreach_current_index(cell) + 1;
	}
	return 0;
}

/* Does anything in FROM except conditions, and but for these items, refer to one of its items? */
bool
FromRefersTo(const Query *query, const Bitmapset *but, int varno)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		List	   *parts;

		if (bms_is_member(foreach_current_index(cell) + 1, but))
			continue;
		/* A query in a list is one level below the list. */
		parts = list_make5(rte->subquery, rte->functions, rte->tablefunc, rte->values_lists, rte->tablesample);
		if (RefersTo((Node *) parts, varno))
			return true;
		list_free(parts);
	}
	return false;
}

/*
 * Is an item listed, or the right side of a join, in a place where no other makes it NULL?  Tells that
 * join; NULL if it is listed.  One that begins a join is its left side, and has no such place.
 */
bool
FindPlace(Node *node, int varno, JoinExpr **place)
{
	JoinExpr   *join = (JoinExpr *) node;
	ListCell   *cell;

	check_stack_depth();
	*place = NULL;
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			if (VarnoOf(lfirst(cell)) == varno || FindPlace(lfirst(cell), varno, place))
				return true;
		}
		return false;
	}
	if (!IsA(node, JoinExpr) || (join->jointype != JOIN_LEFT && join->jointype != JOIN_INNER))
		return false;
	if (VarnoOf(join->rarg) == varno)
	{
		*place = join;
		return true;
	}
	return FindPlace(join->larg, varno, place) ||
		(join->jointype == JOIN_INNER && FindPlace(join->rarg, varno, place));
}

/* Is it one item, with nothing that PostgreSQL could join to it before or after others, as what a subquery joins? */
bool
IsOneItem(const FromExpr *from, List *rtable)
{
	int			varno = checkExprHasSubLink(from->quals) ? 0 : OnlyItem(from);
	RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, rtable) : NULL;

	if (rte == NULL || rte->rtekind != RTE_SUBQUERY)
		return rte != NULL && rte->rtekind == RTE_RELATION;
	return IsFenced(rte->subquery) || (rte->subquery->setOperations == NULL &&
									   IsOneItem(rte->subquery->jointree, rte->subquery->rtable));
}

/*
 * A join tree without some of its items, each in a list or on the right side of a join;
 * it is changed where it is.  The last is asked of first, for it may be what refers to others.
 */
Node *
WithoutItems(Node *node, ItemTest is_out, void *context)
{
	JoinExpr   *join = (JoinExpr *) node;
	List	   *kept = NIL;

	check_stack_depth();
	if (IsA(node, FromExpr))
	{
		List	   *fromlist = ((FromExpr *) node)->fromlist;

		for (int i = list_length(fromlist) - 1; i >= 0; i--)
			if (!is_out(NULL, list_nth(fromlist, i), context))
				kept = lcons(WithoutItems(list_nth(fromlist, i), is_out, context), kept);
		((FromExpr *) node)->fromlist = kept;
	}
	else if (IsA(node, JoinExpr))
	{
		join->rarg = WithoutItems(join->rarg, is_out, context);
		if (is_out(join, join->rarg, context))
			return WithoutItems(join->larg, is_out, context);
		join->larg = WithoutItems(join->larg, is_out, context);
	}
	return node;
}

static Visit
VisitColumnOfJoin(Node *node, int depth, void *context)
{
	Query	   *query = context;
	Var		   *var = (Var *) node;

	return IsA(node, Var) && var->varlevelsup == depth && var->varno > 0 &&
		rt_fetch(var->varno, query->rtable)->rtekind == RTE_JOIN ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Does something refer to a column by way of a join? */
bool
HasColumnsOfJoins(Query *query)
{
	return FindInLevels((Node *) query, VisitColumnOfJoin, query);
}

static bool
WalkSubLinks(Node *node, void *context)
{
	Search	   *search = context;
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && (sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK))
		search->query_visitor(castNode(Query, sublink->subselect), 1, search->context);
	return expression_tree_walker(node, WalkSubLinks, context);
}

/* Show the visitor the queries of WITH; not what is within these. */
void
VisitCtes(Query *query, QueryVisitor visitor, void *context)
{
	ListCell   *cell;

	foreach(cell, query->cteList)
	{
		visitor(castNode(Query, lfirst_node(CommonTableExpr, cell)->ctequery), 1, context);
	}
}

/* Show the visitor the subqueries of a query's FROM; not what is within these. */
void
VisitItems(Query *query, QueryVisitor visitor, void *context)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
			visitor(lfirst_node(RangeTblEntry, cell)->subquery, 1, context);
	}
}

/*
 * Show the visitor what a query reads for its result: the subqueries of its FROM, and those of its select list
 * that give a value; not what is within these, nor its CTEs.
 */
void
VisitBelow(Query *query, QueryVisitor visitor, void *context)
{
	Search		search = {.query_visitor = visitor,.context = context};

	VisitItems(query, visitor, context);
	WalkSubLinks((Node *) query->targetList, &search);
}

/* Show the visitor a query, and then all queries within. */
void
VisitQueries(Query *query, QueryVisitor visitor, void *context)
{
	Search		search = {.query_visitor = visitor,.context = context,.depth = -1};

	SearchNode((Node *) query, &search);
}

/* A count of queries of which something is so */
typedef struct QueryCount
{
	QueryProperty is_so;
	int			n;
} QueryCount;

static void
CountIfSo(Query *query, int depth, void *context)
{
	QueryCount *count = context;

	count->n += count->is_so == NULL || count->is_so(query);
}

/* Of how many of a query and all queries within is something so?  NULL is so of all. */
int
CountQueries(Query *query, QueryProperty is_so)
{
	QueryCount	count = {.is_so = is_so};

	VisitQueries(query, CountIfSo, &count);
	return count.n;
}

/* Is something so of a query, or one within, but not only of another one of these and what is within that? */
bool
IsSoOutside(Query *query, Query *within, QueryProperty is_so)
{
	return CountQueries(query, is_so) > CountQueries(within, is_so);
}

static void
AddTables(Query *query, int depth, void *context)
{
	List	  **tables = context;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_RELATION)
			*tables = lappend(*tables, lfirst(cell));
	}
}

/* The tables of a query, or of those in an expression, and of all queries within, each as often as it is read */
List *
TablesIn(Node *node)
{
	List	   *tables = NIL;
	Search		search = {.query_visitor = AddTables,.context = &tables};

	SearchNode(node, &search);
	return tables;
}

/* References to the CTEs of the query around, which are now one level further out */
static void
MoveCtesDown(Query *query, int depth, void *context)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_CTE && (int) rte->ctelevelsup == depth)
			rte->ctelevelsup++;
	}
}

/* What was at the level of a query is now a subquery in its FROM, without CTEs of its own; it is changed in place. */
void
MoveDown(Query *query)
{
	IncrementVarSublevelsUp((Node *) query, 1, 1);
	VisitQueries(query, MoveCtesDown, NULL);
}
