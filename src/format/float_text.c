/*-------------------------------------------------------------------------
 *
 * float_text.c
 *		Floats printed as float4out and float8out print them, and read.
 *
 * float_decimal.c finds the digits; here they are written.  Text is read if
 * that is as simple as multiplying or dividing two numbers that a float holds
 * exactly (Clinger 1990): there is only one rounding then, as in float8in.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <float.h>
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

/*
 * Text
 */

const float8 ExactPowersOfTen[MAX_EXACT_POWER + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* The largest exponent that is read here, so that it cannot overflow */
#define MAX_EXPONENT	999

/* A number in text: mantissa * 10^exponent */
typedef struct FloatText
{
	bool		negative;
	uint64		mantissa;
	int			exponent;
} FloatText;

/* Digits after what has been read; false if there are none, or too many */
static bool
TakeDigits(const char **p, const char *end, uint64 *number)
{
	const char *start = *p;

	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++)
	{
		if (*number > (PG_UINT64_MAX - 9) / 10)
			return false;
		*number = *number * 10 + (**p - '0');
	}
	return *p > start;
}

/* The exponent, if there is one */
static bool
TakeExponent(const char **p, const char *end, int *exponent)
{
	uint64		number = 0;
	bool		negative;

	*exponent = 0;
	if (*p == end || (**p != 'e' && **p != 'E'))
		return true;
	(*p)++;
	negative = *p < end && **p == '-';
	if (negative || (*p < end && **p == '+'))
		(*p)++;
	if (!TakeDigits(p, end, &number) || number > MAX_EXPONENT)
		return false;
	*exponent = negative ? -(int) number : (int) number;
	return true;
}

/* Take a number apart; false if it is anything but a number as in JSON. */
static bool
TakeFloatApart(FloatText *number, const char *text, Size len)
{
	const char *p = text;
	const char *end = text + len;
	int			decimals = 0;

	number->negative = p < end && *p == '-';
	p += number->negative;
	number->mantissa = 0;
	if (!TakeDigits(&p, end, &number->mantissa))
		return false;
	if (p < end && *p == '.')
	{
		const char *point = p++;

		if (!TakeDigits(&p, end, &number->mantissa))
			return false;
		decimals = p - point - 1;
	}
	if (!TakeExponent(&p, end, &number->exponent) || p != end)
		return false;
	number->exponent -= decimals;
	return true;
}

/*
 * Read a float8 as float8in does; false for what is left to it.
 */
bool
Float8FromText(const char *text, Size len, float8 *value)
{
	FloatText	number;

	if (!TakeFloatApart(&number, text, len) || number.mantissa > UINT64CONST(1) << DBL_MANT_DIG ||
		abs(number.exponent) > MAX_EXACT_POWER)
		return false;
	if (number.exponent < 0)
		*value = (float8) number.mantissa / ExactPowersOfTen[-number.exponent];
	else
		*value = (float8) number.mantissa * ExactPowersOfTen[number.exponent];
	if (number.negative)
		*value = -*value;
	return true;
}

/* 10^10 = 5^10 * 2^10, and 5^10 has 24 bits */
#define MAX_EXACT_POWER4	10

/* The same for float4 */
bool
Float4FromText(const char *text, Size len, float4 *value)
{
	FloatText	number;
	float4		power;

	if (!TakeFloatApart(&number, text, len) || number.mantissa > UINT64CONST(1) << FLT_MANT_DIG ||
		abs(number.exponent) > MAX_EXACT_POWER4)
		return false;
	power = (float4) ExactPowersOfTen[abs(number.exponent)];
	if (number.exponent < 0)
		*value = (float4) number.mantissa / power;
	else
		*value = (float4) number.mantissa * power;
	if (number.negative)
		*value = -*value;
	return true;
}
