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

/* Which pages to look for, and what was found */
typedef struct Paging
{
	Rewrite    *rewrite;
	Query	   *query;
	Survey	   *survey;			/* NULL until it is needed */
	bool		all;			/* not only small ones */
	bool		for_batches;	/* and those that gain only if what is late is
								 * computed for all of them at once */
	int			large;			/* how many others there are */
	List	   *notes;			/* of these */
} Paging;

extern void PutParentsFirst(Query *query, Paging *paging);

#endif							/* JSONROW_PARENTS_FIRST_H */
