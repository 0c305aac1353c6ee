/*-------------------------------------------------------------------------
 *
 * source.h
 *		The subqueries of FROM whose rows are a query's rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SOURCE_H
#define JSONROW_SOURCE_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"

/*
 * A query that supplies a query's rows, except for some that conditions and joins
 * remove: the query itself, or a subquery in its FROM, which may group rows.
 */
typedef struct Source
{
	Query	   *query;
	struct Source *above;		/* the query with it in FROM, or NULL */
	int			varno;			/* its range table index there */
	int			depth;			/* 0 for the query itself */
	List	   *partition;		/* what its rows are numbered within, as
								 * SortGroupClauses */
} Source;

extern bool GroupsRows(const Query *query);
extern bool SuppliesRows(const Query *query);
extern bool IsSource(RangeTblEntry *rte);
extern Source *SourceBelow(Source *above, int varno);
extern void ExpandRowsOfSources(Query *query);
extern bool HasRoom(const Source *source, int n);
extern TargetEntry *BringUpOnce(Source *source, Expr **expr);
extern Expr *BringUp(Source *source, Expr *expr);

#endif							/* JSONROW_SOURCE_H */
