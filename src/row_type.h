/*-------------------------------------------------------------------------
 *
 * row_type.h
 *		A row type as it was when something was made for it.
 *
 * What is made for the rows of a type is kept for the whole query, and a
 * function that the query calls may alter the type in between.  PostgreSQL's
 * type cache gives each version of a named type an identifier of its own; so
 * one comparison tells whether what was made is still right, as it does for
 * the executor (get_cached_rowtype in execExprInterp.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROW_TYPE_H
#define JSONROW_ROW_TYPE_H

#include "jsonrow.h"

#include "access/tupdesc.h"
#include "utils/typcache.h"

typedef struct RowType
{
	Oid			typid;
	int32		typmod;
	TupleDesc	tupdesc;		/* a copy */
	TypeCacheEntry *entry;		/* never freed; NULL of an anonymous record,
								 * which cannot change */
	uint64		identifier;		/* what entry's was */
} RowType;

extern void RowTypeLoad(RowType *type, Oid typid, int32 typmod);
extern void RowTypeOfDescriptor(RowType *type, TupleDesc tupdesc);
extern bool RowTypeReload(RowType *type);

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
