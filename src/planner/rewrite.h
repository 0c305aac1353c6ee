/*-------------------------------------------------------------------------
 *
 * rewrite.h
 *		Our functions in the places of PostgreSQL's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_REWRITE_H
#define JSONROW_REWRITE_H

#include "jsonrow.h"

#include "nodes/params.h"
#include "nodes/parsenodes.h"

/* One SELECT, INSERT, ... of a query, while its expressions are looked at */
typedef struct Level
{
	Query	   *query;
	ParamListInfo params;
	List	  **replaced;		/* PostgreSQL's functions that had to go */
	bool		scalars;		/* may constructors of one value be replaced? */
	int			aggregates;		/* how many are around where we are */
	bool		grouped;		/* rows of the range table are not at hand */
	bool		rows_are_known;
	Bitmapset  *rows;			/* range table entries whose row is never NULL */
} Level;

extern void RewriteQuery(Query *query, ParamListInfo params, List **replaced);
extern bool MayReplace(Level *level, Oid function);
extern bool IsPlainAggregate(Aggref *aggref);

#endif							/* JSONROW_REWRITE_H */
