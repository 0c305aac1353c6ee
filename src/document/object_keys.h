/*-------------------------------------------------------------------------
 *
 * object_keys.h
 *		The keys of objects that all have the same names, prepared once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OBJECT_KEYS_H
#define JSONROW_OBJECT_KEYS_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/jsonb_write.h"

/*
 * What comes before the values of such an object in jsonb: its header word,
 * its JEntries, its keys.  The entries of the values are left open.
 */
typedef struct ObjectKeys
{
	int			nkeys;			/* distinct names */
	int		   *columns;		/* which column each key's value is */
	const char *frame;
	Size		framelen;
	uint32		keyslen;		/* bytes of the keys alone */
} ObjectKeys;

extern void ObjectKeysInit(ObjectKeys *keys, const Header *header);

/* Begin an object; its values are added next, in the order of the keys. */
static inline ContainerBuilder
BeginObject(Output *out, const ObjectKeys *keys)
{
	ContainerBuilder object;

	OutAlign(out);
	object.entries = out->len + sizeof(uint32) + keys->nkeys * sizeof(JEntry);
	object.next = keys->nkeys;
	object.total = keys->keyslen;
	OutAppend(out, keys->frame, keys->framelen);
	return object;
}

#endif							/* JSONROW_OBJECT_KEYS_H */
