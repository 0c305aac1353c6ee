/*-------------------------------------------------------------------------
 *
 * lines_agg.c
 *		The aggregate that writes a line of JSON for each value (NDJSON).
 *
 *		jsonrow_ndjson(anyelement) -> "application/x-ndjson"
 *			The same as jsonrow_stream_object_lines, but all at once: rows as
 *			objects, nested documents as arrays of objects, each line ended by
 *			a line feed.  A value that isn't a row is written as by to_json.
 *			NULL is a null; no values give an empty text.  Errors: any that
 *			writing a value raises, a result over 1 GB.
 *
 * It belongs to the extension jsonrow_postgrest, and its functions have no
 * names in jsonrow--1.0.sql.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_text.h"
#include "write/aggregate.h"
#include "write/describe.h"
#include "write/writer.h"

PG_FUNCTION_INFO_V1(jsonrow_ndjson_transfn);
PG_FUNCTION_INFO_V1(jsonrow_ndjson_finalfn);

#define INITIAL_SIZE	1024

static const RowLayout line = {
	.form = ROW_OBJECT,.nested = NESTED_OBJECTS,.spreads = true
};

/* How values are written: one of these */
typedef struct LinePlan
{
	RowSource  *rows;
	ColumnPlan *value;
} LinePlan;

static LinePlan *
PlanLines(FunctionCallInfo fcinfo)
{
	LinePlan   *plan = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(LinePlan));

	if (TypeIsComposite(ArgumentType(fcinfo, 1)))
		plan->rows = RowSourceCreate(fcinfo, &JsonWriter, &line);
	else
		plan->value = PlanArgument(fcinfo, &JsonWriter, 1);
	return plan;
}

static Output *
CreateLines(FunctionCallInfo fcinfo)
{
	MemoryContext context = AggregateContext(fcinfo);
	Output	   *lines = MemoryContextAlloc(context, sizeof(Output));

	OutInitValue(lines, FORMAT_JSON, INITIAL_SIZE, AggregateResultContext(fcinfo, context));
	lines->limit_hint = "Use jsonrow_stream_object_lines, or smaller batches of rows.";
	return lines;
}

static void
AppendRow(Output *lines, RowSource *source, FunctionCallInfo fcinfo)
{
	const NullableDatum *cells = RowSourceNext(source, fcinfo);

	source->rows->write(lines, source->rows, NULL, cells);
}

/* One more value */
Datum
jsonrow_ndjson_transfn(PG_FUNCTION_ARGS)
{
	LinePlan   *plan = fcinfo->flinfo->fn_extra;
	Output	   *lines;
	Size		start;

	if (unlikely(plan == NULL))
	{
		AggregateContext(fcinfo);
		plan = fcinfo->flinfo->fn_extra = PlanLines(fcinfo);
	}
	lines = PG_ARGISNULL(0) ? CreateLines(fcinfo) : (Output *) PG_GETARG_POINTER(0);
	start = lines->len;
	if (PG_ARGISNULL(1))
		OutAppend(lines, "null", 4);
	else if (plan->rows != NULL)
		AppendRow(lines, plan->rows, fcinfo);
	else
		plan->value->write(lines, plan->value, NULL, PG_GETARG_DATUM(1));
	JsonEndLine(lines, start);
	PG_RETURN_POINTER(lines);
}

/*
 * The state becomes the result, and remains a valid state: more lines may be added to
 * it, as in a window, because by then the executor no longer needs the result.
 */
Datum
jsonrow_ndjson_finalfn(PG_FUNCTION_ARGS)
{
	Output	   *lines = PG_ARGISNULL(0) ? CreateLines(fcinfo) : (Output *) PG_GETARG_POINTER(0);

	PG_RETURN_POINTER(OutFinishValue(lines));
}
