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

extern void MergeItems(const Level *level, bool holds_collections);

#endif							/* JSONROW_MERGE_H */
