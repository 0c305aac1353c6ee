/*-------------------------------------------------------------------------
 *
 * container.h
 *		jsonb containers, walked with every bound checked.
 *
 * PostgreSQL's JsonbIterator trusts what it reads.  We are given values that
 * were stored by others and may have been damaged since, so no offset is
 * followed before it was held against the size of the container.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_CONTAINER_H
#define JSONROW_CONTAINER_H

#include "jsonrow.h"

#include "utils/jsonb.h"

/* One element of a container */
typedef struct JsonbElement
{
	JEntry		type;			/* JENTRY_ISSTRING, ... without other bits */
	const char *data;			/* its bytes, past any alignment padding */
	uint32		len;
} JsonbElement;

/*
 * A position in a container.  An object's entries are its keys, then its
 * values in the same order.  Nothing need be aligned in memory.
 */
typedef struct JsonbWalk
{
	uint32		flags;			/* JB_FARRAY, JB_FOBJECT, JB_FSCALAR */
	uint32		count;			/* elements, or pairs */
	uint32		nentries;
	uint32		next;			/* entry that JsonbWalkNext returns next */
	const char *entries;
	int			step;			/* from one entry to the next, in bytes */
	const char *base;			/* where the elements' bytes begin */
	uint32		baselen;
	uint32		offset;			/* of the next element from base */
} JsonbWalk;

extern void JsonbWalkStart(JsonbWalk *walk, const char *container, Size len);
extern bool JsonbWalkNext(JsonbWalk *walk, JsonbElement *element);
extern void JsonbWalkSeek(JsonbWalk *walk, uint32 index);
extern JsonbElement JsonbRootElement(const Jsonb *jsonb);
pg_noreturn pg_noinline extern void ReportCorruptJsonb(void);

static inline void
JsonbWalkRoot(JsonbWalk *walk, const Jsonb *jsonb)
{
	JsonbWalkStart(walk, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ);
}

static inline bool
JsonbIsArray(const char *container, Size len)
{
	uint32		header;

	if (len < sizeof(header))
		return false;
	memcpy(&header, container, sizeof(header));
	return (header & JB_FARRAY) != 0;
}

static inline bool
JsonbElementIsArray(const JsonbElement *element)
{
	return element->type == JENTRY_ISCONTAINER && JsonbIsArray(element->data, element->len);
}

/* Are its bytes padded in front, to begin at a multiple of four? */
static inline bool
JsonbElementIsAligned(const JsonbElement *element)
{
	return element->type == JENTRY_ISCONTAINER || element->type == JENTRY_ISNUMERIC;
}

/* From the first key of an object to its first value */
static inline JsonbWalk
JsonbWalkValues(const JsonbWalk *keys)
{
	JsonbWalk	values = *keys;
	JsonbElement key;

	while (values.next < keys->count)
		JsonbWalkNext(&values, &key);
	return values;
}

#endif							/* JSONROW_CONTAINER_H */
