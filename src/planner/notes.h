/*-------------------------------------------------------------------------
 *
 * notes.h
 *		What becomes of a query's parts, and why, for those who ask.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_NOTES_H
#define JSONROW_NOTES_H

#include "jsonrow.h"

#include "planner/rewrite.h"

/* The place of a query that is in no other one */
#define OUTERMOST	"outermost query"

/* One part of a query */
typedef struct Note
{
	const char *place;			/* where it is */
	const char *what;
	const char *outcome;
	const char *reason;			/* NULL if it was changed */
} Note;

/* Those of one query, while somebody asks */
struct Notes
{
	MemoryContext context;
	List	   *list;			/* Notes */
};

extern char *PlaceOf(Level *level);
extern Note *TakeNote(Rewrite *rewrite, const char *place, const char *what, const char *outcome,
					  const char *reason);
extern void NoteAllStay(List *notes, const char *reason);
extern void NoteAfterAll(Notes *notes, List *others);
extern void NoteCalls(Query *query, Level *outer, Rewrite *rewrite);

#endif							/* JSONROW_NOTES_H */
