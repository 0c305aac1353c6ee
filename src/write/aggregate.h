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

#include "write/row_source.h"
#include "write/state.h"

/* Our aggregates of rows with names, by input and result */
typedef enum AggregateKind
{
	AGGREGATE_OTHER,
	AGGREGATE_OF_ROWS,
	AGGREGATE_OF_COLUMNS,
	AGGREGATE_OF_DOCUMENTS,
	AGGREGATE_OF_OBJECTS,		/* not a document, but also from rows with
								 * names */
} AggregateKind;

extern MemoryContext AggregateContext(FunctionCallInfo fcinfo);
extern Datum AccumulateRow(FunctionCallInfo fcinfo, const Writer *writer,
						   const RowLayout *layout);
extern Datum FinishRows(FunctionCallInfo fcinfo, const Writer *writer, const RowLayout *layout);
extern DocumentState *AggregateStateCreate(FunctionCallInfo fcinfo, const Writer *writer,
										   bool by_column);
extern bool IsTransitionFunction(Oid aggregate, Oid function);
extern bool IsFinalFunction(Oid aggregate, Oid function);
extern AggregateKind KindOfAggregate(Oid aggregate);

/* concat.c */
extern PGDLLEXPORT Datum jsonrow_concat_agg_transfn(PG_FUNCTION_ARGS);

#endif							/* JSONROW_AGGREGATE_H */
