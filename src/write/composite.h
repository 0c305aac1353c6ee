/*-------------------------------------------------------------------------
 *
 * composite.h
 *		Composites and arrays, taken apart into their values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COMPOSITE_H
#define JSONROW_COMPOSITE_H

#include "jsonrow.h"

#include "utils/array.h"
#include "write/row_plan.h"

extern const NullableDatum *DeformComposite(RowPlan **known, PlanContext *shared, RowForm form,
											Datum value, const Header *by_query);
extern JEntry WriteComposite(Output *out, ColumnPlan *plan, HeaderColumn *column,
							 Datum value);

/* The elements of an array, one after the other in storage order */
typedef struct ArrayWalk
{
	ElementPlan *element;
	int			nitems;
	int			ndims;			/* one, of length zero, if there are no items */
	const int  *dims;
	const char *next;
	const char *end;
	const uint8 *nulls;
	int			position;
} ArrayWalk;

extern void ArrayWalkStart(ArrayWalk *walk, ColumnPlan *column, Datum value);
extern NullableDatum ArrayWalkNext(ArrayWalk *walk);

#endif							/* JSONROW_COMPOSITE_H */
