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
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/expressions.h"
#include "planner/levels.h"
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

/*
 * The row of a subquery, which gets columns that it must not show, as the columns that it has now.
 * If a join may make it NULL, it is not a source of rows, and gets no more columns.
 */
static Node *
ExpandRow(Var *var, int depth, void *context)
{
	Level	   *level = context;
	RangeTblEntry *rte;
	List	   *names;
	List	   *values;

	if (var->varattno != 0 || (int) var->varlevelsup != depth)
		return NULL;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (!PassesRows(rte) || !RowIsThere(level, var->varno))
		return NULL;
	ExpandRangeTableEntry(rte, var->varno, false, &names, &values);
	IncrementVarSublevelsUp((Node *) values, depth, 0);
	return RowOf(values, var, names);
}

/* Take whole rows of a query's sources apart, before these get more columns. */
void
ExpandRowsOfSources(Query *query)
{
	Level		level = {.query = query};
	ListCell   *cell;

	(void) ReplaceVars((Node *) query, ExpandRow, &level, false);
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
	TargetEntry *entry = tlist_member(*expr, source->query->targetList);

	if (entry == NULL || entry->resjunk)
		entry = AddColumn(rte, *expr, "key");
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
