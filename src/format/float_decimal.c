/*-------------------------------------------------------------------------
 *
 * float_decimal.c
 *		The shortest decimal number that reads back as a given float.
 *
 * A float is c * 2^q, for integers c and q.  All numbers between the midpoints
 * to its two neighbours are read as this float.  We want the number with the
 * fewest digits in that interval; if there are several, the one nearest to the
 * float; if two are equally near, the one with an even last digit.
 *
 * The algorithm is that of Raffaello Giulietti's "The Schubfach way to render
 * doubles" (2020).  Let 10^k be the greatest power of ten that is not wider
 * than the interval.  The interval contains some multiple of 10^k, because an
 * interval (a "Schubfach", or drawer) that wide cannot fit between two of
 * them; and it contains at most one multiple of 10^(k+1), because that is
 * wider.  If there is one, it has the fewest digits, once its trailing zeros
 * are removed.  If there is none, no multiple of 10^k within the interval ends
 * with a zero, and the nearest one is the result.  So all that matters about x
 * = c * 2^q * 10^-k is the integers next to it, and which of them are within
 * the bounds.  For every float, one product with a power of ten rounded to 128
 * bits is enough to tell; float_powers.py proves that: see ShortestDecimal.
 *
 * PostgreSQL prints floats by Ulf Adams's "Ryu: fast float-to-string
 * conversion" (2018), which finds the same number from the bounds, digit by
 * digit.  It excludes the bounds, although those of an even c would be read as
 * the float, too.  We do the same, to get the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/float_decimal.h"

/*
 * The upper part of a product with a power of ten: 57 bits before the point
 * and 71 after it.  In comments, a unit is one in the last place, 2^-71.
 */
typedef struct Fixed
{
	uint64		high;
	uint64		low;
} Fixed;

#define FRACTION_BITS		71
#define FRACTION_IN_HIGH	(FRACTION_BITS - 64)

#include "format/float_powers.h"

static inline Fixed
FixedAdd(Fixed a, Fixed b)
{
	Fixed		sum = {a.high + b.high, a.low + b.low};

	sum.high += sum.low < a.low;
	return sum;
}

static inline Fixed
FixedAddUnits(Fixed a, uint64 units)
{
	Fixed		b = {0, units};

	return FixedAdd(a, b);
}

static inline Fixed
FixedSub(Fixed a, Fixed b)
{
	Fixed		difference = {a.high - b.high, a.low - b.low};

	difference.high -= a.low < b.low;
	return difference;
}

static inline uint64
FixedWhole(Fixed a)
{
	return a.high >> FRACTION_IN_HIGH;
}

/* All 128 bits of a product */
static inline Fixed
Multiply64(uint64 a, uint64 b)
{
	Fixed		product;

#ifdef HAVE_INT128
	uint128		whole = (uint128) a * b;

	product.high = whole >> 64;
	product.low = whole;
#else
	uint64		a_high = a >> 32;
	uint64		a_low = a & PG_UINT32_MAX;
	uint64		b_high = b >> 32;
	uint64		b_low = b & PG_UINT32_MAX;
	uint64		low = a_low * b_low;
	uint64		middle = a_high * b_low + (low >> 32);
	uint64		other = a_low * b_high + (middle & PG_UINT32_MAX);

	product.high = a_high * b_high + (middle >> 32) + (other >> 32);
	product.low = other << 32 | (low & PG_UINT32_MAX);
#endif
	return product;
}

/* The upper 128 of the 192 bits of a product */
static inline Fixed
FixedMultiply(Fixed a, uint64 b)
{
	return FixedAddUnits(Multiply64(a.high, b), Multiply64(a.low, b).high);
}

/*
 * Logarithms, as products with 22 or 19 bits after the point.
 * float_powers.py compares them with the true ones, for all arguments that
 * occur.
 */

/* The greatest k such that 10^k <= 2^q, or 10^k <= 3/4 * 2^q */
static inline int
FloorLog10OfPower2(int q, bool three_quarters)
{
	return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/* The greatest n such that 2^n <= 10^k */
static inline int
FloorLog2OfPower10(int k)
{
	return (k * 1741647) >> 19;
}

/*
 * The shortest decimal of c * 2^q, where c is below 2^53, and not 0.  closer_below says
 * that the float below is half as far away as the one above, as it is where q changes.
 *
 * How exact is it?  power is too small by at most one in its last place.  So x and
 * half are too small by less than two units each: one for that place, one for what
 * the product cuts off.  The upper bound, x + half, is too small by less than four
 * units, but never exact.  The lower one, to which two units are added, is too large
 * by less than four, but never exact.  So a bound that is an integer is outside, as
 * it should be.  Any other bound is 64 units or more away from all integers, and x
 * is as far from the midpoint of two, unless it is exactly there: float_powers.py
 * finds the c of each q that comes nearest, by continued fractions.
 */
static pg_attribute_always_inline Decimal
ShortestDecimal(uint64 c, int q, bool closer_below)
{
	int			k = FloorLog10OfPower2(q, closer_below);
	Fixed		power = powers[k - FIRST_SCALE];

	/* 2^shift <= 2^q * 10^-k < 2^(shift+1): it is from 0 to 3 */
	int			shift = q + FloorLog2OfPower10(-k);
	uint64		one = UINT64CONST(1) << (shift + FRACTION_BITS - 63);
	Fixed		x = FixedMultiply(power, c * one);
	Fixed		half = FixedMultiply(power, one / 2);
	Fixed		half_below = closer_below ? FixedMultiply(power, one / 4) : half;
	Fixed		x_above = FixedAddUnits(x, 2);

	/*
	 * the greatest integers below the upper bound, and not above the lower
	 * one
	 */
	uint64		last = FixedWhole(FixedAdd(x, half));
	uint64		before = FixedWhole(FixedSub(x_above, half_below));
	uint64		tens = last / 10 * 10;
	uint64		rounded = x_above.high + (1 << (FRACTION_IN_HIGH - 1));
	uint64		nearest = rounded >> FRACTION_IN_HIGH;
	Decimal		shortest;

	/* Is x halfway between two?  Then only its error is left. */
	if (unlikely(rounded << (64 - FRACTION_IN_HIGH) == 0 && x_above.low < 2))
		nearest &= ~UINT64CONST(1);
	/* The nearest may be outside, if the bound is half as far away. */
	if (closer_below && nearest <= before)
		nearest++;
	shortest.digits = tens > before ? tens : nearest;
	shortest.exponent = k;
	return shortest;
}

/*
 * The same out of line, for what is rare: powers of two, most of which are
 * integers, and subnormals
 */
static pg_noinline Decimal
ShortestDecimalOfRare(uint64 c, int q, bool closer_below)
{
	return closer_below ? ShortestDecimal(c, q, true) : ShortestDecimal(c, q, false);
}

/*
 * From the bits of a float: c without its leading bit, and q + bias, unless
 * that is 0
 */
static inline Decimal
DecimalOfBits(uint64 fraction, int exponent, int fraction_bits, int bias)
{
	uint64		c = fraction | UINT64CONST(1) << fraction_bits;

	if (unlikely(exponent == 0))
		return ShortestDecimalOfRare(fraction, 1 - bias, false);
	if (unlikely(fraction == 0))
		return ShortestDecimalOfRare(c, exponent - bias, exponent > 1);
	return ShortestDecimal(c, exponent - bias, false);
}

Decimal
Float8ToDecimal(float8 value)
{
	uint64		bits;

	memcpy(&bits, &value, sizeof(bits));
	return DecimalOfBits(bits & ((UINT64CONST(1) << 52) - 1), (bits >> 52) & 0x7FF, 52, 1075);
}

Decimal
Float4ToDecimal(float4 value)
{
	uint32		bits;

	memcpy(&bits, &value, sizeof(bits));
	return DecimalOfBits(bits & ((1 << 23) - 1), (bits >> 23) & 0xFF, 23, 150);
}
