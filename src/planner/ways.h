/*-------------------------------------------------------------------------
 *
 * ways.h
 *		What depends on the way in which PostgreSQL carries out a query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_WAYS_H
#define JSONROW_WAYS_H

#include "jsonrow.h"

#include "planner/levels.h"

extern bool OrderOfConditionsMayRaise(Level *level);
extern bool OrderMayRaiseAround(Level *level);
extern Level LevelOfRead(Level *outer, Query *query);
extern bool CostsMayRaise(Level *level, AttrNumber attno);
extern bool OwnCostsMayRaise(Level *level, AttrNumber attno);
extern void VisitFree(Level *level, QueryVisitor visitor);
extern bool OneRowMayRaise(Level *level, int leading);
extern bool GroupsMayRaise(Level *level);
extern bool OtherWayMayRaise(Level *level, const Query *changed);
extern bool HasOrder(const Query *query);
extern bool JoinsDecide(Level *level);
extern bool CostsDecide(Level *level);
extern bool IsComparedOutside(Level *level);
extern bool ItemsMayRaise(Level *level, const Query *changed);
extern bool JoiningMayRaise(Level *level);
extern bool SubqueriesMayRaise(Level *level);

/* stopping.c */
extern bool AggregatesReadAll(Query *query);
extern bool EntryMayRaise(Level *level, const TargetEntry *entry);
extern bool IsSortKey(const Query *query, const TargetEntry *entry);
extern bool MayComeSorted(Level *level);
extern bool SortKeysMayRaise(Level *level);
extern bool ValuesMayRaise(Level *level);

#endif							/* JSONROW_WAYS_H */
