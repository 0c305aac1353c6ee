/*-------------------------------------------------------------------------
 *
 * stored_chunks.c
 *		The chunks of a value in its TOAST table.
 *
 * PostgreSQL opens the table's index, scans it and closes it for each piece of a
 * value.  Here, a value's pieces share one scan, and most need none: as chunks
 * are inserted one after another, four to a page, it is known where a later one
 * must be once an earlier one has been found, and where the next value begins.
 * So it is looked for there first.
 *
 * A chunk says of which value it is, and its number.  It is taken only if these
 * are the wanted ones, the size is right, and it is live: inserted by a
 * transaction that has committed, and never deleted.  Then it is in the index,
 * too, which is unique.  (One that is dead might not be, and be of an earlier
 * value that had the same number before the counter of OIDs wrapped around.)
 * Where anything is strange, PostgreSQL reads the piece, and raises the error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/heapam.h"
#include "access/heaptoast.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "access/transam.h"
#include "format/stored_chunks.h"
#include "storage/bufmgr.h"
#include "storage/bufpage.h"
#include "storage/smgr.h"
#include "utils/fmgroids.h"

/* Pieces of more chunks are left to PostgreSQL, which reads them by one scan. */
#define MAX_SINGLE_CHUNKS	3

/*
 * After so many wrong guesses without a right one, only one in so many is tried: the table is
 * not as it would be if values came one by one.
 */
#define MAX_WRONG_GUESSES	8
#define GUESSES_SPARED		32

static uint32 wrong_guesses = 0;

/* Where the next value of a table may begin */
static Oid	next_table = InvalidOid;
static BlockNumber next_block;
static OffsetNumber next_offset;

/* Begin with a value.  ChunksClose must follow, but after an error. */
void
ChunksOpen(StoredChunks *chunks, Oid table, Oid value, int32 size)
{
	chunks->table = table_open(table, AccessShareLock);
	chunks->value = value;
	chunks->size = size;
	chunks->snapshot = ToastSnapshot(&chunks->snapshot_room);
	chunks->scan = NULL;
	chunks->found = -1;
}

static void
BeginScan(StoredChunks *chunks)
{
	int			valid = toast_open_indexes(chunks->table, AccessShareLock,
										   &chunks->indexes, &chunks->nindexes);

	chunks->scan = BeginIndexScan(chunks->table, chunks->indexes[valid], chunks->snapshot, 2);
}

/* Have the place of a chunk from the index; false if there is none. */
static bool
LookUpPlace(StoredChunks *chunks, int32 number, ItemPointer place)
{
	ScanKeyData keys[2];
	ItemPointer found;

	if (chunks->scan == NULL)
		BeginScan(chunks);
	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(chunks->value));
	ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(number));
	index_rescan(chunks->scan, keys, 2, NULL, 0);
	found = index_getnext_tid(chunks->scan, ForwardScanDirection);
	if (found == NULL)
		return false;
	*place = *found;
	return true;
}

/* Is it worth while to guess? */
static inline bool
MayGuess(void)
{
	return wrong_guesses < MAX_WRONG_GUESSES || wrong_guesses++ % GUESSES_SPARED == 0;
}

/*
 * Where the chunk is that comes so many after the one that was found last, if
 * they fill the rest of its page, and then page after page.
 */
static void
PlaceAfter(const StoredChunks *chunks, int32 after, ItemPointer place)
{
	BlockNumber block = ItemPointerGetBlockNumber(&chunks->place);
	OffsetNumber offset = ItemPointerGetOffsetNumber(&chunks->place);
	int32		beyond = after - ((int32) chunks->last_on_page - offset) - 1;

	if (beyond < 0)
		ItemPointerSet(place, block, offset + after);
	else
		ItemPointerSet(place, block + 1 + beyond / EXTERN_TUPLES_PER_PAGE,
					   FirstOffsetNumber + beyond % EXTERN_TUPLES_PER_PAGE);
}

/*
 * Is there such a block?  A table's length that has been asked for before is a
 * lower bound: who truncates it must lock it, and has all forget the length.
 */
static inline bool
BlockExists(Relation table, BlockNumber block)
{
	BlockNumber known = RelationGetSmgr(table)->smgr_cached_nblocks[MAIN_FORKNUM];

	return (known != InvalidBlockNumber && block < known) || block < RelationGetNumberOfBlocks(table);
}

/* Where a chunk may be */
static bool
GuessPlace(const StoredChunks *chunks, int32 number, ItemPointer place)
{
	if (chunks->found >= 0 ? number <= chunks->found :
		number > 0 || next_table != RelationGetRelid(chunks->table))
		return false;
	if (!MayGuess())
		return false;
	if (chunks->found < 0)
		ItemPointerSet(place, next_block, next_offset);
	else
		PlaceAfter(chunks, number - chunks->found, place);
	return BlockExists(chunks->table, ItemPointerGetBlockNumber(place));
}

/* Was it inserted by a transaction that has committed, and not deleted? */
static inline bool
IsLive(HeapTupleHeader tuple)
{
	return (tuple->t_infomask & HEAP_XMAX_INVALID) != 0 &&
		(HeapTupleHeaderXminCommitted(tuple) ||
		 (!HeapTupleHeaderXminInvalid(tuple) &&
		  TransactionIdDidCommit(HeapTupleHeaderGetRawXmin(tuple))));
}

/* The data of a chunk; NULL if it is not the wanted one, or damaged */
static const char *
DataOfChunk(const StoredChunks *chunks, HeapTuple tuple, int32 number)
{
	TupleDesc	tupdesc = RelationGetDescr(chunks->table);
	int32		size = Min(chunks->size - number * (int32) TOAST_MAX_CHUNK_SIZE,
						   (int32) TOAST_MAX_CHUNK_SIZE);
	struct varlena *data;
	bool		nulls[3];

	if (DatumGetObjectId(fastgetattr(tuple, 1, tupdesc, &nulls[0])) != chunks->value ||
		DatumGetInt32(fastgetattr(tuple, 2, tupdesc, &nulls[1])) != number)
		return NULL;
	data = (struct varlena *) DatumGetPointer(fastgetattr(tuple, 3, tupdesc, &nulls[2]));
	if (nulls[0] || nulls[1] || nulls[2] || VARATT_IS_EXTERNAL(data) ||
		VARATT_IS_COMPRESSED(data) || VARSIZE_ANY_EXHDR(data) != size)
		return NULL;
	return VARDATA_ANY(data);
}

/* Copy a part of the chunk that is in a place; false if it isn't there. */
static bool
CopyChunk(StoredChunks *chunks, ItemPointer place, bool is_guess, int32 number,
		  int32 offset, int32 len, char *dest)
{
	HeapTupleData tuple;
	Buffer		buffer;
	const char *data;

	tuple.t_self = *place;
	if (!heap_fetch(chunks->table, chunks->snapshot, &tuple, &buffer, false))
		return false;
	data = DataOfChunk(chunks, &tuple, number);
	if (data != NULL && is_guess && !IsLive(tuple.t_data))
		data = NULL;
	if (data != NULL)
	{
		memcpy(dest, data + offset, len);
		chunks->found = number;
		chunks->place = *place;
		chunks->last_on_page = PageGetMaxOffsetNumber(BufferGetPage(buffer));
	}
	ReleaseBuffer(buffer);
	return data != NULL;
}

static bool
ReadChunk(StoredChunks *chunks, int32 number, int32 offset, int32 len, char *dest)
{
	ItemPointerData place;

	if (GuessPlace(chunks, number, &place))
	{
		if (CopyChunk(chunks, &place, true, number, offset, len, dest))
		{
			wrong_guesses = 0;
			return true;
		}
		wrong_guesses++;
	}
	return LookUpPlace(chunks, number, &place) &&
		CopyChunk(chunks, &place, false, number, offset, len, dest);
}

static bool
ReadChunks(StoredChunks *chunks, int32 first, int32 last, int32 offset, int32 len, char *dest)
{
	for (int32 number = first; number <= last; number++)
	{
		int32		start = offset - number * (int32) TOAST_MAX_CHUNK_SIZE;
		int32		taken = Min((int32) TOAST_MAX_CHUNK_SIZE - start, len);

		if (!ReadChunk(chunks, number, start, taken, dest))
			return false;
		offset += taken;
		len -= taken;
		dest += taken;
	}
	return true;
}

/*
 * Read len bytes of the value from offset on.  The result has room for them, and
 * its header.  Errors: PostgreSQL's, if chunks are missing or damaged.
 */
void
ChunksRead(StoredChunks *chunks, int32 offset, int32 len, struct varlena *result)
{
	int32		first = offset / TOAST_MAX_CHUNK_SIZE;
	int32		last = (offset + len - 1) / TOAST_MAX_CHUNK_SIZE;

	if (len > 0 && last - first < MAX_SINGLE_CHUNKS &&
		chunks->table->rd_tableam == GetHeapamTableAmRoutine() &&
		ReadChunks(chunks, first, last, offset, len, VARDATA(result)))
		return;
	table_relation_fetch_toast_slice(chunks->table, chunks->value, chunks->size,
									 offset, len, result);
}

/* Expect the next value after this one. */
static void
ExpectNext(const StoredChunks *chunks)
{
	ItemPointerData place;

	PlaceAfter(chunks, (chunks->size - 1) / TOAST_MAX_CHUNK_SIZE + 1 - chunks->found, &place);
	next_table = RelationGetRelid(chunks->table);
	next_block = ItemPointerGetBlockNumber(&place);
	next_offset = ItemPointerGetOffsetNumber(&place);
}

void
ChunksClose(StoredChunks *chunks)
{
	if (chunks->table == NULL)
		return;
	if (chunks->found >= 0)
		ExpectNext(chunks);
	if (chunks->scan != NULL)
	{
		index_endscan(chunks->scan);
		toast_close_indexes(chunks->indexes, chunks->nindexes, AccessShareLock);
	}
	table_close(chunks->table, AccessShareLock);
	chunks->table = NULL;
}
