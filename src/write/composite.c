/*-------------------------------------------------------------------------
 *
 * composite.c
 *		Composites and arrays, taken apart into their values.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "write/composite.h"
#include "write/writer.h"

/*
 * Take a composite apart.  Afterwards, the plan of its row is the first of
 * those known; the cells are valid until the next composite of its type.  by_query
 * is what the query tells about the rows, or NULL.
 *
 * Like heap_deform_tuple, but with the attributes' layout packed together and
 * the values stored where the writers want them: that halved the extra cost of
 * the record form over the names form.
 */
const NullableDatum *
DeformComposite(RowPlan **known, PlanContext *shared, RowForm form,
				Datum value, const Header *by_query)
{
	HeapTupleHeader tuple = DatumGetHeapTupleHeader(value);
	RowPlan    *row;
	int			natts,
				stored;
	const uint8 *nulls = tuple->t_infomask & HEAP_HASNULL ? tuple->t_bits : NULL;
	const char *end = (char *) tuple + VARSIZE(tuple);
	const char *p = (char *) tuple + tuple->t_hoff;

	if (unlikely(!TupleIsSound(tuple)))
		ReportOldValue(RECORDOID, -1);
	row = RowPlanFor(known, shared, form, HeapTupleHeaderGetTypeId(tuple),
					 HeapTupleHeaderGetTypMod(tuple), by_query);
	if (HeapTupleHeaderIsVersionedDatum(tuple))
		heap_datum_check(tuple, row->type->tupdesc);
	natts = row->type->tupdesc->natts;
	stored = Min(natts, HeapTupleHeaderGetNatts(tuple));
	for (int i = 0; i < stored; i++)
	{
		const AttributePlan *attribute = &row->attributes[i];
		NullableDatum *cell = &row->cells[attribute->cell];
		const char *next;

		if (nulls && att_isnull(i, nulls))
		{
			cell->isnull = true;
			continue;
		}
		cell->isnull = false;
		p = AttributeStart(attribute->typlen, attribute->alignment, p, end);
		next = AttributeEnd(attribute->typlen, p, end);
		if (unlikely(next == NULL))
			ReportOldValue(row->type->typid, row->type->typmod);
		cell->value = fetch_att(p, attribute->typbyval, attribute->typlen);
		p = next;
	}

	/*
	 * The tuple is older than some attributes: PostgreSQL knows their values.
	 */
	for (int i = stored; i < natts; i++)
	{
		NullableDatum *cell = &row->cells[row->attributes[i].cell];

		cell->value = getmissingattr(row->type->tupdesc, i + 1, &cell->isnull);
	}
	return row->cells;
}

/*
 * Write a composite among other values: as a row within a row, or as an
 * object.  It is the same for both formats.
 */
JEntry
WriteComposite(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	bool		hoisted = plan->shared->nested == NESTED_HOISTED;
	const NullableDatum *cells = DeformComposite(&plan->rows, plan->shared,
												 hoisted ? ROW_ARRAY : ROW_OBJECT,
												 value, plan->by_query);

	check_stack_depth();
	if (hoisted)
		HeaderAgree(column, plan->rows->header, true, out->context);
	return plan->rows->write(out, plan->rows, hoisted ? column->nested : NULL, cells);
}

pg_noreturn pg_noinline static void
ReportOldArray(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATUM_VERSION_MISMATCH),
			 errmsg("array does not fit its type"),
			 errdetail("It may have been made before a type was altered.")));
}

/*
 * Start at the first element of an array.  Its bytes are trusted no more than
 * those of a composite, because it may come from one.
 */
void
ArrayWalkStart(ArrayWalk *walk, ColumnPlan *column, Datum value)
{
	static const int none = 0;
	ArrayType  *array = DatumGetArrayTypeP(value);
	Size		size = VARSIZE(array);
	Size		start;

	if (size < sizeof(ArrayType) || ARR_NDIM(array) < 0 || ARR_NDIM(array) > MAXDIM ||
		size < ARR_OVERHEAD_NONULLS(ARR_NDIM(array)))
		ReportOldArray();
	walk->dims = ARR_DIMS(array);
	walk->ndims = ARR_NDIM(array);
	walk->nitems = ArrayGetNItems(walk->ndims, walk->dims);
	start = ARR_HASNULL(array) ? ARR_OVERHEAD_WITHNULLS(walk->ndims, walk->nitems) :
		ARR_OVERHEAD_NONULLS(walk->ndims);
	if (ARR_DATA_OFFSET(array) < start || ARR_DATA_OFFSET(array) > size)
		ReportOldArray();
	if (walk->nitems == 0)
	{
		walk->dims = &none;
		walk->ndims = 1;
	}
	walk->element = ElementPlanFor(column, ARR_ELEMTYPE(array));
	walk->next = ARR_DATA_PTR(array);
	walk->end = (char *) array + size;
	walk->nulls = ARR_NULLBITMAP(array);
	walk->position = 0;
}

NullableDatum
ArrayWalkNext(ArrayWalk *walk)
{
	const AttributePlan *layout = &walk->element->layout;
	NullableDatum result = {0};
	int			i = walk->position++;
	const char *next;

	if (walk->nulls && att_isnull(i, walk->nulls))
	{
		result.isnull = true;
		return result;
	}
	next = AttributeEnd(layout->typlen, walk->next, walk->end);
	if (unlikely(next == NULL))
		ReportOldArray();
	result.value = fetch_att(walk->next, layout->typbyval, layout->typlen);
	walk->next = (const char *) TYPEALIGN(layout->alignment, next);
	return result;
}
