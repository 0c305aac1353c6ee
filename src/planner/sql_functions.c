/*-------------------------------------------------------------------------
 *
 * sql_functions.c
 *		Functions in SQL in FROM, as the queries that they consist of.
 *
 *		SELECT p.id, (SELECT json_agg(r.rating) FROM reviews_of(p) r) FROM product p
 *
 *		CREATE FUNCTION reviews_of(product) RETURNS SETOF review STABLE LANGUAGE sql
 *			AS 'SELECT * FROM review WHERE product_id = $1.id'
 *
 * PostgreSQL puts the body in the place of such a call when it begins to plan (preprocess_function_rtes), if it may.
 * So do we, before collections are looked for, by the same function, with the same checks, errors and locks: PostgREST's
 * computed relationships and calls, PostGraphile's too, are then subqueries like those of views.  Nothing is left for
 * PostgreSQL to do, so it is done once.
 *
 * A column of a whole row that was passed becomes a column.  PostgreSQL does that, too, but only where the row is one
 * of the same query, once it has pulled up the body.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "planner/may_raise.h"
#include "planner/sql_functions.h"
#include "utils/typcache.h"

/* Has a row type this column, with the type that it had when the function was written? */
static bool
ColumnMatches(Oid rowtype, const FieldSelect *field)
{
	TupleDesc	tupdesc;
	bool		result = false;

	/* An anonymous one cannot be altered. */
	if (rowtype == RECORDOID)
		return true;
	tupdesc = lookup_rowtype_tupdesc_domain(rowtype, -1, false);
	if (field->fieldnum > 0 && field->fieldnum <= tupdesc->natts)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, field->fieldnum - 1);

		result = !att->attisdropped && att->atttypid == field->resulttype && att->atttypmod == field->resulttypmod &&
			att->attcollation == field->resultcollid;
	}
	ReleaseTupleDesc(tupdesc);
	return result;
}

/* Let columns of whole rows be columns. */
static Node *
TakeColumns(Node *node, void *context)
{
	FieldSelect *field = (FieldSelect *) node;
	Var		   *row;

	if (node == NULL)
		return NULL;
	check_stack_depth();
	if (IsA(node, Query))
		return (Node *) query_tree_mutator((Query *) node, TakeColumns, context, 0);
	row = IsA(node, FieldSelect) ? (Var *) field->arg : NULL;
	if (row == NULL || !IsA(row, Var) || row->varattno != 0 || !ColumnMatches(row->vartype, field))
		return expression_tree_mutator(node, TakeColumns, context);
	row = copyObject(row);
	row->varattno = row->varattnosyn = field->fieldnum;
	row->vartype = field->resulttype;
	row->vartypmod = field->resulttypmod;
	row->varcollid = field->resultcollid;
	return (Node *) row;
}

/* Make a subquery of an item of FROM that is a function in SQL, if PostgreSQL would. */
static void
Inline(PlannerInfo *root, RangeTblEntry *rte)
{
	Query	   *query;

	if (rte->rtekind != RTE_FUNCTION || !FunctionsBecomeQueries(rte->functions))
		return;
	rte->functions = (List *) eval_const_expressions(root, (Node *) rte->functions);
	query = inline_set_returning_function(root, rte);
	if (query == NULL)
		return;
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = (Query *) TakeColumns((Node *) query, NULL);
	rte->security_barrier = false;
	rte->functions = NIL;
	rte->funcordinality = false;
}

/* Those of a query, of what they become, and of the queries within; not of WITH queries that nobody reads */
static bool
InlineAll(Node *node, void *context)
{
	PlannerInfo *root = context;
	Query	   *outer = root->parse;

	if (node == NULL || (IsA(node, CommonTableExpr) && ((CommonTableExpr *) node)->cterefcount == 0))
		return false;
	if (IsA(node, RangeTblEntry))
	{
		Inline(root, (RangeTblEntry *) node);
		return false;			/* query_tree_walker goes into it */
	}
	if (!IsA(node, Query))
		return expression_tree_walker(node, InlineAll, context);
	check_stack_depth();
	root->parse = (Query *) node;
	query_tree_walker((Query *) node, InlineAll, context, QTW_EXAMINE_RTES_BEFORE);
	root->parse = outer;
	return false;
}

/* Do that in a query, which is changed where it is; returns what its plan depends on. */
List *
InlineFunctions(Query *query, ParamListInfo params)
{
	PlannerInfo *root = makeNode(PlannerInfo);

	root->glob = makeNode(PlannerGlobal);
	root->glob->boundParams = params;
	root->planner_cxt = CurrentMemoryContext;
	InlineAll((Node *) query, root);
	/* Who plans for another role must see other policies. */
	query->hasRowSecurity |= root->glob->dependsOnRole;
	return root->glob->invalItems;
}
