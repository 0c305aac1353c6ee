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
#include "planner/notes.h"
#include "planner/rewrite.h"
#include "planner/survey.h"

/* The note on a collection that has become a join */
typedef struct JoinNote
{
	int			id;
	Note	   *note;
} JoinNote;

/* Which of the collections in a query become joins; their numbers are the survey's. */
typedef struct Unnesting
{
	Rewrite    *rewrite;
	Survey	   *survey;
	const Bitmapset *kept;		/* these stay as they are */
	Bitmapset  *joined;			/* these have become joins */
	Bitmapset  *refused;		/* these must not */
	List	   *notes;			/* JoinNotes, if somebody asks */
} Unnesting;

extern bool IsNever(const FuncExpr *call);
extern void UnnestQuery(Query *query, Unnesting *unnesting);

#endif							/* JSONROW_UNNEST_H */
