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
 * of the same query, once it has pulled up the body.  Not where rows are grouped: the row may be what is grouped by.
 *
 * Left to PostgreSQL is a function that calls itself, within its own body, and whatever stands where PostgreSQL may find out while
 * it plans that it is never computed.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/query_parts.h"
#include "planner/rewrite.h"
#include "planner/row_shape.h"
#include "planner/survey.h"
#include "planner/twins.h"
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

/* Let columns of whole rows that a body was passed be columns; its own are one of its levels' (depth says how many there are). */
static Node *
TakeColumns(Node *node, void *context)
{
	int		   *depth = context;
	FieldSelect *field = (FieldSelect *) node;
	Var		   *row;

	if (node == NULL)
		return NULL;
	check_stack_depth();
	if (IsA(node, Query))
	{
		Query	   *query;

		++*depth;
		query = query_tree_mutator((Query *) node, TakeColumns, context, 0);
		--*depth;
		return (Node *) query;
	}
	row = IsA(node, FieldSelect) ? (Var *) field->arg : NULL;
	if (row == NULL || !IsA(row, Var) || row->varattno != 0 || (int) row->varlevelsup < *depth ||
		!ColumnMatches(row->vartype, field))
		return expression_tree_mutator(node, TakeColumns, context);
	row = copyObject(row);
	row->varattno = row->varattnosyn = field->fieldnum;
	row->vartype = field->resulttype;
	row->vartypmod = field->resulttypmod;
	row->varcollid = field->resultcollid;
	return (Node *) row;
}

/* While functions are inlined */
typedef struct Inlining
{
	PlannerInfo *root;			/* what PostgreSQL's own functions need */
	List	   *functions;		/* in whose bodies the current query is */
} Inlining;

static void InlineIn(Inlining *inlining, Query *query, Level *outer, List *targets);

/*
 * Is there a subquery, or a column that may turn out to be one once it is pulled up?  With such an argument,
 * PostgreSQL inlines nothing.
 */
static bool
FindSubLinkBehind(Node *node, void *context)
{
	Var		   *var = (Var *) node;
	Level	   *owner;
	RangeTblEntry *rte;
	Level		below = {0};

	if (node == NULL)
		return false;
	check_stack_depth();
	if (!IsA(node, Var))
		return IsA(node, SubLink) || expression_tree_walker(node, FindSubLinkBehind, context);
	owner = LevelUp(context, var->varlevelsup);
	rte = owner != NULL ? rt_fetch(var->varno, owner->query->rtable) : NULL;
	if (rte == NULL || (rte->rtekind != RTE_RELATION && rte->rtekind != RTE_FUNCTION && rte->rtekind != RTE_SUBQUERY))
		return true;
	/* What PostgreSQL plans by itself gives columns. */
	if (rte->rtekind != RTE_SUBQUERY || IsFenced(rte->subquery))
		return false;
	below.query = rte->subquery;
	return FindSubLinkBehind(var->varattno == 0 ? (Node *) rte->subquery->targetList :
							 (Node *) get_tle_by_resno(rte->subquery->targetList, var->varattno), &below);
}

/* Has a row of an item of FROM the columns that its type has now? */
static bool
HasColumnsOfType(const RangeTblEntry *rte, Oid rowtype)
{
	TupleDesc	tupdesc;
	bool		result;

	if (rte->rtekind != RTE_SUBQUERY || rowtype == RECORDOID)
		return rte->rtekind == RTE_RELATION || rte->rtekind == RTE_SUBQUERY;
	tupdesc = lookup_rowtype_tupdesc_domain(rowtype, -1, false);
	result = tupdesc->natts == list_length(rte->eref->colnames);
	ReleaseTupleDesc(tupdesc);
	return result;
}

/* Is there a whole row that is not taken apart? */
static bool
FindOtherRow(Node *node, void *context)
{
	Var		   *row = (Var *) node;
	Level	   *owner;

	if (node == NULL)
		return false;
	if (!IsA(node, Var) || row->varattno != 0)
		return expression_tree_walker(node, FindOtherRow, context);
	owner = LevelUp(context, row->varlevelsup);
	return owner == NULL || HasAny(owner->query, PART_GROUPS | PART_GROUPING_SETS) ||
		!HasColumnsOfType(rt_fetch(row->varno, owner->query->rtable), row->vartype);
}

/* Make a subquery of an item of FROM that is a function in SQL, if PostgreSQL would, and of those that it calls. */
static void
Inline(Inlining *inlining, Level *level, RangeTblEntry *rte)
{
	Query	   *body;
	FuncExpr   *call;
	int			depth = 0;

	if (!FunctionsBecomeQueries(rte->functions))
		return;
	call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;
	if (!IsA(call, FuncExpr) || list_member_oid(inlining->functions, call->funcid) ||
		FindSubLinkBehind((Node *) call->args, level))
		return;
	inlining->root->parse = level->query;
	rte->functions = (List *) eval_const_expressions(inlining->root, (Node *) rte->functions);
	body = inline_set_returning_function(inlining->root, rte);

	/*
	 * PostgreSQL decides by what is in a WITH query, before it knows the
	 * body, whether that is computed once: so the body must only read.
	 */
	if (body == NULL || CountQueries(body, DoesMoreThanRead) > 0 || CallsVolatile((Node *) body))
		return;
	inlining->functions = lappend_oid(inlining->functions, call->funcid);
	InlineIn(inlining, body, level, body->targetList);
	inlining->functions = list_delete_last(inlining->functions);
	call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = FindOtherRow((Node *) call->args, level) ? body : (Query *) TakeColumns((Node *) body, &depth);
	rte->security_barrier = false;
	rte->functions = NIL;
	rte->funcordinality = false;
}

/*
 * Those in subqueries of a value that are computed whenever it is: others PostgreSQL may never plan, nor what it finds out, of NULL
 * for example, that the value does not need.
 */
static void
InlineInValue(Inlining *inlining, Level *level, Node *value)
{
	List	   *sublinks = AlwaysComputed(list_make1(value));
	ListCell   *cell;

	if (sublinks == NIL || HasUsersFunction(value, NULL) ||
		list_length(AlwaysComputed(list_make1(eval_const_expressions(NULL, copyObject(value))))) < list_length(sublinks))
		return;
	foreach(cell, sublinks)
	{
		SubLink    *sublink = lfirst(cell);
		Query	   *query = castNode(Query, sublink->subselect);

		InlineIn(inlining, query, level, sublink->subLinkType == EXISTS_SUBLINK ? NIL : query->targetList);
	}
}

static bool
FindUnknown(Node *node, void *context)
{
	return node != NULL && (IsA(node, Var) || IsA(node, Param) || IsA(node, SubLink) || IsA(node, Aggref) ||
							expression_tree_walker(node, FindUnknown, context));
}

/* Is it a condition that no row meets, as PostgreSQL finds out while it plans?  It might, by a user's function, which is not run for that. */
static bool
MayBeNever(Node *condition, void *context)
{
	Const	   *known;

	if (HasUsersFunction(condition, NULL))
		return !FindUnknown(condition, NULL);
	known = (Const *) eval_const_expressions(NULL, copyObject(condition));
	return IsA(known, Const) && (known->constisnull || !DatumGetBool(known->constvalue));
}

/*
 * What a query computes in any case: these values, what it sorts and groups by, and its conditions, as far as PostgreSQL does not find out,
 * while it plans, that it need not.  What a user's function gives, nobody knows.
 */
static List *
UsesOf(Query *query, List *targets)
{
	List	   *exprs = list_concat(get_tlist_exprs(targets, true), make_ands_implicit((Expr *) query->jointree->quals));
	List	   *uses = NIL;
	ListCell   *cell;

	exprs = list_concat(exprs, make_ands_implicit((Expr *) query->havingQual));
	foreach(cell, list_concat(exprs, GroupingOf(query)))
	{
		if (!HasUsersFunction(lfirst(cell), NULL))
			uses = lappend(uses, eval_const_expressions(NULL, copyObject(lfirst(cell))));
	}
	return uses;
}

/* The values of a subquery that the query around it uses, or that it sorts or groups by */
static List *
UsedTargets(List *uses, int varno, Query *query)
{
	List	   *used = NIL;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->ressortgroupref > 0 || RefersToColumn((Node *) uses, varno, entry->resno))
			used = lappend(used, entry);
	}
	return used;
}

/* In what an item of FROM reads, as far as it is used */
static void
InlineInItem(Inlining *inlining, Level *level, List *uses, int varno)
{
	RangeTblEntry *rte = rt_fetch(varno, level->query->rtable);
	Level	   *owner = level;
	CommonTableExpr *cte = rte->rtekind == RTE_CTE ? FindCte(level, rte, &owner) : NULL;
	Query	   *query = rte->subquery;

	/*
	 * One that is read in several places, in each of them, is left to
	 * PostgreSQL.
	 */
	if (cte != NULL && cte->cterefcount == 1 && !IsMaterialized(cte) && !owner->query->hasRecursive)
		query = castNode(Query, cte->ctequery);
	if (rte->rtekind == RTE_FUNCTION)
		Inline(inlining, level, rte);
	else if (query != NULL)
		InlineIn(inlining, query, owner,
				 level->query->setOperations != NULL ? query->targetList : UsedTargets(uses, varno, query));
}

/*
 * Those of a query, of whose values these are used, and of the queries that it reads for its result; not of WITH queries
 * that nobody reads, nor of what an outer join gives to nobody
 */
static void
InlineIn(Inlining *inlining, Query *query, Level *outer, List *targets)
{
	Level		level = {.query = query,.outer = outer};
	List	   *conditions = list_concat(ConditionsIn((Node *) query->jointree),
										 make_ands_implicit((Expr *) query->havingQual));
	List	   *uses;
	ListCell   *cell;

	check_stack_depth();
	/* If one may never be met, PostgreSQL may not plan what the query reads. */
	if (expression_tree_walker((Node *) conditions, MayBeNever, NULL))
		return;
	uses = UsesOf(query, targets);
	foreach(cell, targets)
	{
		InlineInValue(inlining, &level, (Node *) lfirst_node(TargetEntry, cell)->expr);
	}
	foreach(cell, query->hasRecursive ? NIL : query->cteList)
	{
		CommonTableExpr *cte = lfirst(cell);

		if (cte->cterefcount > 0 && IsMaterialized(cte))
			InlineIn(inlining, castNode(Query, cte->ctequery), &level, ((Query *) cte->ctequery)->targetList);
	}

	/*
	 * PostgreSQL may leave out what an outer join may make NULL, if nobody
	 * uses it.
	 */
	for (int varno = 1; varno <= list_length(query->rtable); varno++)
		if (query->setOperations != NULL || RowIsThere(&level, varno) || RefersTo((Node *) uses, varno))
			InlineInItem(inlining, &level, uses, varno);
}

/*
 * Do that in a query, which is changed where it is; returns what its plan depends on, be it who plans it.  A function that is
 * not safe in parallel workers keeps the whole query from them, though its body might not.
 */
List *
InlineFunctions(Query *query, ParamListInfo params, int *cursor_options, bool *depends_on_role)
{
	PlannerInfo *root = makeNode(PlannerInfo);
	Inlining	inlining = {.root = root};

	if (max_parallel_hazard(query) == PROPARALLEL_UNSAFE)
		*cursor_options &= ~CURSOR_OPT_PARALLEL_OK;
	root->glob = makeNode(PlannerGlobal);
	root->glob->boundParams = params;
	root->planner_cxt = CurrentMemoryContext;
	InlineIn(&inlining, query, NULL, query->targetList);
	*depends_on_role = root->glob->dependsOnRole;
	return root->glob->invalItems;
}
