/*-------------------------------------------------------------------------
 *
 * row_type.c
 *		A row type as it was when something was made for it.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/tupmacs.h"
#include "document/row_type.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

static TypeCacheEntry *
LookupEntry(Oid typid)
{
	TypeCacheEntry *entry = lookup_type_cache(typid, TYPECACHE_TUPDESC);

	if (entry->tupDesc == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("type %s is not composite", format_type_be(typid))));
	return entry;
}

/* Look up a row type; the copy is made in the current memory context. */
void
RowTypeLoad(RowType *type, Oid typid, int32 typmod)
{
	type->typid = typid;
	type->typmod = typmod;
	type->entry = NULL;
	type->identifier = 0;
	if (typid == RECORDOID)
	{
		type->tupdesc = lookup_rowtype_tupdesc_copy(typid, typmod);
		return;
	}
	/* Descriptor and identifier belong to the same moment. */
	type->entry = LookupEntry(typid);
	type->identifier = type->entry->tupDesc_identifier;
	type->tupdesc = CreateTupleDescCopyConstr(type->entry->tupDesc);
}

/* The same for the row type that a descriptor stands for */
void
RowTypeOfDescriptor(RowType *type, TupleDesc tupdesc)
{
	if (tupdesc->tdtypeid != RECORDOID)
	{
		RowTypeLoad(type, tupdesc->tdtypeid, -1);
		return;
	}
	type->tupdesc = BlessTupleDesc(CreateTupleDescCopy(tupdesc));
	type->typid = RECORDOID;
	type->typmod = type->tupdesc->tdtypmod;
	type->entry = NULL;
	type->identifier = 0;
}

/*
 * Look the type up again, because something has happened to it.  If it is
 * still the same (it may have got an index, say), record its new identifier
 * and return true.
 */
bool
RowTypeReload(RowType *type)
{
	if (!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type->typid)))
		return false;			/* it may no longer be needed */
	(void) LookupEntry(type->typid);
	if (!equalTupleDescs(type->entry->tupDesc, type->tupdesc))
		return false;
	type->identifier = type->entry->tupDesc_identifier;
	return true;
}

void
ReportOldValue(Oid typid, int32 typmod)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATUM_VERSION_MISMATCH),
			 errmsg("value of type %s does not fit its type",
					format_type_with_typemod(typid, typmod)),
			 errdetail("It may have been made before the type was altered.")));
}

/* An alignment as pg_type has it, in bytes */
uint8
AlignmentInBytes(char typalign)
{
	switch (typalign)
	{
		case TYPALIGN_CHAR:
			return 1;
		case TYPALIGN_SHORT:
			return ALIGNOF_SHORT;
		case TYPALIGN_INT:
			return ALIGNOF_INT;
		default:
			return ALIGNOF_DOUBLE;
	}
}

/* Raise an error unless a value can be taken apart as a value of the type. */
void
RowTypeCheckValue(const RowType *type, HeapTupleHeader tuple)
{
	const char *p = (char *) tuple + tuple->t_hoff;
	const char *end = (char *) tuple + VARSIZE(tuple);
	int			natts;

	if (!TupleIsSound(tuple))
		ReportOldValue(type->typid, type->typmod);
	if (HeapTupleHeaderIsVersionedDatum(tuple))
		heap_datum_check(tuple, type->tupdesc);
	natts = Min(type->tupdesc->natts, HeapTupleHeaderGetNatts(tuple));
	for (int i = 0; i < natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(type->tupdesc, i);

		if ((tuple->t_infomask & HEAP_HASNULL) && att_isnull(i, tuple->t_bits))
			continue;
		p = AttributeStart(att->attlen, AlignmentInBytes(att->attalign), p, end);
		p = AttributeEnd(att->attlen, p, end);
		if (p == NULL)
			ReportOldValue(type->typid, type->typmod);
	}
}
