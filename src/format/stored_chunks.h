/*-------------------------------------------------------------------------
 *
 * stored_chunks.h
 *		The chunks of a value in its TOAST table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_STORED_CHUNKS_H
#define JSONROW_STORED_CHUNKS_H

#include "jsonrow.h"

#include "access/genam.h"
#include "storage/itemptr.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

typedef struct StoredChunks
{
	Relation	table;			/* NULL: nothing is open */
	Oid			value;
	int32		size;			/* as it is stored */

	Snapshot	snapshot;
	SnapshotData snapshot_room;

	/* Its index, once a chunk has been looked up there */
	Relation   *indexes;
	int			nindexes;
	IndexScanDesc scan;

	/* The chunk that was found last; negative: none */
	int32		found;
	ItemPointerData place;
	OffsetNumber last_on_page;
} StoredChunks;

extern void ChunksOpen(StoredChunks *chunks, Oid table, Oid value, int32 size);
extern void ChunksRead(StoredChunks *chunks, int32 offset, int32 len, struct varlena *result);
extern void ChunksClose(StoredChunks *chunks);

#endif							/* JSONROW_STORED_CHUNKS_H */
