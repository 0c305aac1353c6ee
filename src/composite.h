/*-------------------------------------------------------------------------
 *
 * composite.h
 *		Values made of values: composites and arrays taken apart.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COMPOSITE_H
#define JSONROW_COMPOSITE_H

#include "jsonrow.h"

#include "plan.h"
#include "utils/array.h"

extern const NullableDatum *DeformComposite(RowPlan **known, PlanContext *shared,
											Datum value);
extern uint32 WriteComposite(Output *out, ColumnPlan *plan, HeaderColumn *column,
							 Datum value);

/* The elements of an array, one after the other in storage order */
typedef struct ArrayWalk
{
	const ElementPlan *element;
	char	   *next;
	const uint8 *nulls;
	int			position;
} ArrayWalk;

extern void ArrayWalkStart(ArrayWalk *walk, ArrayType *array, const ElementPlan *element);
extern NullableDatum ArrayWalkNext(ArrayWalk *walk);

#endif							/* JSONROW_COMPOSITE_H */
