/*-------------------------------------------------------------------------
 *
 * object_keys.c
 *		The keys of objects that all have the same names, prepared once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/object_keys.h"
#include "miscadmin.h"

/*
 * Prepare the keys for a header's names, in the current memory context.  An
 * unknown header has none.
 */
void
ObjectKeysInit(ObjectKeys *keys, const Header *header)
{
	int			ncols = HeaderWidth(header);
	JsonbKey   *names = MemoryContextAllocHuge(CurrentMemoryContext, mul_size(ncols, sizeof(JsonbKey)));
	ContainerBuilder object;
	Output		out;

	for (int i = 0; i < ncols; i++)
		names[i] = JsonbKeyOf(header->cols[i].name, header->cols[i].namelen, i);
	keys->nkeys = SortKeys(names, ncols);
	keys->columns = palloc(keys->nkeys * sizeof(int));

	OutInit(&out, FORMAT_JSONB, 256, CurrentMemoryContext);
	object = BeginContainer(&out, JB_FOBJECT | keys->nkeys, keys->nkeys * 2);
	for (int i = 0; i < keys->nkeys; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddKey(&out, &object, &names[i]);
		keys->columns[i] = names[i].position;
	}
	pfree(names);
	keys->frame = out.data;
	keys->framelen = out.len;
	keys->keyslen = object.total;
}
