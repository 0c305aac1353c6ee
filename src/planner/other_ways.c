/*-------------------------------------------------------------------------
 *
 * other_ways.c
 *		Other ways to write collections.
 *
 * Before joins are looked for, these become subqueries that aggregate, which is the
 * only kind that unnest.c knows:
 *
 *		ARRAY(SELECT x FROM c                   coalesce((SELECT array_agg(e.x) FROM (SELECT x FROM c
 *			WHERE pid = p.id ORDER BY v)            WHERE pid = p.id ORDER BY v) e), '{}')
 *
 * Both collect the values in the order in which they come, NULL, too, into arrays of
 * the same type; only an empty one differs.  Elements that are arrays themselves stay,
 * for these must have equal sizes.
 *
 *		SELECT row_to_json(r) FROM (            SELECT row_to_json(ROW(json_agg(x))) FROM c WHERE pid = p.id
 *			SELECT json_agg(x) AS rows
 *			FROM c WHERE pid = p.id) r
 *
 * The subquery gives one row in any case, so what is made of it is made once.  An
 * aggregate that is used twice is computed once.  There is nothing else in the query
 * around it that could decide whether it is computed.  But where that uses a column
 * under a condition, as in CASE, it is one that only hands on an aggregate: for as it is
 * written, the subquery computes its columns in any case, with their errors.
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
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/conditions.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/survey.h"
#include "rewrite/rewriteManip.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/*
 * Arrays
 */

/* What may stand around an array that is written in another way */
#define PARTS_AROUND	(PART_WHERE | PART_ORDER | PART_AGGREGATES | PART_CTES | PART_LIMIT | PART_OFFSET)

/* Could it be a collection, if it aggregated? */
static bool
MayAggregate(SubLink *sublink)
{
	Query	   *query = (Query *) sublink->subselect;
	Oid			element;

	if (sublink->subLinkType != ARRAY_SUBLINK || !contain_vars_of_level((Node *) query, 1) ||
		!HasOnly(query, PART_WHERE | PART_ORDER | PART_LIMIT | PART_OFFSET))
		return false;
	element = exprType((Node *) linitial_node(TargetEntry, query->targetList)->expr);
	return get_typtype(element) != TYPTYPE_PSEUDO && !OidIsValid(get_element_type(getBaseType(element))) &&
		get_array_type(element) == exprType((Node *) sublink);
}

/* The aggregate that collects a column */
static Aggref *
ArrayOf(Var *element, Oid type)
{
	Aggref	   *aggref = makeNode(Aggref);

	aggref->aggfnoid = F_ARRAY_AGG_ANYNONARRAY;
	aggref->aggtype = type;
	aggref->aggcollid = aggref->inputcollid = element->varcollid;
	aggref->aggargtypes = list_make1_oid(element->vartype);
	aggref->args = list_make1(makeTargetEntry((Expr *) element, 1, NULL, false));
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
	CoalesceExpr *coalesce = makeNode(CoalesceExpr);
	TargetEntry *entry;
	Datum		empty;

	(void) PutInFrom(query, pstrdup("elements"));
	entry = linitial_node(TargetEntry, query->targetList);
	empty = PointerGetDatum(construct_empty_array(exprType((Node *) entry->expr)));
	entry->expr = (Expr *) ArrayOf(castNode(Var, entry->expr), type);
	query->targetList = list_make1(entry);
	query->hasAggs = true;
	sublink->subLinkType = EXPR_SUBLINK;
	coalesce->coalescetype = type;
	coalesce->coalescecollid = exprCollation((Node *) sublink);
	coalesce->args = list_make2(sublink, makeConst(type, -1, coalesce->coalescecollid, -1, empty, false, false));
	coalesce->location = -1;
	return typmod < 0 ? (Node *) coalesce :
		(Node *) makeRelabelType((Expr *) coalesce, type, typmod, coalesce->coalescecollid, COERCE_IMPLICIT_CAST);
}

static Node *
ReplaceArrays(Node *node, void *context)
{
	Level		level = {.rewrite = context};

	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, SubLink) && MayAggregate((SubLink *) node) && MayReplace(&level, F_ARRAY_AGG_ANYNONARRAY))
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
 * Queries of one row
 */

/* The one row of a subquery that another query's expressions are made of */
typedef struct OneRow
{
	Query	   *query;
	List	   *names;
} OneRow;

static Node *
ExpandVar(OneRow *row, Var *var)
{
	Node	   *result;
	RowExpr    *whole;
	ListCell   *cell;

	if (var->varattno > 0)
		result = copyObject((Node *) get_tle_by_resno(row->query->targetList, var->varattno)->expr);
	else
	{
		whole = makeNode(RowExpr);
		foreach(cell, row->query->targetList)
			if (!lfirst_node(TargetEntry, cell)->resjunk)
			whole->args = lappend(whole->args, copyObject(lfirst_node(TargetEntry, cell)->expr));
		whole->row_typeid = var->vartype;
		whole->row_format = COERCE_IMPLICIT_CAST;
		whole->colnames = copyObject(row->names);
		whole->location = -1;
		result = (Node *) whole;
	}
	return result;
}

static Node *
ExpandVars(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, Var) && ((Var *) node)->varlevelsup == 0)
		return ExpandVar(context, (Var *) node);
	return expression_tree_mutator(node, ExpandVars, context);
}

/* Is anything computed of aggregates in an expression?  That could raise an error. */
static bool
IsComputed(Node *expr)
{
	Node	   *value = StripRelabels(expr);
	ListCell   *cell;

	check_stack_depth();
	if (!IsA(value, CoalesceExpr))
		return !(IsA(value, Aggref) || IsA(value, Var) || IsA(value, Const) || IsA(value, Param));
	foreach(cell, ((CoalesceExpr *) value)->args)
		if (IsComputed(lfirst(cell)))
		return true;
	return false;
}

/* A column, or all of the row, that the query of the one row computes */
static bool
FindComputed(Node *node, void *context)
{
	OneRow	   *row = context;
	Var		   *var = (Var *) node;
	ListCell   *cell;

	if (node == NULL)
		return false;
	if (!IsA(node, Var) || var->varlevelsup > 0)
		return expression_tree_walker(node, FindComputed, context);
	foreach(cell, row->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if ((var->varattno == 0 || var->varattno == entry->resno) && IsComputed((Node *) entry->expr))
			return true;
	}
	return false;
}

/*
 * The subquery whose one row a query only makes something of; NULL if it does more.  That of a view
 * has other entries before 16, which carry the permissions on the view.
 */
static RangeTblEntry *
OnlyOneRow(Query *query)
{
	RangeTblEntry *rte;
	OneRow		row = {0};

	if (!HasOnly(query, 0) || query->hasSubLinks || list_length(query->rtable) != 1 ||
		list_length(query->jointree->fromlist) != 1 || !IsA(linitial(query->jointree->fromlist), RangeTblRef))
		return NULL;
	rte = rt_fetch(linitial_node(RangeTblRef, query->jointree->fromlist)->rtindex, query->rtable);
	if (rte->rtekind != RTE_SUBQUERY || rte->lateral || rte->security_barrier || rte->securityQuals != NIL ||
		OidIsValid(rte->relid) || !IsOneRow(rte->subquery) || checkExprHasSubLink((Node *) rte->subquery->targetList))
		return NULL;
	row.query = rte->subquery;
	return FindComputed((Node *) NotAlwaysComputed((Node *) query->targetList), &row) ? NULL : rte;
}

/* The subquery takes the place of the query, one level further out, and makes of its row what the query did. */
static void
BecomeOneRow(Query *query, RangeTblEntry *rte)
{
	OneRow		row = {.query = rte->subquery,.names = rte->eref->colnames};
	List	   *targets;

	IncrementVarSublevelsUp((Node *) rte->subquery, -1, 2);
	targets = (List *) ExpandVars((Node *) query->targetList, &row);
	*query = *rte->subquery;
	query->targetList = targets;
}

/*
 * All of a query
 */

static void RewriteWithin(Query *query, Rewrite *rewrite);

static void
RewriteOne(Query *query, Rewrite *rewrite)
{
	RangeTblEntry *rte;

	check_stack_depth();
	RewriteWithin(query, rewrite);
	rte = OnlyOneRow(query);
	if (rte != NULL)
		BecomeOneRow(query, rte);
}

static bool
RewriteSubLinks(Node *node, void *context)
{
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && (sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK))
		RewriteOne(castNode(Query, sublink->subselect), context);
	return expression_tree_walker(node, RewriteSubLinks, context);
}

/* What is read for the result, from the innermost queries outwards */
static void
RewriteWithin(Query *query, Rewrite *rewrite)
{
	ListCell   *cell;

	foreach(cell, query->cteList)
		RewriteOne(castNode(Query, lfirst_node(CommonTableExpr, cell)->ctequery), rewrite);
	foreach(cell, query->rtable)
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
		RewriteOne(lfirst_node(RangeTblEntry, cell)->subquery, rewrite);
	(void) RewriteSubLinks((Node *) query->targetList, rewrite);
	if (query->hasSubLinks && HasOnly(query, PARTS_AROUND))
		query->targetList = (List *) ReplaceArrays((Node *) query->targetList, rewrite);
}

/* Write what could be collections in a query, which is changed where it is, as subqueries that aggregate. */
void
WriteAsCollections(Query *query, Rewrite *rewrite)
{
	RewriteWithin(query, rewrite);
}
