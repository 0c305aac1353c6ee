/*-------------------------------------------------------------------------
 *
 * other_ways.c
 *		Other ways to write collections (see also chains.c).
 *
 * Before joins are looked for, these become subqueries that aggregate, which is the
 * only kind that unnest.c knows:
 *
 *		ARRAY(SELECT x FROM c                   coalesce((SELECT array_agg(e.x) FROM (SELECT x FROM c
 *			WHERE pid = p.id ORDER BY v)            WHERE pid = p.id ORDER BY v) e), '{}')
 *
 * Both collect the values in the order in which they come, NULL, too, into arrays of
 * the same type; only an empty one differs.  Elements that are arrays themselves stay,
 * for these must have equal sizes, or it is an error; but for those whose size is written,
 * which are no error for any row (PostGraphile's):
 *
 *		ARRAY(SELECT ARRAY[x, y] FROM c         coalesce((SELECT array_agg(ARRAY[e.x, e.y]) FROM (
 *			WHERE pid = p.id ORDER BY v)            SELECT x, y FROM c WHERE pid = p.id ORDER BY v) e), '{}')
 *
 *		(SELECT json_agg(x) FROM c              (SELECT CASE WHEN count(*) > 1 THEN json_agg(x) END FROM c
 *			WHERE pid = p.id                        WHERE pid = p.id)
 *			HAVING count(*) > 1)
 *
 * Without GROUP BY, there is one row or none, and none is NULL as a value.  The aggregates
 * are computed, then the condition, and only if it is true what is made of them.  A
 * condition on no aggregate PostgreSQL asks first (it is WHERE, too), and if it is not true
 * computes none of them.  So this is done only to what becomes a join, of which nothing is
 * computed that could raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "planner/aggregates.h"
#include "planner/chains.h"
#include "planner/entries.h"
#include "planner/expressions.h"
#include "planner/levels.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/source.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/*
 * Arrays
 */

/* What may stand around an array that is written in another way */
#define PARTS_AROUND	(PART_WHERE | PART_ORDER | PART_AGGREGATES | PART_CTES | PART_LIMIT | PART_OFFSET)

/* The aggregate that makes the same array of what a query gives; InvalidOid if there is none */
static Oid
AggregateFor(Query *query, Oid type)
{
	TargetEntry *entry = linitial_node(TargetEntry, query->targetList);
	Oid			element = exprType((Node *) entry->expr);

	if (get_typtype(element) == TYPTYPE_PSEUDO)
		return InvalidOid;
	if (OidIsValid(get_element_type(getBaseType(element))))
		return element == type && HasKnownSize((Node *) entry->expr) && entry->ressortgroupref == 0 &&
			list_length(((ArrayExpr *) entry->expr)->elements) <= MAX_COLUMNS ?
			F_ARRAY_AGG_ANYARRAY : InvalidOid;
	return get_array_type(element) == type ? F_ARRAY_AGG_ANYNONARRAY : InvalidOid;
}

/* Could it be a collection, if it aggregated? */
static bool
MayAggregate(Level *level, SubLink *sublink)
{
	Query	   *query = (Query *) sublink->subselect;
	Oid			aggregate;

	if (sublink->subLinkType != ARRAY_SUBLINK || !contain_vars_of_level((Node *) query, 1) ||
		!SuppliesRows(query) || HasAny(query, PART_NO_FROM))
		return false;
	aggregate = AggregateFor(query, exprType((Node *) sublink));
	return OidIsValid(aggregate) && MayReplace(level, aggregate);
}

/* Put a query into FROM, which then gives the values of the array that it gave; returns the array made of these. */
static Expr *
PutValuesInFrom(Query *query)
{
	ArrayExpr  *array = castNode(ArrayExpr, linitial_node(TargetEntry, query->targetList)->expr);
	List	   *targets = NIL;
	ListCell   *cell;

	foreach(cell, array->elements)
	{
		targets = lappend(targets, makeTargetEntry(lfirst(cell), 0, pstrdup("element"), false));
	}
	query->targetList = list_concat(targets, list_delete_first(query->targetList));
	foreach(cell, query->targetList)
	{
		lfirst_node(TargetEntry, cell)->resno = foreach_current_index(cell) + 1;
	}
	(void) PutInFrom(query, "elements");
	array->elements = NIL;
	foreach(cell, query->targetList)
	{
		array->elements = lappend(array->elements, lfirst_node(TargetEntry, cell)->expr);
	}
	return (Expr *) array;
}

/* The aggregate that collects a value */
static Aggref *
ArrayOf(Oid aggregate, Expr *element, Oid type)
{
	Aggref	   *aggref = makeNode(Aggref);

	aggref->aggfnoid = aggregate;
	aggref->aggtype = type;
	aggref->aggcollid = aggref->inputcollid = exprCollation((Node *) element);
	aggref->aggargtypes = list_make1_oid(exprType((Node *) element));
	aggref->args = list_make1(makeTargetEntry(element, 1, NULL, false));
	aggref->aggkind = AGGKIND_NORMAL;
	aggref->aggsplit = AGGSPLIT_SIMPLE;
	aggref->aggno = aggref->aggtransno = -1;
	aggref->location = -1;
	return aggref;
}

static Node *
Aggregated(SubLink *sublink)
{
	Oid			type = exprType((Node *) sublink);
	int32		typmod = exprTypmod((Node *) sublink);
	Query	   *query = castNode(Query, sublink->subselect);
	Oid			aggregate = AggregateFor(query, type);
	Datum		empty = PointerGetDatum(construct_empty_array(get_element_type(type)));
	Oid			collation;
	TargetEntry *entry;
	Expr	   *element;
	Node	   *result;

	if (aggregate == F_ARRAY_AGG_ANYARRAY)
		element = PutValuesInFrom(query);
	else
	{
		(void) PutInFrom(query, "elements");
		element = linitial_node(TargetEntry, query->targetList)->expr;
	}
	entry = linitial_node(TargetEntry, query->targetList);
	entry->expr = (Expr *) ArrayOf(aggregate, element, type);
	query->targetList = list_make1(entry);
	query->hasAggs = true;
	sublink->subLinkType = EXPR_SUBLINK;
	collation = exprCollation((Node *) sublink);
	result = Coalesced((Node *) sublink, (Node *) makeConst(type, -1, collation, -1, empty, false, false));
	return typmod < 0 ? result :
		(Node *) makeRelabelType((Expr *) result, type, typmod, collation, COERCE_IMPLICIT_CAST);
}

static Node *
ReplaceArrays(Node *node, void *context)
{
	Level		level = {.rewrite = context};

	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, SubLink) && MayAggregate(&level, (SubLink *) node))
		return Aggregated(copyObject((SubLink *) node));
	return expression_tree_mutator(node, ReplaceArrays, context);
}

/*
 * HAVING
 */

/* Let the value of a subquery be one under a condition, which was HAVING; false if there is none, or more. */
bool
TakeHaving(Query *query)
{
	TargetEntry *entry;

	if (!HasAny(query, PART_HAVING) || !HasAny(query, PART_AGGREGATES) ||
		!HasOnly(query, PART_AGGREGATES | PART_WHERE | PART_HAVING))
		return false;
	entry = linitial_node(TargetEntry, query->targetList);
	entry->expr = (Expr *) ValueIf(query->havingQual, (Node *) entry->expr);
	query->havingQual = NULL;
	return true;
}

/* That was in vain. */
void
GiveHavingBack(Query *query)
{
	TargetEntry *entry = linitial_node(TargetEntry, query->targetList);
	CaseWhen   *when = linitial_node(CaseWhen, castNode(CaseExpr, entry->expr)->args);

	query->havingQual = (Node *) when->expr;
	entry->expr = when->result;
}

/*
 * All of a query
 */

static void
RewriteOne(Query *query, int depth, void *rewrite)
{
	check_stack_depth();
	TakeOutOneRow(query);
	WriteAsCollections(query, rewrite);
	MergeOneRow(query);
}

/*
 * Write what could be collections in a query, which is changed where it is, as subqueries that aggregate: in what
 * is read for the result, from the innermost queries outwards.
 */
void
WriteAsCollections(Query *query, Rewrite *rewrite)
{
	ListCell   *cell;

	TakeCtes(query);
	foreach(cell, query->cteList)
	{
		RewriteOne(castNode(Query, lfirst_node(CommonTableExpr, cell)->ctequery), 1, rewrite);
	}
	VisitBelow(query, RewriteOne, rewrite);
	if (query->hasSubLinks && HasOnly(query, PARTS_AROUND))
		query->targetList = (List *) ReplaceArrays((Node *) query->targetList, rewrite);
	DropFilters(query, rewrite);
}
