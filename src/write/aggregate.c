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
 *			a null among the rows.  Without rows, the document has only its
 *			header.  Errors: different numbers of names and values, a NULL
 *			name, rows with different columns, a document over jsonb's 2^28 - 1
 *			bytes.
 *
 *		jsonrow_agg_json(...) -> jsonrow_json
 *			The same as JSON text, up to 1 GB.
 *
 *		jsoncol_agg(...) -> jsonrow
 *		jsoncol_agg_json(...) -> jsonrow_json
 *			The same, column-oriented: {"cols": HEADER, "vals": [VECTOR, ...]}.
 *			A NULL record is a null in each vector, and rows without columns
 *			are lost.
 *
 *		jsonrow_array_agg(VARIADIC "any") -> jsonb
 *		jsonrow_array_agg_json(VARIADIC "any") -> json
 *			The bare array of rows, as
 *			coalesce(jsonb_agg(jsonb_build_array(...)), '[]') gives it.  A
 *			single composite argument is spread into its columns.
 *
 *		jsonrow_objects_agg(record) -> jsonb
 *		jsonrow_objects_agg(cols text[], VARIADIC "any") -> jsonb
 *		jsonrow_objects_agg_json(...) -> json
 *			The rows as objects, as coalesce(jsonb_agg(t), '[]') gives them;
 *			nested documents become arrays of objects.  A NULL record is a
 *			null.  If several names are equal, the last one counts in jsonb;
 *			JSON text has them all, in the order of the columns and without
 *			white space.  Errors: different numbers of names and values, a NULL
 *			name, a result that is too large.
 *
 *		jsonrow_concat_agg(jsonrow) -> jsonrow
 *			The rows of all documents, copied as bytes, under their common
 *			header and in their common orientation.  NULL is skipped.  Errors:
 *			headers or orientations that differ, a value that is no document.
 *
 * All share one kind of state, a DocumentState, and the functions that combine
 * and ship it.  The transition functions keep their RowSource in fn_extra,
 * the final functions keep what the query tells about the header.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_text.h"
#include "nodes/execnodes.h"
#include "write/aggregate.h"
#include "write/aggregate_kind.h"
#include "write/query_header.h"
#include "write/row_source.h"
#include "write/state.h"

PG_FUNCTION_INFO_V1(jsonrow_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_transfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsonrow_objects_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_objects_agg_json_transfn);
PG_FUNCTION_INFO_V1(jsonrow_concat_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_json_finalfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_finalfn);
PG_FUNCTION_INFO_V1(jsoncol_agg_json_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_array_agg_json_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_combinefn);
PG_FUNCTION_INFO_V1(jsonrow_agg_serialfn);
PG_FUNCTION_INFO_V1(jsonrow_agg_deserialfn);

static const RowLayout document_of_rows = {
	.form = ROW_ARRAY,.nested = NESTED_HOISTED,.takes_names = true,.spreads = true
};

static const RowLayout document_of_columns = {
	.form = ROW_ARRAY,.nested = NESTED_HOISTED,.takes_names = true,.spreads = true,
	.by_column = true
};

static const RowLayout bare_rows = {
	.form = ROW_ARRAY,.nested = NESTED_AS_IS,.spreads = true
};

static const RowLayout objects = {
	.form = ROW_OBJECT,.nested = NESTED_OBJECTS,.takes_names = true,.spreads = true
};

/* By which our aggregates are known */
static const KnownTransition transitions[] = {
	{jsonrow_agg_transfn, AGGREGATE_OF_ROWS},
	{jsonrow_agg_json_transfn, AGGREGATE_OF_ROWS},
	{jsoncol_agg_transfn, AGGREGATE_OF_COLUMNS},
	{jsoncol_agg_json_transfn, AGGREGATE_OF_COLUMNS},
	{jsonrow_objects_agg_transfn, AGGREGATE_OF_OBJECTS},
	{jsonrow_objects_agg_json_transfn, AGGREGATE_OF_OBJECTS},
	{jsonrow_concat_agg_transfn, AGGREGATE_OF_DOCUMENTS},
};

/* Called when the library is loaded */
void
InitAggregates(void)
{
	KnowTransitions(transitions, lengthof(transitions));
}

MemoryContext
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

/* One more row */
Datum
AccumulateRow(FunctionCallInfo fcinfo, const Writer *writer, const RowLayout *layout)
{
	RowSource  *source = fcinfo->flinfo->fn_extra;
	const NullableDatum *cells;
	DocumentState *state;

	if (unlikely(source == NULL))
	{
		AggregateContext(fcinfo);
		source = RowSourceCreate(fcinfo, writer, layout);
		fcinfo->flinfo->fn_extra = source;
	}
	if (unlikely(PG_ARGISNULL(0)))
	{
		state = AggregateStateCreate(fcinfo, writer, layout->by_column);
		StateSetSpacing(state, layout->spaced, layout->line_feeds);
	}
	else
		state = (DocumentState *) PG_GETARG_POINTER(0);

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
	return AccumulateRow(fcinfo, &JsonbWriter, &document_of_rows);
}

Datum
jsonrow_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &document_of_rows);
}

Datum
jsoncol_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonbWriter, &document_of_columns);
}

Datum
jsoncol_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &document_of_columns);
}

Datum
jsonrow_array_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonbWriter, &bare_rows);
}

Datum
jsonrow_array_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &bare_rows);
}

Datum
jsonrow_objects_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonbWriter, &objects);
}

Datum
jsonrow_objects_agg_json_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &objects);
}

/* Add the rows of one more document. */
Datum
jsonrow_concat_agg_transfn(PG_FUNCTION_ARGS)
{
	DocumentState *state = PG_ARGISNULL(0) ? NULL : (DocumentState *) PG_GETARG_POINTER(0);
	Document	doc;

	if (PG_ARGISNULL(1))
	{
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}
	DocumentOpen(&doc, PG_GETARG_JSONB_P(1));	/* its type says that it is
												 * one */
	if (state == NULL)
		state = AggregateStateCreate(fcinfo, &JsonbWriter, doc.members.by_column);
	StateAppendDocument(state, &doc);
	PG_RETURN_POINTER(state);
}

/*
 * What the final function knows without having seen a row, kept in its
 * fn_extra
 */
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
 * The document's header, completed by what the query tells about nested
 * columns that had no row, in the current memory context.
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
 * The state may become the result, although the aggregates are declared not to
 * modify it.  The executor only requires that it can finish a state twice, and
 * that works.  A window's state, to which rows may still be added, is only
 * copied.
 */
Datum
FinishAggregate(FunctionCallInfo fcinfo, const Writer *writer, const RowLayout *layout)
{
	MemoryContext context;
	bool		has_header = RowLayoutHasHeader(layout);
	bool		keep = AggCheckCallContext(fcinfo, &context) == AGG_CONTEXT_AGGREGATE;
	DocumentState *state;

	if (PG_ARGISNULL(0))
	{
		bool		by_column = has_header && QueryHeaderOnce(fcinfo)->by_column;

		state = StateCreate(writer, by_column || layout->by_column,
							CurrentMemoryContext, CurrentMemoryContext);
	}
	else
		state = (DocumentState *) PG_GETARG_POINTER(0);
	/* A damaged state may come from another aggregate. */
	if (state->writer != writer ||
		(!has_header && (state->by_column || state->header || state->typed || state->types.data)))
		ReportBadState();
	return StateFinish(state, has_header ? CompleteHeader(fcinfo, state) : NULL, keep);
}

Datum
jsonrow_agg_finalfn(PG_FUNCTION_ARGS)
{
	return FinishAggregate(fcinfo, &JsonbWriter, &document_of_rows);
}

Datum
jsonrow_agg_json_finalfn(PG_FUNCTION_ARGS)
{
	return FinishAggregate(fcinfo, &JsonWriter, &document_of_rows);
}

Datum
jsoncol_agg_finalfn(PG_FUNCTION_ARGS)
{
	return FinishAggregate(fcinfo, &JsonbWriter, &document_of_columns);
}

Datum
jsoncol_agg_json_finalfn(PG_FUNCTION_ARGS)
{
	return FinishAggregate(fcinfo, &JsonWriter, &document_of_columns);
}

Datum
jsonrow_array_agg_finalfn(PG_FUNCTION_ARGS)
{
	return FinishAggregate(fcinfo, &JsonbWriter, &bare_rows);
}

Datum
jsonrow_array_agg_json_finalfn(PG_FUNCTION_ARGS)
{
	return FinishAggregate(fcinfo, &JsonWriter, &bare_rows);
}

/* Append the rows of the second state to those of the first. */
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
