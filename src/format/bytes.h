/*-------------------------------------------------------------------------
 *
 * bytes.h
 *		The bytes of a stored value, wherever they are.
 *
 * Who reads a document asks for bytes from an offset on, and need not know
 * whether they are in memory, in pieces in a TOAST table, or compressed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_BYTES_H
#define JSONROW_BYTES_H

#include "jsonrow.h"

#include "access/detoast.h"
#include "utils/rel.h"

typedef struct Bytes
{
	Size		size;			/* of the value, without its varlena header */

	/* What is at hand: bytes from the value's beginning on ... */
	const char *data;
	Size		have;

	/* ... and the piece that was fetched last */
	const char *piece;
	Size		piece_start;
	Size		piece_len;

	/* Where the rest is; NULL if all is at hand. */
	struct varlena *value;
	bool		in_pieces;		/* out of line and not compressed */
	Relation	toast;			/* its TOAST table, once it was opened */
	struct varatt_external pointer;
} Bytes;

extern void BytesOpen(Bytes *bytes, Datum value, Size expected);
extern const char *BytesFetch(Bytes *bytes, Size offset, Size len);
extern void BytesExpect(Bytes *bytes, Size end);
extern void BytesExpectAll(Bytes *bytes);
extern void BytesClose(Bytes *bytes);

/* Are these bytes among those that have come from the beginning on? */
static inline bool
BytesHave(const Bytes *bytes, Size offset, Size len)
{
	return offset <= bytes->have && len <= bytes->have - offset;
}

/*
 * The len bytes from offset on, which lie together and stay where they are
 * as long as the memory context they were asked for in; an error if the
 * value isn't as long.
 */
static inline const char *
BytesAt(Bytes *bytes, Size offset, Size len)
{
	if (likely(BytesHave(bytes, offset, len)))
		return bytes->data + offset;
	if (offset >= bytes->piece_start && offset - bytes->piece_start <= bytes->piece_len &&
		len <= bytes->piece_len - (offset - bytes->piece_start))
		return bytes->piece + (offset - bytes->piece_start);
	return BytesFetch(bytes, offset, len);
}

#endif							/* JSONROW_BYTES_H */
