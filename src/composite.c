/*-------------------------------------------------------------------------
 *
 * composite.c
 *		Values made of values: composites and arrays taken apart.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "composite.h"
#include "miscadmin.h"
#include "writer.h"

/*
 * A tuple from before columns were added to its type: PostgreSQL knows what
 * they are then.
 */
static void
DeformOldTuple(RowPlan *row, HeapTupleHeader tuple)
{
	HeapTupleData data;
	Datum	   *values = palloc(row->tupdesc->natts * sizeof(Datum));
	bool	   *nulls = palloc(row->tupdesc->natts * sizeof(bool));

	data.t_len = HeapTupleHeaderGetDatumLength(tuple);
	ItemPointerSetInvalid(&data.t_self);
	data.t_tableOid = InvalidOid;
	data.t_data = tuple;
	heap_deform_tuple(&data, row->tupdesc, values, nulls);
	for (int i = 0; i < row->tupdesc->natts; i++)
	{
		row->cells[row->attributes[i].cell].value = values[i];
		row->cells[row->attributes[i].cell].isnull = nulls[i];
	}
	pfree(values);
	pfree(nulls);
}

/*
 * Take a composite apart.  The plan of its row is the first of those known
 * afterwards; the cells are valid until the next composite of its type.
 *
 * Like heap_deform_tuple, but with the attributes' layout packed together
 * and the values put where the writers want them: half of what the record
 * form costs above the names form was in there.
 */
const NullableDatum *
DeformComposite(RowPlan **known, PlanContext *shared, Datum value)
{
	HeapTupleHeader tuple = DatumGetHeapTupleHeader(value);
	RowPlan    *row = RowPlanFor(known, shared, HeapTupleHeaderGetTypeId(tuple),
								 HeapTupleHeaderGetTypMod(tuple));
	const AttributePlan *attribute = row->attributes;
	const AttributePlan *end = attribute + row->tupdesc->natts;
	const uint8 *nulls = tuple->t_infomask & HEAP_HASNULL ? tuple->t_bits : NULL;
	const char *p = (char *) tuple + tuple->t_hoff;

	if (unlikely(HeapTupleHeaderGetNatts(tuple) < row->tupdesc->natts))
	{
		DeformOldTuple(row, tuple);
		return row->cells;
	}
	for (; attribute < end; attribute++)
	{
		NullableDatum *cell = &row->cells[attribute->cell];

		if (nulls && att_isnull(attribute - row->attributes, nulls))
		{
			cell->isnull = true;
			continue;
		}
		cell->isnull = false;
		if (attribute->typlen != -1 || *p == 0)
			p = (const char *) TYPEALIGN(attribute->alignment, p);
		cell->value = fetch_att(p, attribute->typbyval, attribute->typlen);
		p = att_addlength_pointer(p, attribute->typlen, p);
	}
	return row->cells;
}

/* Write a composite as a row in a row; the same for both formats. */
uint32
WriteComposite(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const NullableDatum *cells = DeformComposite(&plan->rows, plan->shared, value);

	check_stack_depth();
	HeaderAgree(column, plan->rows->header, true, out->context);
	return plan->shared->writer->row(out, plan->rows, column->nested, cells);
}

void
ArrayWalkStart(ArrayWalk *walk, ArrayType *array, const ElementPlan *element)
{
	walk->element = element;
	walk->next = ARR_DATA_PTR(array);
	walk->nulls = ARR_NULLBITMAP(array);
	walk->position = 0;
}

NullableDatum
ArrayWalkNext(ArrayWalk *walk)
{
	const ElementPlan *element = walk->element;
	NullableDatum result = {0};
	int			i = walk->position++;

	if (walk->nulls && att_isnull(i, walk->nulls))
	{
		result.isnull = true;
		return result;
	}
	result.value = fetch_att(walk->next, element->typbyval, element->typlen);
	walk->next = att_addlength_pointer(walk->next, element->typlen, walk->next);
	walk->next = (char *) att_align_nominal(walk->next, element->typalign);
	return result;
}
