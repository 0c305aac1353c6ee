/*-------------------------------------------------------------------------
 *
 * numeric_format.h
 *		numeric's on-disk format, written and read directly.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_NUMERIC_FORMAT_H
#define JSONROW_NUMERIC_FORMAT_H

#include "jsonrow.h"

/* Upper bounds of what the writers below produce, in bytes */
#define NUMERIC_INT64_MAXSIZE	(VARHDRSZ + 2 + 5 * 2)
#define NUMERIC_FLOAT_MAXSIZE	(VARHDRSZ + 4 + 5 * 2)

#define DEC_DIGITS				4	/* decimal digits in one base-10000 digit */
/* Longer texts are left to numeric_in; each end of the digits may be cut. */
#define NUMERIC_TEXT_LENGTH		64
#define NUMERIC_TEXT_DIGITS		(NUMERIC_TEXT_LENGTH / 4 + 2)
#define NUMERIC_TEXT_MAXSIZE	(VARHDRSZ + 4 + NUMERIC_TEXT_DIGITS * 2)

/* A numeric read from its on-disk form */
typedef struct NumericView
{
	bool		special;		/* NaN or an infinity: see name */
	bool		negative;
	bool		compact;		/* in the short header that we can copy */
	int			weight;			/* of the first digit, base 10000 */
	int			dscale;			/* digits after the decimal point */
	int			ndigits;
	const char *digits;			/* int16 each, not aligned */
	const char *name;
} NumericView;

extern Size NumericFromInt64(char *dst, int64 value);
extern Size NumericFromFloat4(char *dst, float4 value);
extern Size NumericFromFloat8(char *dst, float8 value);
extern Size NumericFromNumberText(char *dst, const char *text, Size len, int32 typmod);
extern bool NumericViewInit(NumericView *view, const char *payload, Size len);
extern void NumericViewOf(NumericView *view, const struct varlena *number);
extern bool NumericViewEqual(const NumericView *a, const NumericView *b);
extern bool NumericToInt64(const NumericView *view, int64 *result);
extern bool NumericToFloat8(const NumericView *view, float8 *result);
extern char *NumericToText(char *dst, const NumericView *view);

/* How much room NumericToText may need for this number */
static inline Size
NumericTextMaxSize(const NumericView *view)
{
	return 3 + (Max(view->weight, 0) + 1) * DEC_DIGITS + view->dscale + DEC_DIGITS;
}

#endif							/* JSONROW_NUMERIC_FORMAT_H */
