/*-------------------------------------------------------------------------
 *
 * unnest.h
 *		Nested collections as joins.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_UNNEST_H
#define JSONROW_UNNEST_H

#include "jsonrow.h"

#include "nodes/bitmapset.h"
#include "planner/rewrite.h"

/* Which of the collections in a query become joins; they are counted from 0. */
typedef struct Unnesting
{
	Rewrite    *rewrite;
	List	   *watched;		/* see FindWatchedColumns */
	const Bitmapset *kept;		/* these stay as they are */
	int			ncollections;
	Bitmapset  *joined;			/* these have become joins */
} Unnesting;

extern void UnnestQuery(Query *query, Unnesting *unnesting);

#endif							/* JSONROW_UNNEST_H */
