/*-------------------------------------------------------------------------
 *
 * value_text.c
 *		The text of small values, written where it is wanted.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "common/shortest_dec.h"
#include "format/value_text.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"

const char	DecimalPairs[201] =
"0001020304050607080910111213141516171819"
"2021222324252627282930313233343536373839"
"4041424344454647484950515253545556575859"
"6061626364656667686970717273747576777879"
"8081828384858687888990919293949596979899";

char *
OidToText(char *dst, Datum value, void *cache)
{
	return dst + pg_ultoa_n(DatumGetObjectId(value), dst);
}

char *
UuidToText(char *dst, Datum value, void *cache)
{
	static const char hex[] = "0123456789abcdef";
	const pg_uuid_t *uuid = DatumGetUUIDP(value);

	for (int i = 0; i < UUID_LEN; i++)
	{
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*dst++ = '-';
		*dst++ = hex[uuid->data[i] >> 4];
		*dst++ = hex[uuid->data[i] & 0xF];
	}
	return dst;
}

/* Copy what an output function printed. */
static char *
CopyText(char *dst, const char *text)
{
	Size		len = strlen(text);

	Assert(len <= FLOAT_TEXT_MAXSIZE);
	memcpy(dst, text, len);
	return dst + len;
}

/*
 * As float4out and float8out.  dst must hold FLOAT_TEXT_MAXSIZE bytes.
 */
char *
Float4ToText(char *dst, float4 value)
{
	if (likely(extra_float_digits > 0))
		return dst + float_to_shortest_decimal_bufn(value, dst);
	return CopyText(dst, DatumGetCString(DirectFunctionCall1(float4out,
															 Float4GetDatum(value))));
}

char *
Float8ToText(char *dst, float8 value)
{
	if (likely(extra_float_digits > 0))
		return dst + double_to_shortest_decimal_bufn(value, dst);
	return CopyText(dst, float8out_internal(value));
}
