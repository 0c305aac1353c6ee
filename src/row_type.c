/*-------------------------------------------------------------------------
 *
 * row_type.c
 *		A row type as it was when something was made for it.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "funcapi.h"
#include "row_type.h"
#include "utils/builtins.h"

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
	/* Descriptor and identifier are of one moment. */
	type->entry = LookupEntry(typid);
	type->identifier = type->entry->tupDesc_identifier;
	type->tupdesc = CreateTupleDescCopyConstr(type->entry->tupDesc);
}

/* The row type that a descriptor stands for, likewise */
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
 * Look the type up again, for something has happened to it.  If it is still
 * what it was (it may have got an index, say), take note of its new
 * identifier and return true.
 */
bool
RowTypeReload(RowType *type)
{
	(void) LookupEntry(type->typid);
	if (!equalTupleDescs(type->entry->tupDesc, type->tupdesc))
		return false;
	type->identifier = type->entry->tupDesc_identifier;
	return true;
}
