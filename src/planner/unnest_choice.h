/*-------------------------------------------------------------------------
 *
 * unnest_choice.h
 *		Which collections become joins: those that get cheaper.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_UNNEST_CHOICE_H
#define JSONROW_UNNEST_CHOICE_H

#include "jsonrow.h"

#include "nodes/plannodes.h"
#include "optimizer/planner.h"
#include "planner/rewrite.h"

typedef PlannedStmt *(*PlanFunction) (PLANNER_PARAMETERS);

extern bool UnnestIsOn(void);
extern bool UnnestsAlways(void);
extern PlannedStmt *PlanByCosts(PlanFunction plan, bool is_last, bool is_nested, Rewrite *rewrite, PLANNER_PARAMETERS);
extern void InitUnnesting(void);

#endif							/* JSONROW_UNNEST_CHOICE_H */
