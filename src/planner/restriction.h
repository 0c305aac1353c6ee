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

extern bool ReadsRestricted(const Query *query);
extern void RestrictLargeGroups(Query *query);

#endif							/* JSONROW_RESTRICTION_H */
