/*-------------------------------------------------------------------------
 *
 * stored.c
 *		PostgreSQL's ->, ->>, #>, #>> and [], over stored documents.
 *
 *		jsonrow_core_get(doc jsonb, VARIADIC steps "any") -> jsonb
 *		jsonrow_core_get_text(doc jsonb, VARIADIC steps "any") -> text
 *		jsonrow_core_get(doc json, VARIADIC steps "any") -> json
 *		jsonrow_core_get_text(doc json, VARIADIC steps "any") -> text
 *			The same as doc -> step -> step ..., and as ->> for the last step.  A
 *			step of type text is the key of a member, one of type integer the
 *			position of an element, one of type text[] a path, as after #>.
 *			Whatever of the document was fetched or decompressed for a call is
 *			there for the next one (kept.c).  Of jsonb, no more than needed is.
 *			NULL if any argument is.  Errors: a step of another type.
 *
 *		jsonrow_core_subscript(doc jsonb, VARIADIC subscripts "any") -> jsonb
 *			The same as doc[subscript][subscript]..., each of type text or integer.
 *			A subscript is a key or a position, depending on what is there, as the
 *			step of a path is.  NULL and errors: as above.
 *
 * A chain of steps is one call, so that what is between them is not copied.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "common/string.h"
#include "format/json_find.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/kept.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_get);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_get_text);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_subscript);
PG_FUNCTION_INFO_V1(jsonrow_core_json_get);
PG_FUNCTION_INFO_V1(jsonrow_core_json_get_text);

/* A container up to this size is read at once, a larger one only where needed. */
#define SMALL_CONTAINER		4096

/* How many bytes of keys an object is expected to have for each */
#define TYPICAL_KEY_SIZE	12

/* So much of a value is fetched at once, before many pieces would be. */
#define FETCHED_AT_ONCE		(32 * 1024)

/* The most steps of a path that are taken in JSON text */
#define MAX_STEPS			16

typedef enum StepKind
{
	STEP_KEY,
	STEP_POSITION,
	STEP_PATH,
	STEP_SUBSCRIPT,				/* the only step of a path */
	STEP_NUMBER,				/* likewise, but an integer */
} StepKind;

/* A key, a position, or, on a path, whichever is wanted */
typedef struct Step
{
	const char *key;
	Size		len;
	int			position;
	bool		is_position;	/* a step of a path that is a number */
} Step;

/* The steps that an argument stands for */
typedef struct StepArgument
{
	StepKind	kind;
	bool		is_literal;		/* of no type, so a C string */
	bool		is_constant;	/* these have been prepared */
	int			nsteps;			/* negative: a path with a NULL leads nowhere */
	Step	   *steps;
} StepArgument;

/* What a call keeps */
typedef struct StoredCall
{
	Keeper		keeper;
	StepArgument args[FLEXIBLE_ARRAY_MEMBER];
} StoredCall;

/* An element of a document, wherever its bytes are */
typedef struct Place
{
	Bytes	   *bytes;			/* of the document; NULL if it is in memory */
	JsonbElement element;
	Size		start;			/* of the element in the value, if its bytes
								 * have not been fetched */
} Place;

/*
 * Calls
 */

static StepKind
KindOfStep(Oid typid, int arg, bool is_subscript)
{
	switch (typid)
	{
		case TEXTOID:
		case UNKNOWNOID:
			return is_subscript ? STEP_SUBSCRIPT : STEP_KEY;
		case INT4OID:
			return is_subscript ? STEP_NUMBER : STEP_POSITION;
		case TEXTARRAYOID:
			if (!is_subscript)
				return STEP_PATH;
	}
	if (!OidIsValid(typid))
		elog(ERROR, "could not determine the type of argument %d", arg + 1);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 is_subscript ?
			 errmsg("argument %d must be of type text or integer, not type %s",
					arg + 1, format_type_be(typid)) :
			 errmsg("argument %d must be of type text, integer or text[], not type %s",
					arg + 1, format_type_be(typid))));
}

static void
SetKey(Step *step, const text *key)
{
	step->key = VARDATA_ANY(key);
	step->len = VARSIZE_ANY_EXHDR(key);
}

/* May strtoint find a number in it? */
static inline bool
MayBeNumber(const Step *step)
{
	unsigned char first = step->len == 0 ? 'x' : *step->key;

	return isdigit(first) || first == '-' || first == '+' || isspace(first);
}

/* A step of a path, as PostgreSQL reads it if it stands for a position */
static void
SetPathStep(Step *step, text *value)
{
	char	   *number;
	char	   *end;

	SetKey(step, value);
	step->is_position = false;
	if (!MayBeNumber(step))
		return;
	number = text_to_cstring(value);
	errno = 0;
	step->position = strtoint(number, &end, 10);
	step->is_position = end != number && *end == '\0' && errno == 0;
}

static void
PreparePath(StepArgument *arg, ArrayType *path)
{
	Datum	   *values;
	bool	   *nulls;

	arg->nsteps = -1;
	if (array_contains_nulls(path))
		return;
	deconstruct_array(path, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &arg->nsteps);
	arg->steps = palloc(arg->nsteps * sizeof(Step));
	for (int i = 0; i < arg->nsteps; i++)
	{
		CHECK_FOR_INTERRUPTS();
		SetPathStep(&arg->steps[i], DatumGetTextPP(values[i]));
	}
}

static inline text *
TextOfStep(const StepArgument *arg, Datum value)
{
	return arg->is_literal ? cstring_to_text(DatumGetCString(value)) : DatumGetTextPP(value);
}

/* Prepare the steps of an argument; there is room for one. */
static inline void
PrepareSteps(StepArgument *arg, Datum value, Step *one)
{
	arg->steps = one;
	arg->nsteps = 1;
	switch (arg->kind)
	{
		case STEP_KEY:
			SetKey(one, TextOfStep(arg, value));
			break;
		case STEP_SUBSCRIPT:
			SetPathStep(one, TextOfStep(arg, value));
			break;
		case STEP_POSITION:
		case STEP_NUMBER:
			one->position = DatumGetInt32(value);
			break;
		case STEP_PATH:
			PreparePath(arg, DatumGetArrayTypeP(value));
			break;
	}
}

/* Prepare the steps that are constants. */
static void
PrepareConstant(StepArgument *arg, const Node *expr)
{
	const Const *constant = (const Const *) expr;

	if (!IsA(expr, Const) || constant->constisnull)
		return;
	PrepareSteps(arg, datumCopy(constant->constvalue, constant->constbyval, constant->constlen),
				 palloc(sizeof(Step)));
	arg->is_constant = true;
}

static StoredCall *
CallCreate(FunctionCallInfo fcinfo, bool subscripts)
{
	MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	FuncExpr   *expr = (FuncExpr *) fcinfo->flinfo->fn_expr;
	StoredCall *call = palloc0(offsetof(StoredCall, args) + PG_NARGS() * sizeof(StepArgument));

	for (int i = 1; i < PG_NARGS(); i++)
	{
		Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, i);

		call->args[i].kind = KindOfStep(typid, i, subscripts);
		call->args[i].is_literal = typid == UNKNOWNOID;
		if (IsA(expr, FuncExpr))
			PrepareConstant(&call->args[i], list_nth(expr->args, i));
	}
	KeeperInit(&call->keeper, fcinfo->flinfo);
	MemoryContextSwitchTo(old);
	fcinfo->flinfo->fn_extra = call;
	return call;
}

static inline StoredCall *
BeginCall(FunctionCallInfo fcinfo, bool subscripts)
{
	StoredCall *call = fcinfo->flinfo->fn_extra;

	return likely(call != NULL) ? call : CallCreate(fcinfo, subscripts);
}

/* Open a document that must be fetched or decompressed, with what has been kept of it. */
static void
OpenDocument(StoredCall *call, Datum doc, BytesKept *own, Bytes *bytes)
{
	BytesKept  *kept;
	Size		expected;

	own->context = CurrentMemoryContext;
	own->prefix = NULL;
	own->reached = 0;
	kept = KeepValue(&call->keeper, doc, &expected);
	BytesOpenKept(bytes, doc, expected, kept ? kept : own);
}

/*
 * Places
 */

/* So many bytes from the place on will be read. */
static void
Reach(Place *place, Size len)
{
	BytesExpectLast(place->bytes, place->start + len);
	if (place->bytes->in_pieces && len <= FETCHED_AT_ONCE)
		(void) BytesAt(place->bytes, place->start, len);
}

/* Have the element's bytes in memory. */
static void
FetchPlace(Place *place)
{
	JsonbElement *element = &place->element;
	Bytes	   *bytes = place->bytes;

	if (element->data == NULL)
	{
		BytesExpectLast(bytes, place->start + element->len);
		element->data = BytesAt(bytes, place->start, element->len);
	}
	else if (bytes != NULL && element->data >= bytes->data &&
			 element->data <= bytes->data + bytes->have)
		BytesExpectLast(bytes, element->data - bytes->data + element->len);
}

/* Start to walk through the container that is here; false if it is a scalar. */
static bool
EnterPlace(Place *place, JsonbWalk *walk)
{
	JsonbElement *element = &place->element;
	Size		head;

	if (element->type != JENTRY_ISCONTAINER)
		return false;
	if (element->data == NULL && element->len <= SMALL_CONTAINER)
		FetchPlace(place);
	if (element->data != NULL)
	{
		JsonbWalkStart(walk, element->data, element->len);
		return true;
	}
	if (!place->bytes->in_pieces)
		Reach(place, SMALL_CONTAINER);
	JsonbWalkStartAt(walk, place->bytes, place->start, element->len);
	if (walk->bytes != NULL && (walk->flags & JB_FOBJECT))
	{
		head = JsonbWalkHeadSize(walk) + (Size) walk->count * TYPICAL_KEY_SIZE;
		Reach(place, Min(head, element->len));
		JsonbWalkStartAt(walk, place->bytes, place->start, element->len);
	}
	return true;
}

/* Go to an element of the container that is walked. */
static void
MovePlace(Place *place, const JsonbWalk *walk, const JsonbElement *element)
{
	place->element = *element;
	if (element->data == NULL)
		place->start = JsonbWalkPlace(walk, element);
}

/* A scalar that is a document of its own stands in an array. */
static void
TakeScalar(Place *place)
{
	JsonbWalk	walk;
	JsonbElement scalar;

	(void) EnterPlace(place, &walk);
	if (!(walk.flags & JB_FSCALAR))
		return;
	scalar = JsonbWalkTakeAt(&walk, 0);
	if (scalar.type == JENTRY_ISCONTAINER)
		ReportCorruptJsonb();
	MovePlace(place, &walk, &scalar);
}

/* Start at a document, which is in memory, or has been opened. */
static inline void
StartAtDocument(Place *place, Datum doc, Bytes *bytes)
{
	uint32		header;

	place->bytes = bytes;
	place->start = 0;
	if (bytes == NULL)
		place->element = JsonbElementOf(JENTRY_ISCONTAINER, VARDATA_ANY(DatumGetPointer(doc)),
										VARSIZE_ANY_EXHDR(DatumGetPointer(doc)));
	else
		place->element = JsonbElementOf(JENTRY_ISCONTAINER,
										bytes->value == NULL ? bytes->data : NULL, bytes->size);
	if (place->element.len < sizeof(header))
		ReportCorruptJsonb();
	memcpy(&header, bytes == NULL ? place->element.data : BytesAt(bytes, 0, sizeof(header)),
		   sizeof(header));
	if (unlikely(header & JB_FSCALAR))
		TakeScalar(place);
}

/*
 * Steps: each goes to an element, or returns false if there is none
 */

static inline bool
StepToKey(Place *place, const Step *step)
{
	JsonbElement *here = &place->element;
	JsonbWalk	walk;
	JsonbElement element;

	if (likely(here->data != NULL && here->type == JENTRY_ISCONTAINER))
		return JsonbFindMember(here->data, here->len, step->key, step->len, here);
	if (!EnterPlace(place, &walk) || !(walk.flags & JB_FOBJECT) ||
		!JsonbWalkFind(&walk, step->key, step->len, &element))
		return false;
	MovePlace(place, &walk, &element);
	return true;
}

/* A scalar counts as the only element of an array for ->, but not for #>. */
static bool
StepToPosition(Place *place, int64 position, bool scalar_is_array)
{
	JsonbWalk	walk;
	JsonbElement element;

	if (!EnterPlace(place, &walk))
		return scalar_is_array && (position == 0 || position == -1);
	if (!(walk.flags & JB_FARRAY))
		return false;
	if (position < 0)
		position += walk.count;
	if (position < 0 || position >= walk.count)
		return false;
	element = JsonbWalkTakeAt(&walk, position);
	MovePlace(place, &walk, &element);
	return true;
}

/* A step of a path is a key or a position, depending on what is there. */
static bool
StepOfPath(Place *place, const Step *step)
{
	JsonbWalk	walk;

	if (!EnterPlace(place, &walk))
		return false;
	if (walk.flags & JB_FOBJECT)
		return StepToKey(place, step);
	return step->is_position && StepToPosition(place, step->position, false);
}

/* A number is a position, or a key of these digits. */
static bool
StepToNumber(Place *place, int number)
{
	char		digits[12];
	Step		step;

	step.key = digits;
	step.len = pg_ltoa(number, digits);
	step.position = number;
	step.is_position = true;
	return StepOfPath(place, &step);
}

static pg_attribute_always_inline bool
TakeSteps(Place *place, const StepArgument *arg)
{
	if (likely(arg->kind == STEP_KEY))
		return StepToKey(place, arg->steps);
	if (arg->kind == STEP_POSITION)
		return StepToPosition(place, arg->steps->position, true);
	if (arg->kind == STEP_NUMBER)
		return StepToNumber(place, arg->steps->position);
	for (int i = 0; i < arg->nsteps; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!StepOfPath(place, &arg->steps[i]))
			return false;
	}
	return arg->nsteps >= 0;
}

/* Take the steps of an argument that is not a constant. */
static bool
TakeComputedSteps(Place *place, StepArgument arg, Datum value)
{
	Step		one;

	PrepareSteps(&arg, value, &one);
	return TakeSteps(place, &arg);
}

/*
 * jsonb
 */

static Datum
GetFromJsonb(FunctionCallInfo fcinfo, bool as_text, bool subscripts)
{
	StoredCall *call = BeginCall(fcinfo, subscripts);
	Datum		doc = PG_GETARG_DATUM(0);
	bool		is_apart = IsStoredApart((struct varlena *) DatumGetPointer(doc));
	BytesKept	own;
	Bytes		bytes;
	Place		place;
	void	   *result = NULL;
	bool		found = true;

	if (is_apart)
		OpenDocument(call, doc, &own, &bytes);
	else if (unlikely(VARATT_IS_EXTERNAL(DatumGetPointer(doc))))
		doc = PointerGetDatum(PG_DETOAST_DATUM(doc));
	StartAtDocument(&place, doc, is_apart ? &bytes : NULL);
	for (int i = 1; i < PG_NARGS() && found; i++)
		found = call->args[i].is_constant ? TakeSteps(&place, &call->args[i]) :
			TakeComputedSteps(&place, call->args[i], PG_GETARG_DATUM(i));
	if (found)
	{
		FetchPlace(&place);
		result = as_text ? (void *) ElementToText(&place.element) : ElementToJsonb(&place.element);
	}
	if (is_apart)
		BytesClose(&bytes);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

Datum
jsonrow_core_jsonb_get(PG_FUNCTION_ARGS)
{
	return GetFromJsonb(fcinfo, false, false);
}

Datum
jsonrow_core_jsonb_get_text(PG_FUNCTION_ARGS)
{
	return GetFromJsonb(fcinfo, true, false);
}

Datum
jsonrow_core_jsonb_subscript(PG_FUNCTION_ARGS)
{
	return GetFromJsonb(fcinfo, false, true);
}

/*
 * json: its text is parsed for each call, as PostgreSQL does it, but faster.  What
 * is wrong with it, PostgreSQL's own functions say; and they take the steps that
 * are not taken here.
 */

static const PGFunction json_functions[][2] = {
	[STEP_KEY] = {json_object_field, json_object_field_text},
	[STEP_POSITION] = {json_array_element, json_array_element_text},
	[STEP_PATH] = {json_extract_path, json_extract_path_text},
};

/* Call a function of PostgreSQL; false if the result is NULL. */
static bool
CallOriginal(PGFunction function, Datum doc, Datum step, Datum *result)
{
	LOCAL_FCINFO(call, 2);

	InitFunctionCallInfoData(*call, NULL, 2, InvalidOid, NULL, NULL);
	call->args[0].value = doc;
	call->args[0].isnull = false;
	call->args[1].value = step;
	call->args[1].isnull = false;
	*result = function(call);
	return !call->isnull;
}

/* All of a document that must be fetched or decompressed */
static Datum
WholeDocument(StoredCall *call, Datum doc)
{
	Size		expected;
	BytesKept  *kept = KeepValue(&call->keeper, doc, &expected);

	if (kept == NULL)
		return PointerGetDatum(PG_DETOAST_DATUM(doc));
	BytesKeepAll(kept, doc);
	return PointerGetDatum(kept->prefix);
}

/* Take a step; false if PostgreSQL must do it. */
static bool
StepInText(const Step *step, StepKind kind, JsonItem *item, JsonFound *found)
{
	const char *json = item->text;
	Size		len = item->len;

	if (kind == STEP_KEY || (kind == STEP_PATH && item->kind != JSON_IS_ARRAY))
		*found = JsonFindKey(json, len, step->key, step->len, item);
	else if ((kind == STEP_PATH && !step->is_position) || step->position < 0)
		return false;
	else
		*found = JsonFindPosition(json, len, step->position, item);
	return *found != JSON_NOT_VALID;
}

/*
 * Take the steps of an argument.  A path leads to the last place that has all of
 * its keys, so if there are several members, PostgreSQL must look.  Of a long path, it reads the text once; here each
 * step reads on in what it has found.
 */
static bool
StepsInText(const StepArgument *arg, JsonItem *item, JsonFound *found)
{
	if (arg->kind == STEP_PATH && (arg->nsteps < 1 || arg->nsteps > MAX_STEPS))
		return false;
	for (int i = 0; i < arg->nsteps; i++)
	{
		if (!StepInText(&arg->steps[i], arg->kind, item, found))
			return false;
		if (*found == JSON_FOUND_AGAIN && i < arg->nsteps - 1)
			return false;
		if (*found == JSON_NOT_FOUND)
			return true;
	}
	return true;
}

/*
 * Find what all steps lead to, in a text that is in memory; false if PostgreSQL
 * must do it.
 */
static bool
FindInText(FunctionCallInfo fcinfo, const StoredCall *call, Datum doc, JsonItem *item, JsonFound *found)
{
	JsonParse	parse;

	item->text = VARDATA_ANY(DatumGetPointer(doc));
	item->len = VARSIZE_ANY_EXHDR(DatumGetPointer(doc));
	JsonParseStart(&parse, item->text, item->len, true);
	item->kind = JsonParsePeek(&parse) == '[' ? JSON_IS_ARRAY : JSON_IS_OBJECT;
	*found = JSON_FOUND;
	for (int i = 1; i < PG_NARGS() && *found != JSON_NOT_FOUND; i++)
	{
		StepArgument arg = call->args[i];
		Step		one;

		if (!arg.is_constant)
		{
			if (arg.kind == STEP_PATH || arg.is_literal)
				return false;
			PrepareSteps(&arg, PG_GETARG_DATUM(i), &one);
		}
		if (!StepsInText(&arg, item, found))
			return false;
	}
	return true;
}

static Datum
TextOfItem(const JsonItem *item, bool as_text)
{
	Output		decoded;

	if (!as_text || item->kind != JSON_IS_STRING)
		return PointerGetDatum(cstring_to_text_with_len(item->text, item->len));
	if (!item->escaped)
		return PointerGetDatum(cstring_to_text_with_len(item->text + 1, item->len - 2));
	OutInit(&decoded, FORMAT_JSON, item->len, CurrentMemoryContext);
	JsonDecodeString(&decoded, item);
	return PointerGetDatum(cstring_to_text_with_len(decoded.data, decoded.len));
}

static Datum
GetByOriginals(FunctionCallInfo fcinfo, const StoredCall *call, Datum doc, bool as_text)
{
	int			last = PG_NARGS() - 1;

	for (int i = 1; i <= last; i++)
	{
		const StepArgument *arg = &call->args[i];
		Datum		step = PG_GETARG_DATUM(i);

		if (arg->is_literal)
			step = CStringGetTextDatum(DatumGetCString(step));
		if (!CallOriginal(json_functions[arg->kind][as_text && i == last], doc, step, &doc))
			PG_RETURN_NULL();
	}
	return doc;
}

static Datum
GetFromJson(FunctionCallInfo fcinfo, bool as_text)
{
	StoredCall *call = BeginCall(fcinfo, false);
	Datum		doc = PG_GETARG_DATUM(0);
	JsonItem	item;
	JsonFound	found;

	if (IsStoredApart((struct varlena *) DatumGetPointer(doc)))
		doc = WholeDocument(call, doc);
	else
		doc = PointerGetDatum(PG_DETOAST_DATUM_PACKED(doc));
	if (!FindInText(fcinfo, call, doc, &item, &found))
		return GetByOriginals(fcinfo, call, doc, as_text);
	if (found == JSON_NOT_FOUND || (as_text && item.kind == JSON_IS_NULL))
		PG_RETURN_NULL();
	return TextOfItem(&item, as_text);
}

Datum
jsonrow_core_json_get(PG_FUNCTION_ARGS)
{
	return GetFromJson(fcinfo, false);
}

Datum
jsonrow_core_json_get_text(PG_FUNCTION_ARGS)
{
	return GetFromJson(fcinfo, true);
}
