/*-------------------------------------------------------------------------
 *
 * jsonb_walk.h
 *		jsonb containers, walked with every bound checked.
 *
 * PostgreSQL's JsonbIterator trusts what it reads.  We are given values that
 * were stored by others and may have been damaged since, so no offset is
 * followed before it was held against the size of the container.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSONB_WALK_H
#define JSONROW_JSONB_WALK_H

#include "jsonrow.h"

#include "format/numeric_format.h"
#include "miscadmin.h"
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
extern void JsonbWalkSeek(JsonbWalk *walk, uint32 index);
extern JsonbElement JsonbRootElement(const Jsonb *jsonb);
extern bool JsonbElementEqual(const JsonbElement *a, const JsonbElement *b);
extern Datum JsonbNumericDatum(const JsonbElement *element);
extern void JsonbNumericView(const JsonbElement *element, NumericView *view);
extern bool JsonbNumeric(const JsonbElement *element, const char **payload, Size *len);
pg_noreturn pg_noinline extern void ReportCorruptJsonb(void);

static inline void
JsonbWalkRoot(JsonbWalk *walk, const Jsonb *jsonb)
{
	JsonbWalkStart(walk, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ);
}

static inline JEntry
JsonbWalkEntry(const JsonbWalk *walk, uint32 index)
{
	JEntry		entry;

	memcpy(&entry, walk->entries + (ssize_t) index * walk->step, sizeof(entry));
	return entry;
}

/* Can an element of this type take so many bytes? */
static inline bool
JsonbElementIsSound(JEntry type, uint32 len)
{
	if (type == JENTRY_ISNUMERIC || type == JENTRY_ISCONTAINER)
		return len >= sizeof(uint32);
	return type == JENTRY_ISSTRING || (len == 0 && (type & ~JENTRY_TYPEMASK) == 0 &&
									   type < JENTRY_ISCONTAINER);
}

/* Get the next entry; false at the end. */
static inline bool
JsonbWalkNext(JsonbWalk *walk, JsonbElement *element)
{
	JEntry		entry;
	uint32		start = walk->offset;
	uint32		end;

	if (walk->next >= walk->nentries)
		return false;
	entry = JsonbWalkEntry(walk, walk->next++);
	end = JBE_HAS_OFF(entry) ? JBE_OFFLENFLD(entry) : start + JBE_OFFLENFLD(entry);
	if (unlikely(end < start || end > walk->baselen))
		ReportCorruptJsonb();
	walk->offset = end;

	element->type = entry & JENTRY_TYPEMASK;
	if (element->type == JENTRY_ISNUMERIC || element->type == JENTRY_ISCONTAINER)
		start = INTALIGN(start);
	if (unlikely(start > end || !JsonbElementIsSound(element->type, end - start)))
		ReportCorruptJsonb();
	element->data = walk->base + start;
	element->len = end - start;
	return true;
}

/* Get the next entry, where the count tells that there is one. */
static inline JsonbElement
JsonbWalkTake(JsonbWalk *walk)
{
	JsonbElement element;

	if (!JsonbWalkNext(walk, &element))
		ReportCorruptJsonb();
	return element;
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

/* The order that jsonb sorts the keys of an object in */
static inline int
JsonbCompareKeys(const char *a, Size alen, const char *b, Size blen)
{
	if (alen != blen)
		return alen < blen ? -1 : 1;
	return memcmp(a, b, alen);
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

	while (values.next < keys->count)
	{
		CHECK_FOR_INTERRUPTS();
		JsonbWalkTake(&values);
	}
	return values;
}

#endif							/* JSONROW_JSONB_WALK_H */
