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
#include "nodes/plannodes.h"
#include "optimizer/planner.h"
#include "planner/notes.h"
#include "planner/rewrite.h"
#include "planner/survey.h"

/* Which of the collections in a query become joins; their numbers are the survey's. */
typedef struct Unnesting
{
	Rewrite    *rewrite;
	Survey	   *survey;
	int			njoins;			/* that have been made */
	Bitmapset  *refused;		/* these must not */
	List	   *notes;			/* on what has become joins, if somebody asks */
	Notes	   *lookups;		/* the same on their look-ups */
} Unnesting;

extern bool UnnestQuery(Query *query, Unnesting *unnesting);

/* unnest_choice.c */
typedef PlannedStmt *(*PlanFunction) (PLANNER_PARAMETERS);

extern bool UnnestIsOn(void);
extern bool UnnestsAlways(void);
extern PlannedStmt *PlanByCosts(PlanFunction plan, bool is_last, bool is_nested, Rewrite *rewrite, PLANNER_PARAMETERS);
extern void InitUnnesting(void);

#endif							/* JSONROW_UNNEST_H */
