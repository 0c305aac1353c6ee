/*-------------------------------------------------------------------------
 *
 * format.c
 *		What src/format makes of many values, printed, to be the same wherever it
 *		is compiled.  Nothing that is printed depends on the byte order.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "format/datetime_text.h"
#include "format/elements.h"
#include "format/float_text.h"
#include "format/json_scan.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "format/numeric_format.h"
#include "format/text_types.h"
#include "format/value_text.h"
#include "utils/memutils.h"

#undef printf

#define TIMES	2000

static uint64 state = 1;

/* SplitMix64 */
static uint64
Random(void)
{
	uint64		z = (state += UINT64CONST(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64CONST(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static void
Failed(const char *what)
{
	printf("FAILED: %s\n", what);
}

/* What is in a numeric, its digits as numbers */
static void
PrintNumeric(const char *number, Size size)
{
	NumericView view;
	char	   *text;
	int64		integer;
	float8		number8;

	if (VARSIZE(number) != size || !NumericViewInit(&view, number + VARHDRSZ, size - VARHDRSZ))
		Failed("a numeric of this size");
	printf(" [%d %d %d", view.negative, view.weight, view.dscale);
	for (int i = 0; i < view.ndigits; i++)
	{
		int16		digit;

		memcpy(&digit, view.digits + i * sizeof(digit), sizeof(digit));
		printf(" %d", digit);
	}
	text = malloc(NumericTextMaxSize(&view));
	printf("] %.*s", (int) (NumericToText(text, &view) - text), text);
	free(text);
	if (NumericToInt64(&view, &integer))
		printf(" %lld", (long long) integer);
	if (NumericToFloat8(&view, &number8))
		printf(" %.17g", number8);
	printf("\n");
}

static void
PrintFloat8(float8 value)
{
	char		text[FLOAT_TEXT_MAXSIZE];
	uint32		number[8];

	if (!isfinite(value))
		return;
	*Float8ToText(text, value) = '\0';
	if (strtod(text, NULL) != value)
		Failed("a float8 is read back");
	printf("%s", text);
	PrintNumeric((char *) number, NumericFromFloat8((char *) number, value));
}

static void
PrintFloat4(float4 value)
{
	char		text[FLOAT_TEXT_MAXSIZE];
	uint32		number[8];

	if (!isfinite(value))
		return;
	*Float4ToText(text, value) = '\0';
	if (strtof(text, NULL) != value)
		Failed("a float4 is read back");
	printf("%s", text);
	PrintNumeric((char *) number, NumericFromFloat4((char *) number, value));
}

static void
PrintNumbers(void)
{
	uint32		number[8];

	for (int i = -330; i < 310; i++)
	{
		PrintFloat8(pow(10, i));
		PrintFloat8(-ldexp(1, i * 3));
		PrintFloat4(powf(10, i / 8));
	}
	for (int i = 0; i < TIMES; i++)
	{
		uint64		bits = Random();
		uint32		bits4 = bits >> 7;
		float8		value;
		float4		value4;

		memcpy(&value, &bits, sizeof(value));
		PrintFloat8(value);
		memcpy(&value4, &bits4, sizeof(value4));
		PrintFloat4(value4);
		PrintFloat8((float8) ((int64) bits >> (bits % 64)) / 1000);
		PrintFloat4((float4) ((int32) (bits >> 32) >> (bits % 32)) / 8);
		printf("%lld", (long long) ((int64) bits >> (bits % 64)));
		PrintNumeric((char *) number, NumericFromInt64((char *) number, (int64) bits >> (bits % 64)));
	}
}

/* As to_json prints it, and what is read from that */
static void
PrintText(Oid typid, Datum value, void *cache)
{
	const TextType *type = FindTextType(typid);
	char		text[200];
	char	   *end = type->print(text, value, cache);
	Datum		parsed;

	if (end - text > type->maxsize)
		Failed("room for a text");
	printf("%.*s\n", (int) (end - text), text);
	if (type->parse != NULL && memchr(text, ' ', end - text) == NULL)
	{
		if (!type->parse(text, end - text, &parsed))
			printf("is not read\n");
		else if (typid == UUIDOID ?
				 memcmp(DatumGetPointer(parsed), DatumGetPointer(value), UUID_LEN) != 0 : parsed != value)
			Failed("a text is read back");
	}
}

static void
PrintTexts(void)
{
	ZoneCache  *cache = calloc(1, sizeof(ZoneCache));

	for (int day = -731000; day < 2923000; day += 371)
		PrintText(DATEOID, DateADTGetDatum(day), cache);
	for (int i = 0; i < TIMES; i++)
	{
		/* Microseconds of the years 1 to 9999, and some beyond */
		int64		time = (int64) (Random() % UINT64CONST(320000000000000000)) - INT64CONST(66000000000000000);
		pg_uuid_t	uuid;

		PrintText(TIMESTAMPOID, TimestampGetDatum(time), cache);
		PrintText(TIMESTAMPTZOID, TimestampTzGetDatum(time), cache);
		PrintText(OIDOID, ObjectIdGetDatum((Oid) Random() >> i % 32), cache);
		for (int j = 0; j < UUID_LEN; j++)
			uuid.data[j] = Random() >> 20;
		PrintText(UUIDOID, UUIDPGetDatum(&uuid), cache);
	}
	free(cache);
}

static void
PrintOutput(Output *out)
{
	printf("%.*s\n", (int) out->len, out->data);
	pfree(out->data);
}

/* Strings of any bytes, and with few escapes; their escapes are scanned, too. */
static void
PrintStrings(void)
{
	for (int i = 0; i < TIMES; i++)
	{
		char		bytes[100];
		Size		len = Random() % sizeof(bytes);
		const char *str;
		Size		scanned;
		JsonScan	scan;
		Output		out;
		Output		compact;

		for (Size j = 0; j < len; j++)
			bytes[j] = i % 3 == 0 ? Random() >> 33 | 1 : Random() % 16 ? 'a' + j % 26 : "\"\\\n\t\x7f\xe4\x1f "[Random() % 8];
		OutInit(&out, FORMAT_JSON, 16, CurrentMemoryContext);
		JsonAppendString(&out, bytes, len);
		JsonScanStart(&scan, out.data, out.len);
		JsonScanString(&scan, &str, &scanned);
		if (scan.p != scan.end || scanned + 2 < len)
			Failed("a string is scanned");
		OutInit(&compact, FORMAT_JSON, 16, CurrentMemoryContext);
		OutAppend(&compact, "[ 1, ", 5);
		OutAppend(&compact, out.data, out.len);
		OutAppend(&compact, " , {} ]", 7);
		PrintOutput(&out);
		OutInit(&out, FORMAT_JSON, 16, CurrentMemoryContext);
		JsonCompact(&out, compact.data, compact.len);
		pfree(compact.data);
		PrintOutput(&out);
	}
}

static JEntry AppendArray(Output *out, uint32 count, int depth);

/* A value of any kind; returns its type. */
static JEntry
AppendValue(Output *out, int depth)
{
	uint64		random = Random();
	uint32		number[8];
	int64		value = (int64) random >> (random % 64);

	switch (random >> 50 & 7)
	{
		case 0:
			return JENTRY_ISNULL;
		case 1:
			return JENTRY_ISBOOL_TRUE;
		case 2:
			return JENTRY_ISBOOL_FALSE;
		case 3:
			OutAppend(out, "a string of any length", random % 20);
			return JENTRY_ISSTRING;
		case 4:
			OutAlign(out);
			OutAppend(out, number, NumericFromFloat8((char *) number, value / 1000.0));
			return JENTRY_ISNUMERIC;
		case 5:
			OutAlign(out);
			OutAppend(out, number, NumericFromInt64((char *) number, value));
			return JENTRY_ISNUMERIC;
		default:
			if (depth > 3)
				return JENTRY_ISNULL;
			return AppendArray(out, random % 50, depth + 1);
	}
}

static JEntry
AppendArray(Output *out, uint32 count, int depth)
{
	ContainerBuilder array = BeginArray(out, count);

	for (uint32 i = 0; i < count; i++)
	{
		Size		start = out->len;

		AddEntry(out, &array, AppendValue(out, depth), start);
	}
	return JENTRY_ISCONTAINER;
}

/* Its header and JEntries as numbers, and all of it as JSON */
static void
PrintJsonb(const Jsonb *jsonb)
{
	const uint32 *words = (const uint32 *) VARDATA(jsonb);
	JsonbElement root = JsonbRootElement(jsonb);
	Output		out;

	printf("%u bytes:", (unsigned) VARSIZE(jsonb));
	for (uint32 i = 0; i <= (words[0] & JB_CMASK); i++)
		printf(" %x", words[i]);
	printf("\n");
	OutInit(&out, FORMAT_JSON, 16, CurrentMemoryContext);
	JsonAppendElement(&out, &root, JSON_SPACED);
	PrintOutput(&out);
}

/* What is gathered one by one and in runs, at any place, is the array that is written at once. */
static void
TestGathered(const Jsonb *jsonb)
{
	JsonbElement whole = JsonbRootElement(jsonb);
	JsonbElement copied;
	JsonbWalk	walk;
	uint32		count = 0;
	Output		elements;
	Output		out;

	OutInit(&elements, FORMAT_JSONB, 16, CurrentMemoryContext);
	JsonbWalkRoot(&walk, jsonb);
	while (count < walk.nentries)
	{
		uint32		most = 1 + Random() % 40;
		uint32		n = Min(walk.nentries - count, most);
		JsonbWalk	from = walk;

		JsonbWalkSeek(&from, count);
		ElementsAddArray(&elements, from, n);
		count += n;
	}
	OutInitValue(&out, FORMAT_JSONB, 16, CurrentMemoryContext);
	AppendGathered(&out, &elements, count, true);
	copied = JsonbRootElement(OutFinishJsonb(&out));
	if (!JsonbElementEqual(&whole, &copied) || out.len != VARSIZE(jsonb) ||
		memcmp(out.data, jsonb, out.len) != 0)
		Failed("a gathered array is the same");
	pfree(out.data);
}

static void
PrintArrays(void)
{
	for (int i = 0; i < TIMES / 10; i++)
	{
		Output		out;

		OutInitValue(&out, FORMAT_JSONB, 16, CurrentMemoryContext);
		AppendArray(&out, Random() % 100, i % 5);
		PrintJsonb(OutFinishJsonb(&out));
		TestGathered((Jsonb *) out.data);
		pfree(out.data);
	}
}

int
main(void)
{
	InitJsonEscapes();
	PrintNumbers();
	PrintTexts();
	PrintStrings();
	PrintArrays();
	return 0;
}
