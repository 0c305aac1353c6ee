/*-------------------------------------------------------------------------
 *
 * floats.c
 *		Our floats compared with PostgreSQL's, many at a time.
 *
 * A float must be printed as PostgreSQL's Ryu prints it, and be the numeric
 * that numeric_in makes of that; and its decimal must be the same without
 * 128-bit integers.  Each function returns how many floats failed, and reports
 * the first of them by warnings.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "common/pg_prng.h"
#include "common/shortest_dec.h"
#include "format/float_text.h"
#include "format/numeric_format.h"
#include "miscadmin.h"
#include "portable.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(floats_float4);
PG_FUNCTION_INFO_V1(floats_float8);
PG_FUNCTION_INFO_V1(floats_random);

/* How many floats are compared between two checks for interrupts */
#define BATCH			10000

/* How many failures are reported */
#define MOST_WARNINGS	10

typedef struct Comparison
{
	int64		count;
	int64		failures;
	MemoryContext batch;		/* emptied after each */
	MemoryContext caller;
} Comparison;

static void
StartComparing(Comparison *comparison)
{
	comparison->count = comparison->failures = 0;
	comparison->batch = AllocSetContextCreate(CurrentMemoryContext, "floats", ALLOCSET_DEFAULT_SIZES);
	comparison->caller = MemoryContextSwitchTo(comparison->batch);
}

/* Before each */
static inline void
CountCompared(Comparison *comparison)
{
	if (++comparison->count % BATCH != 0)
		return;
	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(comparison->batch);
}

static int64
EndComparing(Comparison *comparison)
{
	MemoryContextSwitchTo(comparison->caller);
	MemoryContextDelete(comparison->batch);
	return comparison->failures;
}

/* theirs has a terminating zero, ours doesn't. */
static void
CompareTexts(Comparison *comparison, const char *ours, int len, const char *theirs)
{
	if (len == strlen(theirs) && memcmp(ours, theirs, len) == 0)
		return;
	if (comparison->failures++ < MOST_WARNINGS)
		ereport(WARNING, (errmsg("printed as %.*s, not as %s", len, ours, theirs)));
}

static void
CompareNumerics(Comparison *comparison, const char *ours, Size size, char *text)
{
	Numeric		theirs = DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
															 ObjectIdGetDatum(InvalidOid),
															 Int32GetDatum(-1)));

	if (size == VARSIZE(theirs) && memcmp(ours, theirs, size) == 0)
		return;
	if (comparison->failures++ < MOST_WARNINGS)
		ereport(WARNING, (errmsg("another numeric than that of %s", text)));
}

static void
CompareDecimals(Comparison *comparison, Decimal a, Decimal b, const char *text)
{
	if (a.digits == b.digits && a.exponent == b.exponent)
		return;
	if (comparison->failures++ < MOST_WARNINGS)
		ereport(WARNING, (errmsg("another decimal without integers of 128 bits: %s", text)));
}

static void
CompareFloat4(Comparison *comparison, uint32 bits)
{
	char		text[FLOAT_SHORTEST_DECIMAL_LEN];
	char		ours[FLOAT_TEXT_MAXSIZE];
	union
	{
		char		bytes[NUMERIC_FLOAT_MAXSIZE];
		int32		aligned;
	} numeric;
	float4		value;

	CountCompared(comparison);
	memcpy(&value, &bits, sizeof(value));
	float_to_shortest_decimal_buf(value, text);
	CompareTexts(comparison, ours, Float4ToText(ours, value) - ours, text);
	if (!isfinite(value))
		return;
	CompareNumerics(comparison, numeric.bytes, NumericFromFloat4(numeric.bytes, value), text);
	if (value != 0)
		CompareDecimals(comparison, Float4ToDecimal(value), PortableFloat4ToDecimal(value), text);
}

static void
CompareFloat8(Comparison *comparison, uint64 bits)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];
	char		ours[FLOAT_TEXT_MAXSIZE];
	union
	{
		char		bytes[NUMERIC_FLOAT_MAXSIZE];
		int32		aligned;
	} numeric;
	float8		value;

	CountCompared(comparison);
	memcpy(&value, &bits, sizeof(value));
	double_to_shortest_decimal_buf(value, text);
	CompareTexts(comparison, ours, Float8ToText(ours, value) - ours, text);
	if (!isfinite(value))
		return;
	CompareNumerics(comparison, numeric.bytes, NumericFromFloat8(numeric.bytes, value), text);
	if (value != 0)
		CompareDecimals(comparison, Float8ToDecimal(value), PortableFloat8ToDecimal(value), text);
}

/*
 * floats_float4(first bigint, step bigint, count bigint) returns bigint
 *
 * Every step-th float4, by its bits, starting with first.
 */
Datum
floats_float4(PG_FUNCTION_ARGS)
{
	int64		first = PG_GETARG_INT64(0);
	int64		step = PG_GETARG_INT64(1);
	int64		count = PG_GETARG_INT64(2);
	Comparison	comparison;

	StartComparing(&comparison);
	for (int64 i = 0; i < count; i++)
		CompareFloat4(&comparison, first + i * step);
	PG_RETURN_INT64(EndComparing(&comparison));
}

/*
 * floats_float8(bits bigint[]) returns bigint
 */
Datum
floats_float8(PG_FUNCTION_ARGS)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	Datum	   *bits;
	int			count;
	Comparison	comparison;

	deconstruct_array(array, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &bits, NULL, &count);
	StartComparing(&comparison);
	for (int i = 0; i < count; i++)
		CompareFloat8(&comparison, DatumGetInt64(bits[i]));
	PG_RETURN_INT64(EndComparing(&comparison));
}

/*
 * Kinds of random floats
 */

static uint64
BitsOf(float8 value)
{
	uint64		bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static uint64
AnyBits(pg_prng_state *random)
{
	return pg_prng_uint64(random);
}

/* Neither very large nor very small */
static uint64
CommonExponent(pg_prng_state *random)
{
	uint64		exponent = pg_prng_uint64_range(random, 1023 - 30, 1023 + 70);

	return (pg_prng_uint64(random) & ~(UINT64CONST(0x7FF) << 52)) | exponent << 52;
}

/* Of up to 63 bits, most of them above 2^53 */
static uint64
LargeInteger(pg_prng_state *random)
{
	return BitsOf((float8) (int64) (pg_prng_uint64(random) >> pg_prng_uint64_range(random, 1, 14)));
}

/* Up to 53 bits; the last one is worth 2^-12 to 2^20 */
static uint64
FewBits(pg_prng_state *random)
{
	uint64		bits = pg_prng_uint64(random) >> pg_prng_uint64_range(random, 11, 63);

	return BitsOf(ldexp((float8) bits, (int) pg_prng_uint64_range(random, 0, 32) - 12));
}

static uint64
Subnormal(pg_prng_state *random)
{
	return pg_prng_uint64(random) >> pg_prng_uint64_range(random, 12, 63);
}

/* Up to 17 digits, and any exponent, or a common one */
static uint64
ShortDecimal(pg_prng_state *random)
{
	static const uint64 powers[] = {10, 1000, 1000000, UINT64CONST(1000000000000000), UINT64CONST(100000000000000000)};
	uint64		digits = pg_prng_uint64(random) % powers[pg_prng_uint64_range(random, 0, lengthof(powers) - 1)];
	int			exponent = pg_prng_uint64_range(random, 0, 3) == 0 ?
		(int) pg_prng_uint64_range(random, 0, 640) - 340 :
		(int) pg_prng_uint64_range(random, 0, 40) - 25;
	char		text[64];

	snprintf(text, sizeof(text), UINT64_FORMAT "e%d", digits, exponent);
	return BitsOf(strtod(text, NULL));
}

static const struct
{
	const char *name;
	uint64		(*bits) (pg_prng_state *random);
}			kinds[] =

{
	{"any bits", AnyBits},
	{"common exponents", CommonExponent},
	{"integers", LargeInteger},
	{"few bits", FewBits},
	{"subnormals", Subnormal},
	{"short decimals", ShortDecimal},
};

/*
 * floats_random(kind text, seed bigint, count bigint) returns bigint
 */
Datum
floats_random(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int64		count = PG_GETARG_INT64(2);
	Comparison	comparison;
	pg_prng_state random;
	int			kind = 0;

	while (kind < lengthof(kinds) && strcmp(name, kinds[kind].name) != 0)
		kind++;
	if (kind == lengthof(kinds))
		elog(ERROR, "there is no kind of floats \"%s\"", name);
	pg_prng_seed(&random, PG_GETARG_INT64(1));
	StartComparing(&comparison);
	for (int64 i = 0; i < count; i++)
		CompareFloat8(&comparison, kinds[kind].bits(&random));
	PG_RETURN_INT64(EndComparing(&comparison));
}
