/*-------------------------------------------------------------------------
 *
 * numeric_format.c
 *		numeric's on-disk format, written and read directly.
 *
 * jsonb holds each number as a numeric.  PostgreSQL's own jsonb builders
 * print an integer or float as text and parse it back, which costs more than
 * everything else about the cell.  The format is private to numeric.c but,
 * because of pg_upgrade, fixed since 9.1:
 *
 *		varlena header		4 bytes
 *		header word			2 bytes; 10 in the two high bits: short format,
 *							then 1 sign, 6 display scale, 7 weight;
 *							00 and 01: long format, 14 bits display scale,
 *							then 2 bytes of weight;
 *							11: special, 00 NaN, 01 Infinity, 11 -Infinity
 *		digits				2 bytes each, base 10000, most significant
 *							first, no zero digit at either end
 *
 * test/pgtap/types.sql compares what is written and read here with numeric_in and
 * numeric_out on every boundary.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "common/int.h"
#include "format/float_decimal.h"
#include "format/float_text.h"
#include "format/numeric_format.h"
#include "format/value_text.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#define NBASE					10000

#define HEADER_FORMAT_MASK		0xC000
#define HEADER_SHORT			0x8000
#define HEADER_SPECIAL			0xC000
#define HEADER_PINF				0xD000
#define HEADER_NINF				0xF000
#define HEADER_LONG_NEGATIVE	0x4000
#define HEADER_LONG_DSCALE_MASK	0x3FFF

#define SHORT_NEGATIVE			0x2000
#define SHORT_DSCALE_SHIFT		7
#define SHORT_DSCALE_MAX		63
#define SHORT_WEIGHT_MASK		0x007F	/* seven bits, two's complement */
#define SHORT_WEIGHT_MIN		(-64)
#define SHORT_WEIGHT_MAX		63

/* Write the varlena header and header words; returns where digits go. */
static inline char *
WriteNumericHeader(char *dst, bool negative, int dscale, int weight, int ndigits)
{
	uint16		word;
	bool		fits = dscale <= SHORT_DSCALE_MAX &&
		weight >= SHORT_WEIGHT_MIN && weight <= SHORT_WEIGHT_MAX;
	Size		size = VARHDRSZ + sizeof(uint16) + ndigits * sizeof(int16);

	if (fits)
	{
		word = HEADER_SHORT | (negative ? SHORT_NEGATIVE : 0) |
			(dscale << SHORT_DSCALE_SHIFT) | (weight & SHORT_WEIGHT_MASK);
		SET_VARSIZE(dst, size);
		memcpy(dst + VARHDRSZ, &word, sizeof(word));
		return dst + VARHDRSZ + sizeof(word);
	}
	else
	{
		int16		long_weight = weight;

		word = (negative ? HEADER_LONG_NEGATIVE : 0) | dscale;
		SET_VARSIZE(dst, size + sizeof(int16));
		memcpy(dst + VARHDRSZ, &word, sizeof(word));
		memcpy(dst + VARHDRSZ + sizeof(word), &long_weight, sizeof(int16));
		return dst + VARHDRSZ + sizeof(word) + sizeof(int16);
	}
}

/*
 * Write an integer as a numeric; returns its size with the varlena header.
 * dst must be aligned for an int and hold NUMERIC_INT64_MAXSIZE bytes.
 */
Size
NumericFromInt64(char *dst, int64 value)
{
	uint64		rest = value < 0 ? -(uint64) value : (uint64) value;
	int16		digits[5];		/* least significant first */
	int			ndigits = 0;
	int			zeros = 0;
	char	   *p;

	if (likely(rest < NBASE))
	{
		p = WriteNumericHeader(dst, value < 0, 0, 0, rest != 0);
		*(int16 *) p = rest;
		return p + (rest != 0) * sizeof(int16) - dst;
	}
	while (rest != 0)
	{
		digits[ndigits++] = rest % NBASE;
		rest /= NBASE;
	}
	while (digits[zeros] == 0)
		zeros++;

	p = WriteNumericHeader(dst, value < 0, 0, ndigits - 1, ndigits - zeros);
	for (int i = ndigits - 1; i >= zeros; i--)
	{
		memcpy(p, &digits[i], sizeof(int16));
		p += sizeof(int16);
	}
	return p - dst;
}

/* How many trailing zeros do the four decimals of a nonzero digit have? */
static inline int
ZerosAtEnd(unsigned int digit)
{
	return (digit % 10 == 0) + (digit % 100 == 0) + (digit % 1000 == 0);
}

/*
 * Write one digit, and four more that are side by side, the next one in the
 * lowest bits.
 */
static inline void
WriteFiveDigits(char *dst, int first, uint64 rest)
{
	int16		digits[5] = {first, rest, rest >> 16, rest >> 32, rest >> 48};

	memcpy(dst, digits, sizeof(digits));
}

/*
 * Write a decimal of 17 digits, the first of which isn't 0.  Its display scale
 * is what it takes to show it without trailing zeros.
 *
 * There is hardly a branch on the digits, because it could not be predicted.
 */
static Size
NumericFromDecimal(char *dst, bool negative, Decimal number)
{
	static const int powers[DEC_DIGITS] = {1, 10, 100, 1000};

	/*
	 * The exponent made a multiple of four: 17 to 20 decimals, so five
	 * digits.  The shift rounds down for negative numbers, too, on all
	 * platforms.
	 */
	int			weight = (number.exponent >> 2) + 4;
	int			power = powers[number.exponent & 3];
	uint64		low = number.digits % 100000000 * power;
	uint64		high = number.digits / 100000000 * power + low / 100000000;
	uint64		first = high / 100000000;
	uint64		rest;			/* see WriteFiveDigits */
	int			last = 0;
	int			dscale;
	char	   *p;

	high %= 100000000;
	low %= 100000000;
	rest = high / NBASE | (high % NBASE) << 16 | (low / NBASE) << 32 | (low % NBASE) << 48;
	if (likely(rest != 0))
		last = 1 + pg_leftmost_one_pos64(rest) / 16;
	dscale = (last - weight) * DEC_DIGITS -
		ZerosAtEnd(last == 0 ? first : rest >> (last - 1) * 16);

	p = WriteNumericHeader(dst, negative, Max(dscale, 0), weight, last + 1);
	WriteFiveDigits(p, first, rest);
	return p + (last + 1) * sizeof(int16) - dst;
}

/* What numeric_in makes of a text */
static Size
NumericFromText(char *dst, const char *text)
{
	Numeric		number = DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
															 ObjectIdGetDatum(InvalidOid),
															 Int32GetDatum(-1)));

	memcpy(dst, number, VARSIZE(number));
	return VARSIZE(number);
}

/*
 * Write what numeric_in makes of the text of a finite float, as float4out or
 * float8out print it; returns its size with the varlena header.  dst must be
 * aligned for an int and hold NUMERIC_FLOAT_MAXSIZE bytes.
 */
Size
NumericFromFloat4(char *dst, float4 value)
{
	Decimal		number;

	if (unlikely(extra_float_digits <= 0))
		return NumericFromText(dst, DatumGetCString(DirectFunctionCall1(float4out,
																		Float4GetDatum(value))));
	if (fabsf(value) < 1e6f && value == (int32) value)
		return NumericFromInt64(dst, (int32) value);
	number = DecimalAddZeros(Float4ToDecimal(value), FLOAT4_LONGEST);
	number.digits *= FLOAT8_LONGEST / FLOAT4_LONGEST;
	number.exponent -= 8;
	return NumericFromDecimal(dst, value < 0, number);
}

Size
NumericFromFloat8(char *dst, float8 value)
{
	if (unlikely(extra_float_digits <= 0))
		return NumericFromText(dst, float8out_internal(value));
	if (fabs(value) < 1e15 && value == (int64) value)
		return NumericFromInt64(dst, (int64) value);
	return NumericFromDecimal(dst, value < 0, DecimalAddZeros(Float8ToDecimal(value), FLOAT8_LONGEST));
}

pg_noreturn static void
ReportCorruptNumeric(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("numeric value is corrupt")));
}

/* Take apart a numeric that is a value of its own, under any varlena header. */
void
NumericViewOf(NumericView *view, const struct varlena *number)
{
	if (!NumericViewInit(view, VARDATA_ANY(number), VARSIZE_ANY_EXHDR(number)))
		ReportCorruptNumeric();
}

/*
 * Take apart the payload (the part after the varlena header) of a numeric.
 * Returns false if it cannot be one.
 */
bool
NumericViewInit(NumericView *view, const char *payload, Size len)
{
	uint16		word;
	Size		header = sizeof(word);

	if (len < header)
		return false;
	memcpy(&word, payload, sizeof(word));
	view->special = view->compact = false;

	switch (word & HEADER_FORMAT_MASK)
	{
		case HEADER_SPECIAL:
			view->special = true;
			view->name = word == HEADER_PINF ? "Infinity" :
				word == HEADER_NINF ? "-Infinity" : "NaN";
			return true;

		case HEADER_SHORT:
			view->compact = true;
			view->negative = (word & SHORT_NEGATIVE) != 0;
			view->dscale = (word >> SHORT_DSCALE_SHIFT) & SHORT_DSCALE_MAX;
			view->weight = word & SHORT_WEIGHT_MASK;
			if (view->weight > SHORT_WEIGHT_MAX)
				view->weight -= SHORT_WEIGHT_MASK + 1;
			break;

		default:
			{
				int16		weight;

				header += sizeof(weight);
				if (len < header)
					return false;
				memcpy(&weight, payload + sizeof(word), sizeof(weight));
				view->weight = weight;
				view->negative = (word & HEADER_LONG_NEGATIVE) != 0;
				view->dscale = word & HEADER_LONG_DSCALE_MASK;
			}
	}

	view->digits = payload + header;
	view->ndigits = (len - header) / sizeof(int16);
	return (len - header) % sizeof(int16) == 0;
}

/*
 * The inverse of all that, from text
 */

/* A number as it is written: an integer part, and decimals */
typedef struct NumberText
{
	bool		negative;
	const char *whole;			/* without leading zeros */
	int			nwhole;
	const char *decimals;
	int			ndecimals;
} NumberText;

static bool
IsDigit(char c)
{
	return c >= '0' && c <= '9';
}

/* Take a number apart; false if it has an exponent, or anything else around its digits. */
static bool
TakeNumberApart(NumberText *number, const char *text, Size len)
{
	const char *p = text;
	const char *end = text + len;

	number->negative = p < end && *p == '-';
	p += number->negative;
	number->whole = p;
	while (p < end && IsDigit(*p))
		p++;
	number->nwhole = p - number->whole;
	number->decimals = p;
	number->ndecimals = 0;
	if (number->nwhole > 0 && p < end && *p == '.')
	{
		number->decimals = ++p;
		while (p < end && IsDigit(*p))
			p++;
		number->ndecimals = p - number->decimals;
		if (number->ndecimals == 0)
			return false;
	}
	if (p != end || number->nwhole == 0)
		return false;
	while (number->nwhole > 0 && *number->whole == '0')
	{
		number->whole++;
		number->nwhole--;
	}
	return true;
}

/* Up to four digits of text as one of base 10000; those that are missing at the right are 0. */
static int16
TakeDigit(const char *p, int n, int shift)
{
	int16		digit = 0;

	for (int i = 0; i < n; i++)
		digit = digit * 10 + (p[i] - '0');
	for (int i = 0; i < shift; i++)
		digit *= 10;
	return digit;
}

/* Does a number fit a numeric's precision and scale as it is? */
static bool
FitsTypmod(const NumberText *number, int32 typmod, int *dscale)
{
	int			precision = ((typmod - VARHDRSZ) >> 16) & 0xffff;
	int			scale = (((typmod - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;

	*dscale = scale;
	return scale >= number->ndecimals && number->nwhole <= precision - scale;
}

/*
 * Read a number as numeric_in does; returns its size with the varlena header.
 * 0 for what is left to numeric_in: an exponent, rounding, more digits than
 * usual, errors.  dst is as for NumericFromInt64, of NUMERIC_TEXT_MAXSIZE.
 */
Size
NumericFromNumberText(char *dst, const char *text, Size len, int32 typmod)
{
	NumberText	number;
	int16		digits[NUMERIC_TEXT_DIGITS];
	int			ndigits = 0;
	int			first = 0;
	int			weight;
	int			dscale;
	char	   *p;

	if (len > NUMERIC_TEXT_LENGTH || !TakeNumberApart(&number, text, len))
		return 0;
	dscale = number.ndecimals;
	if (typmod >= VARHDRSZ && !FitsTypmod(&number, typmod, &dscale))
		return 0;
	weight = (number.nwhole + DEC_DIGITS - 1) / DEC_DIGITS - 1;
	for (int i = 0; i < number.nwhole;)
	{
		int			n = (number.nwhole - i - 1) % DEC_DIGITS + 1;

		digits[ndigits++] = TakeDigit(number.whole + i, n, 0);
		i += n;
	}
	for (int i = 0; i < number.ndecimals; i += DEC_DIGITS)
	{
		int			n = Min(number.ndecimals - i, DEC_DIGITS);

		digits[ndigits++] = TakeDigit(number.decimals + i, n, DEC_DIGITS - n);
	}
	while (ndigits > 0 && digits[ndigits - 1] == 0)
		ndigits--;
	while (first < ndigits && digits[first] == 0)
	{
		first++;
		weight--;
	}
	if (first == ndigits)
	{
		weight = 0;
		number.negative = false;
	}
	p = WriteNumericHeader(dst, number.negative, dscale, weight, ndigits - first);
	memcpy(p, digits + first, (ndigits - first) * sizeof(int16));
	return p + (ndigits - first) * sizeof(int16) - dst;
}

/*
 * Are two numbers equal?  Their display scales may differ, as in 1.0 and 1;
 * their digits don't, because there is no zero digit at either end.
 */
bool
NumericViewEqual(const NumericView *a, const NumericView *b)
{
	if (a->special || b->special)
		return a->special && b->special && a->name == b->name;
	if (a->ndigits == 0 || b->ndigits == 0)
		return a->ndigits == b->ndigits;
	return a->ndigits == b->ndigits && a->weight == b->weight && a->negative == b->negative &&
		memcmp(a->digits, b->digits, a->ndigits * sizeof(int16)) == 0;
}

/* The digit at a position, 0 being the first; zero beyond either end */
static inline int
DigitAt(const NumericView *view, int position)
{
	int16		digit;

	if (position < 0 || position >= view->ndigits)
		return 0;
	memcpy(&digit, view->digits + position * sizeof(int16), sizeof(digit));
	return likely(digit >= 0 && digit < NBASE) ? digit : 0;
}

static inline char *
FourDecimals(char *p, unsigned int digit)
{
	return TwoDigits(TwoDigits(p, digit / 100), digit % 100);
}

/*
 * Print one of the usual numbers: at most eight digits before the point, and
 * four after it.
 */
static inline char *
UsualToText(char *dst, const NumericView *view)
{
	uint32		integer = DigitAt(view, 0);

	if (view->weight == 1)
		integer = integer * NBASE + DigitAt(view, 1);
	*dst = '-';
	dst += view->negative;
	dst += pg_ultoa_n(integer, dst);
	if (view->dscale > 0)
	{
		*dst = '.';
		FourDecimals(dst + 1, DigitAt(view, view->weight + 1));
		dst += 1 + view->dscale;
	}
	return dst;
}

/*
 * Print a numeric that isn't special, as numeric_out does.
 * Returns the end of the text; there is no terminating zero.
 */
char *
NumericToText(char *dst, const NumericView *view)
{
	char	   *p = dst;

	if (likely((view->weight == 0 || view->weight == 1) && view->dscale <= DEC_DIGITS))
		return UsualToText(dst, view);
	if (view->negative)
		*p++ = '-';

	if (view->weight < 0)
		*p++ = '0';
	else
	{
		char		first[DEC_DIGITS];
		int			digit = DigitAt(view, 0);
		int			zeros = digit >= 1000 ? 0 : digit >= 100 ? 1 : digit >= 10 ? 2 : 3;

		FourDecimals(first, digit);
		for (int i = zeros; i < DEC_DIGITS; i++)
			*p++ = first[i];
		for (int i = 1; i <= view->weight; i++)
			p = FourDecimals(p, DigitAt(view, i));
	}

	if (view->dscale > 0)
	{
		char	   *end;

		*p++ = '.';
		end = p + view->dscale;
		for (int i = view->weight + 1; p < end; i++)
			p = FourDecimals(p, DigitAt(view, i));
		p = end;				/* the last group may reach past the scale */
	}
	return p;
}

/* The number as an integer, if it has no decimals and fits */
bool
NumericToInt64(const NumericView *view, int64 *result)
{
	int64		value = 0;		/* negative, because that range has one more */

	if (view->dscale > 0)
		return false;
	for (int i = 0; i <= view->weight; i++)
		if (pg_mul_s64_overflow(value, NBASE, &value) ||
			pg_sub_s64_overflow(value, DigitAt(view, i), &value))
			return false;
	if (!view->negative && value == PG_INT64_MIN)
		return false;
	*result = view->negative ? value : -value;
	return true;
}

/*
 * The number as a float8, if that is as simple as dividing two numbers that
 * a float8 holds exactly: there is only one rounding then, as in float8in.
 */
bool
NumericToFloat8(const NumericView *view, float8 *result)
{
	uint64		mantissa = 0;
	int			decimals = view->dscale;

	if (decimals > MAX_EXACT_POWER || view->weight > 3)
		return false;
	for (int i = 0; i <= view->weight; i++)
		mantissa = mantissa * NBASE + DigitAt(view, i);
	if (mantissa >= UINT64CONST(1) << 53)
		return false;
	for (int i = view->weight + 1; decimals > 0; i++)
	{
		int			n = Min(decimals, DEC_DIGITS);
		int			digit = DigitAt(view, i);

		for (int j = n; j < DEC_DIGITS; j++)
			digit /= 10;
		for (int j = 0; j < n; j++)
		{
			mantissa *= 10;
			if (mantissa >= UINT64CONST(1) << 53)
				return false;
		}
		mantissa += digit;
		if (mantissa >= UINT64CONST(1) << 53)
			return false;
		decimals -= n;
	}
	*result = (float8) mantissa / ExactPowersOfTen[view->dscale];
	if (view->negative)
		*result = -*result;
	return true;
}
