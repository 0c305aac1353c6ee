/*-------------------------------------------------------------------------
 *
 * order.h
 *		The order that a query's rows come in, and who asked for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ORDER_H
#define JSONROW_ORDER_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool HasInputOrder(Level *level);
extern bool HidesInputOrder(Query *query);
extern bool ValuesDependOnOrder(Query *query);
extern bool ResultDependsOnOrder(Level *level);
extern bool ReadsOrderedGroups(Level *level);
extern bool ShowsChoice(Level *level);
extern bool ShowsWay(Level *level);
extern bool ShowsPlan(Level *level, const Query *changed);
extern int	LeadingInput(Query *query);
extern Query *LeadingQuery(Level *level, Level *inner);
extern bool TiesKeepOrder(Level *level);
extern bool CanKeepOrder(Level *level);
extern bool MayCompareAll(Level *level, List *clauses);
extern bool OrderIsFit(Level *level);
extern bool AggregatesShowOrder(Level *level);
extern void KeepOrder(Level *level, List *aggregates);

#endif							/* JSONROW_ORDER_H */
