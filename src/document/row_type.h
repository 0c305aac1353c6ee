/*-------------------------------------------------------------------------
 *
 * row_type.h
 *		A row type as it was when something was made for it.
 *
 * What is made for the rows of a type is kept for the whole query, but a
 * function that the query calls may alter the type in the meantime.
 * PostgreSQL's type cache gives each version of a named type an identifier of
 * its own; so one comparison tells whether what was made is still valid, as it
 * does in the executor (get_cached_rowtype in execExprInterp.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROW_TYPE_H
#define JSONROW_ROW_TYPE_H

#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/tupdesc.h"
#include "utils/typcache.h"

typedef struct RowType
{
	Oid			typid;
	int32		typmod;
	TupleDesc	tupdesc;		/* a copy */
	TypeCacheEntry *entry;		/* never freed; NULL for an anonymous record,
								 * which cannot change */
	uint64		identifier;		/* what entry's was */
} RowType;

extern void RowTypeLoad(RowType *type, Oid typid, int32 typmod);
extern void RowTypeOfDescriptor(RowType *type, TupleDesc tupdesc);
extern bool RowTypeReload(RowType *type);
extern uint8 AlignmentInBytes(char typalign);
extern void RowTypeCheckValue(const RowType *type, HeapTupleHeader tuple);
pg_noreturn pg_noinline extern void ReportOldValue(Oid typid, int32 typmod);

/*
 * Where an attribute begins if the one before it ends at p.  One with a short
 * varlena header is not aligned, and padding is zero.
 */
static inline const char *
AttributeStart(int16 typlen, uint8 alignment, const char *p, const char *end)
{
	if (typlen != -1 || (p < end && *p == 0))
		return (const char *) TYPEALIGN(alignment, p);
	return p;
}

/*
 * Where an attribute that begins at p ends; NULL if that is beyond the end of
 * its tuple, or if no composite can hold such an attribute.
 *
 * Not every release can recognize a value that was made before its type was
 * altered (and has since been kept by a sort, a CTE or a variable).  Its bytes
 * are read according to the current type, so they must not be trusted.
 */
static inline const char *
AttributeEnd(int16 typlen, const char *p, const char *end)
{
	Size		len;

	if (likely(typlen > 0))
		len = typlen;
	else if (typlen == -1)
	{
		if (p >= end || VARATT_IS_EXTERNAL(p) || (!VARATT_IS_1B(p) && end - p < VARHDRSZ))
			return NULL;
		len = VARSIZE_ANY(p);
		if (!VARATT_IS_1B(p) && len < (VARATT_IS_COMPRESSED(p) ? VARHDRSZ_COMPRESSED : VARHDRSZ))
			return NULL;
	}
	else
		len = p < end ? strnlen(p, end - p) + 1 : 1;
	return likely(p <= end && len <= end - p) ? p + len : NULL;
}

/* Is it long enough for the header of a composite? */
static inline bool
TupleIsSound(HeapTupleHeader tuple)
{
	Size		len = VARSIZE(tuple);

	return len >= SizeofHeapTupleHeader && tuple->t_hoff <= len &&
		(!(tuple->t_infomask & HEAP_HASNULL) ||
		 SizeofHeapTupleHeader + BITMAPLEN(HeapTupleHeaderGetNatts(tuple)) <= tuple->t_hoff);
}

/* Is it certain that the type has not been altered? */
static inline bool
RowTypeIsCurrent(const RowType *type)
{
	return type->entry == NULL || type->entry->tupDesc_identifier == type->identifier;
}

/* Has the type been altered?  Costs more only if it may have been. */
static inline bool
RowTypeIsAltered(RowType *type)
{
	return unlikely(!RowTypeIsCurrent(type)) && !RowTypeReload(type);
}

#endif							/* JSONROW_ROW_TYPE_H */
