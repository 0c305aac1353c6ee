/*-------------------------------------------------------------------------
 *
 * core_object_agg.c
 *		PostgreSQL's own aggregates json_object_agg and jsonb_object_agg, byte
 *		for byte.
 *
 *		jsonrow_core_json_object_agg("any", "any") -> json
 *		jsonrow_core_jsonb_object_agg("any", "any") -> jsonb
 *			An object of all keys and values.  If several keys are equal, JSON
 *			text has them all, and jsonb the last one.  NULL for no rows.
 *			Errors: a NULL key, keys that are not scalars; the originals are
 *			called to raise them.
 *
 * Keys and values are collected like the elements of an array.  At the end,
 * jsonb needs the keys sorted, and before all values.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/elements.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "write/aggregate.h"
#include "write/key_text.h"

PG_FUNCTION_INFO_V1(jsonrow_core_json_object_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_json_object_agg_finalfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_object_agg_transfn);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_object_agg_finalfn);

/* How both are written */
typedef struct PairPlan
{
	bool		has_keys;		/* values of the first argument's type can be
								 * keys */
	KeyPlan		key;
	ColumnPlan	value;
} PairPlan;

/* What is collected for one group */
typedef struct PairState
{
	Output		pairs;			/* jsonb: the elements, a key and its value in
								 * turn */
	uint32		npairs;
} PairState;

static PairPlan *
PlanPairs(FunctionCallInfo fcinfo, const Writer *writer)
{
	MemoryContext context = fcinfo->flinfo->fn_mcxt;
	PairPlan   *plan = MemoryContextAllocZero(context, sizeof(PairPlan));
	PlanContext *shared = PlanContextCreate(writer, NESTED_AS_IS, DocumentDomainsLookup(), context);

	for (int i = 1; i <= 2; i++)
		if (!OidIsValid(get_fn_expr_argtype(fcinfo->flinfo, i)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("could not determine data type for argument %d", i)));
	plan->has_keys = KeyPlanInit(&plan->key, shared, get_fn_expr_argtype(fcinfo->flinfo, 1));
	PlanColumn(&plan->value, shared, get_fn_expr_argtype(fcinfo->flinfo, 2), NULL);
	return plan;
}

static PairState *
PairStateCreate(FunctionCallInfo fcinfo, DocumentFormat format)
{
	MemoryContext context = AggregateContext(fcinfo);
	PairState  *state = MemoryContextAllocZero(context, sizeof(PairState));

	OutInit(&state->pairs, format, 256, context);
	return state;
}

static void
CollectKey(Output *out, KeyPlan *plan, Datum key)
{
	Size		len;
	const char *text = KeyText(plan, key, &len);
	Size		start = out->len;

	if (out->format == FORMAT_JSON)
		JsonAppendString(out, text, len);
	else
	{
		OutAppend(out, text, len);
		ElementEnd(out, start, JENTRY_ISSTRING);
	}
}

static void
CollectValue(Output *out, ColumnPlan *plan, const NullableDatum *value)
{
	Size		start = out->len;

	if (!value->isnull)
		ElementEnd(out, start, plan->write(out, plan, NULL, value->value));
	else if (out->format == FORMAT_JSON)
		OutAppend(out, "null", 4);
	else
		ElementEnd(out, start, JENTRY_ISNULL);
}

static Datum
AccumulatePair(FunctionCallInfo fcinfo, const Writer *writer, PGFunction original)
{
	PairPlan   *plan = fcinfo->flinfo->fn_extra;
	PairState  *state;
	Output	   *out;

	if (unlikely(plan == NULL))
	{
		AggregateContext(fcinfo);
		plan = fcinfo->flinfo->fn_extra = PlanPairs(fcinfo, writer);
	}
	if (unlikely(PG_ARGISNULL(1) || !plan->has_keys))
	{
		/*
		 * The original gets a state of its own to write to before it raises
		 * the error
		 */
		fcinfo->args[0].isnull = true;
		return original(fcinfo);
	}
	state = PG_ARGISNULL(0) ? PairStateCreate(fcinfo, writer->format) :
		(PairState *) PG_GETARG_POINTER(0);
	out = &state->pairs;

	if (out->format == FORMAT_JSON && state->npairs > 0)
		OutAppend(out, ", ", 2);
	CollectKey(out, &plan->key, PG_GETARG_DATUM(1));
	if (out->format == FORMAT_JSON)
		OutAppend(out, " : ", 3);
	CollectValue(out, &plan->value, &fcinfo->args[2]);
	state->npairs++;
	if (unlikely(out->len + OutItemsSize(out) > out->maxlen))
		ReportTooLarge(out);
	PG_RETURN_POINTER(state);
}

Datum
jsonrow_core_json_object_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulatePair(fcinfo, &JsonWriter, json_object_agg_transfn);
}

Datum
jsonrow_core_jsonb_object_agg_transfn(PG_FUNCTION_ARGS)
{
	return AccumulatePair(fcinfo, &JsonbWriter, jsonb_object_agg_transfn);
}

Datum
jsonrow_core_json_object_agg_finalfn(PG_FUNCTION_ARGS)
{
	PairState  *state;
	Output		out;

	AggregateContext(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (PairState *) PG_GETARG_POINTER(0);
	OutInitValue(&out, FORMAT_JSON, state->pairs.len + 4 + OUTPUT_MARGIN, CurrentMemoryContext);
	OutAppend(&out, "{ ", 2);
	OutAppend(&out, state->pairs.data, state->pairs.len);
	OutAppend(&out, " }", 2);
	PG_RETURN_POINTER(OutFinishValue(&out));
}

/* The collected elements, taken apart */
static void
TakePairs(const PairState *state, JsonbKey *keys, JsonbElement *values)
{
	JsonbWalk	walk = ElementsWalk(&state->pairs, state->npairs * 2);

	for (uint32 i = 0; i < state->npairs; i++)
	{
		JsonbElement key = JsonbWalkTake(&walk);

		CHECK_FOR_INTERRUPTS();
		keys[i] = JsonbKeyOf(key.data, key.len, i);
		values[i] = JsonbWalkTake(&walk);
	}
}

Datum
jsonrow_core_jsonb_object_agg_finalfn(PG_FUNCTION_ARGS)
{
	PairState  *state;
	JsonbKey   *keys;
	JsonbElement *values;
	uint32		nkeys;
	ContainerBuilder object;
	Output		out;

	AggregateContext(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (PairState *) PG_GETARG_POINTER(0);
	keys = MemoryContextAllocHuge(CurrentMemoryContext, mul_size(state->npairs, sizeof(JsonbKey)));
	values = MemoryContextAllocHuge(CurrentMemoryContext,
									mul_size(state->npairs, sizeof(JsonbElement)));
	TakePairs(state, keys, values);
	nkeys = SortKeys(keys, state->npairs);
	OutInitValue(&out, FORMAT_JSONB, state->pairs.len + OutItemsSize(&state->pairs) + 64,
				 CurrentMemoryContext);
	object = BeginContainer(&out, JB_FOBJECT | nkeys, nkeys * 2);
	for (uint32 i = 0; i < nkeys; i++)
		AddKey(&out, &object, &keys[i]);
	for (uint32 i = 0; i < nkeys; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddElement(&out, &object, &values[keys[i].position]);
	}
	pfree(keys);
	pfree(values);
	PG_RETURN_POINTER(OutFinishJsonb(&out));
}
