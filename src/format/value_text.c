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

/* The value of a hexadecimal digit, or -1 */
static inline int
HexDigit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The inverse, of the usual form; false for all others */
bool
UuidFromText(const char *text, Size len, Datum *value)
{
	pg_uuid_t	uuid;
	pg_uuid_t  *result;

	if (len != UUID_TEXT_SIZE)
		return false;
	for (int i = 0; i < UUID_LEN; i++, text += 2)
	{
		int			high,
					low;

		if ((i == 4 || i == 6 || i == 8 || i == 10) && *text++ != '-')
			return false;
		high = HexDigit(text[0]);
		low = HexDigit(text[1]);
		if (high < 0 || low < 0)
			return false;
		uuid.data[i] = high << 4 | low;
	}
	result = palloc(sizeof(uuid));
	*result = uuid;
	*value = UUIDPGetDatum(result);
	return true;
}

/*
 * Read an integer within bounds; false for what is left to the types' input
 * functions: blanks, other notations, errors.
 */
bool
Int64FromText(const char *text, Size len, int64 min, int64 max, int64 *value)
{
	bool		negative = len > 0 && *text == '-';
	uint64		number = 0;
	Size		i = negative;

	if (len == i || len - i > INT64_TEXT_MAXSIZE - 2)
		return false;
	for (; i < len; i++)
	{
		if (text[i] < '0' || text[i] > '9')
			return false;
		number = number * 10 + (text[i] - '0');
	}
	*value = negative ? -(int64) number : (int64) number;
	return *value >= min && *value <= max;
}
