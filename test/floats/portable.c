/*-------------------------------------------------------------------------
 *
 * portable.c
 *		src/format/float_decimal.c as it is without 128-bit integers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "portable.h"

#undef HAVE_INT128
#define Float4ToDecimal PortableFloat4ToDecimal
#define Float8ToDecimal PortableFloat8ToDecimal

#include "../src/format/float_decimal.c"
