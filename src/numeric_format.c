/*-------------------------------------------------------------------------
 *
 * numeric_format.c
 *		numeric's on-disk format, written and read directly.
 *
 * jsonb holds each number as a numeric.  PostgreSQL's own jsonb builders
 * print an integer or float as text and parse it back, which costs more
 * than all the rest of the cell.  The format is private to numeric.c but
 * fixed by pg_upgrade since 9.1:
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
 * Here is the only place that knows.  pgtap/types.sql holds it against
 * numeric_in and numeric_out on every boundary.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "numeric_format.h"
#include "value_text.h"

#define DEC_DIGITS				4	/* decimal digits in one base-10000 digit */
#define NBASE					10000

/* As many digits as the text of a float may have, leading zeros included */
#define FLOAT_DIGITS			24

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
static char *
WriteHeader(char *dst, bool negative, int dscale, int weight, int ndigits)
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
		p = WriteHeader(dst, value < 0, 0, 0, rest != 0);
		*(int16 *) p = rest;
		return p + (rest != 0) * sizeof(int16) - dst;
	}
	while (rest != 0)
	{
		digits[ndigits++] = rest % NBASE;
		rest /= NBASE;
	}
	while (zeros < ndigits && digits[zeros] == 0)
		zeros++;

	p = WriteHeader(dst, value < 0, 0, Max(ndigits - 1, 0), ndigits - zeros);
	for (int i = ndigits - 1; i >= zeros; i--)
	{
		memcpy(p, &digits[i], sizeof(int16));
		p += sizeof(int16);
	}
	return p - dst;
}

/* Where the exponent of a float's text begins, as in e+20 and e-300, or end */
static const char *
FindExponent(const char *text, const char *end)
{
	if (end - text > 4 && end[-4] == 'e')
		return end - 4;
	if (end - text > 5 && end[-5] == 'e')
		return end - 5;
	return end;
}

/* What follows the e: a sign and digits */
static int
DecimalExponent(const char *text, const char *end)
{
	bool		negative = *text++ == '-';
	int			exponent = 0;

	for (; text < end; text++)
		exponent = exponent * 10 + (*text - '0');
	return negative ? -exponent : exponent;
}

/*
 * Write as a numeric what float4out or float8out printed of a finite value:
 * an optional sign, digits, an optional point, an optional exponent.
 *
 * The same as numeric_in(text), including its display scale.  Returns the
 * size with the varlena header; dst must be aligned for an int and hold
 * NUMERIC_FLOAT_MAXSIZE bytes, enough for the 17 digits of a float8.  text
 * must be part of a buffer of at least FLOAT_TEXT_MAXSIZE bytes.
 */
Size
NumericFromFloatText(char *dst, const char *text, int len)
{
	const char *end = text + len;
	bool		negative = *text == '-';
	char		decimals[DEC_DIGITS + 2 * FLOAT_DIGITS + DEC_DIGITS];
	char	   *first = decimals + DEC_DIGITS;
	char	   *last;			/* past the last digit */
	const char *exponent = FindExponent(text, end);
	const char *dot;
	int			point;			/* how many digits precede it */
	int			dscale,
				weight,
				ndigits;
	char	   *p;

	/*
	 * Put the digits next to each other and zeros around them.  Copies of a
	 * fixed size are cheap, and what they take too much is written over.
	 */
	memset(decimals, '0', DEC_DIGITS);
	text += negative;
	dot = memchr(text, '.', exponent - text);
	point = (dot ? dot : exponent) - text;
	last = first + point;
	memcpy(first, text, FLOAT_DIGITS);
	if (dot)
	{
		memcpy(last, dot + 1, FLOAT_DIGITS);
		last += exponent - dot - 1;
	}
	memset(last, '0', DEC_DIGITS);
	if (exponent < end)
		point += DecimalExponent(exponent + 1, end);
	dscale = Max(last - first - point, 0);

	/* Leading and trailing zeros count for the scale, but are not stored. */
	for (; first < last && *first == '0'; first++)
		point--;
	while (last > first && last[-1] == '0')
		last--;
	if (first == last)
		return WriteHeader(dst, false, dscale, 0, 0) - dst;

	/*
	 * point is now that of 0.ddd.  Digits are grouped by fours counted from
	 * it; the first group may begin in the zeros before the first digit, the
	 * last may end in those after the last.
	 */
	weight = (point > 0 ? (point + DEC_DIGITS - 1) / DEC_DIGITS
			  : -(-point / DEC_DIGITS)) - 1;
	first -= (weight + 1) * DEC_DIGITS - point;
	ndigits = (last - first + DEC_DIGITS - 1) / DEC_DIGITS;
	p = WriteHeader(dst, negative, dscale, weight, ndigits);
	for (int i = 0; i < ndigits; i++, first += DEC_DIGITS)
	{
		int16		digit = first[0] * 1000 + first[1] * 100 + first[2] * 10 + first[3] - '0' * 1111;

		memcpy(p, &digit, sizeof(digit));
		p += sizeof(digit);
	}
	return p - dst;
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

/* How much room NumericToText may need for this one */
Size
NumericTextMaxSize(const NumericView *view)
{
	return 3 + (Max(view->weight, 0) + 1) * DEC_DIGITS + view->dscale + DEC_DIGITS;
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
 * Print a numeric that isn't special, as numeric_out does.
 * Returns the end of the text; there is no terminating zero.
 */
char *
NumericToText(char *dst, const NumericView *view)
{
	char	   *p = dst;

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
