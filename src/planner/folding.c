/*-------------------------------------------------------------------------
 *
 * folding.c
 *		Values that PostgreSQL may know while it plans.
 *
 *		SELECT 10 / q.z FROM p LEFT JOIN LATERAL (SELECT count(*) AS n, 0 AS z
 *			FROM c WHERE pid = p.id) q ON true
 *
 * Of a value that is known, PostgreSQL computes while it plans what is made of it, be it
 * for no row at all.  A subquery that aggregates keeps its values to itself: q.z is a
 * column until the query runs.  Where expressions take the place of such columns, each
 * must be one that stays unknown.  For a call of a function in SQL, see MayDropArguments.
 *
 * The other way round, a column of a subquery that it pulls up is known if that gives a constant.  For what
 * is made of such columns, see fences.c.
 *
 * What an aggregate gives is never known; nor is what is made of it, if it takes part in
 * the result in any case: coalesce(0, count(*)) is 0, and so may be count(*) > 0 AND false.
 * PostgreSQL 19 knows of some values that they are not NULL, as of coalesce(max(v), 0).
 *
 * A list as in x IN (1, 2, 3) becomes one value, as PostgreSQL does with it first: each look at
 * the query, and each copy, would go through all of a long one.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/folding.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* What pg_proc says of a function; one that is gone counts as one in SQL, which runs as its owner */
static FormData_pg_proc
FormOf(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	FormData_pg_proc form = {.prolang = SQLlanguageId,.prosecdef = true};

	if (HeapTupleIsValid(tuple))
	{
		form = *(Form_pg_proc) GETSTRUCT(tuple);
		ReleaseSysCache(tuple);
	}
	return form;
}

/* Is a function's body SQL, which the planner may put in place of a call? */
bool
FunctionIsSql(Oid function)
{
	return FormOf(function).prolang == SQLlanguageId;
}

/*
 * May a body in the place of a call compute arguments under a condition, or not at all?  Those of PostgreSQL's own functions
 * compute all of them.
 */
bool
MayDropArguments(Oid function)
{
	return function >= FirstUnpinnedObjectId && FunctionIsSql(function);
}

/* Is it a value that costs nothing: a constant, a parameter, or a column, or the row, of a table that the query reads? */
static bool
IsFree(const Query *query, const Node *arg)
{
	const Var  *var = (const Var *) arg;

	return IsA(arg, Const) || IsA(arg, Param) ||
		(IsA(arg, Var) && var->varlevelsup == 0 && query != NULL && var->varno > 0 &&
		 var->varno <= list_length(query->rtable) && rt_fetch(var->varno, query->rtable)->rtekind == RTE_RELATION);
}

/*
 * Does the planner put a body in the place of a call in a query, but not if that has subqueries, or costs much, as an argument?
 * That of SECURITY DEFINER it never does.
 */
bool
DependsOnArguments(const Query *query, Oid function, List *args)
{
	ListCell   *cell;

	foreach(cell, MayDropArguments(function) ? args : NIL)
	{
		if (!IsFree(query, lfirst(cell)))
			return !FormOf(function).prosecdef;
	}
	return false;
}

/* Is it in a library, or in PostgreSQL itself? */
bool
FunctionIsCompiled(Oid function)
{
	Oid			language = FormOf(function).prolang;

	return language == INTERNALlanguageId || language == ClanguageId;
}

/* What may be known of the values beside one that is not, without deciding the result */
typedef enum Beside
{
	BESIDE_NOTHING,				/* any may be taken from a row */
	BESIDE_NULLS,
	BESIDE_VALUES,				/* constants that are not NULL */
	BESIDE_ANYTHING,
} Beside;

/* Does one of them stay unknown, and is nothing known that could decide? */
static bool
OneStaysUnknown(List *exprs, Beside beside)
{
	bool		found = false;
	ListCell   *cell;

	foreach(cell, exprs)
	{
		Const	   *value = lfirst(cell);

		if (StaysUnknown((Node *) value))
			found = true;
		else if (beside == BESIDE_NOTHING ||
				 (beside != BESIDE_ANYTHING && (!IsA(value, Const) || value->constisnull != (beside == BESIDE_NULLS))))
			return false;
	}
	return found;
}

/* Is a value certain not to be known before the query runs? */
bool
StaysUnknown(Node *expr)
{
	check_stack_depth();
	switch (nodeTag(expr))
	{
		case T_Aggref:
		case T_SubLink:
		case T_Var:
		case T_CaseTestExpr:
			return true;
		case T_RelabelType:
			return StaysUnknown((Node *) ((RelabelType *) expr)->arg);
		case T_CollateExpr:
			return StaysUnknown((Node *) ((CollateExpr *) expr)->arg);
		case T_CoerceViaIO:
			return StaysUnknown((Node *) ((CoerceViaIO *) expr)->arg);
		case T_ArrayCoerceExpr:
			return StaysUnknown((Node *) ((ArrayCoerceExpr *) expr)->arg);
		case T_CoerceToDomain:
			return StaysUnknown((Node *) ((CoerceToDomain *) expr)->arg);
		case T_NullTest:
			return IsA(((NullTest *) expr)->arg, Aggref);
		case T_FuncExpr:
			return !MayDropArguments(((FuncExpr *) expr)->funcid) && DefaultsOf(expr) == NULL &&
				(OneStaysUnknown(((FuncExpr *) expr)->args,
								 func_strict(((FuncExpr *) expr)->funcid) ? BESIDE_VALUES : BESIDE_ANYTHING) ||
				 (((FuncExpr *) expr)->args == NIL && func_volatile(((FuncExpr *) expr)->funcid) != PROVOLATILE_IMMUTABLE));
		case T_OpExpr:
			return !MayDropArguments(get_opcode(((OpExpr *) expr)->opno)) &&
				OneStaysUnknown(((OpExpr *) expr)->args, BESIDE_VALUES);
		case T_DistinctExpr:
		case T_NullIfExpr:
			return OneStaysUnknown(((OpExpr *) expr)->args, BESIDE_VALUES);
		case T_ScalarArrayOpExpr:
			return OneStaysUnknown(((ScalarArrayOpExpr *) expr)->args, BESIDE_VALUES);
		case T_SubscriptingRef:
			return ((SubscriptingRef *) expr)->refassgnexpr == NULL &&
				StaysUnknown((Node *) ((SubscriptingRef *) expr)->refexpr);
		case T_BoolExpr:
			return OneStaysUnknown(((BoolExpr *) expr)->args, BESIDE_NULLS);
		case T_CoalesceExpr:
			return StaysUnknown(linitial(((CoalesceExpr *) expr)->args));
		case T_CaseExpr:
			return (((CaseExpr *) expr)->arg == NULL || StaysUnknown((Node *) ((CaseExpr *) expr)->arg)) &&
				StaysUnknown((Node *) linitial_node(CaseWhen, ((CaseExpr *) expr)->args)->expr);
		case T_MinMaxExpr:
			return OneStaysUnknown(((MinMaxExpr *) expr)->args, BESIDE_ANYTHING);
		case T_ArrayExpr:
			return OneStaysUnknown(((ArrayExpr *) expr)->elements, BESIDE_ANYTHING);
		case T_RowExpr:
			return OneStaysUnknown(((RowExpr *) expr)->args, BESIDE_NOTHING);
		default:
			return IsJsonConstructor(expr);
	}
}

/* Is something so of what a column of a query is, or (0) any of them?  It is of one that is not known. */
bool
IsSoOfTarget(Level *level, AttrNumber attno, TargetTest is_so)
{
	Query	   *query = level->query;
	ListCell   *cell;
	Level		arm;

	check_stack_depth();
	if (query->commandType != CMD_SELECT)
		return true;
	if (query->setOperations != NULL)
	{
		foreach(cell, query->rtable)
		{
			if (QueryOfEntry(level, lfirst(cell), &arm) == NULL || IsSoOfTarget(&arm, attno, is_so))
				return true;
		}
		return false;
	}
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if ((attno == 0 || entry->resno == attno) && is_so(level, (Node *) entry->expr))
			return true;
	}
	return false;
}

/* May an expression be known while the query is planned? */
static bool
ExpressionMayBeKnown(Level *level, Node *expr)
{
	return !StaysUnknown(expr) || HasKnownColumns(level, expr);
}

static Visit
VisitKnownColumn(Node *node, int depth, void *context)
{
	SubLink    *sublink = (SubLink *) node;
	Var		   *var = (Var *) node;
	Level	   *level;
	Level		inner;

	if (IsA(node, Aggref) && (int) ((Aggref *) node)->agglevelsup == depth)
		return VISIT_NEXT;
	if (IsA(node, SubLink))
	{
		inner = LevelBelow(context, castNode(Query, sublink->subselect));
		/* Once it has become a join; without FROM, it stays a subquery. */
		return sublink->subLinkType == EXPR_SUBLINK && !HasAny(inner.query, PART_NO_FROM) &&
			IsSoOfTarget(&inner, 1, ExpressionMayBeKnown) ? VISIT_FOUND : VISIT_NEXT;
	}
	if (!IsA(node, Var))
		return VISIT_CHILDREN;
	level = LevelUp(context, var->varlevelsup);
	return level == NULL || level->query == NULL || ColumnMayBeKnown(level, var) ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Are there columns, or subqueries, in an expression, outside of its aggregates, that stand for values which may be known? */
bool
HasKnownColumns(Level *level, Node *expr)
{
	return FindInLevels(expr, VisitKnownColumn, level);
}

/* May a column, or (0) any of a row, stand for a value that is known while the query is planned? */
bool
ColumnMayBeKnown(Level *level, const Var *var)
{
	RangeTblEntry *rte = rt_fetch(var->varno, level->query->rtable);
	Level		inner;

	if (RteIsGroup(rte))
		return ExpressionMayBeKnown(level, list_nth(GroupExpressions(rte), var->varattno - 1));
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return var->varattno >= 0 && ColumnIsVirtual(rte->relid, var->varattno);
		case RTE_TABLEFUNC:
			return false;
		case RTE_VALUES:
			return list_length(rte->values_lists) == 1;
		case RTE_FUNCTION:
			return !expression_returns_set((Node *) rte->functions);
		default:
			return VisitsTooMany(level) || QueryOfEntry(level, rte, &inner) == NULL ||
				IsSoOfTarget(&inner, var->varattno, ExpressionMayBeKnown);
	}
}

/*
 * Lists
 */

/* So many values take longer to go through than to be made one. */
#define LONG_LIST	20

/* Make one value of a long list of values with which a condition compares something; it is changed where it is. */
void
FoldList(ScalarArrayOpExpr *condition)
{
	ArrayExpr  *list = lsecond(condition->args);
	ListCell   *cell;

	/* Arrays in one must be of the same size. */
	if (!IsA(list, ArrayExpr) || list->multidims || list_length(list->elements) < LONG_LIST)
		return;
	foreach(cell, list->elements)
	{
		if (!IsA(lfirst(cell), Const))
			return;
	}
	lsecond(condition->args) = eval_const_expressions(NULL, (Node *) list);
}
