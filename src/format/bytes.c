/*-------------------------------------------------------------------------
 *
 * bytes.c
 *		The bytes of a stored value, in memory or not.
 *
 * - A value in memory is read in place, even if it has a short header.
 * - One that is out of line and uncompressed (SET STORAGE EXTERNAL) is read
 *   in pieces: each is an index lookup in the TOAST table.
 * - A compressed one can only be decompressed from its beginning.  At first
 *   only a few kilobytes are decompressed.  Reading on means starting again,
 *   so a caller that knows how far it will read calls BytesExpect: then it is
 *   decompressed only once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/heaptoast.h"
#include "access/toast_internals.h"
#include "common/pg_lzcompress.h"
#include "format/bytes.h"
#include "utils/jsonb.h"

/*
 * What is fetched first: one chunk of the TOAST table, which holds the
 * header of most documents.  For compressed values, each restart has a cost.
 */
#define FIRST_PIECE_SIZE	TOAST_MAX_CHUNK_SIZE
#define FIRST_PREFIX_SIZE	(8 * 1024)

/*
 * Values up to this size are fetched, or decompressed, at once: that takes no
 * longer than three pieces, or not much longer than starting twice.
 */
#define SMALL_SIZE				(32 * 1024)
#define SMALL_COMPRESSED_SIZE	(256 * 1024)

/*
 * A value whose beginning is kept.  What is read of it is known, not guessed;
 * so a larger part of it is worth a second start.
 */
#define SMALL_KEPT_SIZE			(64 * 1024)
#define MIN_PREFIXED_SIZE		(8 * 1024)
#define FIRST_KEPT_SHARE		32

/*
 * Is so much of a compressed value needed that it is better to take all of it?
 * A prefix that turns out to be too short has to be decompressed again.
 */
static bool
IsMuchOf(Size end, Size size)
{
	return end > size / 4;
}

/* Give up what is kept. */
void
BytesKeptFree(BytesKept *kept)
{
	struct varlena *prefix = kept->prefix;

	kept->prefix = NULL;
	if (prefix != NULL)
		pfree(prefix);
}

/*
 * What is made next is to be kept, if anything is.  What was kept before goes
 * first, so that both are never in memory at the same time.
 */
static MemoryContext
EnterKept(BytesKept *kept)
{
	if (kept == NULL)
		return CurrentMemoryContext;
	BytesKeptFree(kept);
	return MemoryContextSwitchTo(kept->context);
}

/* All of the value, in memory */
static void
TakeAll(Bytes *bytes, struct varlena *value)
{
	MemoryContext old = EnterKept(bytes->kept);
	struct varlena *all = pg_detoast_datum_packed(value);

	MemoryContextSwitchTo(old);
	if (bytes->kept != NULL)
		bytes->kept->prefix = all;
	bytes->data = VARDATA_ANY(all);
	bytes->size = bytes->have = VARSIZE_ANY_EXHDR(all);
	bytes->value = NULL;
}

/* Some of the bytes that are in the TOAST table, out of so many */
static struct varlena *
FetchSlice(Bytes *bytes, Size stored, Size offset, Size len)
{
	struct varlena *slice = palloc(len + VARHDRSZ);

	if (bytes->chunks.table == NULL)
		ChunksOpen(&bytes->chunks, bytes->pointer.va_toastrelid, bytes->pointer.va_valueid, stored);
	SET_VARSIZE(slice, len + VARHDRSZ);
	ChunksRead(&bytes->chunks, offset, len, slice);
	return slice;
}

/*
 * As much of a compressed value as the first len bytes may need.  Only with
 * pglz is it known how much that is.
 */
static struct varlena *
FetchCompressed(Bytes *bytes, Size len)
{
	int32		stored = VARATT_EXTERNAL_GET_EXTSIZE(bytes->pointer);
	int32		needed = stored;
	struct varlena *result;

	if (VARATT_EXTERNAL_GET_COMPRESS_METHOD(bytes->pointer) == TOAST_PGLZ_COMPRESSION_ID)
		needed = Min(pglz_maximum_compressed_size(len, stored) + sizeof(int32), stored);
	result = FetchSlice(bytes, stored, 0, needed);
	SET_VARSIZE_COMPRESSED(result, needed + VARHDRSZ);
	return result;
}

/* The first len bytes of a compressed value, which are not all */
static void
TakeFirst(Bytes *bytes, Size len)
{
	struct varlena *compressed = bytes->value;
	struct varlena *prefix;
	MemoryContext old;

	if (VARATT_IS_EXTERNAL_ONDISK(compressed))
		compressed = FetchCompressed(bytes, len);
	old = EnterKept(bytes->kept);
	if (TOAST_COMPRESS_METHOD(compressed) == TOAST_PGLZ_COMPRESSION_ID)
		prefix = pglz_decompress_datum_slice(compressed, len);
	else
		prefix = lz4_decompress_datum_slice(compressed, len);
	MemoryContextSwitchTo(old);
	if (bytes->kept != NULL)
		bytes->kept->prefix = prefix;
	if (compressed != bytes->value)
		pfree(compressed);
	bytes->data = VARDATA(prefix);
	bytes->have = VARSIZE(prefix) - VARHDRSZ;
}

/* The first len bytes of a compressed value, at least */
static void
TakePrefix(Bytes *bytes, Size len)
{
	if (IsMuchOf(len, bytes->size))
		TakeAll(bytes, bytes->value);
	else
		TakeFirst(bytes, len);
}

/* The first piece, which all readers of a value need */
static void
TakeFirstPiece(Bytes *bytes)
{
	MemoryContext old = EnterKept(bytes->kept);
	struct varlena *piece = FetchSlice(bytes, bytes->size, 0, FIRST_PIECE_SIZE);

	MemoryContextSwitchTo(old);
	if (bytes->kept != NULL)
		bytes->kept->prefix = piece;
	bytes->data = VARDATA(piece);
	bytes->have = FIRST_PIECE_SIZE;
}

/*
 * Another piece.  Chunks of the TOAST table are read as a whole, so it is one,
 * or several, and what is near these bytes is in memory, too.
 */
static const char *
FetchPiece(Bytes *bytes, Size offset, Size len)
{
	Size		start = offset - offset % TOAST_MAX_CHUNK_SIZE;
	Size		beyond = offset + len + TOAST_MAX_CHUNK_SIZE - 1;
	Size		end = Min(beyond - beyond % TOAST_MAX_CHUNK_SIZE, bytes->size);

	bytes->piece = VARDATA(FetchSlice(bytes, bytes->size, start, end - start));
	bytes->piece_start = start;
	bytes->piece_len = end - start;
	return bytes->piece + (offset - start);
}

/* Nothing has been read yet.  Is the value in memory? */
static inline bool
Prepare(Bytes *bytes, struct varlena *value)
{
	bytes->value = NULL;
	bytes->chunks.table = NULL;
	bytes->in_pieces = false;
	bytes->piece_start = bytes->piece_len = 0;
	bytes->kept = NULL;
	if (likely(!IsStoredApart(value)))
		return true;
	bytes->size = toast_raw_datum_size(PointerGetDatum(value)) - VARHDRSZ;
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		VARATT_EXTERNAL_GET_POINTER(bytes->pointer, value);
		bytes->in_pieces = !VARATT_EXTERNAL_IS_COMPRESSED(bytes->pointer);
	}
	return false;
}

/*
 * Open a value.  The caller says up to where it expects to read; a right guess
 * saves time if the value is compressed.
 */
void
BytesOpen(Bytes *bytes, Datum value, Size expected)
{
	struct varlena *varlena = (struct varlena *) DatumGetPointer(value);

	if (Prepare(bytes, varlena))
	{
		TakeAll(bytes, varlena);
		return;
	}
	if (bytes->size <= (bytes->in_pieces ? SMALL_SIZE : SMALL_COMPRESSED_SIZE))
		TakeAll(bytes, varlena);
	else if (bytes->in_pieces)
	{
		bytes->value = varlena;
		TakeFirstPiece(bytes);
	}
	else
	{
		/*
		 * With pglz, PostgreSQL fetches a prefix; with other methods,
		 * everything.
		 */
		if (VARATT_IS_EXTERNAL_ONDISK(varlena) &&
			VARATT_EXTERNAL_GET_COMPRESS_METHOD(bytes->pointer) != TOAST_PGLZ_COMPRESSION_ID)
			varlena = detoast_external_attr(varlena);
		bytes->value = varlena;
		TakePrefix(bytes, Max(FIRST_PREFIX_SIZE, expected));
	}
}

/* Is so much needed that it is better to take all, although not more is? */
static bool
IsMostOf(Size end, Size size)
{
	return end > size / 4 * 3;
}

/*
 * Open a value of which the beginning, as far as it is read, is kept.  What the
 * caller expects is what was read of one like it, or 0; it matters only if the
 * value is compressed.
 */
void
BytesOpenKept(Bytes *bytes, Datum value, Size expected, BytesKept *kept)
{
	struct varlena *varlena = (struct varlena *) DatumGetPointer(value);

	if (Prepare(bytes, varlena))
	{
		TakeAll(bytes, varlena);
		return;
	}
	bytes->kept = kept;
	bytes->value = varlena;
	if (kept->prefix != NULL)
	{
		bytes->data = VARDATA(kept->prefix);
		bytes->have = BytesKeptSize(kept);
	}
	else if (bytes->in_pieces && bytes->size > SMALL_SIZE)
		TakeFirstPiece(bytes);
	else if (bytes->in_pieces || IsMostOf(expected, bytes->size) ||
			 bytes->size <= (expected == 0 ? SMALL_KEPT_SIZE : MIN_PREFIXED_SIZE))
		TakeAll(bytes, varlena);
	else
		TakeFirst(bytes, expected > 0 ? expected : bytes->size / FIRST_KEPT_SHARE);
	if (bytes->have >= bytes->size)
		bytes->value = NULL;
}

/* Keep all of a value, if that isn't so already. */
void
BytesKeepAll(BytesKept *kept, Datum value)
{
	MemoryContext old;

	if (kept->prefix != NULL && BytesKeptSize(kept) == toast_raw_datum_size(value) - VARHDRSZ)
		return;
	old = EnterKept(kept);
	kept->prefix = PG_DETOAST_DATUM(value);
	MemoryContextSwitchTo(old);
}

void
ReportCorruptJsonb(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("jsonb value is corrupt")));
}

/* BytesAt, for bytes that aren't in memory yet */
const char *
BytesFetch(Bytes *bytes, Size offset, Size len)
{
	if (offset > bytes->size || len > bytes->size - offset)
		ReportCorruptJsonb();
	if (bytes->in_pieces)
		return FetchPiece(bytes, offset, len);
	BytesExpect(bytes, offset + len);
	/* A damaged value may have less data than it claims. */
	if (offset > bytes->have || len > bytes->have - offset)
		ReportCorruptJsonb();
	return bytes->data + offset;
}

/*
 * Announce that the value will be read up to end.  If it is compressed, that
 * much is decompressed now, and at least twice as much as before.  So a caller
 * that asks for a little more each time does not start again each time.
 */
void
BytesExpect(Bytes *bytes, Size end)
{
	if (!bytes->in_pieces && end > bytes->have && bytes->have < bytes->size)
		TakePrefix(bytes, Min(Max(end, bytes->have * 2), bytes->size));
}

/*
 * Announce that the value will be read up to end, and by this caller no further.
 * There may be others; so of what has been kept by them, twice as much.
 */
void
BytesExpectLast(Bytes *bytes, Size end)
{
	if (bytes->kept != NULL)
		bytes->kept->reached = Max(bytes->kept->reached, end);
	if (bytes->in_pieces || end <= bytes->have || bytes->have >= bytes->size)
		return;
	end = Max(end, bytes->have * 2);
	if (IsMostOf(end, bytes->size))
		TakeAll(bytes, bytes->value);
	else
		TakeFirst(bytes, end);
}

/*
 * All of the value will be read, or so much of it that it is best to take it
 * whole.
 */
void
BytesExpectAll(Bytes *bytes)
{
	if (bytes->value != NULL)
		TakeAll(bytes, bytes->value);
}

void
BytesClose(Bytes *bytes)
{
	ChunksClose(&bytes->chunks);
}
