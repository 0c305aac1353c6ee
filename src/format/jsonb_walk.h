/*-------------------------------------------------------------------------
 *
 * jsonb_walk.h
 *		jsonb containers, walked with every bound checked.
 *
 * PostgreSQL's JsonbIterator trusts what it reads, and needs all of it in
 * memory.  We are given values that were stored by others and may have been
 * damaged since, so no offset is followed before it has been checked against
 * the size of the container.  And a container may be anywhere in a value that
 * has only been fetched in part.  Then the elements are found by their
 * position, and only those that are asked for are fetched.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSONB_WALK_H
#define JSONROW_JSONB_WALK_H

#include "jsonrow.h"

#include "format/bytes.h"
#include "format/numeric_format.h"
#include "miscadmin.h"
#include "utils/jsonb.h"

/* One element of a container */
typedef struct JsonbElement
{
	JEntry		type;			/* JENTRY_ISSTRING, ... without other bits */
	const char *data;			/* its bytes, past any alignment padding; NULL
								 * if they have not been fetched yet */
	uint32		len;
	uint32		offset;			/* where they are in the container, counted
								 * from JsonbWalk.base */
} JsonbElement;

static inline JsonbElement
JsonbElementOf(JEntry type, const char *data, Size len)
{
	JsonbElement element = {type, data, len};

	return element;
}

/* A null that is in no container; its data is not NULL, but empty */
static const JsonbElement JsonbNull = {JENTRY_ISNULL, "", 0};

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
	const char *entries;		/* if all is in memory */
	int			step;			/* from one entry to the next, in bytes;
								 * negative if they are stacked downwards */
	const char *base;			/* where the elements' bytes begin, likewise */
	uint32		baselen;
	uint32		offset;			/* of the next element from base */

	/* If not all of it is in memory: the value that it is in, or NULL */
	Bytes	   *bytes;
	uint32		start;			/* its place there */
} JsonbWalk;

extern void JsonbWalkStart(JsonbWalk *walk, const char *container, Size len);
extern void JsonbWalkStartAt(JsonbWalk *walk, Bytes *bytes, Size start, Size len);
extern void JsonbWalkEnter(JsonbWalk *walk, const JsonbWalk *outer, const JsonbElement *element);
extern void JsonbWalkSeek(JsonbWalk *walk, uint32 index);
extern bool JsonbWalkFind(JsonbWalk *object, const char *key, Size len, JsonbElement *value);
extern bool JsonbFindMember(const char *container, Size size, const char *key, Size len,
							JsonbElement *value);
extern bool JsonbOnlyMember(const JsonbElement *object, JsonbElement *key, JsonbElement *value);
extern JEntry FetchEntry(Bytes *bytes, Size offset);
extern bool JsonbIsEmptyArray(const Jsonb *jsonb);
extern JsonbElement JsonbRootElement(const Jsonb *jsonb);
extern bool JsonbElementEqual(const JsonbElement *a, const JsonbElement *b);
extern void JsonbElementCheck(const JsonbElement *element);
extern Datum JsonbNumericDatum(const JsonbElement *element);
extern void JsonbNumericView(const JsonbElement *element, NumericView *view);

static inline void
JsonbWalkRoot(JsonbWalk *walk, const Jsonb *jsonb)
{
	JsonbWalkStart(walk, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ);
}

/* The bytes from a container's beginning to those of its elements */
static inline Size
JsonbWalkHeadSize(const JsonbWalk *walk)
{
	return sizeof(uint32) + (Size) walk->nentries * sizeof(JEntry);
}

/* Can an element of this type take this many bytes? */
static inline bool
JsonbElementIsSound(JEntry type, uint32 len)
{
	if (type == JENTRY_ISNUMERIC || type == JENTRY_ISCONTAINER)
		return len >= sizeof(uint32);
	return type == JENTRY_ISSTRING || (len == 0 && (type & ~JENTRY_TYPEMASK) == 0 &&
									   type < JENTRY_ISCONTAINER);
}

/*
 * An entry by its index.  No function is given the address of the walk, so a
 * caller that goes through all elements can hold it in registers.
 */
static inline JEntry
JsonbWalkEntry(const JsonbWalk *walk, uint32 index)
{
	JEntry		entry;

	if (unlikely(walk->bytes != NULL))
		return FetchEntry(walk->bytes, walk->start + sizeof(uint32) + (Size) index * sizeof(JEntry));
	memcpy(&entry, walk->entries + (ssize_t) index * walk->step, sizeof(entry));
	return entry;
}

/*
 * What an entry says about its element, except for where its bytes are in memory.
 * It begins at *offset, which moves on to the next one.
 */
static inline JsonbElement
JsonbElementOfEntry(JEntry entry, uint32 *offset, uint32 baselen)
{
	JsonbElement element = {entry & JENTRY_TYPEMASK};
	uint32		start = *offset;
	uint32		end = JBE_HAS_OFF(entry) ? JBE_OFFLENFLD(entry) : start + JBE_OFFLENFLD(entry);

	if (unlikely(end < start || end > baselen))
		ReportCorruptJsonb();
	*offset = end;

	if (element.type == JENTRY_ISNUMERIC || element.type == JENTRY_ISCONTAINER)
		start = INTALIGN(start);
	if (unlikely(start > end || !JsonbElementIsSound(element.type, end - start)))
		ReportCorruptJsonb();
	element.len = end - start;
	element.offset = start;
	return element;
}

/* Get the next entry; false at the end. */
static inline bool
JsonbWalkNext(JsonbWalk *walk, JsonbElement *element)
{
	if (walk->next >= walk->nentries)
		return false;
	*element = JsonbElementOfEntry(JsonbWalkEntry(walk, walk->next++), &walk->offset, walk->baselen);
	if (likely(walk->bytes == NULL))
		element->data = walk->base + element->offset;
	return true;
}

/* Get the next entry, if the count tells that there is one. */
static inline JsonbElement
JsonbWalkTake(JsonbWalk *walk)
{
	JsonbElement element;

	if (!JsonbWalkNext(walk, &element))
		ReportCorruptJsonb();
	return element;
}

/*
 * Go to an entry by its index and get it, if the count tells that it exists.
 */
static inline JsonbElement
JsonbWalkTakeAt(JsonbWalk *walk, uint32 index)
{
	JsonbWalkSeek(walk, index);
	return JsonbWalkTake(walk);
}

/*
 * Where in the value an element is, if the walked value is not all in memory
 */
static inline Size
JsonbWalkPlace(const JsonbWalk *walk, const JsonbElement *element)
{
	return walk->start + JsonbWalkHeadSize(walk) + element->offset;
}

/* Have an element's bytes at data. */
static inline void
JsonbWalkFetch(const JsonbWalk *walk, JsonbElement *element)
{
	if (element->data == NULL)
		element->data = BytesAt(walk->bytes, JsonbWalkPlace(walk, element), element->len);
}

/* An array, but not one that stands for a scalar */
static inline bool
JsonbWalkIsArray(const JsonbWalk *walk)
{
	return walk->flags == JB_FARRAY;
}

static inline bool
JsonbElementIsArray(const JsonbElement *element)
{
	uint32		header;

	if (element->type != JENTRY_ISCONTAINER || element->len < sizeof(header))
		return false;
	memcpy(&header, element->data, sizeof(header));
	return (header & ~JB_CMASK) == JB_FARRAY;
}

/* The order in which jsonb sorts the keys of an object */
static inline int
JsonbCompareKeys(const char *a, Size alen, const char *b, Size blen)
{
	if (alen != blen)
		return alen < blen ? -1 : 1;
	return memcmp(a, b, alen);
}

/* Are its bytes preceded by padding, to begin at a multiple of four? */
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
