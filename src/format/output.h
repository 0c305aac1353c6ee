/*-------------------------------------------------------------------------
 *
 * output.h
 *		The growing piece of memory that a document is written to.
 *
 * A StringInfo keeps a terminating zero, ends at 1 GB with an error that
 * blames memory, and doubles from 1 kB; an Output does none of that.  It is
 * one palloc'd chunk, so that the finished document can be handed over
 * without a copy, and large ones grow by the allocator's realloc, which on
 * Linux moves pages instead of bytes.
 *
 * As long as the content isn't finished, small items about it are stacked up
 * from the other end, as in a page of a table: a second chunk next to this one
 * would prevent it from growing in place.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OUTPUT_H
#define JSONROW_OUTPUT_H

#include "jsonrow.h"

/* What is written; this also bounds it */
typedef enum DocumentFormat
{
	FORMAT_JSONB,				/* by an offset in a JEntry: 2^28 - 1 bytes */
	FORMAT_JSON,				/* by a varlena: 1 GB */
} DocumentFormat;

typedef struct Output
{
	char	   *data;
	Size		len;			/* bytes in use */
	Size		end;			/* where the items stacked at the end begin */
	Size		size;			/* bytes allocated */
	Size		maxlen;			/* bytes allowed */
	DocumentFormat format;
	bool		spaced;			/* JSON text: a blank between two elements */
	const char *limit_hint;		/* what to do if that is not enough, or NULL */

	/* Raises another error if that is not enough, or NULL */
	void		(*too_large) (const struct Output *buf);
	MemoryContext context;		/* where data is allocated */
} Output;

extern Size OutMaxLen(DocumentFormat format);
extern void OutInit(Output *buf, DocumentFormat format, Size size,
					MemoryContext context);
extern void OutInitValue(Output *buf, DocumentFormat format, Size size,
						 MemoryContext context);
extern struct varlena *OutFinishValue(Output *buf);
extern void OutCheckValue(const Output *buf, Size len);
extern void OutTake(Output *buf, Output *from);
extern void OutGrow(Output *buf, Size more);
pg_noreturn pg_noinline extern void ReportTooLarge(const Output *buf);

/*
 * Room that is always left after what was reserved, for the punctuation
 * between two values: see OutAppendMarginChar.
 */
#define OUTPUT_MARGIN	8

/* Make room for more bytes; returns where they go. */
static inline char *
OutReserve(Output *buf, Size more)
{
	if (unlikely(buf->end - buf->len < more + OUTPUT_MARGIN))
		OutGrow(buf, more + OUTPUT_MARGIN);
	return buf->data + buf->len;
}

/* The room that was reserved has been filled up to end. */
static inline void
OutAdvanceTo(Output *buf, const char *end)
{
	Assert(end >= buf->data + buf->len && end <= buf->data + buf->end);
	buf->len = end - buf->data;
}

static inline void
OutAppend(Output *buf, const void *bytes, Size len)
{
	memcpy(OutReserve(buf, len), bytes, len);
	buf->len += len;
}

static inline void
OutAppendChar(Output *buf, char c)
{
	*OutReserve(buf, 1) = c;
	buf->len++;
}

/*
 * Append a character in the margin, unchecked.  Between two calls that reserve
 * room, OUTPUT_MARGIN of them are allowed.
 */
static inline void
OutAppendMarginChar(Output *buf, char c)
{
	Assert(buf->len < buf->end);
	buf->data[buf->len++] = c;
}

/* Stack an item at the other end. */
static inline void
OutPushItem(Output *buf, uint32 item)
{
	OutReserve(buf, sizeof(item));
	buf->end -= sizeof(item);
	memcpy(buf->data + buf->end, &item, sizeof(item));
}

/* The items by number, 0 being the first that was stacked */
static inline uint32
OutItem(const Output *buf, uint32 i)
{
	uint32		item;

	memcpy(&item, buf->data + buf->size - (i + 1) * sizeof(item), sizeof(item));
	return item;
}

static inline Size
OutItemsSize(const Output *buf)
{
	return buf->size - buf->end;
}

/* Fill up with zero bytes to a multiple of four, as jsonb does. */
static inline void
OutAlign(Output *buf)
{
	Size		aligned = INTALIGN(buf->len);

	memset(OutReserve(buf, sizeof(int32)), 0, sizeof(int32));
	buf->len = aligned;
}

#endif							/* JSONROW_OUTPUT_H */
