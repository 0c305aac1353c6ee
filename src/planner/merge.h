/*-------------------------------------------------------------------------
 *
 * merge.h
 *		Subqueries in FROM become part of the query around them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_MERGE_H
#define JSONROW_MERGE_H

#include "jsonrow.h"

#include "planner/levels.h"

extern bool MayHoldCollections(const Query *query);
extern void MergeOnlyItem(Level *level);
extern void MergeCollections(Level *level);

#endif							/* JSONROW_MERGE_H */
