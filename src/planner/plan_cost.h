/*-------------------------------------------------------------------------
 *
 * plan_cost.h
 *		What a finished plan costs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PLAN_COST_H
#define JSONROW_PLAN_COST_H

#include "jsonrow.h"

#include "nodes/plannodes.h"

extern Cost PlanCost(const PlannedStmt *stmt);
extern Cost PlanCostInMemory(const PlannedStmt *stmt, double found);
extern Cost PlanCostOnce(const PlannedStmt *stmt);
extern bool FiltersBySubquery(const PlannedStmt *stmt);
extern Cost PlanCostWithoutRereads(const PlannedStmt *stmt, bool guesses);
extern bool SomeLimitStops(const PlannedStmt *stmt);
extern bool PagesStartAtOnce(const PlannedStmt *stmt, const Plan *plan);
extern bool ReadsTablesAgain(const PlannedStmt *stmt, double few_pages, double many_walks);
extern void ChooseJit(PlannedStmt *stmt);

#endif							/* JSONROW_PLAN_COST_H */
