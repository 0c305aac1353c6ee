/*-------------------------------------------------------------------------
 *
 * jsonb_write.h
 *		jsonb containers, written in their flat form at once.
 *
 * A jsonb container is a header word, a JEntry per element, and the
 * elements' bytes (see jsonb.h for the reasons).  A JEntry holds the length of
 * its element; every 32nd holds the offset of its end instead.  Numbers and
 * containers are padded in front to a multiple of four, counted from the
 * beginning of the value, and the padding is part of the element's length.
 * PostgreSQL builds a tree of JsonbValues and flattens it at the end; to do
 * without the tree, only the number of elements must be known beforehand.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSONB_WRITE_H
#define JSONROW_JSONB_WRITE_H

#include "jsonrow.h"

#include "format/jsonb_walk.h"
#include "format/output.h"

/* A container being written: its entries, while its elements are appended */
typedef struct ContainerBuilder
{
	Size		entries;		/* offset of the next JEntry in the buffer */
	uint32		next;			/* its index */
	uint32		total;			/* bytes of the elements so far */
} ContainerBuilder;

/*
 * Consecutive elements of an array, on their way to another place.  The first
 * number or container among them may need different padding there; what
 * follows it then keeps its place relative to a multiple of four.  So they are
 * two pieces, each copied as it is: the lead, and the rest, from the next
 * multiple of four on.
 */
typedef struct ElementRun
{
	const char *lead;
	Size		leadlen;
	const char *rest;			/* NULL if no element is aligned */
	Size		restlen;
	Size		position;		/* where they are to begin, counted from an
								 * aligned place */
} ElementRun;

/* A key of an object that will be written, and where its member is */
typedef struct JsonbKey
{
	const char *data;
	uint32		len;
	uint32		position;
} JsonbKey;

static inline JsonbKey
JsonbKeyOf(const char *data, uint32 len, uint32 position)
{
	JsonbKey	key = {data, len, position};

	return key;
}

extern uint32 SortKeys(JsonbKey *keys, uint32 count);
extern Jsonb *ElementToJsonb(const JsonbElement *element);
extern void AppendElement(Output *out, const JsonbElement *element);
extern void AppendJsonbArray(Output *out, const JsonbElement *elements, uint32 count);
extern void AppendRun(Output *out, const ElementRun *run);
extern ElementRun AddEntries(Output *out, ContainerBuilder *container,
							 JsonbWalk source, uint32 count, Size position);
extern void AddElements(Output *out, ContainerBuilder *container,
						JsonbWalk source, uint32 count);

/* Write the beginning of a container and leave room for its JEntries. */
static inline ContainerBuilder
BeginContainer(Output *out, uint32 header, uint32 nentries)
{
	ContainerBuilder container = {0};

	OutAlign(out);
	OutReserve(out, sizeof(header) + (Size) nentries * sizeof(JEntry));
	memcpy(out->data + out->len, &header, sizeof(header));
	container.entries = out->len + sizeof(header);
	out->len = container.entries + (Size) nentries * sizeof(JEntry);
	return container;
}

static inline ContainerBuilder
BeginArray(Output *out, uint32 count)
{
	return BeginContainer(out, JB_FARRAY | count, count);
}

/* The next element has this type and takes this many bytes. */
static inline void
AddEntryOfLength(Output *out, ContainerBuilder *container, JEntry type, uint32 len)
{
	JEntry		entry;

	container->total += len;
	if (container->next++ % JB_OFFSET_STRIDE == 0)
		entry = type | container->total | JENTRY_HAS_OFF;
	else
		entry = type | len;
	memcpy(out->data + container->entries, &entry, sizeof(entry));
	container->entries += sizeof(entry);
}

/* The element from start to the end of the buffer is complete. */
static inline void
AddEntry(Output *out, ContainerBuilder *container, JEntry type, Size start)
{
	AddEntryOfLength(out, container, type, out->len - start);
}

/* The bytes are those of a finished value. */
static inline Jsonb *
OutFinishJsonb(Output *out)
{
	return (Jsonb *) OutFinishValue(out);
}

/* Where the rest of a run is to begin, and where it ends */
static inline Size
RunRestPosition(const ElementRun *run)
{
	return INTALIGN(run->position + run->leadlen);
}

static inline Size
RunEnd(const ElementRun *run)
{
	return run->rest ? RunRestPosition(run) + run->restlen : run->position + run->leadlen;
}

/* Start moving the next elements of an array to a position. */
static inline void
ElementRunStart(ElementRun *run, const JsonbWalk *source, Size position)
{
	Assert(source->bytes == NULL);
	memset(run, 0, sizeof(*run));
	run->lead = source->base + source->offset;
	run->position = position;
}

/*
 * Move one more element; its length is what it takes at its new place,
 * including padding.
 */
static inline JsonbElement
ElementRunTake(ElementRun *run, JsonbWalk *source)
{
	uint32		start = source->offset;
	JsonbElement element = JsonbWalkTake(source);

	if (likely(run->rest != NULL))
		element.len = source->offset - start;
	else if (JsonbElementIsAligned(&element))
	{
		run->leadlen = source->base + start - run->lead;
		run->rest = element.data;
		element.len += RunRestPosition(run) - (run->position + run->leadlen);
	}
	return element;
}

/* All elements of the run have been added. */
static inline void
ElementRunEnd(ElementRun *run, const JsonbWalk *source)
{
	const char *end = source->base + source->offset;

	if (run->rest)
		run->restlen = end - run->rest;
	else
		run->leadlen = end - run->lead;
}

static inline void
AddString(Output *out, ContainerBuilder *container, const char *str, Size len)
{
	Size		start = out->len;

	OutAppend(out, str, len);
	AddEntry(out, container, JENTRY_ISSTRING, start);
}

static inline void
AddKey(Output *out, ContainerBuilder *object, const JsonbKey *key)
{
	AddString(out, object, key->data, key->len);
}

static inline void
AddElement(Output *out, ContainerBuilder *container, const JsonbElement *element)
{
	Size		start = out->len;

	AppendElement(out, element);
	AddEntry(out, container, element->type, start);
}

#endif							/* JSONROW_JSONB_WRITE_H */
