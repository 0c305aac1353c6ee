/*-------------------------------------------------------------------------
 *
 * aggregate.h
 *		What the SQL aggregates share with others.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_AGGREGATE_H
#define JSONROW_AGGREGATE_H

#include "jsonrow.h"

#include "write/state.h"

/* Our aggregates whose document has a header, by what they make it of */
typedef enum AggregateKind
{
	AGGREGATE_OTHER,
	AGGREGATE_OF_ROWS,
	AGGREGATE_OF_COLUMNS,
	AGGREGATE_OF_DOCUMENTS,
} AggregateKind;

extern DocumentState *AggregateStateCreate(FunctionCallInfo fcinfo, const Writer *writer,
										   bool by_column);
extern bool IsTransitionFunction(Oid aggregate, Oid function);
extern bool IsFinalFunction(Oid aggregate, Oid function);
extern AggregateKind KindOfAggregate(Oid aggregate);

/* concat.c */
extern PGDLLEXPORT Datum jsonrow_concat_agg_transfn(PG_FUNCTION_ARGS);

#endif							/* JSONROW_AGGREGATE_H */
