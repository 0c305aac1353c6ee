/*-------------------------------------------------------------------------
 *
 * core_elements.c
 *		PostgreSQL's own functions from JSON arrays and objects to their parts.
 *
 *		jsonrow_core_json[b]_array_elements(json[b]) -> SETOF json[b]
 *		jsonrow_core_json[b]_array_elements_text(json[b]) -> SETOF text
 *		jsonrow_core_json[b]_each(json[b]) -> SETOF (key text, value json[b])
 *		jsonrow_core_json[b]_each_text(json[b]) -> SETOF (key text, value text)
 *		jsonrow_core_json[b]_object_keys(json[b]) -> SETOF text
 *			The same as json_array_elements and so on: rows, NULLs and errors.
 *
 * In a select list the parts are given one at a time, as they are asked for,
 * while most of the originals make all of them first.  In FROM, planner/lazy_scan.c
 * does the same where it can.  Only two errors in a json could come late: those of
 * \u escapes, so a text that has any is checked before; and that it is nested too deep
 * for the stack, if max_stack_depth has become less since it was made.  That one comes
 * after the parts before it.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/json_error.h"
#include "read/parts.h"
#include "read/scalar_input.h"
#include "read/srf.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(jsonrow_core_json_array_elements);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_array_elements);
PG_FUNCTION_INFO_V1(jsonrow_core_json_array_elements_text);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_array_elements_text);
PG_FUNCTION_INFO_V1(jsonrow_core_json_each);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_each);
PG_FUNCTION_INFO_V1(jsonrow_core_json_each_text);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_each_text);
PG_FUNCTION_INFO_V1(jsonrow_core_json_object_keys);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_object_keys);

/* Which parts are given */
typedef enum PartKind
{
	PART_ELEMENTS,
	PART_MEMBERS,				/* keys and values */
	PART_KEYS,
} PartKind;

/* Which of the originals it is */
struct PartsCall
{
	const char *name;
	PartKind	kind;
	bool		jsonb;
	bool		as_text;		/* values are text, and null is NULL */
	PGFunction	function;
};

/* A value being taken apart */
struct PartsCursor
{
	const PartsCall *call;
	text	   *json;			/* of JSON text ... */
	JsonParse	parse;
	bool		first;
	JsonbWalk	walk;			/* or of jsonb: elements or keys ... */
	JsonbWalk	values;			/* ... and members' values */
	Output		text;			/* room for one value */
};

/*
 * The beginning, and what is wrong with it
 */

/* For each kind: of json and of jsonb, if it is a container of the other kind, and if it is a scalar */
static const char *const messages[][2][2] = {
	[PART_ELEMENTS] = {
		{"cannot call %s on a non-array", "cannot call %s on a scalar"},
		{"cannot extract elements from an object", "cannot extract elements from a scalar"}
	},
	[PART_MEMBERS] = {
		{"cannot deconstruct an array as an object", "cannot deconstruct a scalar"},
		{"cannot call %s on a non-object", "cannot call %s on a non-object"}
	},
	[PART_KEYS] = {
		{"cannot call %s on an array", "cannot call %s on a scalar"},
		{"cannot call %s on an array", "cannot call %s on a scalar"}
	},
};

/* A value that is not what the function takes */
pg_noreturn static void
ReportKind(const PartsCall *call, bool scalar)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg(messages[call->kind][call->jsonb][scalar], call->name)));
}

/* Are strings decoded, and errors in them raised? */
static bool
Decodes(const PartsCall *call)
{
	return call->kind != PART_ELEMENTS || call->as_text;
}

/* Have all of a text checked that may have a wrong \u escape. */
static void
CheckAhead(PartsCursor *cursor)
{
	JsonParse	parse = cursor->parse;
	JsonItem	item;

	for (const char *p = parse.p; (p = memchr(p, '\\', parse.end - p)) != NULL && p + 1 < parse.end; p += 2)
	{
		CHECK_FOR_INTERRUPTS();
		if (p[1] != 'u')
			continue;
		if (!JsonParseValue(&parse, &item))
			ReportInvalidJson(cursor->json, true);
		return;
	}
}

static void
OpenJson(PartsCursor *cursor, text *json, bool ahead)
{
	const PartsCall *call = cursor->call;
	bool		is_array = call->kind == PART_ELEMENTS;
	JsonItem	item;
	char		c;

	cursor->json = json;
	cursor->first = true;
	JsonParseStart(&cursor->parse, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json), Decodes(call));
	c = JsonParsePeek(&cursor->parse);
	if (c == (is_array ? '{' : '['))
		ReportKind(call, false);
	if (c != (is_array ? '[' : '{'))
	{
		if (!JsonParseValue(&cursor->parse, &item))
			ReportInvalidJson(json, Decodes(call));
		ReportKind(call, true);
	}
	if (ahead && Decodes(call))
		CheckAhead(cursor);
	cursor->parse.p++;
}

static void
OpenJsonb(PartsCursor *cursor, const Jsonb *jsonb)
{
	const PartsCall *call = cursor->call;
	uint32		wanted = call->kind == PART_ELEMENTS ? JB_FARRAY : JB_FOBJECT;

	JsonbWalkRoot(&cursor->walk, jsonb);
	if (cursor->walk.flags != wanted)
		ReportKind(call, (cursor->walk.flags & JB_FSCALAR) != 0);
	if (call->kind == PART_MEMBERS)
	{
		cursor->values = cursor->walk;
		JsonbWalkSeek(&cursor->values, cursor->walk.count);
	}
}

/*
 * Start with a value.  It stays where it is, or is detoasted in the current
 * context.  ahead says to raise all errors now.
 */
static void
OpenCursor(PartsCursor *cursor, const PartsCall *call, Datum json, bool ahead)
{
	cursor->call = call;
	OutInit(&cursor->text, FORMAT_JSON, 256, CurrentMemoryContext);
	if (call->jsonb)
		OpenJsonb(cursor, DatumGetJsonbP(json));
	else
		OpenJson(cursor, DatumGetTextPP(json), ahead);
}

/*
 * Parts
 */

static Datum
ItemAsText(PartsCursor *cursor, const JsonItem *item)
{
	Size		len;
	const char *text = ItemText(item, &cursor->text, &len);

	return PointerGetDatum(cstring_to_text_with_len(text, len));
}

/* Step to the next part of a text. */
static bool
NextOfJson(PartsCursor *cursor, Part *part)
{
	const PartsCall *call = cursor->call;
	JsonParse  *parse = &cursor->parse;
	char		closing = call->kind == PART_ELEMENTS ? ']' : '}';
	JsonNext	next = JsonParseNext(parse, closing, &cursor->first);
	Datum	   *value = part->values;
	JsonItem	key;
	JsonItem	item;

	if (next == JSON_NEXT_END)
	{
		if (JsonParsePeek(parse) != '\0')
			ReportInvalidJson(cursor->json, Decodes(call));
		return false;
	}
	if (next == JSON_NEXT_INVALID ||
		(call->kind != PART_ELEMENTS && !JsonParseKey(parse, &key)) ||
		!JsonParseValue(parse, &item))
		ReportInvalidJson(cursor->json, Decodes(call));
	part->nulls[0] = part->nulls[1] = false;
	if (call->kind != PART_ELEMENTS)
		*value++ = ItemAsText(cursor, &key);
	if (call->kind == PART_KEYS)
		return true;
	if (call->as_text && item.kind == JSON_IS_NULL)
		part->nulls[value - part->values] = true;
	else if (call->as_text)
		*value = ItemAsText(cursor, &item);
	else
		*value = PointerGetDatum(cstring_to_text_with_len(item.text, item.len));
	return true;
}

/* The same of a jsonb */
static bool
NextOfJsonb(PartsCursor *cursor, Part *part)
{
	const PartsCall *call = cursor->call;
	Datum	   *value = part->values;
	JsonbElement element;

	if (cursor->walk.next == cursor->walk.count)
		return false;
	element = JsonbWalkTake(&cursor->walk);
	part->nulls[0] = part->nulls[1] = false;
	if (call->kind != PART_ELEMENTS)
	{
		*value++ = ElementAsText(&element, &cursor->text);
		if (call->kind == PART_KEYS)
			return true;
		element = JsonbWalkTake(&cursor->values);
	}
	if (call->as_text && element.type == JENTRY_ISNULL)
		part->nulls[value - part->values] = true;
	else if (call->as_text)
		*value = ElementAsText(&element, &cursor->text);
	else
		*value = JsonbPGetDatum(ElementToJsonb(&element));
	return true;
}

bool
PartsNext(PartsCursor *cursor, Part *part)
{
	CHECK_FOR_INTERRUPTS();
	return cursor->call->jsonb ? NextOfJsonb(cursor, part) : NextOfJson(cursor, part);
}

/*
 * Start to give the parts of a value one at a time; all errors of its text are
 * raised now.  The value must stay where it is.
 */
PartsCursor *
PartsOpen(const PartsCall *call, Datum json)
{
	PartsCursor *cursor = palloc(sizeof(PartsCursor));

	OpenCursor(cursor, call, json, true);
	return cursor;
}

/* How many columns a part has */
int
PartsWidth(const PartsCall *call)
{
	return call->kind == PART_MEMBERS ? 2 : 1;
}

/*
 * Calls
 */

/* All at once */
static Datum
AllParts(FunctionCallInfo fcinfo, const PartsCall *call)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	PartsCursor cursor;
	MemoryContext row_context;
	MemoryContext old;
	Part		part;

	OpenCursor(&cursor, call, PG_GETARG_DATUM(0), false);
	InitMaterializedSRF(fcinfo, call->kind == PART_MEMBERS ? MAT_SRF_BLESS :
						MAT_SRF_USE_EXPECTED_DESC | MAT_SRF_BLESS);
	row_context = AllocSetContextCreate(CurrentMemoryContext, "jsonrow part",
										ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(row_context);
	while (PartsNext(&cursor, &part))
	{
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, part.values, part.nulls);
		MemoryContextReset(row_context);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(row_context);
	PG_RETURN_NULL();
}

/* One at a time */
static Datum
NextPartOfCall(FunctionCallInfo fcinfo, const PartsCall *call)
{
	FuncCallContext *context;
	Part		part;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->user_fctx = PartsOpen(call, PG_GETARG_DATUM(0));
		MemoryContextSwitchTo(old);
		if (call->kind == PART_MEMBERS)
			SetResultRowType(fcinfo, context);
	}
	context = SRF_PERCALL_SETUP();
	if (!PartsNext(context->user_fctx, &part))
		SRF_RETURN_DONE(context);
	if (call->kind == PART_MEMBERS)
		SRF_RETURN_NEXT(context, HeapTupleGetDatum(heap_form_tuple(context->tuple_desc,
																   part.values, part.nulls)));
	if (part.nulls[0])
		SRF_RETURN_NEXT_NULL(context);
	SRF_RETURN_NEXT(context, part.values[0]);
}

static Datum
GiveParts(FunctionCallInfo fcinfo, const PartsCall *call)
{
	return WantsAllRows(fcinfo) ? AllParts(fcinfo, call) : NextPartOfCall(fcinfo, call);
}

/* A function that SQL calls, and what it is told by */
#define PARTS_FUNCTION(name, kind, jsonb, as_text) \
	static const PartsCall call_##name = {#name, kind, jsonb, as_text, jsonrow_core_##name}; \
	Datum jsonrow_core_##name(PG_FUNCTION_ARGS) { return GiveParts(fcinfo, &call_##name); } \
	extern int	no_such_variable

PARTS_FUNCTION(json_array_elements, PART_ELEMENTS, false, false);
PARTS_FUNCTION(jsonb_array_elements, PART_ELEMENTS, true, false);
PARTS_FUNCTION(json_array_elements_text, PART_ELEMENTS, false, true);
PARTS_FUNCTION(jsonb_array_elements_text, PART_ELEMENTS, true, true);
PARTS_FUNCTION(json_each, PART_MEMBERS, false, false);
PARTS_FUNCTION(jsonb_each, PART_MEMBERS, true, false);
PARTS_FUNCTION(json_each_text, PART_MEMBERS, false, true);
PARTS_FUNCTION(jsonb_each_text, PART_MEMBERS, true, true);
PARTS_FUNCTION(json_object_keys, PART_KEYS, false, false);
PARTS_FUNCTION(jsonb_object_keys, PART_KEYS, true, false);

static const PartsCall *const calls[] = {
	&call_json_array_elements, &call_jsonb_array_elements,
	&call_json_array_elements_text, &call_jsonb_array_elements_text,
	&call_json_each, &call_jsonb_each, &call_json_each_text, &call_jsonb_each_text,
	&call_json_object_keys, &call_jsonb_object_keys,
};

/* Which of them a C function is; NULL if none */
const PartsCall *
PartsCallOf(PGFunction function)
{
	for (int i = 0; i < lengthof(calls); i++)
		if (calls[i]->function == function)
			return calls[i];
	return NULL;
}
