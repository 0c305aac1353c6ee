/*-------------------------------------------------------------------------
 *
 * early.c
 *		Whether an expression may be computed earlier, and so for more rows.
 *
 * If not all rows will be wanted, PostgreSQL sorts first and computes
 * expensive expressions afterwards (make_sort_input_target).  The arguments of
 * a constructor may be cheap by themselves; so without the constructor, an
 * error could come from a row that LIMIT cuts off.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/as_jsonb.h"
#include "planner/early.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/*
 * How many expressions are examined in a query.  A column may be used twice in
 * another one, and that twice in a third: there may be very many paths.
 */
#define MAX_VISITS	10000

static bool MayRaise(Node *node, void *context);

/* May a column of a subquery, or (0) any of them, raise an error? */
static bool
ColumnMayRaise(Level *level, Query *subquery, AttrNumber attno)
{
	Level		below = {.query = subquery,.outer = level,.rewrite = level->rewrite};
	ListCell   *cell;

	if (subquery->commandType != CMD_SELECT)
		return false;			/* computed before anything else */
	if (subquery->setOperations != NULL)
		return true;
	foreach(cell, subquery->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if ((attno == 0 || entry->resno == attno) && MayRaise((Node *) entry->expr, &below))
			return true;
	}
	return false;
}

/* The query of a CTE that is defined at this level, or NULL */
static Query *
QueryOfCte(Level *level, RangeTblEntry *rte)
{
	ListCell   *cell;

	if (rte->ctelevelsup > 0 || rte->self_reference)
		return NULL;
	foreach(cell, level->query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		if (strcmp(cte->ctename, rte->ctename) == 0)
			return castNode(Query, cte->ctequery);
	}
	return NULL;
}

/* May the planner replace functions in FROM by a subquery? */
static bool
FunctionsBecomeQueries(List *functions)
{
	ListCell   *cell;

	foreach(cell, functions)
	{
		FuncExpr   *call = (FuncExpr *) lfirst_node(RangeTblFunction, cell)->funcexpr;
		HeapTuple	tuple;
		bool		is_sql;

		if (!IsA(call, FuncExpr))
			return true;
		tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
		if (!HeapTupleIsValid(tuple))
			return true;
		is_sql = ((Form_pg_proc) GETSTRUCT(tuple))->prolang == SQLlanguageId;
		ReleaseSysCache(tuple);
		if (is_sql)
			return true;
	}
	return false;
}

/*
 * A column may stand for the expression of a subquery that the planner will
 * pull up into the query.
 */
static bool
VarMayRaise(Level *level, Var *var)
{
	RangeTblEntry *rte;
	Query	   *cte;

	for (Index i = 0; i < var->varlevelsup && level != NULL; i++)
		level = level->outer;
	if (level == NULL)
		return true;
	rte = rt_fetch(var->varno, level->query->rtable);
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return var->varattno >= 0 && ColumnIsVirtual(rte->relid, var->varattno);
		case RTE_SUBQUERY:
			return ColumnMayRaise(level, rte->subquery, var->varattno);
		case RTE_CTE:
			cte = QueryOfCte(level, rte);
			return cte == NULL || ColumnMayRaise(level, cte, var->varattno);
		case RTE_JOIN:
			return MayRaise((Node *) rte->joinaliasvars, level);
		case RTE_VALUES:
			return MayRaise((Node *) rte->values_lists, level);
		case RTE_FUNCTION:
			return FunctionsBecomeQueries(rte->functions);
		case RTE_TABLEFUNC:
		case RTE_NAMEDTUPLESTORE:
			return false;
		default:
			return !RteIsGroup(rte);
	}
}

/* A leakproof function raises no error about its arguments. */
bool
FunctionIsSafe(Oid function)
{
	return OidIsValid(function) && get_func_leakproof(function);
}

/*
 * Can a value become a part of JSON without an error?  In JSON text, other
 * JSON text is not parsed.
 */
bool
PartIsSafe(Level *level, Node *expr, bool in_text)
{
	RowShape	shape;
	ListCell   *cell;

	if (!IsA(expr, SubLink))
		return IsHarmless(level, expr, in_text);
	memset(&shape, 0, sizeof(shape));
	if (!FindBareSelect((SubLink *) expr, &shape))
		return TypeIsHarmless(level, exprType(expr), in_text);
	foreach(cell, shape.values)
		if (!PartIsSafe(level, lfirst(cell), in_text))
		return false;
	return true;
}

/*
 * The same for all values of a constructor, unless it is a row: that becomes
 * JSON later in any case.
 */
bool
PartsAreSafe(Level *level, const RowShape *shape)
{
	bool		in_text = shape->kind == SHAPE_ROW_TO_JSON ||
		shape->kind == SHAPE_JSON_OBJECT || shape->kind == SHAPE_JSON_ARRAY;
	ListCell   *cell;

	if (shape->kind == SHAPE_ROW)
		return true;
	foreach(cell, shape->values)
		if (!PartIsSafe(level, lfirst(cell), in_text))
		return false;
	return true;
}

/* A constructor of JSON is safe if its keys are constants, and its values are. */
static bool
ConstructorIsSafe(Level *level, FuncExpr *call)
{
	Twin		twin = TwinOf(call->funcid);
	bool		has_keys = twin == TWIN_JSON_BUILD_OBJECT || twin == TWIN_JSONB_BUILD_OBJECT;
	ListCell   *cell;

	if (twin == NO_TWIN || !TwinIsScalar(twin) || call->funcvariadic ||
		(has_keys && list_length(call->args) % 2 != 0))
		return false;
	foreach(cell, call->args)
	{
		bool		is_key = has_keys && foreach_current_index(cell) % 2 == 0;

		if (is_key ? ConstantKey(level, lfirst(cell)) == NULL :
			!PartIsSafe(level, lfirst(cell), call->funcresulttype == JSONOID))
			return false;
	}
	return true;
}

/* Values of built-in types and enums can always be printed as text. */
bool
CastIsSafe(CoerceViaIO *cast)
{
	Oid			typid = getBaseType(exprType((Node *) cast->arg));

	if (cast->resulttype != TEXTOID && cast->resulttype != VARCHAROID)
		return false;
	return get_typtype(typid) == TYPTYPE_ENUM ||
		(typid < FirstNormalObjectId && get_typtype(typid) == TYPTYPE_BASE);
}

/* Is a table read? */
static bool
ReadsTable(Query *query)
{
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_RELATION ||
			(rte->rtekind == RTE_SUBQUERY && ReadsTable(rte->subquery)))
			return true;
	}
	return false;
}

/* That is expensive with PostgreSQL's default costs, and similar ones. */
static bool
ReadingIsExpensive(void)
{
	return cpu_operator_cost <= DEFAULT_CPU_OPERATOR_COST &&
		Min(seq_page_cost, random_page_cost) >= DEFAULT_SEQ_PAGE_COST;
}

/*
 * A subquery that reads a table for each row is so expensive that it will not
 * be computed earlier than the expression that contains it.  If the table is
 * empty, only the target list counts.
 */
static bool
SubLinkIsLate(Level *level, SubLink *sublink)
{
	Query	   *query = (Query *) sublink->subselect;
	Level		below = {.query = query,.outer = level,.rewrite = level->rewrite};

	return (sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK ||
			sublink->subLinkType == EXISTS_SUBLINK) &&
		contain_vars_of_level((Node *) sublink, 0) && IsA(query, Query) &&
		ReadsTable(query) && ReadingIsExpensive() && !MayRaise((Node *) query->targetList, &below) &&
		!MayRaise(query->havingQual, &below);
}

/* The same for a node without its children */
static bool
NodeMayRaise(Level *level, Node *node)
{
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			return ((FuncExpr *) node)->funcretset ||
				(!FunctionIsSafe(((FuncExpr *) node)->funcid) &&
				 !ConstructorIsSafe(level, (FuncExpr *) node));
		case T_OpExpr:
		case T_DistinctExpr:
			return !FunctionIsSafe(get_opcode(((OpExpr *) node)->opno));
		case T_CoerceViaIO:
			return !CastIsSafe((CoerceViaIO *) node);
		case T_RelabelType:
		case T_CollateExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_CoalesceExpr:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_ArrayExpr:
		case T_RowExpr:
		case T_List:
		case T_TargetEntry:
			return false;
		default:
			return true;
	}
}

static bool
MayRaise(Node *node, void *context)
{
	Level	   *level = context;
	RowShape	shape = {0};

	if (node == NULL)
		return false;
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (level->rewrite->visits++ > MAX_VISITS)
		return true;
	switch (nodeTag(node))
	{
		case T_Var:
			return VarMayRaise(level, (Var *) node);
		case T_Const:
		case T_Param:
		case T_CaseTestExpr:
		case T_Aggref:			/* computed before the sort in any case */
		case T_WindowFunc:
			return false;
		case T_SubLink:
			if (FindBareSelect((SubLink *) node, &shape))
				return MayRaise((Node *) shape.values, level);
			return !SubLinkIsLate(level, (SubLink *) node);
		default:
			return NodeMayRaise(level, node) || expression_tree_walker(node, MayRaise, level);
	}
}

/*
 * May an expression, or a list of them, be computed for more rows than before?
 */
bool
MayBeEarly(Level *level, Node *expr)
{
	return level->rewrite->may_be_early || !MayRaise(expr, level);
}
