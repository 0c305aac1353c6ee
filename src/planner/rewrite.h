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

/* What is the same for all of a query, and what its plan will depend on */
typedef struct Rewrite
{
	ParamListInfo params;
	bool		may_be_early;	/* nothing that is sorted is cut afterwards */
	int			visits;			/* how many expressions early.c has looked at */
	List	   *functions;		/* PostgreSQL's, which ours have replaced */
	List	   *relations;		/* of row types whose columns were looked at */
} Rewrite;

/* One SELECT, INSERT, ... of a query, while its expressions are looked at */
typedef struct Level
{
	Query	   *query;
	struct Level *outer;		/* the query around it, or NULL */
	Rewrite    *rewrite;
	bool		scalars;		/* may constructors of one value be replaced? */
	int			aggregates;		/* how many are around where we are */
	bool		grouped;		/* rows of the range table are not at hand */
	bool		rows_are_known;
	Bitmapset  *rows;			/* range table entries whose row is never NULL */
} Level;

extern void RewriteQuery(Query *query, Rewrite *rewrite);
extern bool MayReplace(Level *level, Oid function);
extern void DependOnType(Level *level, Oid typid);
extern bool IsPlainAggregate(Aggref *aggref);

#endif							/* JSONROW_REWRITE_H */
