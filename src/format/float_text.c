/*-------------------------------------------------------------------------
 *
 * float_text.c
 *		Floats printed as float4out and float8out print them.
 *
 * float_decimal.c finds the digits; here they are written.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "format/float_decimal.h"
#include "format/float_text.h"
#include "format/value_text.h"
#include "format/words.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"

/* Up to 17 digits: one, and two words of eight; they are not characters yet */
typedef struct Digits
{
	unsigned int first;			/* not 0 */
	uint64		next;
	uint64		last;
	int			exponent;		/* of ten, for the first digit */
} Digits;

/* Below 10^8: its digits, one in each byte of a word */
static inline uint64
EightDigits(uint32 value)
{
	/*
	 * first two groups of four digits, then four of two, then eight, side by
	 * side
	 */
	uint64		upper = ((uint64) value * 109951163) >> 40;
	uint64		fours = ((uint64) value << 32) - upper * ((UINT64CONST(10000) << 32) - 1);
	uint64		hundreds = (fours * 10486 >> 20) & UINT64CONST(0x0000007F0000007F);
	uint64		twos = (fours << 16) - hundreds * ((100 << 16) - 1);
	uint64		tens = (twos * 103 >> 10) & UINT64CONST(0x000F000F000F000F);

	return (twos << 8) - tens * ((10 << 8) - 1);
}

static inline Digits
DigitsOfFloat4(float4 value)
{
	Decimal		number = DecimalAddZeros(Float4ToDecimal(value), FLOAT4_LONGEST);
	Digits		digits;

	digits.first = number.digits / 100000000;
	digits.next = EightDigits(number.digits % 100000000);
	digits.last = 0;
	digits.exponent = number.exponent + 8;
	return digits;
}

static inline Digits
DigitsOfFloat8(float8 value)
{
	Decimal		number = DecimalAddZeros(Float8ToDecimal(value), FLOAT8_LONGEST);
	uint64		upper = number.digits / 100000000;
	Digits		digits;

	digits.first = upper / 100000000;
	digits.next = EightDigits(upper % 100000000);
	digits.last = EightDigits(number.digits % 100000000);
	digits.exponent = number.exponent + 16;
	return digits;
}

/* The number of digits, without trailing zeros */
static inline int
CountDigits(const Digits *digits)
{
	if (digits->last != 0)
		return 10 + pg_leftmost_one_pos64(digits->last) / BITS_PER_BYTE;
	if (digits->next != 0)
		return 2 + pg_leftmost_one_pos64(digits->next) / BITS_PER_BYTE;
	return 1;
}

/* Write the first digit, and the others elsewhere, padded with zeros to 16. */
static inline void
StoreDigits(char *first, char *others, const Digits *digits)
{
	*first = '0' + digits->first;
	StoreWord(others, digits->next | REPEAT('0'));
	StoreWord(others + sizeof(uint64), digits->last | REPEAT('0'));
}

/*
 * Write all but the first digit again, without some more, at most 14 of them
 */
static inline void
StoreDigitsFrom(char *dst, const Digits *digits, int skip)
{
	uint64		next = digits->next | REPEAT('0');
	uint64		last = digits->last | REPEAT('0');

	if (skip >= sizeof(uint64))
		next = last >> (skip - sizeof(uint64)) * BITS_PER_BYTE;
	else
		/* in two steps, because a shift by 64 bits is undefined */
		next = next >> skip * BITS_PER_BYTE | last << 1 << (63 - skip * BITS_PER_BYTE);
	StoreWord(dst, next);
	StoreWord(dst + sizeof(uint64), last >> (skip % sizeof(uint64)) * BITS_PER_BYTE);
}

/* d.dde+xx, where the digits are already there, but not the point */
static char *
AppendExponent(char *dst, int exponent)
{
	*dst++ = 'e';
	*dst++ = exponent < 0 ? '-' : '+';
	exponent = abs(exponent);
	if (exponent >= 100)
		*dst++ = '0' + exponent / 100;
	return TwoDigits(dst, exponent % 100);
}

/*
 * Write digits as printf's %g does: with an exponent if that is below -4, or if there
 * would be too many digits before the point.
 *
 * Words are put together in registers, and stored: loading what was just
 * stored at other addresses would take longer.
 */
static pg_attribute_always_inline char *
DigitsToText(char *dst, const Digits *digits, int most_whole_digits)
{
	int			exponent = digits->exponent;
	int			count = CountDigits(digits);

	if (exponent < -4 || exponent >= most_whole_digits)
	{
		StoreDigits(dst, dst + 2, digits);
		dst[1] = '.';
		return AppendExponent(dst + (count > 1 ? count + 1 : 1), exponent);
	}
	if (exponent < 0)
	{
		memcpy(dst, "0.000000", 8);
		dst += 1 - exponent;
		StoreDigits(dst, dst + 1, digits);
		return dst + count;
	}
	StoreDigits(dst, dst + 1, digits);
	dst += exponent + 1;
	if (count <= exponent + 1)
		return dst;
	*dst = '.';
	StoreDigitsFrom(dst + 1, digits, exponent);
	return dst + count - exponent;
}

/* Copy the result of an output function. */
static char *
CopyText(char *dst, const char *text)
{
	Size		len = strlen(text);

	Assert(len <= FLOAT_TEXT_MAXSIZE);
	memcpy(dst, text, len);
	return dst + len;
}

char *
Float4ToText(char *dst, float4 value)
{
	Digits		digits;

	if (unlikely(extra_float_digits <= 0 || !isfinite(value)))
		return CopyText(dst, DatumGetCString(DirectFunctionCall1(float4out,
																 Float4GetDatum(value))));
	*dst = '-';
	dst += signbit(value) != 0;
	value = fabsf(value);
	if (value < 1e6f && value == (int32) value)
		return dst + pg_ultoa_n((int32) value, dst);
	digits = DigitsOfFloat4(value);
	return DigitsToText(dst, &digits, 6);
}

char *
Float8ToText(char *dst, float8 value)
{
	Digits		digits;

	if (unlikely(extra_float_digits <= 0 || !isfinite(value)))
		return CopyText(dst, float8out_internal(value));
	*dst = '-';
	dst += signbit(value) != 0;
	value = fabs(value);
	if (value < 1e15 && value == (int64) value)
		return dst + pg_ulltoa_n((int64) value, dst);
	digits = DigitsOfFloat8(value);
	return DigitsToText(dst, &digits, 15);
}
