/*-------------------------------------------------------------------------
 *
 * query_origin.c
 *		Where in a query an expression is computed.
 *
 * It is found as EXPLAIN does (see resolve_special_varno in ruleutils.c): a
 * Var that refers to a plan node's input stands for an entry of that input's
 * target list.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "write/query_origin.h"

/* A list of a plan, or NIL if there is none */
static List *
ListOfPlan(Plan *plan)
{
	return plan ? list_make1(plan) : NIL;
}

/* Where the rows of a node come from: several plans if it is an Append */
static List *
OuterInputs(Plan *plan)
{
	if (IsA(plan, Append))
		return ((Append *) plan)->appendplans;
	if (IsA(plan, MergeAppend))
		return ((MergeAppend *) plan)->mergeplans;
	return ListOfPlan(outerPlan(plan));
}

/* Can a node return rows that do not come from its outer inputs? */
bool
AddsRows(Plan *plan)
{
	return IsA(plan, ModifyTable) || IsA(plan, RecursiveUnion) || IsA(plan, SetOp);
}

/* The plan of a subquery; a worker doesn't have those that it must not run. */
static List *
SubPlanOf(QueryPlace place, int plan_id)
{
	return ListOfPlan(list_nth(place.stmt->subplans, plan_id - 1));
}

/* The plan of the uncorrelated subquery that sets a parameter, or NIL */
static List *
InitPlanOf(QueryPlace place, Param *param)
{
	List	   *candidates = list_concat_copy(place.plan->initPlan,
											  place.stmt->planTree->initPlan);
	ListCell   *cell;

	if (param->paramkind != PARAM_EXEC)
		return NIL;
	foreach(cell, candidates)
	{
		SubPlan    *subplan = lfirst(cell);

		if (list_member_int(subplan->setParam, param->paramid))
			return SubPlanOf(place, subplan->plan_id);
	}
	return NIL;
}

/* The plan whose output a scan of a subquery or CTE returns, or NIL */
List *
ScannedPlan(QueryPlace place)
{
	if (IsA(place.plan, SubqueryScan))
		return ListOfPlan(((SubqueryScan *) place.plan)->subplan);
	if (IsA(place.plan, CteScan))
		return SubPlanOf(place, ((CteScan *) place.plan)->ctePlanId);
	return NIL;
}

/*
 * The plans that compute what an expression only refers to, each as entry
 * attno of its target list; NIL if it is computed here.
 */
List *
InputsOf(QueryPlace place, Node *expr, AttrNumber *attno)
{
	*attno = 1;
	if (IsA(expr, SubPlan) && ((SubPlan *) expr)->subLinkType == EXPR_SUBLINK)
		return SubPlanOf(place, ((SubPlan *) expr)->plan_id);
	if (IsA(expr, Param))
		return place.as_worker ? NIL : InitPlanOf(place, (Param *) expr);
	if (IsA(expr, Var))
	{
		int			varno = ((Var *) expr)->varno;

		*attno = ((Var *) expr)->varattno;
		if (varno == OUTER_VAR)
			return OuterInputs(place.plan);
		if (varno == INNER_VAR)
			return ListOfPlan(innerPlan(place.plan));
		if (!IS_SPECIAL_VARNO(varno) && *attno > 0)
			return ScannedPlan(place);
	}
	return NIL;
}

/* Go to one of the plans that compute what an expression refers to. */
void
EnterInput(QueryPlace *place, Node *expr, Plan *input)
{
	if (IsA(expr, SubPlan))
	{
		QueryPlace *caller = palloc(sizeof(QueryPlace));

		*caller = *place;
		place->caller = caller;
		place->call = (SubPlan *) expr;
	}
	place->plan = input;
}

/*
 * What a subquery is given for a parameter, at the place where it is called; place moves
 * there.  The expression itself, if it is no such parameter.
 */
Node *
FindArgument(QueryPlace *place, Node *expr)
{
	QueryPlace	within = *place;

	while (within.caller != NULL && IsA(expr, Param) && ((Param *) expr)->paramkind == PARAM_EXEC)
	{
		ListCell   *param;
		ListCell   *arg;

		forboth(param, within.call->parParam, arg, within.call->args)
		{
			if (lfirst_int(param) == ((Param *) expr)->paramid)
			{
				expr = lfirst(arg);
				place->plan = within.caller->plan;
				place->call = within.caller->call;
				place->caller = within.caller->caller;
				break;
			}
		}
		within = *within.caller;
	}
	return expr;
}

/*
 * Follow an expression to where it is computed; place moves with it.
 */
Node *
FindOrigin(QueryPlace *place, Node *expr)
{
	for (;;)
	{
		List	   *inputs;
		AttrNumber	attno;
		TargetEntry *tle;

		CHECK_FOR_INTERRUPTS();
		if (IsA(expr, RelabelType))
		{
			expr = (Node *) ((RelabelType *) expr)->arg;
			continue;
		}
		if (IsA(expr, CoerceToDomain))
		{
			expr = (Node *) ((CoerceToDomain *) expr)->arg;
			continue;
		}
		expr = FindArgument(place, expr);
		inputs = InputsOf(*place, expr, &attno);
		if (inputs == NIL)
			return expr;
		tle = get_tle_by_resno(((Plan *) linitial(inputs))->targetlist, attno);
		if (tle == NULL)
			return expr;
		place->uncertain |= list_length(inputs) > 1 || AddsRows(place->plan) || IsA(expr, Param);
		EnterInput(place, expr, linitial(inputs));
		expr = (Node *) tle->expr;
	}
}

/* Does an expression contain anything that depends on a row or a subquery? */
static bool
DependsOnRows(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Aggref:
		case T_WindowFunc:
		case T_GroupingFunc:
		case T_SubPlan:
		case T_AlternativeSubPlan:
		case T_CaseTestExpr:
		case T_CoerceToDomainValue:
			return true;
		case T_Param:
			return ((Param *) node)->paramkind != PARAM_EXTERN;
		default:
			return expression_tree_walker(node, DependsOnRows, context);
	}
}

/*
 * If an expression is the same for the whole query, its value as a Const; any
 * other expression as it is.  A generic plan has parameters where a custom
 * plan has their values, and both must give the same header.
 */
Node *
Evaluate(QueryPlace place, Node *expr)
{
	ExprContext *econtext;
	int16		typlen;
	bool		typbyval;
	bool		isnull;
	Datum		value;

	if (IsA(expr, Const) || DependsOnRows(expr, NULL) || contain_mutable_functions(expr) ||
		expression_returns_set(expr))
		return expr;
	econtext = CreateStandaloneExprContext();
	econtext->ecxt_param_list_info = place.params;
	value = ExecEvalExprSwitchContext(ExecInitExprWithParams((Expr *) expr, place.params),
									  econtext, &isnull);
	get_typlenbyval(exprType(expr), &typlen, &typbyval);
	if (!isnull)
		value = datumCopy(value, typbyval, typlen);
	FreeExprContext(econtext, true);
	return (Node *) makeConst(exprType(expr), -1, InvalidOid, typlen, value, isnull, typbyval);
}

/*
 * Have too many expressions been examined?  An expression may be used in
 * several places, and these in several others, so there may be very many
 * paths.
 */
bool
IsTooFar(QueryPlace place)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	return --* place.visits < 0;
}
