/*-------------------------------------------------------------------------
 *
 * jsonb_write.c
 *		jsonb containers, written in their flat form at once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/jsonb_write.h"
#include "miscadmin.h"

/* As jsonb orders keys: by length, then by bytes; of equal ones, the last comes first. */
static int
CompareKeys(const void *a, const void *b)
{
	const JsonbKey *x = a;
	const JsonbKey *y = b;
	int			order;

	CHECK_FOR_INTERRUPTS();
	order = JsonbCompareKeys(x->data, x->len, y->data, y->len);
	if (order != 0)
		return order;
	return x->position > y->position ? -1 : 1;
}

/*
 * Sort the keys of an object; of equal ones only the last is kept.  Returns
 * the number of those that are left.
 */
uint32
SortKeys(JsonbKey *keys, uint32 count)
{
	uint32		n = 0;

	qsort(keys, count, sizeof(JsonbKey), CompareKeys);
	for (uint32 i = 0; i < count; i++)
	{
		const JsonbKey *last = n > 0 ? &keys[n - 1] : NULL;

		CHECK_FOR_INTERRUPTS();
		if (last == NULL || JsonbCompareKeys(last->data, last->len, keys[i].data, keys[i].len) != 0)
			keys[n++] = keys[i];
	}
	return n;
}

/*
 * Append an element's bytes.  They mean the same anywhere, because containers
 * begin at multiples of four in both places.
 */
void
AppendElement(Output *out, const JsonbElement *element)
{
	if (JsonbElementIsAligned(element))
		OutAlign(out);
	OutAppend(out, element->data, element->len);
}

/* An element as a value of its own */
Jsonb *
ElementToJsonb(const JsonbElement *element)
{
	uint32		array[2] = {JB_FARRAY | JB_FSCALAR | 1, element->type | JENTRY_HAS_OFF | element->len};
	Size		head = element->type == JENTRY_ISCONTAINER ? 0 : sizeof(array);
	Size		size = VARHDRSZ + head + element->len;
	char	   *result = palloc(size);

	memcpy(result + VARHDRSZ, array, head);
	memcpy(result + VARHDRSZ + head, element->data, element->len);
	SET_VARSIZE(result, size);
	return (Jsonb *) result;
}

/* Append an array of these elements. */
void
AppendJsonbArray(Output *out, const JsonbElement *elements, uint32 count)
{
	ContainerBuilder array = BeginArray(out, count);

	for (uint32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddElement(out, &array, &elements[i]);
	}
}

/* Append elements that were moved to the end of the output. */
void
AppendRun(Output *out, const ElementRun *run)
{
	Assert(run->position == out->len);
	OutAppend(out, run->lead, run->leadlen);
	if (run->rest)
	{
		OutAlign(out);
		OutAppend(out, run->rest, run->restlen);
	}
}

/*
 * Add the entries of the next count elements of an array to a container, for
 * the place to which they will be moved.
 */
ElementRun
AddEntries(Output *out, ContainerBuilder *container, JsonbWalk source, uint32 count,
		   Size position)
{
	ElementRun	run;

	ElementRunStart(&run, &source, position);
	for (uint32 i = 0; i < count; i++)
	{
		JsonbElement element = ElementRunTake(&run, &source);

		if (i % 65536 == 65535)
			CHECK_FOR_INTERRUPTS();
		AddEntryOfLength(out, container, element.type, element.len);
	}
	ElementRunEnd(&run, &source);
	return run;
}

/* Add the next count elements of an array to a container. */
void
AddElements(Output *out, ContainerBuilder *container, JsonbWalk source, uint32 count)
{
	ElementRun	run = AddEntries(out, container, source, count, out->len);

	AppendRun(out, &run);
}
