/*-------------------------------------------------------------------------
 *
 * kept.h
 *		What has been read of a stored value, until the query ends.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_KEPT_H
#define JSONROW_KEPT_H

#include "jsonrow.h"

#include "format/bytes.h"

/* One that keeps values: a call in a plan */
typedef struct Keeper
{
	MemoryContext query;		/* NULL: it keeps nothing */
	int			last;			/* where the value is that it asked for last */
	uint64		number;			/* and which one that was */
	double		share;			/* how much of its values is needed */
	int			alone;			/* how many values, one after another, nobody
								 * else asked for */
	bool		is_registered;	/* forget is */
	MemoryContextCallback forget;
} Keeper;

extern void KeeperInit(Keeper *keeper, FmgrInfo *call);
extern BytesKept *KeepValue(Keeper *keeper, Datum value, Size *expected);

#endif							/* JSONROW_KEPT_H */
