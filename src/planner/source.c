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
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/source.h"
#include "rewrite/rewriteManip.h"

/* Does a query give one row for each group of rows, or of equal rows? */
bool
GroupsRows(const Query *query)
{
	return HasAny(query, PART_GROUPS | PART_DISTINCT);
}

/*
 * Does a query supply rows as they are, but for those that LIMIT and OFFSET leave out; or groups of them, which stay the
 * same if rows are grouped by one more column, of which each has one value only?
 */
bool
SuppliesRows(const Query *query)
{
	if (HasAny(query, PART_GROUPS))
		return HasOnly(query, PARTS_OF_ROWS | PART_GROUPS | PART_AGGREGATES | PART_HAVING | PART_LIMIT | PART_OFFSET);
	return HasOnly(query, PARTS_OF_ROWS | PART_DISTINCT) || HasOnly(query, PARTS_OF_ROWS | PART_LIMIT | PART_OFFSET);
}

bool
IsSource(RangeTblEntry *rte)
{
	return rte->rtekind == RTE_SUBQUERY && !rte->lateral && SuppliesRows(rte->subquery);
}

/* A subquery in the FROM of a source, as one itself */
Source *
SourceBelow(Source *above, int varno)
{
	Source	   *source = palloc0(sizeof(Source));

	source->query = rt_fetch(varno, above->query->rtable)->subquery;
	source->above = above;
	source->varno = varno;
	source->depth = above->depth + 1;
	return source;
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
	if (!IsSource(rte) || !RowIsThere(level, var->varno))
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

	(void) ReplaceVars((Node *) query, ExpandRow, &level);
	foreach(cell, query->rtable)
	{
		if (IsSource(lfirst(cell)))
			ExpandRowsOfSources(lfirst_node(RangeTblEntry, cell)->subquery);
	}
}

/* May a source, and each query above it, have so many more columns, besides keys?  Sorted or numbered, it has all that it computes them from. */
bool
HasRoom(const Source *source, int n)
{
	for (; source != NULL; source = source->above)
		if (list_length(source->query->targetList) + n > MAX_COLUMNS ||
			CountColumns(source->query) + n > MAX_COLUMNS)
			return false;
	return true;
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
