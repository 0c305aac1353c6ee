/*-------------------------------------------------------------------------
 *
 * source.c
 *		The subqueries of FROM whose rows are a query's rows.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/pull_up.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/source.h"
#include "rewrite/rewriteManip.h"

/* The same, or does it leave out those that LIMIT and OFFSET say? */
bool
PassesRows(RangeTblEntry *rte)
{
	return rte->rtekind == RTE_SUBQUERY && !rte->lateral &&
		HasOnly(rte->subquery, PARTS_OF_ROWS | PART_LIMIT | PART_OFFSET);
}

/* Which subqueries of a query get columns that their rows must not show? */
typedef struct Rows
{
	Level		level;
	int			depth;
} Rows;

/*
 * The row of a subquery as the columns that it has now.  If a join may make it
 * NULL, it is not a source of rows, and gets no more columns.
 */
static Node *
ExpandRow(Rows *rows, Var *var)
{
	RangeTblEntry *rte = rt_fetch(var->varno, rows->level.query->rtable);
	RowExpr    *row;
	List	   *names;

	if (!PassesRows(rte) || !RowIsThere(&rows->level, var->varno))
		return (Node *) var;
	row = makeNode(RowExpr);
	ExpandRangeTableEntry(rte, var->varno, false, &names, &row->args);
	IncrementVarSublevelsUp((Node *) row->args, rows->depth, 0);
	row->row_typeid = var->vartype;
	row->row_format = COERCE_IMPLICIT_CAST;
	row->colnames = copyObject(names);
	row->location = -1;
	return (Node *) row;
}

static Node *
ExpandRows(Node *node, void *context)
{
	Rows	   *rows = context;
	Node	   *result;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
		return ((Var *) node)->varattno == 0 && ((Var *) node)->varlevelsup == rows->depth ?
			ExpandRow(rows, (Var *) node) : node;
	if (!IsA(node, Query))
		return expression_tree_mutator(node, ExpandRows, context);
	rows->depth++;
	result = (Node *) query_tree_mutator((Query *) node, ExpandRows, context, 0);
	rows->depth--;
	return result;
}

/* Take whole rows of a query's sources apart, before these get more columns. */
void
ExpandRowsOfSources(Query *query)
{
	Rows		rows = {.level = {.query = query}};
	ListCell   *cell;

	query_tree_mutator(query, ExpandRows, &rows, QTW_DONT_COPY_QUERY);
	foreach(cell, query->rtable)
	{
		if (PassesRows(lfirst(cell)))
			ExpandRowsOfSources(lfirst_node(RangeTblEntry, cell)->subquery);
	}
}

/* Make an expression a column of a source, and so of the query above, as which it is left. */
TargetEntry *
BringUpOnce(Source *source, Expr **expr)
{
	RangeTblEntry *rte = rt_fetch(source->varno, source->above->query->rtable);
	TargetEntry *entry = AddEntry(source->query, *expr, pstrdup("key"));

	rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("key")));
	*expr = (Expr *) makeVarFromTargetEntry(source->varno, entry);
	return entry;
}

/* Make a column of a source one of the query's, through all levels between. */
Expr *
BringUp(Source *source, Expr *expr)
{
	for (; source->above != NULL; source = source->above)
		(void) BringUpOnce(source, &expr);
	return expr;
}
