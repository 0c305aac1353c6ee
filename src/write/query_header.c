/*-------------------------------------------------------------------------
 *
 * query_header.c
 *		What the plan of the query says of a document's columns.
 *
 * An aggregate that was given no row must still say which columns the rows
 * would have had.  A table's row type tells by itself; a subquery's row is
 * an anonymous record, and its column names are found where the plan
 * computes it.  The way there is that of EXPLAIN (see resolve_special_varno
 * in ruleutils.c): a Var that refers to a plan node's input stands for an
 * entry of that input's target list.
 *
 * Nothing here runs as long as rows come.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "write/aggregate.h"
#include "write/column_plan.h"
#include "write/query_header.h"

/* An expression is read at a node of the plan. */
typedef struct QueryPlace
{
	Plan	   *plan;
	PlannedStmt *stmt;
	DocumentDomains types;
} QueryPlace;

static Header *HeaderOfRow(QueryPlace place, Node *expr);
static Header *HeaderOfAggregate(QueryPlace place, Oid aggregate, List *args, bool variadic);

static Plan *
OuterInput(Plan *plan)
{
	if (IsA(plan, Append))
		return linitial(((Append *) plan)->appendplans);
	if (IsA(plan, MergeAppend))
		return linitial(((MergeAppend *) plan)->mergeplans);
	return outerPlan(plan);
}

static Plan *
SubPlanOf(QueryPlace place, int plan_id)
{
	return list_nth(place.stmt->subplans, plan_id - 1);
}

/* The plan of the uncorrelated subquery that sets a parameter, or NULL */
static Plan *
InitPlanOf(QueryPlace place, Param *param)
{
	List	   *candidates = list_concat_copy(place.plan->initPlan,
											  place.stmt->planTree->initPlan);
	ListCell   *cell;

	if (param->paramkind != PARAM_EXEC)
		return NULL;
	foreach(cell, candidates)
	{
		SubPlan    *subplan = lfirst(cell);

		if (list_member_int(subplan->setParam, param->paramid))
			return SubPlanOf(place, subplan->plan_id);
	}
	return NULL;
}

/* The plan whose output a scan of a subquery or CTE returns, or NULL */
static Plan *
ScannedPlan(QueryPlace place)
{
	if (IsA(place.plan, SubqueryScan))
		return ((SubqueryScan *) place.plan)->subplan;
	if (IsA(place.plan, CteScan))
		return SubPlanOf(place, ((CteScan *) place.plan)->ctePlanId);
	return NULL;
}

/*
 * Follow an expression to where it is computed; place moves with it.
 */
static Node *
FindOrigin(QueryPlace *place, Node *expr)
{
	for (;;)
	{
		Plan	   *input = NULL;
		AttrNumber	attno = 1;
		TargetEntry *tle;

		CHECK_FOR_INTERRUPTS();
		switch (nodeTag(expr))
		{
			case T_RelabelType:
				expr = (Node *) ((RelabelType *) expr)->arg;
				continue;
			case T_CoerceToDomain:
				expr = (Node *) ((CoerceToDomain *) expr)->arg;
				continue;
			case T_CoalesceExpr:
				expr = linitial(((CoalesceExpr *) expr)->args);
				continue;
			case T_SubPlan:
				if (((SubPlan *) expr)->subLinkType == EXPR_SUBLINK)
					input = SubPlanOf(*place, ((SubPlan *) expr)->plan_id);
				break;
			case T_Param:
				input = InitPlanOf(*place, (Param *) expr);
				break;
			case T_Var:
				attno = ((Var *) expr)->varattno;
				if (((Var *) expr)->varno == OUTER_VAR)
					input = OuterInput(place->plan);
				else if (((Var *) expr)->varno == INNER_VAR)
					input = innerPlan(place->plan);
				else if (!IS_SPECIAL_VARNO(((Var *) expr)->varno) && attno > 0)
					input = ScannedPlan(*place);
				break;
			default:
				break;
		}
		if (input == NULL)
			return expr;
		tle = get_tle_by_resno(input->targetlist, attno);
		if (tle == NULL)
			return expr;
		place->plan = input;
		expr = (Node *) tle->expr;
	}
}

/* The header of a document that an expression computes, or NULL */
static Header *
HeaderOfDocument(QueryPlace place, Node *expr)
{
	Node	   *origin = FindOrigin(&place, expr);

	if (IsA(origin, Aggref))
		return HeaderOfAggregate(place, ((Aggref *) origin)->aggfnoid,
								 ((Aggref *) origin)->args,
								 ((Aggref *) origin)->aggvariadic);
	return NULL;
}

/* Enter a column whose value an expression computes. */
static void
DescribeColumn(QueryPlace place, Header *header, int i, const char *name, int namelen,
			   Node *expr)
{
	ColumnShape shape = ColumnShapeOf(exprType(expr), &place.types);

	HeaderSetColumn(header, i, name, namelen, shape,
					shape == COLUMN_ROW ? HeaderOfRow(place, expr) :
					shape == COLUMN_ROWS ? HeaderOfDocument(place, expr) : NULL);
}

/* Columns that have names here and expressions there */
static Header *
DescribeColumns(QueryPlace place, List *names, List *exprs)
{
	Header	   *header = HeaderCreate(Min(list_length(names), list_length(exprs)));

	for (int i = 0; i < header->ncols; i++)
		DescribeColumn(place, header, i, strVal(list_nth(names, i)),
					   strlen(strVal(list_nth(names, i))), list_nth(exprs, i));
	return header;
}

/* Append the types of what a function in FROM returns. */
static List *
AppendFunctionTypes(List *types, RangeTblFunction *function)
{
	TupleDesc	tupdesc;

	if (function->funccoltypes != NIL)	/* a column definition list */
		return list_concat(types, function->funccoltypes);
	tupdesc = get_expr_result_tupdesc(function->funcexpr, true);
	if (tupdesc == NULL)
		return lappend_oid(types, exprType(function->funcexpr));
	for (int i = 0; i < tupdesc->natts; i++)
		types = lappend_oid(types, TupleDescAttr(tupdesc, i)->atttypid);
	return types;
}

/*
 * The types of the columns that a scan of something else than a table
 * returns, one per name of its range table entry; NIL if nothing tells.
 */
static List *
ScannedTypes(QueryPlace place)
{
	List	   *types = NIL;
	ListCell   *cell;

	switch (nodeTag(place.plan))
	{
		case T_FunctionScan:
			foreach(cell, ((FunctionScan *) place.plan)->functions)
				types = AppendFunctionTypes(types, lfirst(cell));
			if (((FunctionScan *) place.plan)->funcordinality)
				types = lappend_oid(types, INT8OID);
			break;
		case T_ValuesScan:
			foreach(cell, linitial(((ValuesScan *) place.plan)->values_lists))
				types = lappend_oid(types, exprType(lfirst(cell)));
			break;
		case T_TableFuncScan:
			types = ((TableFuncScan *) place.plan)->tablefunc->coltypes;
			break;
		default:
			break;
	}
	return types;
}

/*
 * The whole row of a range table entry that isn't a table.  A name is empty
 * where a column was dropped.
 */
static Header *
HeaderOfRangeTableEntry(QueryPlace place, Index varno)
{
	RangeTblEntry *rte = rt_fetch(varno, place.stmt->rtable);
	Plan	   *scanned = ScannedPlan(place);
	List	   *types;
	List	   *names = NIL;
	List	   *columns = NIL;
	Header	   *header;
	ListCell   *cell;
	int			i = 0;

	if (scanned != NULL)
	{
		place.plan = scanned;
		return DescribeColumns(place, rte->eref->colnames,
							   get_tlist_exprs(scanned->targetlist, false));
	}
	if (OidIsValid(rte->relid))	/* a transition table */
		return DescribeType(get_rel_type_id(rte->relid), -1, &place.types);

	types = ScannedTypes(place);
	foreach(cell, rte->eref->colnames)
	{
		if (strVal(lfirst(cell))[0] != '\0')
		{
			names = lappend(names, lfirst(cell));
			columns = lappend_oid(columns, i < list_length(types) ?
								  list_nth_oid(types, i) : InvalidOid);
		}
		i++;
	}
	header = HeaderCreate(list_length(names));
	for (i = 0; i < header->ncols; i++)
	{
		const char *name = strVal(list_nth(names, i));

		HeaderSetColumn(header, i, name, strlen(name), COLUMN_PLAIN, NULL);
		if (OidIsValid(list_nth_oid(columns, i)))
			DescribeColumnType(header, i, list_nth_oid(columns, i), &place.types);
	}
	return header;
}

/* The header of the rows that an expression of composite type gives, or NULL */
static Header *
HeaderOfRow(QueryPlace place, Node *expr)
{
	Oid			typid = getBaseType(exprType(expr));
	TupleDesc	tupdesc;
	Node	   *origin;

	check_stack_depth();

	if (typid != RECORDOID)
		return type_is_rowtype(typid) ? DescribeType(typid, -1, &place.types) : NULL;

	origin = FindOrigin(&place, expr);
	if (IsA(origin, RowExpr))
		return DescribeColumns(place, ((RowExpr *) origin)->colnames,
							   ((RowExpr *) origin)->args);
	if (IsA(origin, Var))
	{
		Var		   *var = (Var *) origin;

		if (var->varattno == 0 && !IS_SPECIAL_VARNO(var->varno))
			return HeaderOfRangeTableEntry(place, var->varno);
		return NULL;
	}
	tupdesc = get_expr_result_tupdesc(origin, true);
	return tupdesc ? DescribeTupleDesc(tupdesc, &place.types) : NULL;
}

/* The names form: names from a constant, shapes from the values */
static Header *
HeaderOfNames(QueryPlace place, List *args, bool variadic)
{
	QueryPlace	names_place = place;
	Node	   *names = FindOrigin(&names_place, linitial(args));
	Header	   *header;

	if (!IsA(names, Const) || ((Const *) names)->constisnull)
		return NULL;
	header = DescribeNames(DatumGetArrayTypePCopy(((Const *) names)->constvalue));
	if (variadic)
	{
		Oid			typid = get_base_element_type(exprType(lsecond(args)));

		for (int i = 0; i < header->ncols; i++)
			DescribeColumnType(header, i, typid, &place.types);
		return header;
	}
	if (header->ncols != list_length(args) - 1)
		return header;
	for (int i = 0; i < header->ncols; i++)
		DescribeColumn(place, header, i, header->cols[i].name, header->cols[i].namelen,
					   list_nth(args, i + 1));
	return header;
}

/*
 * The header of what one of our aggregates makes of its arguments, a list of
 * TargetEntries, when it is computed at place.
 */
static Header *
HeaderOfAggregate(QueryPlace place, Oid aggregate, List *args, bool variadic)
{
	List	   *exprs = get_tlist_exprs(args, false);
	QueryPlace	partial_place = place;
	Node	   *partial;
	AggregateKind kind = KindOfAggregate(aggregate);
	Header	   *header;

	if (kind == AGGREGATE_OTHER)
		return NULL;

	/* Above a partial aggregate the only argument is its state. */
	partial = FindOrigin(&partial_place, linitial(exprs));
	if (IsA(partial, Aggref) && ((Aggref *) partial)->aggfnoid == aggregate &&
		DO_AGGSPLIT_SKIPFINAL(((Aggref *) partial)->aggsplit))
		return HeaderOfAggregate(partial_place, aggregate, ((Aggref *) partial)->args,
								 ((Aggref *) partial)->aggvariadic);

	if (kind == AGGREGATE_OF_DOCUMENTS)
		return HeaderOfDocument(place, linitial(exprs));
	if (list_length(exprs) > 1)
		header = HeaderOfNames(place, exprs, variadic);
	else
		header = HeaderOfRow(place, linitial(exprs));
	if (header)
		header->by_column = kind == AGGREGATE_OF_COLUMNS;
	return header;
}

/* Has the final function been called for a window function like this? */
static bool
IsFinishedBy(WindowFunc *func, FmgrInfo *finalfn)
{
	int			argno = 1;		/* the state comes first */
	ListCell   *cell;

	if (!func->winagg || FinalFunctionOf(func->winfnoid) != finalfn->fn_oid)
		return false;
	foreach(cell, func->args)
		if (exprType(lfirst(cell)) != get_fn_expr_argtype(finalfn, argno++))
			return false;
	return !OidIsValid(get_fn_expr_argtype(finalfn, argno));
}

/*
 * Which of a WindowAgg's functions is being finished is not told.  If there
 * are several of the same types, they must agree.
 */
static Header *
HeaderOfWindowFunction(QueryPlace place, WindowAggState *state, FmgrInfo *finalfn)
{
	Header	   *header = NULL;
	ListCell   *cell;

	foreach(cell, state->funcs)
	{
		WindowFunc *func = lfirst_node(WindowFuncExprState, cell)->wfunc;
		List	   *args = NIL;
		Header	   *candidate;
		ListCell   *arg;

		if (!IsFinishedBy(func, finalfn))
			continue;
		foreach(arg, func->args)
			args = lappend(args, makeTargetEntry(lfirst(arg), list_length(args) + 1,
												 NULL, false));
		candidate = HeaderOfAggregate(place, func->winfnoid, args, false);
		if (candidate == NULL || (header != NULL && !HeaderEqual(header, candidate)))
			return NULL;
		header = candidate;
	}
	return header;
}

/*
 * The header of the document whose final function is being called, made in
 * the current memory context; NULL if nothing is known.
 */
Header *
QueryHeader(FunctionCallInfo fcinfo)
{
	QueryPlace	place;
	PlanState  *state = (PlanState *) fcinfo->context;
	Aggref	   *aggref = AggGetAggref(fcinfo);

	if (state == NULL || (!IsA(state, AggState) && !IsA(state, WindowAggState)))
		return NULL;
	place.plan = state->plan;
	place.stmt = state->state->es_plannedstmt;
	place.types = DocumentDomainsLookup();
	if (aggref != NULL)
		return HeaderOfAggregate(place, aggref->aggfnoid, aggref->args, aggref->aggvariadic);
	if (IsA(state, WindowAggState))
		return HeaderOfWindowFunction(place, (WindowAggState *) state, fcinfo->flinfo);
	return NULL;
}
