/*-------------------------------------------------------------------------
 *
 * query_header.c
 *		What the query tells about a document's columns.
 *
 * An aggregate that was given no row must still say which columns the rows
 * would have had.  A table's row type is enough for that; a subquery's row is
 * an anonymous record, and its column names are found where the query computes
 * it.
 *
 * Nothing here runs for each row.  For a column of type json or jsonb it runs
 * once: the query may tell that its values are documents.
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
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"
#include "write/aggregate_kind.h"
#include "write/describe.h"
#include "write/hidden_documents.h"
#include "write/query_header.h"
#include "write/query_origin.h"
#include "write/settings.h"
#include "write/type_names.h"

static Header *HeaderOfDocument(QueryPlace place, Node *expr);
static Header *HeaderOfRow(QueryPlace place, Node *expr);
static Header *HeaderOfAggregate(QueryPlace place, Oid aggregate, List *args, bool variadic);

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
	{
		Aggref	   *aggref = (Aggref *) origin;

		if (KindOfAggregate(aggref->aggfnoid) == AGGREGATE_OF_OBJECTS)
			return NULL;
		return HeaderOfAggregate(place, aggref->aggfnoid, aggref->args, aggref->aggvariadic);
	}
	foreach(cell, Alternatives(place, origin))
	{
		header = HeaderOfDocument(place, lfirst(cell));
		if (header != NULL)
			break;
	}
	return header;
}

/* The shape in a header of a column that an expression computes */
static ColumnShape
ShapeOf(QueryPlace place, Node *expr)
{
	if (IsHiddenDocument(place, expr, HeaderOfDocument))
		return COLUMN_ROWS;
	return ColumnShapeOf(exprType(expr), &place.domains);
}

/* Set a header's column that an expression computes. */
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

/* A header from lists of names and expressions */
static Header *
DescribeColumns(QueryPlace place, List *names, List *exprs)
{
	Header	   *header = HeaderCreate(Min(list_length(names), list_length(exprs)));

	for (int i = 0; i < header->ncols; i++)
		DescribeColumn(place, header, i, strVal(list_nth(names, i)),
					   strlen(strVal(list_nth(names, i))), list_nth(exprs, i));
	return header;
}

/* Append a NULL of a type to a list of expressions, to represent the type. */
static List *
AppendType(List *exprs, Oid typid, int32 typmod)
{
	return lappend(exprs, makeNullConst(typid, typmod, InvalidOid));
}

static List *
AppendTypes(List *exprs, List *types, List *typmods)
{
	ListCell   *type;
	ListCell   *typmod;

	forboth(type, types, typmod, typmods)
	{
		exprs = AppendType(exprs, lfirst_oid(type), lfirst_int(typmod));
	}
	return exprs;
}

/*
 * Append expressions that have the types of the columns of a function in FROM.
 */
static List *
AppendFunctionTypes(List *exprs, RangeTblFunction *function)
{
	TupleDesc	tupdesc;

	if (function->funccoltypes != NIL)	/* a column definition list */
		return AppendTypes(exprs, function->funccoltypes, function->funccoltypmods);
	tupdesc = get_expr_result_tupdesc(function->funcexpr, true);
	if (tupdesc == NULL)
		return lappend(exprs, function->funcexpr);
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		exprs = att->attisdropped ? AppendType(exprs, INT4OID, -1) :
			AppendType(exprs, att->atttypid, att->atttypmod);
	}
	return exprs;
}

/*
 * Expressions that have the types of the columns that a scan of something
 * other than a table returns, one per name of its range table entry; NIL if
 * the types are not known.
 */
static List *
ScannedTypes(QueryPlace place)
{
	List	   *exprs = NIL;
	ListCell   *cell;

	switch (nodeTag(place.plan))
	{
		case T_FunctionScan:
			foreach(cell, ((FunctionScan *) place.plan)->functions)
			{
				exprs = AppendFunctionTypes(exprs, lfirst(cell));
			}
			if (((FunctionScan *) place.plan)->funcordinality)
				exprs = AppendType(exprs, INT8OID, -1);
			break;
		case T_ValuesScan:
			exprs = linitial(((ValuesScan *) place.plan)->values_lists);
			break;
		case T_TableFuncScan:
			exprs = AppendTypes(NIL, ((TableFuncScan *) place.plan)->tablefunc->coltypes,
								((TableFuncScan *) place.plan)->tablefunc->coltypmods);
			break;
		default:
			break;
	}
	return exprs;
}

/*
 * The whole row of a range table entry that isn't a table.  The name of a
 * dropped column is empty.
 */
static Header *
HeaderOfRangeTableEntry(QueryPlace place, Index varno)
{
	RangeTblEntry *rte = rt_fetch(varno, place.stmt->rtable);
	List	   *scanned = ScannedPlan(place);
	List	   *types;
	List	   *names = NIL;
	List	   *exprs = NIL;
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
			exprs = lappend(exprs, i < list_length(types) ? list_nth(types, i) : NULL);
		}
		i++;
	}
	header = HeaderCreate(list_length(names));
	for (i = 0; i < header->ncols; i++)
	{
		const char *name = strVal(list_nth(names, i));
		Node	   *expr = list_nth(exprs, i);

		HeaderSetColumn(header, i, name, strlen(name), COLUMN_PLAIN, NULL);
		if (expr != NULL)
			DescribeColumnType(header, i, exprType(expr), exprTypmod(expr), &place.domains);
	}
	return header;
}

/* The header of a row that is built from expressions */
static Header *
HeaderOfRowExpr(QueryPlace place, RowExpr *row)
{
	TupleDesc	tupdesc;
	List	   *names = NIL;
	List	   *exprs = NIL;

	if (row->row_typeid == RECORDOID)
		return DescribeColumns(place, row->colnames, row->args);

	/* For example, of a view.  A dropped column has an expression, too. */
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

/*
 * The header of the rows that an expression of composite type returns, or NULL
 */
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
			DescribeColumnType(header, i, typid, exprTypmod(lsecond(args)), &place.domains);
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
 * The header of the result of one of our aggregates, computed at place from
 * its arguments, a list of TargetEntries.
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

	/* Above a partial aggregate, the only argument is its state. */
	partial = FindOrigin(&partial_place, linitial(exprs));
	if (IsA(partial, Aggref) && ((Aggref *) partial)->aggfnoid == aggregate &&
		DO_AGGSPLIT_SKIPFINAL(((Aggref *) partial)->aggsplit))
	{
		/*
		 * All partial aggregates are alike, including those of other
		 * partitions.
		 */
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

/* The header includes the types, if documents are to include them. */
static Header *
WithTypes(Header *header)
{
	if (header != NULL && DocumentsAreTyped())
		HeaderNameTypes(header);
	return header;
}

/*
 * Has an aggregate's transition or final function been called for a window
 * function like this one?
 */
static bool
IsCalledFor(WindowFunc *func, FmgrInfo *flinfo)
{
	int			argno = 1;		/* the first argument is the state */
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

/* Are the columns of two headers alike, except for their names? */
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
		CHECK_FOR_INTERRUPTS();
		if (a->cols[i].shape != b->cols[i].shape || a->cols[i].typid != b->cols[i].typid)
			return false;
		if (a->cols[i].shape == COLUMN_ROW && !SameShapes(a->cols[i].nested, b->cols[i].nested))
			return false;
	}
	return true;
}

/*
 * We are not told for which of a WindowAgg's functions we are called.  If
 * there are several with the same types, they must agree; for the transition
 * function, only in their values, because it does not need the names.
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
		{
			args = lappend(args, makeTargetEntry(lfirst(arg), list_length(args) + 1,
												 NULL, false));
		}
		candidate = WithTypes(HeaderOfAggregate(place, func->winfnoid, args, false));
		same = IsTransitionFunction(func->winfnoid, flinfo->fn_oid) ? SameShapes : HeaderEqual;
		if (candidate == NULL || (header != NULL && !same(header, candidate)))
			return NULL;
		if (header == NULL)
			header = candidate;
		else
			HeaderJoinTypes(&header, candidate);
	}
	return header;
}

/*
 * The modifier of an argument's type, which the call itself does not know; -1
 * if it differs between window functions that cannot be told apart.
 */
int32
ArgumentTypmod(FunctionCallInfo fcinfo, int arg)
{
	Aggref	   *aggref = AggGetAggref(fcinfo);
	bool		found = false;
	int32		typmod = -1;
	ListCell   *cell;

	if (aggref != NULL)
		return exprTypmod((Node *) list_nth_node(TargetEntry, aggref->args, arg - 1)->expr);
	if (fcinfo->context == NULL || !IsA(fcinfo->context, WindowAggState))
		return -1;
	foreach(cell, ((WindowAggState *) fcinfo->context)->funcs)
	{
		WindowFunc *func = lfirst_node(WindowFuncExprState, cell)->wfunc;
		int32		theirs;

		if (!IsCalledFor(func, fcinfo->flinfo))
			continue;
		theirs = exprTypmod(list_nth(func->args, arg - 1));
		if (found && theirs != typmod)
			return -1;
		found = true;
		typmod = theirs;
	}
	return typmod;
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
		return WithTypes(HeaderOfAggregate(place, aggref->aggfnoid, aggref->args,
										   aggref->aggvariadic));
	if (IsA(state, WindowAggState))
		return HeaderOfWindowFunction(place, (WindowAggState *) state, fcinfo->flinfo);
	return NULL;
}

/* The same for the rows that a statement returns */
Header *
HeaderOfResult(PlannedStmt *stmt, ParamListInfo params)
{
	QueryPlace	place = {.plan = stmt->planTree,.stmt = stmt,.params = params};
	int			visits = MAX_VISITS;
	List	   *names = NIL;
	List	   *exprs = NIL;
	ListCell   *cell;

	place.visits = &visits;
	place.domains = DocumentDomainsLookup();
	foreach(cell, stmt->planTree->targetlist)
	{
		TargetEntry *tle = lfirst_node(TargetEntry, cell);

		if (tle->resjunk)
			continue;
		names = lappend(names, makeString(tle->resname ? tle->resname : ""));
		exprs = lappend(exprs, tle->expr);
	}
	return WithTypes(DescribeColumns(place, names, exprs));
}
