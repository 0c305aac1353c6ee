/*-------------------------------------------------------------------------
 *
 * json_to_jsonb.c
 *		JSON text, known to be valid, as jsonb, which may not have what it has (\u0000, 1e999999).
 *
 * PostgreSQL's own parser does that, but it cannot be cancelled before it is
 * done, which takes a second for 100 MB.  So a large text is split, and the
 * parser is given pieces of it: runs of small elements of an array, and single
 * members of an object.  Large elements and members are split again, to a
 * limited depth, because each level is scanned twice.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_scan.h"
#include "format/json_to_jsonb.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

#define PIECE_SIZE		(256 * 1024)
#define MAX_DEPTH		8

typedef struct JsonText
{
	const char *data;
	Size		len;
} JsonText;

/* The members of an object: keys without escapes, values as text */
typedef struct JsonMembers
{
	JsonbKey   *keys;
	JsonText   *values;
	uint32		count;
	uint32		capacity;
} JsonMembers;

/* A text being converted */
typedef struct JsonConversion
{
	Output		out;
	MemoryContext scratch;		/* what the parser leaves behind of one piece */
} JsonConversion;

static JEntry ConvertValue(JsonConversion *conv, const char *json, Size len, int depth);

/* Have a text parsed, between brackets if there are any. */
static Jsonb *
ParseJson(const char *json, Size len, const char *brackets)
{
	char	   *cstring = palloc(len + 3);
	char	   *end = cstring;
	Jsonb	   *jsonb;

	CHECK_FOR_INTERRUPTS();
	if (brackets)
		*end++ = brackets[0];
	memcpy(end, json, len);
	end += len;
	if (brackets)
		*end++ = brackets[1];
	*end = '\0';
	jsonb = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(cstring)));
	pfree(cstring);
	return jsonb;
}

/*
 * Arrays
 */

static uint32
CountElements(JsonScan scan)
{
	uint32		count = 0;
	bool		first = true;

	while (JsonScanNextElement(&scan, &first))
	{
		JsonScanPass(&scan);
		count++;
	}
	return count;
}

/* ParseJson, until the next piece */
static Jsonb *
ParsePiece(JsonConversion *conv, const char *json, Size len, const char *brackets)
{
	MemoryContext old;
	Jsonb	   *jsonb;

	MemoryContextReset(conv->scratch);
	old = MemoryContextSwitchTo(conv->scratch);
	jsonb = ParseJson(json, len, brackets);
	MemoryContextSwitchTo(old);
	return jsonb;
}

/* Write elements that are consecutive in the text. */
static void
ConvertRun(JsonConversion *conv, ContainerBuilder *array, const char *json, const char *end)
{
	JsonbWalk	walk;

	if (json == NULL)
		return;
	JsonbWalkRoot(&walk, ParsePiece(conv, json, end - json, "[]"));
	AddElements(&conv->out, array, walk, walk.count);
}

static void
ConvertArray(JsonConversion *conv, JsonScan scan, int depth)
{
	ContainerBuilder array = BeginArray(&conv->out, CountElements(scan));
	const char *run = NULL;		/* small elements that have yet to be written */
	const char *run_end = NULL;
	bool		first = true;

	while (JsonScanNextElement(&scan, &first))
	{
		const char *value;
		Size		len;
		Size		start;

		JsonScanValue(&scan, &value, &len);
		if (run != NULL && (len > PIECE_SIZE || value + len - run > PIECE_SIZE))
		{
			ConvertRun(conv, &array, run, run_end);
			run = NULL;
		}
		if (len <= PIECE_SIZE)
		{
			run = run ? run : value;
			run_end = value + len;
			continue;
		}
		start = conv->out.len;
		AddEntry(&conv->out, &array, ConvertValue(conv, value, len, depth + 1), start);
	}
	ConvertRun(conv, &array, run, run_end);
}

/*
 * Objects
 */

/* The key between the quotes */
static JsonbKey
TakeKey(const char *key, Size len, uint32 position)
{
	JsonbElement unescaped;

	if (memchr(key, '\\', len) == NULL)
		return JsonbKeyOf(key, len, position);
	unescaped = JsonbRootElement(ParseJson(key - 1, len + 2, NULL));
	return JsonbKeyOf(unescaped.data, unescaped.len, position);
}

static void
Enlarge(JsonMembers *object)
{
	object->capacity *= 2;
	object->keys = repalloc_huge(object->keys, object->capacity * sizeof(*object->keys));
	object->values = repalloc_huge(object->values, object->capacity * sizeof(*object->values));
}

static void
CollectMembers(JsonMembers *object, JsonScan scan)
{
	bool		first = true;

	object->count = 0;
	object->capacity = 64;
	object->keys = palloc(object->capacity * sizeof(*object->keys));
	object->values = palloc(object->capacity * sizeof(*object->values));
	while (JsonScanNextElement(&scan, &first))
	{
		const char *key;
		Size		len;

		if (object->count == object->capacity)
			Enlarge(object);
		JsonScanString(&scan, &key, &len);
		object->keys[object->count] = TakeKey(key, len, object->count);
		JsonScanAccept(&scan, ':');
		JsonScanValue(&scan, &object->values[object->count].data,
					  &object->values[object->count].len);
		object->count++;
	}
}

/* Values whose keys come again are not written, but must be such as could be. */
static void
CheckValues(JsonConversion *conv, const JsonMembers *object, uint32 count)
{
	for (uint32 i = 0; i < count; i++)
		(void) ParsePiece(conv, object->values[i].data, object->values[i].len, NULL);
}

static void
ConvertObject(JsonConversion *conv, JsonScan scan, int depth)
{
	Output	   *out = &conv->out;
	JsonMembers object;
	uint32		ncollected;
	ContainerBuilder container;

	CollectMembers(&object, scan);
	ncollected = object.count;
	object.count = SortKeys(object.keys, object.count);
	if (object.count < ncollected)
		CheckValues(conv, &object, ncollected);
	container = BeginContainer(out, JB_FOBJECT | object.count, object.count * 2);
	for (uint32 i = 0; i < object.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddKey(out, &container, &object.keys[i]);
	}
	for (uint32 i = 0; i < object.count; i++)
	{
		const JsonText *value = &object.values[object.keys[i].position];
		Size		start = out->len;

		AddEntry(out, &container, ConvertValue(conv, value->data, value->len, depth + 1), start);
	}
	pfree(object.keys);
	pfree(object.values);
}

/*
 * All values
 */

/* Write any value; returns the type of its JEntry. */
static JEntry
ConvertValue(JsonConversion *conv, const char *json, Size len, int depth)
{
	JsonScan	scan = {json + 1, json + len};	/* skip the opening bracket */
	JsonbElement root = {JENTRY_ISCONTAINER};

	if (len > PIECE_SIZE && depth < MAX_DEPTH && *json == '[')
		ConvertArray(conv, scan, depth);
	else if (len > PIECE_SIZE && depth < MAX_DEPTH && *json == '{')
		ConvertObject(conv, scan, depth);
	else
	{
		root = JsonbRootElement(ParsePiece(conv, json, len, NULL));
		AppendElement(&conv->out, &root);
	}
	return root.type;
}

/*
 * JSON text as jsonb: the same as the cast, but it can be cancelled.  What is wrong with a piece, the parser says once
 * more of the whole: another error may come first there, and its context is another.
 */
Jsonb *
JsonbFromJson(const char *json, Size len)
{
	JsonScan	scan = {json, json + len};
	char		opening = len > PIECE_SIZE ? JsonScanPeek(&scan) : '\0';
	MemoryContext context = CurrentMemoryContext;
	JsonConversion conv;

	if (opening != '[' && opening != '{')
		return ParseJson(json, len, NULL);
	OutInitValue(&conv.out, FORMAT_JSONB, Min(len, OutMaxLen(FORMAT_JSONB)), CurrentMemoryContext);
	conv.scratch = AllocSetContextCreate(CurrentMemoryContext, "jsonrow JSON text",
										 ALLOCSET_DEFAULT_SIZES);
	PG_TRY();
	{
		(void) ConvertValue(&conv, scan.p, scan.end - scan.p, 0);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		if (ERRCODE_TO_CATEGORY(geterrcode()) != ERRCODE_DATA_EXCEPTION)
			PG_RE_THROW();
		FlushErrorState();
		(void) ParseJson(json, len, NULL);
		elog(ERROR, "JSON text is valid as a whole, but not in pieces");
	}
	PG_END_TRY();
	MemoryContextDelete(conv.scratch);
	return OutFinishJsonb(&conv.out);
}
