/*-------------------------------------------------------------------------
 *
 * row_source.c
 *		The values of one row, wherever the executor has put them.
 *
 * A row comes as the arguments of the call, as one composite argument, or as
 * the elements of a VARIADIC array.  The result is always an array of
 * NullableDatum; for the first of the three it costs nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"
#include "write/composite.h"
#include "write/describe.h"
#include "write/query_header.h"
#include "write/row_source.h"

/* Is the aggregate's first argument the same for all rows? */
static bool
FirstArgumentIsConst(FunctionCallInfo fcinfo)
{
	Aggref	   *aggref = AggGetAggref(fcinfo);

	return aggref != NULL && IsA(linitial_node(TargetEntry, aggref->args)->expr, Const);
}

/*
 * Only the query can tell whether a value of type json or jsonb is a document.
 * It is only asked if there are such values, or records that may contain some.
 */
static bool
QueryMayTellOf(Oid typid)
{
	return typid == JSONOID || typid == JSONBOID || typid == RECORDOID;
}

static void
AskQuery(RowSource *source, FunctionCallInfo fcinfo)
{
	MemoryContext old = MemoryContextSwitchTo(source->shared->context);

	source->by_query = QueryHeader(fcinfo);
	if (!source->composite && source->by_query && source->by_query->ncols != PG_NARGS() - source->first)
		source->by_query = NULL;	/* that is an error, which is raised later */
	MemoryContextSwitchTo(old);
}

static void
AskOfArguments(RowSource *source, FunctionCallInfo fcinfo)
{
	for (int i = source->first; i < PG_NARGS(); i++)
		if (QueryMayTellOf(get_fn_expr_argtype(fcinfo->flinfo, i)))
		{
			AskQuery(source, fcinfo);
			return;
		}
}

/* The same for rows that are composites, when the first one comes */
static void
AskOfRecord(RowSource *source, FunctionCallInfo fcinfo)
{
	HeapTupleHeader record = DatumGetHeapTupleHeader(PG_GETARG_DATUM(1));
	TupleDesc	tupdesc;
	bool		ask = false;

	if (source->layout->nested == NESTED_AS_IS || !TupleIsSound(record))
		return;
	tupdesc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(record),
									 HeapTupleHeaderGetTypMod(record));
	for (int i = 0; i < tupdesc->natts && !ask; i++)
		ask = QueryMayTellOf(TupleDescAttr(tupdesc, i)->atttypid);
	ReleaseTupleDesc(tupdesc);
	if (ask)
		AskQuery(source, fcinfo);
}

/* Plan rows whose values are arguments, or elements of an array. */
static RowPlan *
PlanArguments(RowSource *source, FunctionCallInfo fcinfo)
{
	PlanContext *shared = source->shared;
	RowPlan    *row = MemoryContextAllocZero(shared->context, sizeof(RowPlan));

	row->ncols = source->variadic ? 1 : PG_NARGS() - source->first;
	row->cols = MemoryContextAllocZero(shared->context, row->ncols * sizeof(ColumnPlan));
	row->step = source->variadic ? 0 : 1;
	source->capacity = 0;
	for (int i = 0; i < row->ncols; i++)
	{
		Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, source->first + i);

		if (source->variadic)
			typid = source->variadic_type = get_base_element_type(typid);
		if (!OidIsValid(typid))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("could not determine data type for argument %d",
							source->first + i)));
		PlanColumn(&row->cols[i], shared, typid, ColumnByQuery(source->by_query, i));
		row->nested = AddRowTypes(row->nested, shared, typid);
	}
	if (!RowFormIsObject(source->layout->form))
		RowPlanSetForm(row, shared, source->layout->form, NULL);
	return row;
}

/* A media type's aggregate takes any value, but only rows have names. */
pg_noreturn static void
ReportNoRow(Oid typid)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot make a document from values of type %s", format_type_be(typid)),
			 errhint("A document is made from rows.")));
}

/* Look at an aggregate's arguments for the first time. */
RowSource *
RowSourceCreate(FunctionCallInfo fcinfo, const Writer *writer, const RowLayout *layout)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	RowSource  *source = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(RowSource));

	source->shared = PlanContextCreate(writer, layout->nested, DocumentDomainsLookup(),
									   flinfo->fn_mcxt);
	source->layout = layout;
	source->named = layout->takes_names && PG_NARGS() > 2;
	source->first = source->named ? 2 : 1;
	source->variadic = get_fn_expr_variadic(flinfo);
	source->composite = layout->spreads && !source->named && !source->variadic &&
		PG_NARGS() == 2 && TypeIsComposite(get_fn_expr_argtype(flinfo, 1));
	if (layout->takes_names && !source->named && !source->composite)
		ReportNoRow(get_fn_expr_argtype(flinfo, 1));
	if (source->named)
		source->cols_const = FirstArgumentIsConst(fcinfo);
	if (!source->composite)
	{
		if (layout->nested != NESTED_AS_IS && !source->variadic)
			AskOfArguments(source, fcinfo);
		source->rows = PlanArguments(source, fcinfo);
	}
	return source;
}

/* The header of documents that have these names */
static void
DescribeRow(RowSource *source, FunctionCallInfo fcinfo, Header *names)
{
	PlanContext *shared = source->shared;

	for (int i = 0; i < names->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		DescribeColumnType(names, i, source->variadic ? source->variadic_type :
						   get_fn_expr_argtype(fcinfo->flinfo, source->first + i),
						   -1, &shared->domains);
		if (shared->typed)
			names->cols[i].typmod = ArgumentTypmod(fcinfo, source->first +
												   (source->variadic ? 0 : i));
	}
	RegisterHeader(shared, names, source->by_query);
	source->rows->header = names;
}

/* Read the first argument of the names form. */
static void
NameColumns(RowSource *source, FunctionCallInfo fcinfo, int nvalues)
{
	PlanContext *shared = source->shared;
	MemoryContext old;
	Header	   *names;

	CheckNamesGiven(fcinfo, 1);
	CheckNameCount(PG_GETARG_ARRAYTYPE_P(1), nvalues);

	/* Documents begun with other names have copies: see AgreeOnColumns. */
	if (source->names == NULL)
		source->names = AllocSetContextCreate(shared->context,
											  "jsonrow column names",
											  ALLOCSET_SMALL_SIZES);
	else
		MemoryContextReset(source->names);
	old = MemoryContextSwitchTo(source->names);
	source->cols = PG_GETARG_ARRAYTYPE_P_COPY(1);
	source->nnames = nvalues;
	names = DescribeNames(source->cols);
	if (RowLayoutHasHeader(source->layout))
		DescribeRow(source, fcinfo, names);
	else
		RowPlanSetForm(source->rows, shared, source->layout->form, names);
	MemoryContextSwitchTo(old);
}

/* Are the names still those the row was planned with? */
static bool
SameNames(RowSource *source, FunctionCallInfo fcinfo)
{
	return source->cols != NULL &&
		(source->cols_const || NamesAreStill(source->cols, fcinfo, 1));
}

static const NullableDatum *
NextVariadicRow(RowSource *source, FunctionCallInfo fcinfo)
{
	RowPlan    *row = source->rows;
	ArrayWalk	walk;

	if (PG_ARGISNULL(source->first))
		return NULL;
	ArrayWalkStart(&walk, &row->cols[0], PG_GETARG_DATUM(source->first));
	if (walk.nitems > source->capacity || row->cells == NULL)
	{
		source->capacity = Max(walk.nitems, source->capacity * 2);
		if (row->cells != NULL)
			pfree(row->cells);
		row->cells = MemoryContextAllocHuge(source->shared->context,
											(Size) Max(source->capacity, 1) * sizeof(NullableDatum));
	}
	row->ncols = walk.nitems;
	for (int i = 0; i < row->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		row->cells[i] = ArrayWalkNext(&walk);
	}
	return row->cells;
}

/* RowSourceNext, unless the row is simply the arguments */
const NullableDatum *
RowSourceFetch(RowSource *source, FunctionCallInfo fcinfo)
{
	const NullableDatum *cells = &fcinfo->args[source->first];

	if (source->composite)
	{
		if (PG_ARGISNULL(1))
			return NULL;
		if (unlikely(source->rows == NULL))
			AskOfRecord(source, fcinfo);
		return DeformComposite(&source->rows, source->shared, source->layout->form,
							   PG_GETARG_DATUM(1), source->by_query);
	}
	if (unlikely(RowPlanIsOutdated(source->rows)))
	{
		source->rows = PlanArguments(source, fcinfo);
		source->cols = NULL;
		source->names = NULL;	/* documents may share the header in there */
	}
	if (source->variadic)
		cells = NextVariadicRow(source, fcinfo);
	if (source->named && cells != NULL &&
		(!SameNames(source, fcinfo) || source->rows->ncols != source->nnames))
		NameColumns(source, fcinfo, source->rows->ncols);
	source->direct = !source->variadic && (!source->named || source->cols_const) &&
		source->rows->nested == NIL;
	return cells;
}
