/*-------------------------------------------------------------------------
 *
 * core_agg.c
 *		PostgreSQL's own aggregates json_agg and jsonb_agg, byte for byte.
 *
 *		jsonrow_core_json_agg(anyelement) -> json
 *		jsonrow_core_json_agg_strict(anyelement) -> json
 *		jsonrow_core_jsonb_agg(anyelement) -> jsonb
 *		jsonrow_core_jsonb_agg_strict(anyelement) -> jsonb
 *			The same as json_agg and so on, including white space, but what is
 *			known about the type is kept for the whole query.  The strict ones
 *			leave NULLs out.
 *
 * The same with the argument taken apart, so that no composite, and no value
 * of type json or jsonb, is made for each row.  A row is never NULL.
 *
 *		jsonrow_core_json_agg(cols text[], VARIADIC "any") -> json
 *			json_agg(row), for a row with these names and values
 *		jsonrow_core_json_agg_row_to_json(cols text[], VARIADIC "any") -> json
 *			json_agg(row_to_json(row))
 *		jsonrow_core_json_agg_build_object(keys text[], VARIADIC "any") -> json
 *			json_agg(json_build_object(key, value, ...))
 *		jsonrow_core_json_agg_build_array(VARIADIC "any") -> json
 *			json_agg(json_build_array(value, ...))
 *		jsonrow_core_jsonb_agg(cols text[], VARIADIC "any") -> jsonb
 *			jsonb_agg(row), jsonb_agg(jsonb_build_object(key, value, ...))
 *		jsonrow_core_jsonb_agg_build_array(VARIADIC "any") -> jsonb
 *			jsonb_agg(jsonb_build_array(value, ...))
 *
 * What jsonb_out prints of them, for jsonb that is only embedded in JSON text: see
 * planner/as_text.c.  Values of type json must be such text.
 *
 *		jsonrow_core_jsonb_agg_text(anyelement) -> json
 *			jsonb_agg
 *		jsonrow_core_jsonb_agg_text(cols text[], VARIADIC "any") -> json
 *			jsonb_agg(row), jsonb_agg(jsonb_build_object(key, value, ...))
 *
 * All give NULL for no rows.  There is no combine function, because json_agg
 * has none: so these are planned in the same way, and rows keep their order.
 *
 * Errors: any that writing a value raises; different numbers of names and
 * values; a NULL name; a result that is too large.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "write/aggregate.h"

PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_strict_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_strict_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_named_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_row_to_json_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_build_object_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_build_array_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_named_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_build_array_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_text_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_text_named_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_agg_text_finalfn);

static const RowLayout composites = {
	.form = ROW_OBJECT,.nested = NESTED_AS_IS,.takes_names = true,
	.spaced = true,.line_feeds = true
};

static const RowLayout rows_to_json = {
	.form = ROW_OBJECT,.nested = NESTED_AS_IS,.takes_names = true,.spaced = true
};

static const RowLayout built_objects = {
	.form = ROW_OBJECT_SPACED,.nested = NESTED_AS_IS,.takes_names = true,.spaced = true
};

static const RowLayout built_arrays = {
	.form = ROW_ARRAY_SPACED,.nested = NESTED_AS_IS,.spaced = true
};

/* Elements that are arrays or composites are put on lines of their own. */
static bool
IsStructured(const ColumnPlan *plan)
{
	return plan->category == CATEGORY_ARRAY || plan->category == CATEGORY_COMPOSITE;
}

/* One more value, which is not taken apart */
static Datum
AccumulateValue(FunctionCallInfo fcinfo, const Writer *writer, bool strict)
{
	ColumnPlan *plan = fcinfo->flinfo->fn_extra;
	DocumentState *state;

	if (unlikely(plan == NULL))
	{
		AggregateContext(fcinfo);
		plan = fcinfo->flinfo->fn_extra = PlanArgument(fcinfo, writer, 1);
	}
	if (unlikely(PG_ARGISNULL(0)))
	{
		state = AggregateStateCreate(fcinfo, writer, false);
		StateSetSpacing(state, true, writer == &JsonWriter && IsStructured(plan));
	}
	else
		state = (DocumentState *) PG_GETARG_POINTER(0);

	if (!PG_ARGISNULL(1))
		StateAddValue(state, plan, PG_GETARG_DATUM(1));
	else if (!strict)
		StateAddNullRow(state);
	PG_RETURN_POINTER(state);
}

Datum
jsonrow_core_json_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateValue(fcinfo, &JsonWriter, false);
}

Datum
jsonrow_core_json_agg_strict_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateValue(fcinfo, &JsonWriter, true);
}

Datum
jsonrow_core_jsonb_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateValue(fcinfo, &JsonbWriter, false);
}

Datum
jsonrow_core_jsonb_agg_strict_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateValue(fcinfo, &JsonbWriter, true);
}

Datum
jsonrow_core_json_agg_named_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &composites);
}

Datum
jsonrow_core_json_agg_row_to_json_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &rows_to_json);
}

Datum
jsonrow_core_json_agg_build_object_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &built_objects);
}

Datum
jsonrow_core_json_agg_build_array_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonWriter, &built_arrays);
}

Datum
jsonrow_core_jsonb_agg_named_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonbWriter, &composites);
}

Datum
jsonrow_core_jsonb_agg_build_array_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonbWriter, &built_arrays);
}

Datum
jsonrow_core_jsonb_agg_text_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateValue(fcinfo, &JsonbTextWriter, false);
}

Datum
jsonrow_core_jsonb_agg_text_named_transfn(PG_FUNCTION_ARGS)
{
	return AccumulateRow(fcinfo, &JsonbTextWriter, &rows_to_json);
}

/* No rows give NULL. */
Datum
jsonrow_core_json_agg_finalfn(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return FinishAggregate(fcinfo, &JsonWriter, &composites);
}

Datum
jsonrow_core_jsonb_agg_finalfn(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return FinishAggregate(fcinfo, &JsonbWriter, &composites);
}

Datum
jsonrow_core_jsonb_agg_text_finalfn(PG_FUNCTION_ARGS)
{
	Datum		result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	result = FinishAggregate(fcinfo, &JsonbTextWriter, &rows_to_json);
	CheckJsonbText((struct varlena *) DatumGetPointer(result));
	return result;
}
