/*-------------------------------------------------------------------------
 *
 * parents_first.h
 *		The rows of a page first, and then what belongs to them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PARENTS_FIRST_H
#define JSONROW_PARENTS_FIRST_H

#include "jsonrow.h"

#include "planner/page.h"

/* A reason */
#define COMES_BY_INDEX	"PostgreSQL reads it in the order of an index, and stops when it has the rows"

/* Which pages to look for, and what was found */
typedef struct Paging
{
	Rewrite    *rewrite;
	Query	   *query;
	Survey	   *survey;			/* NULL until it is needed */
	bool		all;			/* not only those that gain in any case */
	bool		for_batches;	/* and those that gain only if what is late is
								 * computed for all of them at once */
	int			nlarge;			/* how many others there are: large ones, */
	int			nfiltered;		/* and those in the order of an index with a
								 * filter */
	List	   *notes;			/* of these */
} Paging;

extern void PutParentsFirst(Query *query, Paging *paging);

#endif							/* JSONROW_PARENTS_FIRST_H */
