/*-------------------------------------------------------------------------
 *
 * aggregate.h
 *		Which aggregates are ours.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_AGGREGATE_H
#define JSONROW_AGGREGATE_H

#include "jsonrow.h"

/* Our aggregates whose document has a header, by what they make it of */
typedef enum AggregateKind
{
	AGGREGATE_OTHER,
	AGGREGATE_OF_ROWS,
	AGGREGATE_OF_COLUMNS,
	AGGREGATE_OF_DOCUMENTS,
} AggregateKind;

extern Oid FinalFunctionOf(Oid aggregate);
extern AggregateKind KindOfAggregate(Oid aggregate);

#endif							/* JSONROW_AGGREGATE_H */
