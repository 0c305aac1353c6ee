/*-------------------------------------------------------------------------
 *
 * pull_up.h
 *		Values that a subquery makes into JSON, taken apart where they are
 *		used.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PULL_UP_H
#define JSONROW_PULL_UP_H

#include "jsonrow.h"

#include "planner/row_shape.h"

/* One step down: a column of a subquery in the range table of a query */
typedef struct Step
{
	RangeTblEntry *rte;
	int			varno;
	TargetEntry *entry;			/* that computes the column */
} Step;

extern bool FindInSubquery(Level *level, Var *var, RowShape *shape, List **way);
extern void PullUp(List *way, RowShape *shape);

#endif							/* JSONROW_PULL_UP_H */
