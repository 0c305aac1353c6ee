/*-------------------------------------------------------------------------
 *
 * value_text.c
 *		The text of small values, written directly to its destination.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/value_text.h"

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
