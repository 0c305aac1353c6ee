/*-------------------------------------------------------------------------
 *
 * aggregate.c
 *		The SQL aggregates.
 *
 *		jsonrow_agg(record) -> jsonrow
 *		jsonrow_agg(cols text[], VARIADIC "any") -> jsonrow
 *			All rows as one document, {"cols": HEADER, "rows": [ROW, ...]}.
 *			The first form takes the names from the row type, the second is
 *			given them and needs no composite to be formed.  A NULL record is
 *			a null among the rows.  No rows give a document with its header.
 *			Errors: names and values that differ in number, a NULL name, rows
 *			whose columns differ, a document over jsonb's 2^28 - 1 bytes.
 *
 *		jsonrow_agg_json(...) -> jsonrow_json
 *			The same as JSON text, up to 1 GB.
 *
 *		jsoncol_agg(...) -> jsonrow
 *		jsoncol_agg_json(...) -> jsonrow_json
 *			The same by column, {"cols": HEADER, "vals": [VECTOR, ...]}.  A NULL
 *			record is a null in each vector, and rows of no columns leave no
 *			trace.
 *
 *		jsonrow_array_agg(VARIADIC "any") -> jsonb
 *		jsonrow_array_agg_json(VARIADIC "any") -> json
 *			The bare array of rows, as
 *			coalesce(jsonb_agg(jsonb_build_array(...)), '[]') gives it.  A
 *			single composite argument is spread into its columns.
 *
 *		jsonrow_concat_agg(jsonrow) -> jsonrow
 *			The rows of all documents, copied as bytes, under their common
 *			header; in their orientation, which must be the same.  NULL is
 *			passed over.  Errors: headers or orientations that differ, a value
 *			that is no document.
 *
 * All share one kind of state, a Document, and the functions that combine
 * and ship it.  The transition functions keep their RowSource in fn_extra,
 * the final functions what the query tells of the header.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "format/json_text.h"
#include "nodes/execnodes.h"
#include "utils/syscache.h"
#include "write/aggregate.h"
#include "write/query_header.h"
#include "write/row_source.h"
#include "write/state.h"

PG_FUNCTION_INFO_V1(jsonrow_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_transfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_json_finalfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_finalfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_json_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_json_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_combinefn);
PG_FUNCTION_INFO_V1(jsonrow_agg_serialfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_deserialfn);

/* What a document is made of */
typedef enum Layout
{
	LAYOUT_ROWS,
	LAYOUT_COLUMNS,
	LAYOUT_BARE_ROWS,			/* and no header */
} Layout;

/* The functions of an aggregate, or zeroes if it isn't there any more */
static FormData_pg_aggregate
FunctionsOf(Oid aggregate)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	FormData_pg_aggregate functions = {0};

	if (HeapTupleIsValid(tuple))
	{
		functions = *(Form_pg_aggregate) GETSTRUCT(tuple);
		ReleaseSysCache(tuple);
	}
	return functions;
}

bool
IsTransitionFunction(Oid aggregate, Oid function)
{
	return FunctionsOf(aggregate).aggtransfn == function;
}

bool
IsFinalFunction(Oid aggregate, Oid function)
{
	return FunctionsOf(aggregate).aggfinalfn == function;
}

/*
 * What is the aggregate to us?  Its name would not tell, for anybody may
 * create one of the same name; its transition function does.
 */
AggregateKind
KindOfAggregate(Oid aggregate)
{
	Oid			function = FunctionsOf(aggregate).aggtransfn;
	FmgrInfo	transfn;

	if (!OidIsValid(function))
		return AGGREGATE_OTHER;
	fmgr_info(function, &transfn);
	if (transfn.fn_addr == jsonrow_agg_transfn || transfn.fn_addr == jsonrow_agg_json_transfn)
		return AGGREGATE_OF_ROWS;
	if (transfn.fn_addr == jsoncol_agg_transfn || transfn.fn_addr == jsoncol_agg_json_transfn)
		return AGGREGATE_OF_COLUMNS;
	if (transfn.fn_addr == jsonrow_concat_agg_transfn)
		return AGGREGATE_OF_DOCUMENTS;
	return AGGREGATE_OTHER;
}

static MemoryContext
AggregateContext(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "jsonrow aggregate function called in non-aggregate context");
	return context;
}

DocumentState *
AggregateStateCreate(FunctionCallInfo fcinfo, const Writer *writer, bool by_column)
{
	MemoryContext context = AggregateContext(fcinfo);

	return StateCreate(writer, by_column, context,
					   AggregateResultContext(fcinfo, context));
}

/* One more row of a document, or of a bare array of rows */
static Datum
Accumulate(FunctionCallInfo fcinfo, const Writer *writer, Layout layout)
{
	RowSource  *source = fcinfo->flinfo->fn_extra;
	const NullableDatum *cells;
	DocumentState *state;

	if (unlikely(source == NULL))
	{
		AggregateContext(fcinfo);
		source = RowSourceCreate(fcinfo, writer, layout != LAYOUT_BARE_ROWS);
		fcinfo->flinfo->fn_extra = source;
	}
	state = PG_ARGISNULL(0) ? AggregateStateCreate(fcinfo, writer, layout == LAYOUT_COLUMNS) :
		(DocumentState *) PG_GETARG_POINTER(0);

	cells = RowSourceNext(source, fcinfo);
	if (likely(cells != NULL))
		StateAddRow(state, source->rows, !source->named || source->cols_const, cells);
	else
		StateAddNullRow(state);
	PG_RETURN_POINTER(state);
}

Datum
jsonrow_agg_transfn(PG_FUNCTION_ARGS)
{
	return Accumulate(fcinfo, &JsonbWriter, LAYOUT_ROWS);
}

Datum
jsonrow_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return Accumulate(fcinfo, &JsonWriter, LAYOUT_ROWS);
}

Datum
jsoncol_agg_transfn(PG_FUNCTION_ARGS)
{
	return Accumulate(fcinfo, &JsonbWriter, LAYOUT_COLUMNS);
}

Datum
jsoncol_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return Accumulate(fcinfo, &JsonWriter, LAYOUT_COLUMNS);
}

Datum
jsonrow_array_agg_transfn(PG_FUNCTION_ARGS)
{
	return Accumulate(fcinfo, &JsonbWriter, LAYOUT_BARE_ROWS);
}

Datum
jsonrow_array_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return Accumulate(fcinfo, &JsonWriter, LAYOUT_BARE_ROWS);
}

/* What the final function knows without having seen a row, in its fn_extra */
static const Header *
QueryHeaderOnce(FunctionCallInfo fcinfo)
{
	const Header *header = fcinfo->flinfo->fn_extra;

	if (header == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		header = QueryHeader(fcinfo);
		if (header == NULL)
			header = HeaderCreate(0);
		fcinfo->flinfo->fn_extra = (void *) header;
		MemoryContextSwitchTo(old);
	}
	return header;
}

/*
 * The document's header, completed by what the query tells of nested columns
 * that had no row, in the current memory context.
 */
static const Header *
CompleteHeader(FunctionCallInfo fcinfo, const DocumentState *state)
{
	Header	   *header;

	if (state->header != NULL && !state->header->incomplete)
		return state->header;
	if (state->header == NULL)
		return QueryHeaderOnce(fcinfo);
	header = HeaderCopy(state->header);
	if (HeaderMerge(&header, QueryHeaderOnce(fcinfo)))
		return header;
	return state->header;
}

/*
 * The state may become the result, and yet the aggregates are declared not
 * to modify it: what the executor asks of such is that it may finish a state
 * twice, and it may; and a window's state, to which rows are still added, is
 * only copied.
 */
static Datum
Finish(FunctionCallInfo fcinfo, const Writer *writer, Layout layout)
{
	MemoryContext context;
	bool		keep = AggCheckCallContext(fcinfo, &context) == AGG_CONTEXT_AGGREGATE;
	DocumentState *state;

	if (PG_ARGISNULL(0))
	{
		bool		by_column = layout != LAYOUT_BARE_ROWS && QueryHeaderOnce(fcinfo)->by_column;

		state = StateCreate(writer, by_column || layout == LAYOUT_COLUMNS,
							CurrentMemoryContext, CurrentMemoryContext);
	}
	else
		state = (DocumentState *) PG_GETARG_POINTER(0);
	/* A damaged state may have come from another aggregate. */
	if (state->writer != writer || (layout == LAYOUT_BARE_ROWS && (state->by_column || state->header || state->types.data)))
		ReportBadState();
	return StateFinish(state, layout == LAYOUT_BARE_ROWS ? NULL : CompleteHeader(fcinfo, state),
					   keep);
}

Datum
jsonrow_agg_finalfn(PG_FUNCTION_ARGS)
{
	return Finish(fcinfo, &JsonbWriter, LAYOUT_ROWS);
}

Datum
jsonrow_agg_json_finalfn(PG_FUNCTION_ARGS)
{
	return Finish(fcinfo, &JsonWriter, LAYOUT_ROWS);
}

Datum
jsoncol_agg_finalfn(PG_FUNCTION_ARGS)
{
	return Finish(fcinfo, &JsonbWriter, LAYOUT_COLUMNS);
}

Datum
jsoncol_agg_json_finalfn(PG_FUNCTION_ARGS)
{
	return Finish(fcinfo, &JsonWriter, LAYOUT_COLUMNS);
}

Datum
jsonrow_array_agg_finalfn(PG_FUNCTION_ARGS)
{
	return Finish(fcinfo, &JsonbWriter, LAYOUT_BARE_ROWS);
}

Datum
jsonrow_array_agg_json_finalfn(PG_FUNCTION_ARGS)
{
	return Finish(fcinfo, &JsonWriter, LAYOUT_BARE_ROWS);
}

/* The rows of the second state after those of the first. */
Datum
jsonrow_agg_combinefn(PG_FUNCTION_ARGS)
{
	DocumentState *first = PG_ARGISNULL(0) ? NULL : (DocumentState *) PG_GETARG_POINTER(0);
	DocumentState *second = PG_ARGISNULL(1) ? NULL : (DocumentState *) PG_GETARG_POINTER(1);

	if (second == NULL)
	{
		if (first == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(first);
	}
	if (first == NULL)
		first = AggregateStateCreate(fcinfo, second->writer, second->by_column);
	StateAppend(first, second);
	PG_RETURN_POINTER(first);
}

Datum
jsonrow_agg_serialfn(PG_FUNCTION_ARGS)
{
	AggregateContext(fcinfo);
	PG_RETURN_BYTEA_P(StateSerialize((DocumentState *) PG_GETARG_POINTER(0)));
}

Datum
jsonrow_agg_deserialfn(PG_FUNCTION_ARGS)
{
	AggregateContext(fcinfo);
	PG_RETURN_POINTER(StateDeserialize(PG_GETARG_BYTEA_PP(0)));
}
