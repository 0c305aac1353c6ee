/*-------------------------------------------------------------------------
 *
 * value_text.h
 *		The text of small values, written directly to its destination.
 *
 * What the types' output functions print, without a palloc'd string in
 * between.  Each returns the end of what it wrote; there is no terminating
 * zero.  Those that take a Datum are for the table of text_types.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_VALUE_TEXT_H
#define JSONROW_VALUE_TEXT_H

#include "jsonrow.h"

#include "utils/builtins.h"
#include "utils/uuid.h"

#define INT64_TEXT_MAXSIZE	20	/* sign and digits */
#define OID_TEXT_MAXSIZE	11
#define UUID_TEXT_SIZE		36

/* A varlena with either header, detoasted if necessary */
static inline struct varlena *
DatumGetPacked(Datum value)
{
	struct varlena *packed = (struct varlena *) DatumGetPointer(value);

	if (unlikely(VARATT_IS_EXTERNAL(packed) || VARATT_IS_COMPRESSED(packed)))
		return pg_detoast_datum_packed(packed);
	return packed;
}

extern char *OidToText(char *dst, Datum value, void *cache);
extern char *UuidToText(char *dst, Datum value, void *cache);
extern bool UuidFromText(const char *text, Size len, Datum *value);
extern bool Int64FromText(const char *text, Size len, int64 min, int64 max, int64 *value);

/* The digits of 0 to 99, two each */
extern const char DecimalPairs[201];

static inline char *
TwoDigits(char *dst, unsigned int value)
{
	memcpy(dst, DecimalPairs + value * 2, 2);
	return dst + 2;
}

#endif							/* JSONROW_VALUE_TEXT_H */
