/*-------------------------------------------------------------------------
 *
 * pull_up.c
 *		Values that a subquery makes into JSON, taken apart where they are
 *		used.
 *
 * Between a constructor and the aggregate over it, tools put subqueries with ORDER BY and LIMIT.  The values are
 * passed up through them instead of the constructor's result, if that isn't used anywhere else.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"

/* How often does a query, or one within, refer to a column of its range table? */
typedef struct References
{
	Query	   *query;
	int			varno;
	AttrNumber	attno;
	int			count;
	int			nodes;			/* that have been looked at */
} References;

/*
 * A Var of the query counts unless it is certain to be another column.  Those of a join, few as they are since PostgreSQL 13,
 * may be any column of what is joined.
 */
static Visit
CountReference(Node *node, int depth, void *context)
{
	References *references = context;
	Var		   *var = (Var *) node;

	references->nodes++;
	if (!IsA(node, Var) || var->varlevelsup != depth)
		return VISIT_CHILDREN;
	if (var->varno == references->varno)
		references->count += var->varattno == references->attno || var->varattno <= 0;
	else
		references->count += rt_fetch(var->varno, references->query->rtable)->rtekind == RTE_JOIN;
	return VISIT_CHILDREN;
}

/* So much is gone through to find references, of all columns together. */
#define MAX_WALKED	500000

/* Is a column of a subquery used in only one place? */
static bool
IsWantedOnce(Level *level, Var *var)
{
	References	references = {.query = level->query,.varno = var->varno,.attno = var->varattno};

	if (level->rewrite->walked > MAX_WALKED)
		return false;
	FindInLevels((Node *) level->query, CountReference, &references);
	level->rewrite->walked += references.nodes;
	return references.count == 1;
}

/* Does each row of a query come from one row of its FROM, or from a group of them, regardless of its target list? */
#define PARTS_OF_PLAIN	(PARTS_OF_ROWS | PART_AGGREGATES | PART_GROUPS | PART_HAVING | PART_WINDOWS | \
						 PART_COUNTS | PART_DISTINCT_ON | PART_LIMIT | PART_OFFSET | PART_TIES | PART_LOCKS | PART_CTES | PART_CHANGES)

static bool
IsGrouped(Query *query)
{
	return HasAny(query, PART_AGGREGATES | PART_GROUPS | PART_HAVING);
}

static bool
IsColumn(Node *expr)
{
	return IsA(expr, Var) && ((Var *) expr)->varattno > 0;
}

/* Is a query grouped by columns only?  Then any of its values can be used on its own. */
static bool
GroupsByColumns(Query *query)
{
	List	   *exprs = get_sortgrouplist_exprs(query->groupClause, query->targetList);
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		exprs = list_concat(exprs, GroupExpressions(lfirst(cell)));
	}
	foreach(cell, exprs)
	{
		if (!IsColumn(lfirst(cell)))
			return false;
	}
	return true;
}

/* The entry of a subquery's target list for a column, if it is used for nothing else */
static bool
TakeStep(Level *level, Var *var, Step *step)
{
	if (var->varattno <= 0 || !VarIsPlain(var) || !RowIsThere(level, var->varno))
		return false;
	step->varno = var->varno;
	step->rte = rt_fetch(var->varno, level->query->rtable);
	if (step->rte->rtekind != RTE_SUBQUERY || step->rte->security_barrier || ColumnsStay(level->rewrite, step->rte) ||
		!HasOnly(step->rte->subquery, PARTS_OF_PLAIN))
		return false;
	step->entry = get_tle_by_resno(step->rte->subquery->targetList, var->varattno);
	return step->entry != NULL && !step->entry->resjunk &&
		step->entry->ressortgroupref == 0 && IsWantedOnce(level, var);
}

/* Is the column's entry a constructor, and may its values be passed up instead? */
static bool
IsSource(Level *level, Step *step, RowShape *shape)
{
	Node	   *expr = (Node *) step->entry->expr;
	Query	   *query = level->query;

	return !expression_returns_set(expr) && !CallsVolatile(expr) &&
		(!IsGrouped(query) || GroupsByColumns(query)) &&
		FindRowShape(level, expr, shape) && PartsAreSafe(level, shape) &&
		MayPrecedeSort(level, (Node *) shape->values) &&
		list_length(query->targetList) + list_length(shape->values) < MaxTupleAttributeNumber;
}

/* Is a column of a subquery what FindRowShape looks for?  Its values are those of the subquery, until PullUp. */
bool
FindInSubquery(Level *level, Var *var, RowShape *shape, List **way)
{
	Step	   *step = palloc(sizeof(Step));
	Level		below;

	check_stack_depth();
	if (!TakeStep(level, var, step))
		return false;
	below = LevelBelow(level, step->rte->subquery);
	below.grouped = IsGrouped(below.query) || below.query->distinctClause != NIL;
	*way = lappend(*way, step);
	if (!IsColumn((Node *) step->entry->expr))
		return IsSource(&below, step, shape);
	return !IsGrouped(below.query) &&
		list_length(below.query->targetList) < MaxTupleAttributeNumber - MAX_ROW_VALUES &&
		FindInSubquery(&below, (Var *) step->entry->expr, shape, way);
}

/*
 * Let go of a hidden column that a query sorts or groups by, if it gives the same as one that is not hidden: the number by
 * which it is known; 0 if there is none.  A sort need not carry both.
 */
static Index
TakeHidden(Query *query, Expr *expr)
{
	Index		ref = 0;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (ref != 0)
			entry->resno--;
		else if (entry->resjunk && equal(entry->expr, expr))
		{
			ref = entry->ressortgroupref;
			query->targetList = foreach_delete_current(query->targetList, cell);
		}
	}
	return ref;
}

/* Make the values columns of the subqueries on the way; the first one takes the place of that of the constructor. */
void
PullUp(List *way, RowShape *shape)
{
	for (int i = list_length(way) - 1; i >= 0; i--)
	{
		Step	   *step = list_nth(way, i);
		TargetEntry *unused = step->entry;
		List	   *columns = NIL;
		ListCell   *cell;

		foreach(cell, shape->values)
		{
			int			n = foreach_current_index(cell);
			char	   *name = shape->names ? strVal(list_nth(shape->names, n)) : "?column?";
			TargetEntry *entry = unused != NULL ? unused : AddColumn(step->rte, lfirst(cell), name);

			entry->expr = lfirst(cell);
			entry->ressortgroupref = TakeHidden(step->rte->subquery, entry->expr);
			unused = NULL;
			columns = lappend(columns, makeVarFromTargetEntry(step->varno, entry));
		}
		if (unused != NULL)
			unused->expr = (Expr *) NullOf((Node *) unused->expr);
		shape->values = columns;
	}
}
