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
 * pgtap/types.sql holds what is written and read here against numeric_in and
 * numeric_out on every boundary.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "common/int.h"
#include "format/numeric_format.h"
#include "format/value_text.h"

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

/*
 * Decimal digits of a number on their way to digits of base 10000.  They are
 * taken from the text one by one: it has just been written, and the processor
 * is slow to load many bytes at once that were stored a few at a time.
 */
static inline int
GroupOfDigits(const char *text, int n)
{
	int			group = 0;

	for (int i = 0; i < n; i++)
		group = group * 10 + (text[i] - '0');
	return group;
}

/* Write the digits given, without zeros at either end; returns the size. */
static Size
WriteDigits(char *dst, bool negative, int dscale, int weight,
			const int16 *digits, int ndigits)
{
	char	   *p;

	while (ndigits > 0 && digits[ndigits - 1] == 0)
		ndigits--;
	for (; ndigits > 0 && *digits == 0; ndigits--, digits++)
		weight--;
	if (ndigits == 0)
		return WriteNumericHeader(dst, false, dscale, 0, 0) - dst;
	p = WriteNumericHeader(dst, negative, dscale, weight, ndigits);
	memcpy(p, digits, ndigits * sizeof(int16));
	return p + ndigits * sizeof(int16) - dst;
}

/* Digits and perhaps a point, but no exponent: groups begin at the point. */
static Size
NumericFromFixed(char *dst, bool negative, const char *text, const char *end)
{
	static const int16 powers[DEC_DIGITS] = {1, 10, 100, 1000};
	const char *dot = text;
	int16		digits[FLOAT_DIGITS];
	int			ndigits = 0;
	int			weight;

	while (dot < end && *dot != '.')
		dot++;
	weight = (dot - text + DEC_DIGITS - 1) / DEC_DIGITS - 1;
	for (int n = (dot - text - 1) % DEC_DIGITS + 1; text < dot; text += n, n = DEC_DIGITS)
		digits[ndigits++] = GroupOfDigits(text, n);
	for (text = dot + 1; text + DEC_DIGITS <= end; text += DEC_DIGITS)
		digits[ndigits++] = GroupOfDigits(text, DEC_DIGITS);
	if (text < end)
		digits[ndigits++] = GroupOfDigits(text, end - text) * powers[DEC_DIGITS - (end - text)];
	return WriteDigits(dst, negative, dot < end ? end - dot - 1 : 0, weight, digits, ndigits);
}

/* One digit, perhaps a point and more digits, and an exponent: 1.5e-300 */
static Size
NumericFromScientific(char *dst, bool negative, const char *text,
					  const char *mark, const char *end)
{
	char		decimals[2 * DEC_DIGITS + FLOAT_DIGITS];
	int			ndecimals = 0;
	int			exponent = GroupOfDigits(mark + 2, end - mark - 2);
	int			offset;			/* of the first digit in its group */
	int			weight;
	int16		digits[FLOAT_DIGITS];
	int			ndigits = 0;

	if (mark[1] == '-')
		exponent = -exponent;
	weight = exponent >= 0 ? exponent / DEC_DIGITS :
		-((-exponent - 1) / DEC_DIGITS + 1);
	offset = DEC_DIGITS - 1 - (exponent - weight * DEC_DIGITS);

	memset(decimals, '0', sizeof(decimals));
	for (; text < mark; text++)
		if (*text != '.')
			decimals[offset + ndecimals++] = *text;
	for (int i = 0; i < offset + ndecimals; i += DEC_DIGITS)
		digits[ndigits++] = GroupOfDigits(decimals + i, DEC_DIGITS);
	return WriteDigits(dst, negative, Max(ndecimals - 1 - exponent, 0), weight, digits, ndigits);
}

/*
 * Write as a numeric what float4out or float8out printed of a finite value:
 * the same as numeric_in(text), including its display scale.
 *
 * Returns the size with the varlena header; dst must be aligned for an int
 * and hold NUMERIC_FLOAT_MAXSIZE bytes, enough for the 17 digits of a float8.
 */
Size
NumericFromFloatText(char *dst, const char *text, int len)
{
	const char *end = text + len;
	bool		negative = *text == '-';

	/* An exponent is a sign and two or three digits. */
	if (len > 4 && end[-4] == 'e')
		return NumericFromScientific(dst, negative, text + negative, end - 4, end);
	if (len > 5 && end[-5] == 'e')
		return NumericFromScientific(dst, negative, text + negative, end - 5, end);
	return NumericFromFixed(dst, negative, text + negative, end);
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
 * Are two numbers equal?  Their display scales may differ, as of 1.0 and 1;
 * with no zero digit at either end, their digits don't.
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

/* The number as an integer, if it has no decimals and fits */
bool
NumericToInt64(const NumericView *view, int64 *result)
{
	int64		value = 0;		/* negative, which has room for one more */

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

/* Powers of ten that a float8 holds exactly */
static const float8 powers_of_ten[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/*
 * The number as a float8, if that is as simple as dividing two numbers that
 * a float8 holds exactly: there is only one rounding then, as in float8in.
 */
bool
NumericToFloat8(const NumericView *view, float8 *result)
{
	uint64		mantissa = 0;
	int			decimals = view->dscale;

	if (decimals >= lengthof(powers_of_ten) || view->weight > 3)
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
	*result = (float8) mantissa / powers_of_ten[view->dscale];
	if (view->negative)
		*result = -*result;
	return true;
}
