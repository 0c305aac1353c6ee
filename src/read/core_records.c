/*-------------------------------------------------------------------------
 *
 * core_records.c
 *		PostgreSQL's own functions from JSON objects to rows.
 *
 *		jsonrow_core_json[b]_to_record(json[b]) -> record
 *		jsonrow_core_json[b]_to_recordset(json[b]) -> SETOF record
 *		jsonrow_core_json_populate_record(base anyelement, json, boolean) -> anyelement
 *		jsonrow_core_jsonb_populate_record(base anyelement, jsonb) -> anyelement
 *		jsonrow_core_json[b]_populate_recordset(...) -> SETOF anyelement
 *			The same as json_to_record and so on: rows, NULLs and errors.
 *
 * The functions of sets give all rows at once, as the originals do, because a
 * later row may raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "read/json_error.h"
#include "read/record_input.h"
#include "read/srf.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"

PG_FUNCTION_INFO_V1(jsonrow_core_json_to_record);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_to_record);
PG_FUNCTION_INFO_V1(jsonrow_core_json_to_recordset);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_to_recordset);
PG_FUNCTION_INFO_V1(jsonrow_core_json_populate_record);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_populate_record);
PG_FUNCTION_INFO_V1(jsonrow_core_json_populate_recordset);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_populate_recordset);

/* Which of the originals it is */
typedef struct RecordCall
{
	const char *name;
	bool		jsonb;
	bool		has_base;		/* the first argument is the row to start from */
} RecordCall;

/* What a call keeps */
typedef struct RecordCache
{
	Oid			argtype;		/* the declared type of the rows */
	bool		is_domain;
	void	   *domain_checks;
	Oid			base_typid;		/* the type of the rows, not a domain */
	int32		base_typmod;
	RecordInput *input;			/* for rows of that type, or NULL */
} RecordCache;

/*
 * The row type
 */

/* Prepare for rows of a type, if that has not been done. */
static void
UseRowType(RecordCache *cache, TupleDesc tupdesc, bool jsonb, MemoryContext context)
{
	if (cache->input != NULL)
		MemoryContextDelete(cache->input->context);
	cache->input = NULL;
	cache->input = RecordInputCreate(tupdesc, jsonb,
									 AllocSetContextCreate(context, "jsonrow record input",
														   ALLOCSET_DEFAULT_SIZES));
}

static void
TypeFromArgument(FunctionCallInfo fcinfo, const RecordCall *call, RecordCache *cache)
{
	cache->argtype = get_fn_expr_argtype(fcinfo->flinfo, 0);
	if (!type_is_rowtype(cache->argtype))
		ReportNotRowType(call->name);
	cache->base_typmod = -1;
	cache->base_typid = getBaseTypeAndTypmod(cache->argtype, &cache->base_typmod);
	cache->is_domain = cache->base_typid != cache->argtype;
}

static void
TypeFromQuery(FunctionCallInfo fcinfo, const RecordCall *call, RecordCache *cache)
{
	TupleDesc	tupdesc;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		ReportNoRowType(call->name);
	cache->argtype = tupdesc->tdtypeid;
	cache->base_typid = tupdesc->tdtypeid;
	cache->base_typmod = tupdesc->tdtypmod;
	if (cache->input == NULL || !equalTupleDescs(cache->input->tupdesc, tupdesc))
		UseRowType(cache, tupdesc, call->jsonb, fcinfo->flinfo->fn_mcxt);
}

/* What the call keeps; made at the first one */
static RecordCache *
FindCache(FunctionCallInfo fcinfo, const RecordCall *call)
{
	RecordCache *cache = fcinfo->flinfo->fn_extra;

	if (cache != NULL)
		return cache;
	cache = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(RecordCache));
	if (call->has_base)
		TypeFromArgument(fcinfo, call, cache);
	else
		TypeFromQuery(fcinfo, call, cache);
	fcinfo->flinfo->fn_extra = cache;
	return cache;
}

/* The row to start from, or NULL.  If it is a record, only it tells its type. */
static HeapTupleHeader
BaseRow(FunctionCallInfo fcinfo, const RecordCall *call, RecordCache *cache)
{
	HeapTupleHeader base;

	if (!call->has_base)
		return NULL;
	if (PG_ARGISNULL(0))
	{
		if (cache->argtype == RECORDOID)
			TypeFromQuery(fcinfo, call, cache);
		return NULL;
	}
	base = PG_GETARG_HEAPTUPLEHEADER(0);
	if (cache->argtype == RECORDOID)
	{
		cache->base_typid = HeapTupleHeaderGetTypeId(base);
		cache->base_typmod = HeapTupleHeaderGetTypMod(base);
	}
	return base;
}

/* Ready for rows that start from base */
static RecordInput *
OpenInput(FunctionCallInfo fcinfo, const RecordCall *call, RecordCache *cache, HeapTupleHeader base)
{
	TupleDesc	tupdesc = cache->input ? cache->input->tupdesc : NULL;

	if (tupdesc == NULL || tupdesc->tdtypeid != cache->base_typid ||
		tupdesc->tdtypmod != cache->base_typmod)
	{
		tupdesc = lookup_rowtype_tupdesc_copy(cache->base_typid, cache->base_typmod);
		UseRowType(cache, tupdesc, call->jsonb, fcinfo->flinfo->fn_mcxt);
	}
	RecordInputSetBase(cache->input, base);
	return cache->input;
}

/* The row of the object that was taken, as a composite */
static Datum
CurrentRecord(FunctionCallInfo fcinfo, RecordCache *cache)
{
	RecordInput *input = cache->input;
	HeapTupleHeader row = input->base;
	Datum		result;

	if (row == NULL || !input->empty)
	{
		RecordInputFill(input);
		row = heap_form_tuple(input->tupdesc, input->values, input->nulls)->t_data;
	}
	result = HeapTupleHeaderGetDatum(row);
	if (cache->is_domain)
		domain_check(result, false, cache->argtype, &cache->domain_checks,
					 fcinfo->flinfo->fn_mcxt);
	return result;
}

/*
 * One row
 */

pg_noreturn static void
ReportNotObject(bool scalar)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 scalar ? errmsg("cannot call %s on a scalar", "populate_composite") :
			 errmsg("cannot call %s on an array", "populate_composite")));
}

/* Take the object that a text is. */
static void
TakeJsonObject(RecordInput *input, text *json)
{
	JsonParse	parse;
	JsonItem	item;

	JsonParseStart(&parse, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json), true);
	switch (JsonParsePeek(&parse))
	{
		case '{':
			if (!RecordInputParse(input, &parse) || JsonParsePeek(&parse) != '\0')
				ReportInvalidJson(json, true);
			break;
		case '[':
			ReportNotObject(false);
		default:
			if (!JsonParseValue(&parse, &item) || JsonParsePeek(&parse) != '\0')
				ReportInvalidJson(json, true);
			ReportNotObject(true);
	}
}

static void
TakeJsonbObject(RecordInput *input, const Jsonb *jsonb)
{
	JsonbElement root = JsonbRootElement(jsonb);

	if (root.type != JENTRY_ISCONTAINER || JsonbElementIsArray(&root))
		ReportNotObject(root.type != JENTRY_ISCONTAINER);
	RecordInputWalk(input, &root);
}

static Datum
ReadRecord(FunctionCallInfo fcinfo, const RecordCall *call)
{
	int			arg = call->has_base ? 1 : 0;
	RecordCache *cache = FindCache(fcinfo, call);
	HeapTupleHeader base = BaseRow(fcinfo, call, cache);
	RecordInput *input;

	if (PG_ARGISNULL(arg))
	{
		if (base != NULL)
			PG_RETURN_POINTER(base);
		PG_RETURN_NULL();
	}
	input = OpenInput(fcinfo, call, cache, base);
	if (call->jsonb)
		TakeJsonbObject(input, PG_GETARG_JSONB_P(arg));
	else
		TakeJsonObject(input, PG_GETARG_TEXT_PP(arg));
	PG_RETURN_DATUM(CurrentRecord(fcinfo, cache));
}

/*
 * Sets of rows
 */

/* A set being made */
typedef struct RecordSet
{
	FunctionCallInfo fcinfo;
	const RecordCall *call;
	RecordCache *cache;
	Tuplestorestate *store;
	MemoryContext row_context;	/* of one row at a time */
} RecordSet;

/* Add the row of the object that was taken. */
static void
PutRecord(RecordSet *set)
{
	RecordInput *input = set->cache->input;
	MemoryContext old = MemoryContextSwitchTo(set->row_context);

	if (set->cache->is_domain || (input->base != NULL && input->empty))
	{
		HeapTupleData tuple = {0};

		tuple.t_data = DatumGetHeapTupleHeader(CurrentRecord(set->fcinfo, set->cache));
		tuple.t_len = HeapTupleHeaderGetDatumLength(tuple.t_data);
		tuplestore_puttuple(set->store, &tuple);
	}
	else
	{
		RecordInputFill(input);
		tuplestore_putvalues(set->store, input->tupdesc, input->values, input->nulls);
	}
	MemoryContextSwitchTo(old);
	MemoryContextReset(set->row_context);
}

pg_noreturn static void
ReportNotObjects(const RecordSet *set)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument of %s must be an array of objects", set->call->name)));
}

/* A text that is no array at all */
pg_noreturn static void
ReportNotArray(const RecordSet *set, text *json, JsonParse *parse)
{
	JsonItem	item;

	if (JsonParsePeek(parse) == '{')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot call %s on an object", set->call->name)));
	if (!JsonParseValue(parse, &item))
		ReportInvalidJson(json, true);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cannot call %s on a scalar", set->call->name)));
}

static void
PutJson(RecordSet *set, text *json)
{
	RecordInput *input = set->cache->input;
	JsonParse	parse;
	JsonItem	item;
	JsonNext	next;
	bool		first = true;

	JsonParseStart(&parse, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json), true);
	if (!JsonParseAccept(&parse, '['))
		ReportNotArray(set, json, &parse);
	while ((next = JsonParseNext(&parse, ']', &first)) == JSON_NEXT_ITEM)
	{
		CHECK_FOR_INTERRUPTS();
		if (JsonParsePeek(&parse) != '{')
		{
			/* What opens an array is a token of its own. */
			if (JsonParsePeek(&parse) != '[' && !JsonParseValue(&parse, &item))
				ReportInvalidJson(json, true);
			ReportNotObjects(set);
		}
		if (!RecordInputParse(input, &parse))
			ReportInvalidJson(json, true);
		PutRecord(set);
	}
	if (next == JSON_NEXT_INVALID || JsonParsePeek(&parse) != '\0')
		ReportInvalidJson(json, true);
}

static void
PutJsonb(RecordSet *set, const Jsonb *jsonb)
{
	JsonbWalk	walk;
	JsonbElement object;

	JsonbWalkRoot(&walk, jsonb);
	if (!JsonbWalkIsArray(&walk))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot call %s on a non-array", set->call->name)));
	while (JsonbWalkNext(&walk, &object))
	{
		CHECK_FOR_INTERRUPTS();
		if (object.type != JENTRY_ISCONTAINER || JsonbElementIsArray(&object))
			ReportNotObjects(set);
		RecordInputWalk(set->cache->input, &object);
		PutRecord(set);
	}
}

static Datum
ReadRecordSet(FunctionCallInfo fcinfo, const RecordCall *call)
{
	int			arg = call->has_base ? 1 : 0;
	ReturnSetInfo *rsinfo = RequireMaterialize(fcinfo);
	RecordSet	set = {.fcinfo = fcinfo,.call = call};
	HeapTupleHeader base;
	RecordInput *input;
	MemoryContext old;

	rsinfo->returnMode = SFRM_Materialize;
	set.cache = FindCache(fcinfo, call);
	base = BaseRow(fcinfo, call, set.cache);
	if (PG_ARGISNULL(arg))
		PG_RETURN_NULL();
	input = OpenInput(fcinfo, call, set.cache, base);
	old = MemoryContextSwitchTo(rsinfo->econtext->ecxt_per_query_memory);
	set.store = tuplestore_begin_heap(rsinfo->allowedModes & SFRM_Materialize_Random,
									  false, work_mem);
	MemoryContextSwitchTo(old);
	set.row_context = AllocSetContextCreate(CurrentMemoryContext, "jsonrow record",
											ALLOCSET_DEFAULT_SIZES);
	if (call->jsonb)
		PutJsonb(&set, PG_GETARG_JSONB_P(arg));
	else
		PutJson(&set, PG_GETARG_TEXT_PP(arg));
	MemoryContextDelete(set.row_context);
	rsinfo->setResult = set.store;
	rsinfo->setDesc = CreateTupleDescCopy(input->tupdesc);
	PG_RETURN_NULL();
}

/* A function that SQL calls, and what it is told by */
#define RECORD_FUNCTION(name, read, jsonb, has_base) \
	static const RecordCall call_##name = {#name, jsonb, has_base}; \
	Datum jsonrow_core_##name(PG_FUNCTION_ARGS) { return read(fcinfo, &call_##name); } \
	extern int	no_such_variable

RECORD_FUNCTION(json_to_record, ReadRecord, false, false);
RECORD_FUNCTION(jsonb_to_record, ReadRecord, true, false);
RECORD_FUNCTION(json_populate_record, ReadRecord, false, true);
RECORD_FUNCTION(jsonb_populate_record, ReadRecord, true, true);
RECORD_FUNCTION(json_to_recordset, ReadRecordSet, false, false);
RECORD_FUNCTION(jsonb_to_recordset, ReadRecordSet, true, false);
RECORD_FUNCTION(json_populate_recordset, ReadRecordSet, false, true);
RECORD_FUNCTION(jsonb_populate_recordset, ReadRecordSet, true, true);
