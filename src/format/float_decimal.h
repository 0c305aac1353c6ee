/*-------------------------------------------------------------------------
 *
 * float_decimal.h
 *		The shortest decimal number that reads back as a given float.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FLOAT_DECIMAL_H
#define JSONROW_FLOAT_DECIMAL_H

#include "jsonrow.h"

/* digits * 10^exponent */
typedef struct Decimal
{
	uint64		digits;			/* may end with zeros; below 10^17, or 10^9
								 * for a float4 */
	int			exponent;
} Decimal;

/* For the absolute value, which must be finite and not 0 */
extern Decimal Float4ToDecimal(float4 value);
extern Decimal Float8ToDecimal(float8 value);

/*
 * The smallest numbers with as many digits as any float4 or float8 has: 9 and
 * 17
 */
#define FLOAT4_LONGEST		100000000
#define FLOAT8_LONGEST		UINT64CONST(10000000000000000)

/* The same number with trailing zeros, so that its digits are at least these */
static inline Decimal
DecimalAddZeros(Decimal number, uint64 least)
{
	/* A digit is missing half of the time: a branch could not be predicted. */
	bool		missing = number.digits < least;

	number.digits *= missing ? 10 : 1;
	number.exponent -= missing;
	while (unlikely(number.digits < least))
	{
		number.digits *= 10;
		number.exponent--;
	}
	return number;
}

#endif							/* JSONROW_FLOAT_DECIMAL_H */
