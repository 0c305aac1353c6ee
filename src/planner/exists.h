/*-------------------------------------------------------------------------
 *
 * exists.h
 *		Rows of a query that have something in a collection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_EXISTS_H
#define JSONROW_EXISTS_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern void AskWhetherRowsExist(Query *query, Rewrite *rewrite);

#endif							/* JSONROW_EXISTS_H */
