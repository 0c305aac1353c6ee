/*-------------------------------------------------------------------------
 *
 * unique_joins.h
 *		Joins to a table together with what is joined to each of its rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_UNIQUE_JOINS_H
#define JSONROW_UNIQUE_JOINS_H

#include "jsonrow.h"

#include "nodes/plannodes.h"
#include "optimizer/planner.h"

typedef PlannedStmt *(*PlanFunction) (PLANNER_PARAMETERS);

extern PlannedStmt *PlanWithUniqueJoins(PlanFunction plan, PLANNER_PARAMETERS);
extern void InitUniqueJoins(void);

#endif							/* JSONROW_UNIQUE_JOINS_H */
