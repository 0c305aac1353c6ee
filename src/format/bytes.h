/*-------------------------------------------------------------------------
 *
 * bytes.h
 *		The bytes of a stored value, in memory or not.
 *
 * The reader of a document asks for bytes from an offset on, and need not know
 * whether they are in memory, in pieces in a TOAST table, or compressed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_BYTES_H
#define JSONROW_BYTES_H

#include "jsonrow.h"

#include "access/detoast.h"
#include "format/stored_chunks.h"

/*
 * What has been read of a compressed value, or one that is out of line, kept
 * in a context from one reading to the next.  A prefix that is to grow is given
 * up before the longer one is made, so it is not read while the value is, except
 * through Bytes.
 */
typedef struct BytesKept
{
	MemoryContext context;
	struct varlena *prefix;		/* from the beginning on, with a header of its
								 * own; NULL: nothing has been read */
	Size		reached;		/* how much of it was needed */
} BytesKept;

typedef struct Bytes
{
	Size		size;			/* of the value, without its varlena header */

	/* What is in memory: bytes from the value's beginning on ... */
	const char *data;
	Size		have;

	/* ... and the piece that was fetched last */
	const char *piece;
	Size		piece_start;
	Size		piece_len;

	/* Where the rest is; NULL if everything is in memory. */
	struct varlena *value;
	bool		in_pieces;		/* out of line and not compressed */
	StoredChunks chunks;		/* once one has been read */
	struct varatt_external pointer;
	BytesKept  *kept;			/* where its beginning is to stay, or NULL */
} Bytes;

extern void BytesOpen(Bytes *bytes, Datum value, Size expected);
extern void BytesOpenKept(Bytes *bytes, Datum value, Size expected, BytesKept *kept);
extern const char *BytesFetch(Bytes *bytes, Size offset, Size len);
extern void BytesExpect(Bytes *bytes, Size end);
extern void BytesExpectLast(Bytes *bytes, Size end);
extern void BytesExpectAll(Bytes *bytes);
extern void BytesKeepAll(BytesKept *kept, Datum value);
extern void BytesClose(Bytes *bytes);
extern void BytesKeptFree(BytesKept *kept);
pg_noreturn pg_noinline extern void ReportCorruptJsonb(void);

/* Must a value be fetched or decompressed to be read? */
static inline bool
IsStoredApart(const struct varlena *value)
{
	return VARATT_IS_EXTERNAL_ONDISK(value) || VARATT_IS_COMPRESSED(value);
}

static inline Size
BytesKeptSize(const BytesKept *kept)
{
	return kept->prefix != NULL ? VARSIZE(kept->prefix) - VARHDRSZ : 0;
}

/* Are these bytes within the part that has been fetched from the beginning? */
static inline bool
BytesHave(const Bytes *bytes, Size offset, Size len)
{
	return offset <= bytes->have && len <= bytes->have - offset;
}

/*
 * The len bytes from offset on.  They are contiguous, and stay valid as long
 * as the memory context that was current at the call; of a value whose
 * beginning is kept, until the next call.  Error if the value isn't that long.
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
