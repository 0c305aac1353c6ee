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

#include "nodes/nodes.h"

extern bool PlanningIsSeen(Node *node);

#endif							/* JSONROW_PLANNING_RUNS_H */
