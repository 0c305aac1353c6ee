/*-------------------------------------------------------------------------
 *
 * aggregates.h
 *		What is known about aggregates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_AGGREGATES_H
#define JSONROW_AGGREGATES_H

#include "jsonrow.h"

#include "nodes/primnodes.h"

/* What an aggregate returns for no rows */
typedef enum EmptyValue
{
	EMPTY_UNKNOWN,				/* an aggregate that we don't know */
	EMPTY_NULL,
	EMPTY_ZERO,
	EMPTY_ARRAY,				/* of JSON */
	EMPTY_DOCUMENT,				/* with a header that only the query can tell */
} EmptyValue;

extern bool IsPlainAggregate(Aggref *aggref);
extern bool HasKnownSize(const Node *expr);
extern EmptyValue EmptyValueOf(Aggref *aggref);
extern bool IsNullForNoRows(Aggref *aggref);
extern bool EqualIsSame(const Node *expr);
extern bool MakesObject(Aggref *aggref);
extern bool DistinctDependsOnOrder(Aggref *aggref);
extern bool HasInexactAggregate(const Query *query);
extern bool GathersRows(Aggref *aggref);
extern bool MayBePartial(Aggref *aggref);
extern bool MayBeInParts(List *aggregates);
extern List *AggregatesIn(Node *node);
extern bool QueryGathers(const Query *query);

#endif							/* JSONROW_AGGREGATES_H */
