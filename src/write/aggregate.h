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

extern void InitAggregates(void);
extern MemoryContext AggregateContext(FunctionCallInfo fcinfo);
extern Datum AccumulateRow(FunctionCallInfo fcinfo, const Writer *writer,
						   const RowLayout *layout);
extern Datum FinishAggregate(FunctionCallInfo fcinfo, const Writer *writer, const RowLayout *layout);
extern DocumentState *AggregateStateCreate(FunctionCallInfo fcinfo, const Writer *writer,
										   bool by_column);

#endif							/* JSONROW_AGGREGATE_H */
