#!/usr/bin/env python3
"""The powers of ten of float_powers.h, and the proof that they are enough.

    float_powers.py --print >float_powers.h
    float_powers.py --check	the header is what --print gives, and ShortestDecimal's bounds hold

All is computed exactly, in integers and fractions.
"""
import argparse
import math
import pathlib
import sys
from fractions import Fraction

HEADER = pathlib.Path(__file__).parent / 'float_powers.h'

# The exponents of two that a significand is multiplied by, subnormals' first
FLOAT8 = range(-1074, 972)
FLOAT4 = range(-149, 105)
# The exponents of ten that this brings to 0
SCALES = range(-324, 293)

FRACTION_BITS = 71
WRONG_BY = 4		# less than so many units: see ShortestDecimal

TOP = '''\
/*-------------------------------------------------------------------------
 *
 * float_powers.h
 *		Powers of ten, for float_decimal.c only.
 *
 * 10^-k for each k from FIRST_SCALE on: its 128 bits from the first set bit
 * on, less one if nothing is cut off.  Written and proved by float_powers.py.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FLOAT_POWERS_H
#define JSONROW_FLOAT_POWERS_H

#define FIRST_SCALE		(%d)
#define LAST_SCALE		%d

static const Fixed powers[LAST_SCALE - FIRST_SCALE + 1] = {
'''
BOTTOM = '''\
};

#endif							/* JSONROW_FLOAT_POWERS_H */
'''


def power(base, exponent):
    return Fraction(base) ** exponent


def floor_log(base, x):
    """The exponent of the greatest power that is not above x"""
    n = 0
    while power(base, n) <= x:
        n += 256
    step = 512
    low = n - step
    while power(base, low) > x:
        low -= step
    while n - low > 1:
        middle = (n + low) // 2
        low, n = (middle, n) if power(base, middle) <= x else (low, middle)
    return low


def entry(scale):
    """The greatest integer below 10^-scale, if its first bit is made the highest of 128, and that bit's exponent of two"""
    exact = power(10, -scale)
    first = floor_log(2, exact)
    scaled = exact * power(2, 127 - first)
    return -(-scaled.numerator // scaled.denominator) - 1, first


def header():
    lines = []
    for scale in SCALES:
        bits, _ = entry(scale)
        lines.append('\t{UINT64CONST(0x%016X), UINT64CONST(0x%016X)},\n' % (bits >> 64, bits & (2 ** 64 - 1)))
    return TOP % (SCALES[0], SCALES[-1]) + ''.join(lines) + BOTTOM


def nearest_to_integers(ratio, most):
    """
    Of the multiples n * ratio, 1 <= n <= most, that are no integers: how little
    the nearest is above one, how little the nearest is below one, and both n.
    The two that are nearest so far are added up for the next, as in Stern and
    Brocot's tree, many steps at a time.
    """
    if ratio.denominator == 1:
        return Fraction(1), Fraction(1), 1, 1
    if ratio.denominator <= most:		# every remainder comes up
        n = pow(ratio.numerator, -1, ratio.denominator)
        return Fraction(1, ratio.denominator), Fraction(1, ratio.denominator), n, ratio.denominator - n
    above, below = ratio % 1, 1 - ratio % 1
    n_above = n_below = 1
    while n_above + n_below <= most:
        if above > below:
            steps = max(1, min((most - n_above) // n_below, -(-above // below) - 1))
            n_above, above = n_above + steps * n_below, above - steps * below
        else:
            steps = max(1, min((most - n_below) // n_above, -(-below // above) - 1))
            n_below, below = n_below + steps * n_above, below - steps * above
    return above, below, n_above, n_below


def prove_logarithms(q):
    """As FloorLog10OfPower2 and the like compute them; returns the two scales."""
    scale, scale_closer = (q * 1262611) >> 22, (q * 1262611 - 524031) >> 22
    assert scale == floor_log(10, power(2, q)), q
    assert scale_closer == floor_log(10, power(2, q) * 3 / 4), q
    for k in (scale, scale_closer):
        assert k in SCALES, q
        assert (-k * 1741647) >> 19 == entry(k)[1], q
        assert 0 <= q + entry(k)[1] <= 3, q
    return scale, scale_closer


def prove():
    """
    Returns how near a bound of a rounding interval comes to an integer without being
    one, or the number itself to half a digit: more than ShortestDecimal may be wrong by.
    """
    wrong_by = Fraction(WRONG_BY, 2 ** FRACTION_BITS)
    least = Fraction(1)
    for q in FLOAT8:
        scale, scale_closer = prove_logarithms(q)
        # the bounds are 2c - 1 and 2c + 1 times this; those of float4 are among them
        half = power(2, q - 1) / power(10, scale)
        least = min(least, *nearest_to_integers(half, 2 ** 54 - 1)[:2])
        # half a digit comes to c times this by twice as much
        least = min(least, *(distance / 2 for distance in nearest_to_integers(4 * half, 2 ** 53 - 1)[:2]))
        quarter = power(2, q - 2) / power(10, scale_closer)
        for c in [2 ** 52] + [2 ** 23] * (q in FLOAT4):
            for value, times in ((4 * c - 1, 1), (4 * c + 2, 1), (4 * c, 2)):
                rest = value * times * quarter % 1
                if rest:
                    least = min(least, rest / times, (1 - rest) / times)
    assert least > wrong_by, least
    return least


def hardest():
    """The float8s whose bounds, or which themselves, come nearest to what decides, by their bits"""
    for q in FLOAT8:
        half = power(2, q - 1) / power(10, floor_log(10, power(2, q)))
        found = nearest_to_integers(half, 2 ** 54 - 1)[2:]
        for n in (*found, *(4 * c for c in nearest_to_integers(4 * half, 2 ** 53 - 1)[2:])):
            # n is 2c - 1, 2c or 2c + 1, or a part of it
            while n < 2 ** 53:
                n *= 2
            for c in range((n >> 1) - 1, (n >> 1) + 3):
                if 2 ** 52 <= c < 2 ** 53:
                    yield (q + 1075) << 52 | c & (2 ** 52 - 1)


def check():
    if header() != HEADER.read_text():
        sys.exit(f'{HEADER} is not what float_powers.py prints')
    least = prove()
    print(f'{len(SCALES)} powers of ten; no number comes nearer to another digit than 2^{math.log2(least):.2f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument('--print', action='store_true')
    what.add_argument('--check', action='store_true')
    if parser.parse_args().print:
        sys.stdout.write(header())
    else:
        check()


if __name__ == '__main__':
    main()
