/*-------------------------------------------------------------------------
 *
 * fences.h
 *		What must not depend on whether PostgreSQL pulls up a subquery.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FENCES_H
#define JSONROW_FENCES_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool DependsOnFences(Query *query, Rewrite *rewrite);

#endif							/* JSONROW_FENCES_H */
