/*-------------------------------------------------------------------------
 *
 * json_to_jsonb.c
 *		JSON text, known to be valid, as jsonb.
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

/* A member of an object: its key without escapes, its value as text */
typedef struct JsonMember
{
	JsonbElement key;
	const char *value;
	Size		len;
	uint32		position;
} JsonMember;

/* The members of an object as jsonb has them: sorted, and each key once */
typedef struct JsonMembers
{
	JsonMember *members;
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

/* As jsonb orders keys; among equal ones, the last comes first. */
static int
CompareMembers(const void *a, const void *b)
{
	const JsonMember *x = a;
	const JsonMember *y = b;
	int			order;

	CHECK_FOR_INTERRUPTS();
	order = JsonbCompareKeys(x->key.data, x->key.len, y->key.data, y->key.len);
	if (order != 0)
		return order;
	return x->position > y->position ? -1 : 1;
}

/* The key between the quotes */
static JsonbElement
TakeKey(const char *key, Size len)
{
	if (memchr(key, '\\', len) == NULL)
		return JsonbElementOf(JENTRY_ISSTRING, key, len);
	return JsonbRootElement(ParseJson(key - 1, len + 2, NULL));
}

static void
CollectMembers(JsonMembers *object, JsonScan scan)
{
	bool		first = true;

	object->count = 0;
	object->capacity = 64;
	object->members = palloc(object->capacity * sizeof(JsonMember));
	while (JsonScanNextElement(&scan, &first))
	{
		JsonMember *member;
		const char *key;
		Size		len;

		if (object->count == object->capacity)
		{
			object->capacity *= 2;
			object->members = repalloc_huge(object->members,
											object->capacity * sizeof(JsonMember));
		}
		member = &object->members[object->count];
		member->position = object->count++;
		JsonScanString(&scan, &key, &len);
		member->key = TakeKey(key, len);
		JsonScanAccept(&scan, ':');
		JsonScanValue(&scan, &member->value, &member->len);
	}
}

/* Sort the members, and leave out those whose key comes again later. */
static void
SortMembers(JsonMembers *object)
{
	uint32		n = 0;

	qsort(object->members, object->count, sizeof(JsonMember), CompareMembers);
	for (uint32 i = 0; i < object->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (n == 0 || !JsonbElementEqual(&object->members[n - 1].key, &object->members[i].key))
			object->members[n++] = object->members[i];
	}
	object->count = n;
}

static void
ConvertObject(JsonConversion *conv, JsonScan scan, int depth)
{
	Output	   *out = &conv->out;
	JsonMembers object;
	ContainerBuilder container;

	CollectMembers(&object, scan);
	SortMembers(&object);
	container = BeginContainer(out, JB_FOBJECT | object.count, object.count * 2);
	for (uint32 i = 0; i < object.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddElement(out, &container, &object.members[i].key);
	}
	for (uint32 i = 0; i < object.count; i++)
	{
		Size		start = out->len;

		AddEntry(out, &container,
				 ConvertValue(conv, object.members[i].value, object.members[i].len, depth + 1),
				 start);
	}
	pfree(object.members);
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

/* JSON text as jsonb: the same as the cast, but it can be cancelled. */
Jsonb *
JsonbFromJson(const char *json, Size len)
{
	JsonScan	scan = {json, json + len};
	char		opening = len > PIECE_SIZE ? JsonScanPeek(&scan) : '\0';
	JsonConversion conv;

	if (opening != '[' && opening != '{')
		return ParseJson(json, len, NULL);
	OutInitValue(&conv.out, FORMAT_JSONB, Min(len, OutMaxLen(FORMAT_JSONB)), CurrentMemoryContext);
	conv.scratch = AllocSetContextCreate(CurrentMemoryContext, "jsonrow JSON text",
										 ALLOCSET_DEFAULT_SIZES);
	(void) ConvertValue(&conv, scan.p, scan.end - scan.p, 0);
	MemoryContextDelete(conv.scratch);
	return OutFinishJsonb(&conv.out);
}
