/*-------------------------------------------------------------------------
 *
 * stored.c
 *		PostgreSQL's ->, ->>, #> and #>>, over stored documents.
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
 * A chain of steps is one call, so that what is between them is not copied.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "common/string.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/kept.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_get);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_get_text);
PG_FUNCTION_INFO_V1(jsonrow_core_json_get);
PG_FUNCTION_INFO_V1(jsonrow_core_json_get_text);

/* A container up to this size is read at once, a larger one only where needed. */
#define SMALL_CONTAINER		4096

/* How many bytes of keys an object is expected to have for each */
#define TYPICAL_KEY_SIZE	12

/* So much of a value is fetched at once, before many pieces would be. */
#define FETCHED_AT_ONCE		(32 * 1024)

typedef enum StepKind
{
	STEP_KEY,
	STEP_POSITION,
	STEP_PATH,
} StepKind;

/* What a call keeps */
typedef struct StoredCall
{
	Keeper		keeper;
	bool		has_literals;	/* some step is a literal of no type */
	StepKind	kinds[FLEXIBLE_ARRAY_MEMBER];
} StoredCall;

/* An element of a document, wherever its bytes are */
typedef struct Place
{
	Bytes	   *bytes;
	JsonbElement element;
	Size		start;			/* of the element in the value, if its bytes
								 * have not been fetched */
} Place;

/*
 * Calls
 */

static StepKind
KindOfStep(FunctionCallInfo fcinfo, int arg)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, arg);

	switch (typid)
	{
		case TEXTOID:
		case UNKNOWNOID:
			return STEP_KEY;
		case INT4OID:
			return STEP_POSITION;
		case TEXTARRAYOID:
			return STEP_PATH;
	}
	if (!OidIsValid(typid))
		elog(ERROR, "could not determine the type of argument %d", arg + 1);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("argument %d must be of type text, integer or text[], not type %s",
					arg + 1, format_type_be(typid))));
}

static StoredCall *
CallCreate(FunctionCallInfo fcinfo)
{
	StoredCall *call = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
											  offsetof(StoredCall, kinds) +
											  PG_NARGS() * sizeof(StepKind));

	for (int i = 1; i < PG_NARGS(); i++)
	{
		call->kinds[i] = KindOfStep(fcinfo, i);
		call->has_literals |= get_fn_expr_argtype(fcinfo->flinfo, i) == UNKNOWNOID;
	}
	KeeperInit(&call->keeper, fcinfo->flinfo);
	fcinfo->flinfo->fn_extra = call;
	return call;
}

/* The call, with all arguments of the types that its steps have */
static StoredCall *
BeginCall(FunctionCallInfo fcinfo)
{
	StoredCall *call = fcinfo->flinfo->fn_extra;

	if (unlikely(call == NULL))
		call = CallCreate(fcinfo);
	if (unlikely(call->has_literals))
		for (int i = 1; i < PG_NARGS(); i++)
			if (get_fn_expr_argtype(fcinfo->flinfo, i) == UNKNOWNOID)
				fcinfo->args[i].value = CStringGetTextDatum(DatumGetCString(PG_GETARG_DATUM(i)));
	return call;
}

/* Open the document, with what has been kept of it. */
static void
OpenDocument(StoredCall *call, Datum doc, Size expected, BytesKept *own, Bytes *bytes)
{
	BytesKept  *kept = NULL;
	Size		predicted = 0;

	own->context = CurrentMemoryContext;
	own->prefix = NULL;
	own->reached = 0;
	if (unlikely(IsStoredApart((struct varlena *) DatumGetPointer(doc))))
		kept = KeepValue(&call->keeper, doc, &predicted);
	BytesOpenKept(bytes, doc, Max(expected, predicted), kept ? kept : own);
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
	else if (bytes->kept != NULL && element->data >= bytes->data &&
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

/* Start at the document.  A scalar is what the array around it holds. */
static void
StartAtDocument(Place *place, Bytes *bytes)
{
	JsonbWalk	walk;
	JsonbElement scalar;

	place->bytes = bytes;
	place->start = 0;
	place->element = JsonbElementOf(JENTRY_ISCONTAINER,
									BytesHave(bytes, 0, bytes->size) ? bytes->data : NULL,
									bytes->size);
	(void) EnterPlace(place, &walk);
	if (walk.flags & JB_FSCALAR)
	{
		scalar = JsonbWalkTakeAt(&walk, 0);
		if (scalar.type == JENTRY_ISCONTAINER)
			ReportCorruptJsonb();
		MovePlace(place, &walk, &scalar);
	}
}

/*
 * Steps: each goes to an element, or returns false if there is none
 */

static bool
StepToKey(Place *place, const char *key, Size len)
{
	JsonbWalk	walk;
	JsonbElement element;

	if (!EnterPlace(place, &walk) || !(walk.flags & JB_FOBJECT) ||
		!JsonbWalkFind(&walk, key, len, &element))
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
StepOfPath(Place *place, Datum step)
{
	JsonbWalk	walk;
	char	   *number;
	char	   *end;
	int			position;

	if (!EnterPlace(place, &walk))
		return false;
	if (walk.flags & JB_FOBJECT)
		return StepToKey(place, VARDATA_ANY(DatumGetPointer(step)),
						 VARSIZE_ANY_EXHDR(DatumGetPointer(step)));
	number = TextDatumGetCString(step);
	errno = 0;
	position = strtoint(number, &end, 10);
	if (end == number || *end != '\0' || errno != 0)
		return false;
	return StepToPosition(place, position, false);
}

static bool
StepAlongPath(Place *place, ArrayType *path)
{
	Datum	   *steps;
	bool	   *nulls;
	int			nsteps;

	if (array_contains_nulls(path))
		return false;
	deconstruct_array(path, TEXTOID, -1, false, TYPALIGN_INT, &steps, &nulls, &nsteps);
	for (int i = 0; i < nsteps; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!StepOfPath(place, steps[i]))
			return false;
	}
	return true;
}

/* Take one of the steps that are arguments. */
static bool
TakeStep(FunctionCallInfo fcinfo, const StoredCall *call, int arg, Place *place)
{
	text	   *key;

	switch (call->kinds[arg])
	{
		case STEP_KEY:
			key = PG_GETARG_TEXT_PP(arg);
			return StepToKey(place, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key));
		case STEP_POSITION:
			return StepToPosition(place, PG_GETARG_INT32(arg), true);
		case STEP_PATH:
			return StepAlongPath(place, PG_GETARG_ARRAYTYPE_P(arg));
	}
	return false;
}

/*
 * jsonb
 */

static Datum
GetFromJsonb(FunctionCallInfo fcinfo, bool as_text)
{
	StoredCall *call = BeginCall(fcinfo);
	BytesKept	own;
	Bytes		bytes;
	Place		place;
	void	   *result = NULL;
	bool		found = true;

	OpenDocument(call, PG_GETARG_DATUM(0), 0, &own, &bytes);
	StartAtDocument(&place, &bytes);
	for (int i = 1; i < PG_NARGS() && found; i++)
		found = TakeStep(fcinfo, call, i, &place);
	if (found)
	{
		FetchPlace(&place);
		result = as_text ? (void *) ElementToText(&place.element) : ElementToJsonb(&place.element);
	}
	BytesClose(&bytes);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

Datum
jsonrow_core_jsonb_get(PG_FUNCTION_ARGS)
{
	return GetFromJsonb(fcinfo, false);
}

Datum
jsonrow_core_jsonb_get_text(PG_FUNCTION_ARGS)
{
	return GetFromJsonb(fcinfo, true);
}

/*
 * json: PostgreSQL's own functions parse all of the text, and so raise the same
 * errors.  Only that it is fetched is spared.
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

static Datum
GetFromJson(FunctionCallInfo fcinfo, bool as_text)
{
	StoredCall *call = BeginCall(fcinfo);
	Datum		doc = PG_GETARG_DATUM(0);
	int			last = PG_NARGS() - 1;
	BytesKept	own;
	Bytes		bytes;

	if (IsStoredApart((struct varlena *) DatumGetPointer(doc)))
	{
		OpenDocument(call, doc, MaxAllocSize, &own, &bytes);
		BytesExpectAll(&bytes);
		doc = PointerGetDatum(bytes.kept->prefix);
		BytesClose(&bytes);
	}
	for (int i = 1; i <= last; i++)
		if (!CallOriginal(json_functions[call->kinds[i]][as_text && i == last],
						  doc, PG_GETARG_DATUM(i), &doc))
			PG_RETURN_NULL();
	return doc;
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
