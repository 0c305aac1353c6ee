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
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "format/bytes.h"
#include "format/jsonb_walk.h"
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
 * Is so much of a compressed value needed that it is better to take all of it?
 * A prefix that turns out to be too short has to be decompressed again.
 */
static bool
IsMuchOf(Size end, Size size)
{
	return end > size / 4;
}

/* All of the value, in memory */
static void
TakeAll(Bytes *bytes, struct varlena *value)
{
	struct varlena *all = pg_detoast_datum_packed(value);

	bytes->data = VARDATA_ANY(all);
	bytes->size = bytes->have = VARSIZE_ANY_EXHDR(all);
	bytes->value = NULL;
}

/* The first len bytes of a compressed value, at least */
static void
TakePrefix(Bytes *bytes, Size len)
{
	struct varlena *prefix;

	if (IsMuchOf(len, bytes->size))
	{
		TakeAll(bytes, bytes->value);
		return;
	}
	prefix = detoast_attr_slice(bytes->value, 0, len);
	bytes->data = VARDATA(prefix);
	bytes->have = VARSIZE(prefix) - VARHDRSZ;
}

/* One piece from the TOAST table */
static const char *
FetchPiece(Bytes *bytes, Size offset, Size len)
{
	struct varlena *piece = palloc(len + VARHDRSZ);

	if (bytes->toast == NULL)
		bytes->toast = table_open(bytes->pointer.va_toastrelid, AccessShareLock);
	SET_VARSIZE(piece, len + VARHDRSZ);
	table_relation_fetch_toast_slice(bytes->toast, bytes->pointer.va_valueid,
									 bytes->size, offset, len, piece);
	bytes->piece = VARDATA(piece);
	bytes->piece_start = offset;
	bytes->piece_len = len;
	return bytes->piece;
}

/*
 * Open a value.  The caller says up to where it expects to read; a right guess
 * saves time if the value is compressed.
 */
void
BytesOpen(Bytes *bytes, Datum value, Size expected)
{
	struct varlena *varlena = (struct varlena *) DatumGetPointer(value);
	bool		on_disk = VARATT_IS_EXTERNAL_ONDISK(varlena);

	bytes->value = NULL;
	bytes->toast = NULL;
	bytes->in_pieces = false;
	bytes->piece_start = bytes->piece_len = 0;
	if (likely(!on_disk && !VARATT_IS_COMPRESSED(varlena)))
	{
		TakeAll(bytes, varlena);
		return;
	}
	bytes->size = toast_raw_datum_size(value) - VARHDRSZ;
	if (on_disk)
	{
		VARATT_EXTERNAL_GET_POINTER(bytes->pointer, varlena);
		bytes->in_pieces = !VARATT_EXTERNAL_IS_COMPRESSED(bytes->pointer);
	}
	if (bytes->size <= (bytes->in_pieces ? SMALL_SIZE : SMALL_COMPRESSED_SIZE))
		TakeAll(bytes, varlena);
	else if (bytes->in_pieces)
	{
		bytes->value = varlena;
		bytes->data = FetchPiece(bytes, 0, FIRST_PIECE_SIZE);
		bytes->have = FIRST_PIECE_SIZE;
	}
	else
	{
		/*
		 * With pglz, PostgreSQL fetches a prefix; with other methods,
		 * everything.
		 */
		if (on_disk && VARATT_EXTERNAL_GET_COMPRESS_METHOD(bytes->pointer) != TOAST_PGLZ_COMPRESSION_ID)
			varlena = detoast_external_attr(varlena);
		bytes->value = varlena;
		TakePrefix(bytes, Max(FIRST_PREFIX_SIZE, expected));
	}
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
	if (bytes->toast != NULL)
		table_close(bytes->toast, AccessShareLock);
	bytes->toast = NULL;
}
