/*-------------------------------------------------------------------------
 *
 * restriction.h
 *		Where a collection is restricted to the keys of its parents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_RESTRICTION_H
#define JSONROW_RESTRICTION_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"
#include "planner/collection.h"
#include "planner/rewrite.h"

extern bool ReadsRestricted(const Query *query);
extern double ShareWithKey(Level *level, const Key *key);
extern void RestrictLargeGroups(Level *level);

#endif							/* JSONROW_RESTRICTION_H */
