/*-------------------------------------------------------------------------
 *
 * object_keys.c
 *		The keys of objects that all have the same names, prepared once.
 *
 * jsonb sorts an object's keys by length, then by bytes; if several keys are
 * equal, it keeps the last one.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/object_keys.h"
#include "miscadmin.h"

/* As jsonb orders keys; among equal ones, the last comes first. */
static int
CompareColumns(const void *a, const void *b, void *header)
{
	const HeaderColumn *cols = ((const Header *) header)->cols;
	int			i = *(const int *) a;
	int			j = *(const int *) b;
	int			order;

	CHECK_FOR_INTERRUPTS();
	order = JsonbCompareKeys(cols[i].name, cols[i].namelen, cols[j].name, cols[j].namelen);
	return order != 0 ? order : j - i;
}

/*
 * Sort the columns by name; if several have the same name, keep the last one.
 */
static void
SortColumns(ObjectKeys *keys, const Header *header)
{
	const HeaderColumn *cols = header->cols;
	int			n = 0;

	for (int i = 0; i < header->ncols; i++)
		keys->columns[i] = i;
	qsort_arg(keys->columns, header->ncols, sizeof(int), CompareColumns, (void *) header);
	for (int i = 0; i < header->ncols; i++)
	{
		const HeaderColumn *column = &cols[keys->columns[i]];
		const HeaderColumn *last = n > 0 ? &cols[keys->columns[n - 1]] : NULL;

		if (last == NULL || last->namelen != column->namelen ||
			memcmp(last->name, column->name, column->namelen) != 0)
			keys->columns[n++] = keys->columns[i];
	}
	keys->nkeys = n;
}

/*
 * Prepare the keys for a header's names, in the current memory context.  An
 * unknown header has none.
 */
void
ObjectKeysInit(ObjectKeys *keys, const Header *header)
{
	ContainerBuilder object;
	Output		out;

	keys->nkeys = 0;
	keys->columns = palloc(HeaderWidth(header) * sizeof(int));
	if (header)
		SortColumns(keys, header);

	OutInit(&out, FORMAT_JSONB, 256, CurrentMemoryContext);
	object = BeginContainer(&out, JB_FOBJECT | keys->nkeys, keys->nkeys * 2);
	for (int i = 0; i < keys->nkeys; i++)
	{
		const HeaderColumn *column = &header->cols[keys->columns[i]];

		CHECK_FOR_INTERRUPTS();
		AddString(&out, &object, column->name, column->namelen);
	}
	keys->frame = out.data;
	keys->framelen = out.len;
	keys->keyslen = object.total;
}
