/*-------------------------------------------------------------------------
 *
 * query_header.c
 *		What the query tells of a document's columns.
 *
 * An aggregate that was given no row must still say which columns the rows
 * would have had.  A table's row type tells by itself; a subquery's row is
 * an anonymous record, and its column names are found where the query
 * computes it.  The way there is that of EXPLAIN (see resolve_special_varno
 * in ruleutils.c): a Var that refers to a plan node's input stands for an
 * entry of that input's target list.
 *
 * And where coalesce or CASE has put [] or NULL in place of a missing
 * document, the value's type no longer tells that it is one.  The query does.
 *
 * Nothing here runs once rows come, but once for a column of type json or
 * jsonb.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "format/json_scan.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"
#include "write/aggregate.h"
#include "write/describe.h"
#include "write/query_header.h"

/* Nobody writes a query in which more has to be looked at; it takes 10 ms. */
#define MAX_VISITS	100000

/* An expression is read at a node of the query's plan tree. */
typedef struct QueryPlace
{
	Plan	   *plan;
	PlannedStmt *stmt;
	ParamListInfo params;
	DocumentDomains domains;

	/*
	 * What is found here need not be all that comes, for an Append was passed
	 * on the way, and its first input followed; or workers do not find it.
	 */
	bool		uncertain;

	/* Follow only what a worker could, too. */
	bool		as_worker;

	/* How many more expressions to look at */
	int		   *visits;
} QueryPlace;

static Header *HeaderOfRow(QueryPlace place, Node *expr);
static Header *HeaderOfAggregate(QueryPlace place, Oid aggregate, List *args, bool variadic);

static Header *HeaderOfDocument(QueryPlace place, Node *expr);
static bool AreDocuments(QueryPlace place, List *exprs, bool *found);

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

/* Do rows come out of a node that its outer inputs did not give? */
static bool
AddsRows(Plan *plan)
{
	return IsA(plan, ModifyTable) || IsA(plan, RecursiveUnion) || IsA(plan, SetOp);
}

/* The plan of a subquery; a worker lacks those that it may not run. */
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
static List *
ScannedPlan(QueryPlace place)
{
	if (IsA(place.plan, SubqueryScan))
		return ListOfPlan(((SubqueryScan *) place.plan)->subplan);
	if (IsA(place.plan, CteScan))
		return SubPlanOf(place, ((CteScan *) place.plan)->ctePlanId);
	return NIL;
}

/*
 * The plans that compute what an expression only refers to, as entry attno of
 * their target lists; NIL if it is computed here.
 */
static List *
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

/*
 * Follow an expression to where it is computed; place moves with it.
 */
static Node *
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
		inputs = InputsOf(*place, expr, &attno);
		if (inputs == NIL)
			return expr;
		tle = get_tle_by_resno(((Plan *) linitial(inputs))->targetlist, attno);
		if (tle == NULL)
			return expr;
		place->uncertain |= list_length(inputs) > 1 || AddsRows(place->plan) || IsA(expr, Param);
		place->plan = linitial(inputs);
		expr = (Node *) tle->expr;
	}
}

/*
 * Documents that coalesce or CASE may have replaced
 */

/* Is there something in an expression that only a row, or a subquery, tells? */
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
 * The value of an expression that is the same for the whole query, as a Const;
 * any other as it is.  A generic plan has parameters where another has their
 * values, and both are to tell the same.
 */
static Node *
Evaluate(QueryPlace place, Node *expr)
{
	ExprContext *econtext;
	int16		typlen;
	bool		typbyval;
	bool		isnull;
	Datum		value;

	if (IsA(expr, Const) || DependsOnRows(expr, NULL) || contain_mutable_functions(expr))
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

/* The arguments that a coalesce may give, up to the first that is never NULL */
static List *
CoalesceAlternatives(QueryPlace place, CoalesceExpr *coalesce)
{
	List	   *results = NIL;
	ListCell   *cell;

	foreach(cell, coalesce->args)
	{
		Node	   *arg = Evaluate(place, lfirst(cell));

		if (IsA(arg, Const) && ((Const *) arg)->constisnull)
			continue;
		results = lappend(results, arg);
		if (IsA(arg, Const))
			break;
	}
	return results;
}

/*
 * The results that a CASE may give.  Conditions are evaluated in their order,
 * as they will be; so an error here is one that any row raises.
 */
static List *
CaseAlternatives(QueryPlace place, CaseExpr *expr)
{
	List	   *results = NIL;
	ListCell   *cell;

	foreach(cell, expr->args)
	{
		CaseWhen   *when = lfirst_node(CaseWhen, cell);
		Node	   *condition = Evaluate(place, (Node *) when->expr);
		bool		known = IsA(condition, Const);
		bool		met = known && !((Const *) condition)->constisnull &&
			DatumGetBool(((Const *) condition)->constvalue);

		if (met || !known)
			results = lappend(results, when->result);
		if (met)
			return results;
	}
	return expr->defresult ? lappend(results, expr->defresult) : results;
}

/* The expressions of which a coalesce or CASE gives one; NIL of others */
static List *
Alternatives(QueryPlace place, Node *expr)
{
	if (IsA(expr, CoalesceExpr))
		return CoalesceAlternatives(place, (CoalesceExpr *) expr);
	if (IsA(expr, CaseExpr))
		return CaseAlternatives(place, (CaseExpr *) expr);
	return NIL;
}

/* NULL, or an empty array: no rows */
static bool
IsNoRows(Node *expr)
{
	Const	   *value = (Const *) expr;

	if (!IsA(expr, Const))
		return false;
	if (value->constisnull)
		return true;
	if (value->consttype == JSONBOID)
		return JsonbIsEmptyArray(DatumGetJsonbP(value->constvalue));
	if (value->consttype == JSONOID)
	{
		text	   *json = DatumGetTextPP(value->constvalue);

		return JsonIsEmptyArray(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));
	}
	return false;
}

/* An expression without the casts that only the parser has added */
static Node *
StripImplicitCasts(Node *expr)
{
	while (IsA(expr, RelabelType) &&
		   ((RelabelType *) expr)->relabelformat == COERCE_IMPLICIT_CAST)
		expr = (Node *) ((RelabelType *) expr)->arg;
	return expr;
}

/*
 * Has too much been looked at?  An expression may be used in several places,
 * and these in several others, so the ways to it may be very many.
 */
static bool
IsTooFar(QueryPlace place)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	return --* place.visits < 0;
}

/*
 * Does a coalesce or CASE only choose between no rows and a document, or several
 * that are known to have the same header?  If it had no choice, PostgreSQL would
 * have left it out, so it is nothing but its value, of the type that it has.
 */
static bool
ChoosesDocuments(QueryPlace place, List *alternatives, bool *found)
{
	Header	   *header = NULL;
	int			ndocuments = 0;
	int			nknown = 0;
	ListCell   *cell;

	if (list_length(alternatives) < 2 || !AreDocuments(place, alternatives, found))
		return false;
	foreach(cell, alternatives)
	{
		Header	   *theirs;

		if (IsNoRows(StripImplicitCasts(Evaluate(place, lfirst(cell)))))
			continue;
		theirs = HeaderOfDocument(place, lfirst(cell));
		ndocuments++;
		nknown += theirs != NULL;
		if (!HeaderMerge(&header, theirs))
			return false;
	}
	return ndocuments < 2 || nknown == ndocuments;
}

/*
 * Is what an expression of type json or jsonb gives always a document, [] or
 * NULL?  Of an Append, all inputs must agree.
 */
static bool
GivesDocuments(QueryPlace place, Node *expr, bool *found)
{
	List	   *inputs;
	AttrNumber	attno;
	ListCell   *cell;

	if (IsTooFar(place))
		return false;
	inputs = InputsOf(place, expr, &attno);
	if (inputs == NIL)
		return ChoosesDocuments(place, Alternatives(place, expr), found);
	if (IsA(expr, Var) && AddsRows(place.plan))
		return false;
	foreach(cell, inputs)
	{
		QueryPlace	input = place;
		TargetEntry *tle = get_tle_by_resno(((Plan *) lfirst(cell))->targetlist, attno);
		Node	   *origin;

		input.plan = lfirst(cell);
		if (tle == NULL)
			return false;
		origin = Evaluate(input, (Node *) tle->expr);
		if (!IsNoRows(origin) && !GivesDocuments(input, origin, found))
			return false;
	}
	return true;
}

/* Is each of these a document, or no rows?  Takes note of it if one is. */
static bool
AreDocuments(QueryPlace place, List *exprs, bool *found)
{
	ListCell   *cell;

	foreach(cell, exprs)
	{
		Node	   *expr = StripImplicitCasts(Evaluate(place, lfirst(cell)));

		if (IsNoRows(expr))
			continue;
		if (DocumentKindOf(exprType(expr), &place.domains) != NO_DOCUMENT)
			*found = true;
		else if (!GivesDocuments(place, expr, found))
			return false;
	}
	return true;
}

/*
 * Headers
 */

/* The header of a document that an expression computes, or NULL */
static Header *
HeaderOfDocument(QueryPlace place, Node *expr)
{
	Node	   *origin = FindOrigin(&place, expr);
	Header	   *header = NULL;
	ListCell   *cell;

	if (IsTooFar(place))
		return NULL;
	if (IsA(origin, Aggref))
		return HeaderOfAggregate(place, ((Aggref *) origin)->aggfnoid,
								 ((Aggref *) origin)->args,
								 ((Aggref *) origin)->aggvariadic);
	foreach(cell, Alternatives(place, origin))
	{
		header = HeaderOfDocument(place, lfirst(cell));
		if (header != NULL)
			break;
	}
	return header;
}

/* How a column whose value an expression computes stands in a header */
static ColumnShape
ShapeOf(QueryPlace place, Node *expr)
{
	Oid			typid = exprType(expr);
	QueryPlace	worker = place;
	bool		found = false;

	worker.as_worker = true;
	if ((typid == JSONOID || typid == JSONBOID) && !place.uncertain &&
		GivesDocuments(worker, expr, &found) && found)
		return COLUMN_ROWS;
	return ColumnShapeOf(typid, &place.domains);
}

/* Enter a column whose value an expression computes. */
static void
DescribeColumn(QueryPlace place, Header *header, int i, const char *name, int namelen,
			   Node *expr)
{
	ColumnShape shape = ShapeOf(place, expr);

	HeaderSetColumn(header, i, name, namelen, shape,
					shape == COLUMN_ROW ? HeaderOfRow(place, expr) :
					shape == COLUMN_ROWS ? HeaderOfDocument(place, expr) : NULL);
	header->cols[i].typid = exprType(expr);
	header->cols[i].typmod = exprTypmod(expr);
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
	List	   *scanned = ScannedPlan(place);
	List	   *types;
	List	   *names = NIL;
	List	   *columns = NIL;
	Header	   *header;
	ListCell   *cell;
	int			i = 0;

	if (scanned != NIL)
	{
		place.plan = linitial(scanned);
		return DescribeColumns(place, rte->eref->colnames,
							   get_tlist_exprs(place.plan->targetlist, false));
	}
	if (OidIsValid(rte->relid)) /* a transition table */
		return DescribeType(get_rel_type_id(rte->relid), -1, &place.domains);

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
			DescribeColumnType(header, i, list_nth_oid(columns, i), -1, &place.domains);
	}
	return header;
}

/* The header of a row that is put together of expressions */
static Header *
HeaderOfRowExpr(QueryPlace place, RowExpr *row)
{
	TupleDesc	tupdesc;
	List	   *names = NIL;
	List	   *exprs = NIL;

	if (row->row_typeid == RECORDOID)
		return DescribeColumns(place, row->colnames, row->args);

	/* Of a view, say.  A dropped column has an expression, too. */
	tupdesc = lookup_rowtype_tupdesc_copy(row->row_typeid, -1);
	for (int i = 0; i < Min(tupdesc->natts, list_length(row->args)); i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (att->attisdropped)
			continue;
		names = lappend(names, makeString(NameStr(att->attname)));
		exprs = lappend(exprs, list_nth(row->args, i));
	}
	return DescribeColumns(place, names, exprs);
}

/* The header of the rows that an expression of composite type gives, or NULL */
static Header *
HeaderOfRow(QueryPlace place, Node *expr)
{
	Oid			typid = getBaseType(exprType(expr));
	TupleDesc	tupdesc;
	Node	   *origin;

	check_stack_depth();

	if (!type_is_rowtype(typid))
		return NULL;
	origin = FindOrigin(&place, expr);
	if (IsA(origin, RowExpr) && ((RowExpr *) origin)->row_typeid == typid)
		return HeaderOfRowExpr(place, (RowExpr *) origin);
	if (typid != RECORDOID)
		return DescribeType(typid, -1, &place.domains);
	if (IsA(origin, Var))
	{
		Var		   *var = (Var *) origin;

		if (var->varattno == 0 && !IS_SPECIAL_VARNO(var->varno))
			return HeaderOfRangeTableEntry(place, var->varno);
		return NULL;
	}
	tupdesc = get_expr_result_tupdesc(origin, true);
	return tupdesc ? DescribeTupleDesc(tupdesc, &place.domains) : NULL;
}

/* The names form: names from a constant, shapes from the values */
static Header *
HeaderOfNames(QueryPlace place, List *args, bool variadic)
{
	QueryPlace	names_place = place;
	Node	   *names = Evaluate(place, FindOrigin(&names_place, linitial(args)));
	Header	   *header;

	if (!IsA(names, Const) || ((Const *) names)->constisnull)
		return NULL;
	header = DescribeNames(DatumGetArrayTypePCopy(((Const *) names)->constvalue));
	if (variadic)
	{
		Oid			typid = get_base_element_type(exprType(lsecond(args)));

		for (int i = 0; i < header->ncols; i++)
			DescribeColumnType(header, i, typid, -1, &place.domains);
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
	{
		/* All partial ones are alike, those of other partitions, too. */
		partial_place.uncertain = place.uncertain;
		return HeaderOfAggregate(partial_place, aggregate, ((Aggref *) partial)->args,
								 ((Aggref *) partial)->aggvariadic);
	}

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

/*
 * Has a function of an aggregate, transition or final, been called for a window
 * function like this?
 */
static bool
IsCalledFor(WindowFunc *func, FmgrInfo *flinfo)
{
	int			argno = 1;		/* the state comes first */
	ListCell   *cell;

	if (!func->winagg || (!IsTransitionFunction(func->winfnoid, flinfo->fn_oid) &&
						  !IsFinalFunction(func->winfnoid, flinfo->fn_oid)))
		return false;
	foreach(cell, func->args)
	{
		if (exprType(lfirst(cell)) != get_fn_expr_argtype(flinfo, argno++))
			return false;
	}
	return !OidIsValid(get_fn_expr_argtype(flinfo, argno));
}

/* Are the columns of two headers alike, but for their names? */
static bool
SameShapes(const Header *a, const Header *b)
{
	check_stack_depth();
	if (a == NULL || b == NULL)
		return a == b;
	if (a->ncols != b->ncols)
		return false;
	for (int i = 0; i < a->ncols; i++)
	{
		if (a->cols[i].shape != b->cols[i].shape || a->cols[i].typid != b->cols[i].typid)
			return false;
		if (a->cols[i].shape == COLUMN_ROW && !SameShapes(a->cols[i].nested, b->cols[i].nested))
			return false;
	}
	return true;
}

/*
 * Which of a WindowAgg's functions is being called for is not told.  If there
 * are several of the same types, they must agree: for the transition function,
 * only in what their values are, for it does not ask for the names.
 */
static Header *
HeaderOfWindowFunction(QueryPlace place, WindowAggState *state, FmgrInfo *flinfo)
{
	Header	   *header = NULL;
	ListCell   *cell;

	foreach(cell, state->funcs)
	{
		WindowFunc *func = lfirst_node(WindowFuncExprState, cell)->wfunc;
		List	   *args = NIL;
		Header	   *candidate;
		ListCell   *arg;
		bool		(*same) (const Header *a, const Header *b);

		if (!IsCalledFor(func, flinfo))
			continue;
		foreach(arg, func->args)
			args = lappend(args, makeTargetEntry(lfirst(arg), list_length(args) + 1,
												 NULL, false));
		candidate = HeaderOfAggregate(place, func->winfnoid, args, false);
		same = IsTransitionFunction(func->winfnoid, flinfo->fn_oid) ? SameShapes : HeaderEqual;
		if (candidate == NULL || (header != NULL && !same(header, candidate)))
			return NULL;
		header = candidate;
	}
	return header;
}

/*
 * The header of the document whose transition or final function is being
 * called, made in the current memory context; NULL if nothing is known.
 */
Header *
QueryHeader(FunctionCallInfo fcinfo)
{
	QueryPlace	place = {0};
	int			visits = MAX_VISITS;
	PlanState  *state = (PlanState *) fcinfo->context;
	Aggref	   *aggref = AggGetAggref(fcinfo);

	if (state == NULL || (!IsA(state, AggState) && !IsA(state, WindowAggState)))
		return NULL;
	place.plan = state->plan;
	place.stmt = state->state->es_plannedstmt;
	place.params = state->state->es_param_list_info;
	place.visits = &visits;
	place.domains = DocumentDomainsLookup();
	if (aggref != NULL)
		return HeaderOfAggregate(place, aggref->aggfnoid, aggref->args, aggref->aggvariadic);
	if (IsA(state, WindowAggState))
		return HeaderOfWindowFunction(place, (WindowAggState *) state, fcinfo->flinfo);
	return NULL;
}
