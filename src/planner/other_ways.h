/*-------------------------------------------------------------------------
 *
 * other_ways.h
 *		Other ways to write collections.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OTHER_WAYS_H
#define JSONROW_OTHER_WAYS_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"
#include "planner/rewrite.h"

extern bool TakeHaving(Query *query);
extern void WriteAsCollections(Query *query, Rewrite *rewrite);

#endif							/* JSONROW_OTHER_WAYS_H */
