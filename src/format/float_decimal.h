/*-------------------------------------------------------------------------
 *
 * float_decimal.h
 *		The shortest decimal number that is read as a given float.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FLOAT_DECIMAL_H
#define JSONROW_FLOAT_DECIMAL_H

#include "jsonrow.h"

/* digits * 10^exponent */
typedef struct Decimal
{
	uint64		digits;			/* may end with zeros; below 10^17, of a
								 * float4 below 10^9 */
	int			exponent;
} Decimal;

/* Of the amount of a value, which must be finite and not 0 */
extern Decimal Float4ToDecimal(float4 value);
extern Decimal Float8ToDecimal(float8 value);

#endif							/* JSONROW_FLOAT_DECIMAL_H */
