/*-------------------------------------------------------------------------
 *
 * readers.c
 *		In the finished plan, calls that read members of JSON columns.
 *
 *		d->'a'->0->>'b'		becomes		jsonrow_core_get_text(d, 'a', 0, 'b')
 *		d['a'][0]						jsonrow_core_get(d, '{a,0}')
 *		d[i]							jsonrow_core_subscript(d, i)
 *		d[i + 1]						CASE WHEN d IS NOT NULL THEN
 *										jsonrow_core_subscript(d, i + 1) END
 *
 * where d is a column, or a column of a query around this one; the same for #>,
 * #>>, jsonb_extract_path and so on.  PostgreSQL does not compute the subscripts
 * of a value that is NULL, and if one raised an error, that would show; operands of
 * operators it does compute.  The plan is finished: what it costs, which indexes it
 * uses and what it estimates is decided, and stays.
 * Only expressions that the executor computes, and that nothing compares with
 * others, are replaced: target lists, conditions, join conditions.  Keys of
 * indexes, hashes, merges and Memoize stay, as do foreign and custom scans.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "planner/calls.h"
#include "planner/entries.h"
#include "planner/rewrite.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

/* More steps than this stay as they are. */
#define MAX_STEPS	90

/* One step: ->, for example */
typedef struct ReaderStep
{
	Oid			function;		/* of PostgreSQL's; InvalidOid for a subscript */
	Node	   *document;
	Node	   *step;			/* NULL, for subscripts that are computed */
} ReaderStep;

/* What the operators call, and PostgreSQL's own functions beside them */
static const Oid readers[] = {
	F_JSONB_OBJECT_FIELD, F_JSONB_ARRAY_ELEMENT, F_JSONB_EXTRACT_PATH,
	F_JSON_OBJECT_FIELD, F_JSON_ARRAY_ELEMENT, F_JSON_EXTRACT_PATH,
	F_JSONB_OBJECT_FIELD_TEXT, F_JSONB_ARRAY_ELEMENT_TEXT, F_JSONB_EXTRACT_PATH_TEXT,
	F_JSON_OBJECT_FIELD_TEXT, F_JSON_ARRAY_ELEMENT_TEXT, F_JSON_EXTRACT_PATH_TEXT
};

/* Are these subscripts of a jsonb value that is read? */
static bool
IsSubscriptOfJsonb(const SubscriptingRef *ref)
{
	return ref->refcontainertype == JSONBOID && ref->refassgnexpr == NULL &&
		ref->reflowerindexpr == NIL;
}

/* Subscripts that are all constants are the same as a path; NULL for others. */
static Node *
PathOfSubscripts(List *subscripts)
{
	List	   *steps = NIL;
	ListCell   *cell;

	foreach(cell, subscripts)
	{
		const Const *subscript = lfirst(cell);

		if (!IsA(subscript, Const) || subscript->constisnull ||
			(subscript->consttype != TEXTOID && subscript->consttype != INT4OID))
			return NULL;
		steps = lappend(steps, makeString(subscript->consttype == TEXTOID ? TextDatumGetCString(subscript->constvalue) :
										  psprintf("%d", DatumGetInt32(subscript->constvalue))));
	}
	return (Node *) NamesConst(steps);
}

/* Is it a step, to a member or along a path? */
static bool
FindStep(Node *node, ReaderStep *step)
{
	List	   *args;

	if (IsA(node, SubscriptingRef))
	{
		if (!IsSubscriptOfJsonb((SubscriptingRef *) node))
			return false;
		step->function = InvalidOid;
		step->document = (Node *) ((SubscriptingRef *) node)->refexpr;
		step->step = PathOfSubscripts(((SubscriptingRef *) node)->refupperindexpr);
		return true;
	}
	if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		step->function = ((OpExpr *) node)->opfuncid;
		args = ((OpExpr *) node)->args;
	}
	else if (IsA(node, FuncExpr))
	{
		step->function = ((FuncExpr *) node)->funcid;
		args = ((FuncExpr *) node)->args;
	}
	else
		return false;
	if (!IsListed(step->function, readers, lengthof(readers)))
		return false;
	step->document = linitial(args);
	step->step = lsecond(args);
	return true;
}

/* Is it a column, of this query or one around it? */
static bool
IsColumn(Node *node)
{
	node = StripRelabels(node);
	return IsA(node, Var) || (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC);
}

/* Does it read a member of a column, directly? */
bool
ReadsColumn(Node *node)
{
	ReaderStep	step;

	return FindStep(node, &step) && IsColumn(step.document);
}

/*
 * Expressions
 */

/*
 * A step after the first.  In a chain it is computed after the first step has
 * been taken; in one call, before.  Of json, that step may raise an error, for its
 * text is parsed; so the next one must neither raise one nor be NULL, which would
 * spare the call.
 */
static bool
MayComeEarly(Node *step, Node *document)
{
	if (exprType(document) == JSONOID)
		return IsA(step, Const) && !((Const *) step)->constisnull;
	return IsA(step, Const) || IsA(step, Param) || IsA(step, Var);
}

/* A column, and the steps that lead from it to this; NIL if none do */
static List *
StepsFromColumn(Node *node, List **functions)
{
	List	   *steps = NIL;
	ReaderStep	step;

	while (list_length(steps) < MAX_STEPS && FindStep(node, &step) && step.step != NULL &&
		   (!OidIsValid(step.function) || MayDependOn(functions, step.function)))
	{
		steps = lcons(step.step, steps);
		if (IsColumn(step.document))
			return lcons(step.document, steps);
		if (!MayComeEarly(step.step, step.document))
			return NIL;
		node = step.document;
	}
	return NIL;
}

static Node *ReplaceInExpr(Node *node, void *context);

/* A call of ours with what an expression is given, a copy of it; NULL if there is no such function */
static Node *
CallTwin(Twin twin, List *args, Node *original, List **functions)
{
	Oid			function = TwinFunction(twin);
	FuncExpr   *call;

	if (!OidIsValid(function))
		return NULL;
	*functions = list_append_unique_oid(*functions, function);
	call = makeFuncExpr(function, exprType(original), (List *) ReplaceInExpr((Node *) args, functions),
						exprCollation(original), exprInputCollation(original), COERCE_EXPLICIT_CALL);
	call->location = exprLocation(original);
	return (Node *) call;
}

/* One call for all steps from a column to this; NULL if it is something else */
static Node *
CallForSteps(Node *node, List **functions)
{
	List	   *steps = StepsFromColumn(node, functions);
	bool		as_text = exprType(node) == TEXTOID;
	Twin		twin = as_text ? TWIN_JSONB_GET_TEXT : TWIN_JSONB_GET;

	if (steps == NIL)
		return NULL;
	if (exprType(linitial(steps)) == JSONOID)
		twin = as_text ? TWIN_JSON_GET_TEXT : TWIN_JSON_GET;
	return CallTwin(twin, steps, node, functions);
}

/* Is it not known before anything is computed? */
static bool
IsComputed(Node *node, void *context)
{
	node = StripRelabels(node);
	return !IsA(node, Const) && !IsA(node, Var) && !IsA(node, Param);
}

/* A call for a column's subscripts that are not all constants; NULL if it is something else */
static Node *
CallForSubscripts(Node *node, List **functions)
{
	SubscriptingRef *ref = (SubscriptingRef *) node;
	Node	   *call;

	if (!IsA(node, SubscriptingRef) || !IsSubscriptOfJsonb(ref) || !IsColumn((Node *) ref->refexpr))
		return NULL;
	call = CallTwin(TWIN_JSONB_SUBSCRIPT, lcons(ref->refexpr, list_copy(ref->refupperindexpr)), node, functions);
	if (call == NULL || !expression_tree_walker((Node *) ref->refupperindexpr, IsComputed, NULL))
		return call;
	/* What is not computed if the column is NULL is NULL, too. */
	return ValueIf(IsNotNull((Node *) copyObject(ref->refexpr)), call, NULL);
}

/* Replace all readers in an expression, in a copy of it. */
static Node *
ReplaceInExpr(Node *node, void *context)
{
	Node	   *call;

	if (node == NULL)
		return NULL;
	if (IsA(node, OpExpr) || IsA(node, FuncExpr) || IsA(node, SubscriptingRef))
	{
		call = CallForSteps(node, context);
		if (call == NULL)
			call = CallForSubscripts(node, context);
		if (call != NULL)
			return call;
	}
	return expression_tree_mutator(node, ReplaceInExpr, context);
}

static bool
HasReader(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return ReadsColumn(node) || expression_tree_walker(node, HasReader, context);
}

/* Expressions, or lists of them, may be shared with nodes where they stay, so they are copied. */
static void
ReplaceInList(List **list, List **functions)
{
	if (HasReader((Node *) *list, NULL))
		*list = (List *) ReplaceInExpr((Node *) *list, functions);
}

/*
 * Plans
 */

static void ReplaceInPlan(Plan *plan, List **functions);

static void
ReplaceInPlans(List *plans, List **functions)
{
	ListCell   *cell;

	foreach(cell, plans)
	{
		ReplaceInPlan(lfirst(cell), functions);
	}
}

/*
 * What is done with rows: ON CONFLICT, the actions of MERGE and whether a row has a
 * match, and RETURNING; the node's own target list is that of the first table.
 */
static void
ReplaceInModifyTable(ModifyTable *modify, List **functions)
{
	ReplaceInList(&modify->onConflictSet, functions);
	ReplaceInList((List **) &modify->onConflictWhere, functions);
	ReplaceInList(&modify->mergeActionLists, functions);
	ReplaceInList(MergeJoinConditions(modify), functions);
	ReplaceInList(&modify->returningLists, functions);
	if (modify->returningLists != NIL)
		modify->plan.targetlist = linitial(modify->returningLists);
}

/* What a node gives, and its conditions */
static void
ReplaceInResult(Plan *plan, List **functions)
{
	ReplaceInList(&plan->targetlist, functions);
	ReplaceInList(&plan->qual, functions);
}

/* Nodes that are not known here compute what they do as it is; so does all below what others provide. */
static void
ReplaceInPlan(Plan *plan, List **functions)
{
	if (plan == NULL)
		return;
	check_stack_depth();
	switch (nodeTag(plan))
	{
		case T_ForeignScan:
		case T_CustomScan:
			return;
		case T_ModifyTable:
			ReplaceInModifyTable((ModifyTable *) plan, functions);
			break;
		case T_Append:
			ReplaceInPlans(((Append *) plan)->appendplans, functions);
			break;
		case T_MergeAppend:
			ReplaceInPlans(((MergeAppend *) plan)->mergeplans, functions);
			break;
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			ReplaceInList(&((Join *) plan)->joinqual, functions);
			ReplaceInResult(plan, functions);
			break;
		case T_FunctionScan:
			ReplaceInList(&((FunctionScan *) plan)->functions, functions);
			ReplaceInResult(plan, functions);
			break;
		case T_SubqueryScan:
			ReplaceInPlan(((SubqueryScan *) plan)->subplan, functions);
			ReplaceInResult(plan, functions);
			break;
		case T_Result:
		case T_ProjectSet:
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
		case T_ValuesScan:
		case T_TableFuncScan:
		case T_CteScan:
		case T_NamedTuplestoreScan:
		case T_WorkTableScan:
		case T_Group:
		case T_Agg:
		case T_WindowAgg:
		case T_Gather:
		case T_GatherMerge:
			ReplaceInResult(plan, functions);
			break;
		default:
			break;
	}
	ReplaceInPlan(outerPlan(plan), functions);
	ReplaceInPlan(innerPlan(plan), functions);
}

/*
 * Replace the readers in a finished plan, which must not be anybody else's.
 * Returns the functions on which it depends now.
 */
List *
ReplaceReaders(PlannedStmt *stmt)
{
	List	   *functions = NIL;

	ReplaceInPlan(stmt->planTree, &functions);
	ReplaceInPlans(stmt->subplans, &functions);
	return functions;
}
