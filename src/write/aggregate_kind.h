/*-------------------------------------------------------------------------
 *
 * aggregate_kind.h
 *		Which of our aggregates is it?
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_AGGREGATE_KIND_H
#define JSONROW_AGGREGATE_KIND_H

#include "jsonrow.h"

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

typedef struct KnownTransition
{
	PGFunction	function;
	AggregateKind kind;
} KnownTransition;

extern void KnowTransitions(const KnownTransition *transitions, int count);
extern bool IsTransitionFunction(Oid aggregate, Oid function);
extern bool IsFinalFunction(Oid aggregate, Oid function);
extern AggregateKind KindOfAggregate(Oid aggregate);

#endif							/* JSONROW_AGGREGATE_KIND_H */
