/*-------------------------------------------------------------------------
 *
 * watched.h
 *		What conditions look at.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_WATCHED_H
#define JSONROW_WATCHED_H

#include "jsonrow.h"

#include "nodes/bitmapset.h"
#include "nodes/parsenodes.h"
#include "planner/rewrite.h"

/* What conditions look at in one query */
typedef struct WatchedColumns
{
	Query	   *query;
	const Bitmapset *columns;	/* that it gives; 0 stands for all */
	Bitmapset  *items;			/* of its FROM */
} WatchedColumns;

extern List *FindWatchedColumns(Query *query, Rewrite *rewrite);
extern bool TargetIsWatched(const List *found, const Query *query, AttrNumber resno);
extern bool ItemIsWatched(const List *found, const Query *query, int varno);

#endif							/* JSONROW_WATCHED_H */
