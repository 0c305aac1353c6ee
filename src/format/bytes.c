/*-------------------------------------------------------------------------
 *
 * bytes.c
 *		The bytes of a stored value, wherever they are.
 *
 * - A value in memory is read where it is, under a short header, too.
 * - One that is out of line and uncompressed (SET STORAGE EXTERNAL) is read
 *   in pieces: each is an index lookup in the TOAST table.
 * - A compressed one can only be decompressed from its beginning.  So its
 *   first few kilobytes are.  To go on, it is begun again; a caller who knows
 *   how far it will read calls BytesExpect, and so has it begun only once.
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
 * header of most documents.  Compressed values pay for each beginning.
 */
#define FIRST_PIECE_SIZE	TOAST_MAX_CHUNK_SIZE
#define FIRST_PREFIX_SIZE	(8 * 1024)

/*
 * Values up to this size are fetched, or decompressed, at once: that takes no
 * longer than three pieces do, or not much longer than to begin twice.
 */
#define SMALL_SIZE				(32 * 1024)
#define SMALL_COMPRESSED_SIZE	(256 * 1024)

/*
 * Is so much of a compressed value needed that all of it is better taken?  A
 * prefix that turns out too short costs its time again.
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

/* One piece out of the TOAST table */
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
 * Open a value.  It is expected to be read up to some place; to guess right
 * saves time if it is compressed.
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
		/* Of pglz, PostgreSQL fetches a prefix; of other methods, all. */
		if (on_disk && VARATT_EXTERNAL_GET_COMPRESS_METHOD(bytes->pointer) != TOAST_PGLZ_COMPRESSION_ID)
			varlena = detoast_external_attr(varlena);
		bytes->value = varlena;
		TakePrefix(bytes, Max(FIRST_PREFIX_SIZE, expected));
	}
}

/* BytesAt, for what isn't at hand */
const char *
BytesFetch(Bytes *bytes, Size offset, Size len)
{
	if (offset > bytes->size || len > bytes->size - offset)
		ReportCorruptJsonb();
	if (bytes->in_pieces)
		return FetchPiece(bytes, offset, len);
	BytesExpect(bytes, offset + len);
	/* Of a damaged value, less may have come than it says it has. */
	if (offset > bytes->have || len > bytes->have - offset)
		ReportCorruptJsonb();
	return bytes->data + offset;
}

/*
 * Announce that the value will be read up to end.  If it is compressed, that
 * much is decompressed now, and at least twice what there was: so a caller
 * who asks for a little more each time does not begin each time.
 */
void
BytesExpect(Bytes *bytes, Size end)
{
	if (!bytes->in_pieces && end > bytes->have && bytes->have < bytes->size)
		TakePrefix(bytes, Min(Max(end, bytes->have * 2), bytes->size));
}

/* All of the value will be read, or so much of it that it is best taken whole. */
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
