/*-------------------------------------------------------------------------
 *
 * portable.h
 *		src/format/float_decimal.c as it is without 128-bit integers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PORTABLE_H
#define PORTABLE_H

#include "format/float_decimal.h"

extern Decimal PortableFloat4ToDecimal(float4 value);
extern Decimal PortableFloat8ToDecimal(float8 value);

#endif							/* PORTABLE_H */
