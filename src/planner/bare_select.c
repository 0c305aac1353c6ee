/*-------------------------------------------------------------------------
 *
 * bare_select.c
 *		A row that is written as a subquery.
 *
 * (SELECT e FROM (SELECT t.a AS x, t.b AS y) AS e) gives names to the columns
 * of a row, which ROW() cannot do.  (SELECT x) is x.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "rewrite/rewriteManip.h"

/* Does a query select values, and nothing else? */
static bool
IsBare(Query *query)
{
	return query->rtable == NIL && HasOnly(query, PART_NO_FROM);
}

/*
 * The inner SELECT, which has no FROM, or NULL; rte is its entry in the outer
 * one
 */
static Query *
InnerSelect(Query *outer, RangeTblEntry **rte)
{
	TargetEntry *entry;
	Query	   *inner;
	Var		   *var;

	if (!HasOnly(outer, PART_NO_FROM) || list_length(outer->targetList) != 1 || list_length(outer->rtable) != 1)
		return NULL;
	*rte = linitial_node(RangeTblEntry, outer->rtable);
	entry = linitial_node(TargetEntry, outer->targetList);
	var = (Var *) entry->expr;
	if ((*rte)->rtekind != RTE_SUBQUERY || !IsA(var, Var) || var->varattno != 0 || var->vartype != RECORDOID ||
		!VarIsPlain(var))
		return NULL;
	inner = (*rte)->subquery;
	return IsBare(inner) ? inner : NULL;
}

/* An aggregate of this query, or of one around it */
static Visit
VisitAggregate(Node *node, int depth, void *context)
{
	return (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup >= depth) ||
		(IsA(node, GroupingFunc) && ((GroupingFunc *) node)->agglevelsup >= depth) ? VISIT_FOUND : VISIT_CHILDREN;
}

/*
 * May expressions be evaluated so many levels further out?  If they
 * don't depend on the row there, PostgreSQL evaluates them only once.
 */
static bool
MayComeUp(Node *exprs, int up)
{
	for (int i = 0; i < up; i++)
		if (contain_vars_of_level(exprs, i))
			return false;
	return contain_vars_of_level(exprs, up) && !CallsVolatile(exprs) && !FindInLevels(exprs, VisitAggregate, NULL);
}

/* The names and values of a row that is written as a subquery */
bool
FindBareSelect(SubLink *sublink, RowShape *shape)
{
	RangeTblEntry *rte;
	Query	   *inner;
	ListCell   *cell;

	if (sublink->subLinkType != EXPR_SUBLINK)
		return false;
	inner = InnerSelect(castNode(Query, sublink->subselect), &rte);
	if (inner == NULL || !MayComeUp((Node *) inner->targetList, 2))
		return false;
	foreach(cell, inner->targetList)
	{
		shape->values = lappend(shape->values, copyObject(lfirst_node(TargetEntry, cell)->expr));
	}
	IncrementVarSublevelsUp((Node *) shape->values, -2, 2);
	shape->names = rte->eref->colnames;
	return list_length(shape->names) == list_length(shape->values);
}

/* What a subquery without FROM computes of the row around it, to stand in its place; NULL if it is another one */
Node *
ValueOfBareSelect(const SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	Node	   *value;

	if (sublink->subLinkType != EXPR_SUBLINK || !IsBare(query) || list_length(query->targetList) != 1)
		return NULL;
	value = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	if (!MayComeUp(value, 1))
		return NULL;
	value = copyObject(value);
	IncrementVarSublevelsUp(value, -1, 1);
	return value;
}
