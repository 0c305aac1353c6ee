/*-------------------------------------------------------------------------
 *
 * planning_runs.h
 *		Which functions of users planning runs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PLANNING_RUNS_H
#define JSONROW_PLANNING_RUNS_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool PlanningIsSeen(Rewrite *rewrite, Query *query);

#endif							/* JSONROW_PLANNING_RUNS_H */
