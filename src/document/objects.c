/*-------------------------------------------------------------------------
 *
 * objects.c
 *		The rows of a document as objects.
 *
 * jsonb sorts an object's keys by length, then by bytes, and keeps the last
 * of equal ones.  All rows under one header have the same keys, so what
 * comes before the values of an object is made once and copied.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/objects.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

/* How the rows under one header become objects */
struct ObjectLayout
{
	const Header *header;		/* NULL if unknown: then rows have no cells */
	int			ncols;
	int			nkeys;			/* distinct names */
	int		   *columns;		/* in the order of the keys */
	ObjectLayout **nested;		/* of each column that isn't plain */
	JsonbElement *cells;		/* room for one row */
	const char *entries;		/* the keys' JEntries */
	const char *keys;
	Size		keyslen;
};

/* As jsonb orders keys; of equal ones, the last comes first. */
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

/* Sort the columns by name, and leave out those of a name that comes again. */
static void
LayOutKeys(ObjectLayout *layout)
{
	const HeaderColumn *cols = layout->header->cols;
	int			n = 0;

	for (int i = 0; i < layout->ncols; i++)
		layout->columns[i] = i;
	qsort_arg(layout->columns, layout->ncols, sizeof(int), CompareColumns,
			  (void *) layout->header);
	for (int i = 0; i < layout->ncols; i++)
	{
		const HeaderColumn *column = &cols[layout->columns[i]];
		const HeaderColumn *last = n > 0 ? &cols[layout->columns[n - 1]] : NULL;

		if (last == NULL || last->namelen != column->namelen ||
			memcmp(last->name, column->name, column->namelen) != 0)
			layout->columns[n++] = layout->columns[i];
	}
	layout->nkeys = n;
}

ObjectLayout *
ObjectLayoutCreate(const Header *header)
{
	ObjectLayout *layout = palloc0(sizeof(ObjectLayout));
	ContainerBuilder object;
	Output		out;

	check_stack_depth();

	layout->header = header;
	layout->ncols = HeaderWidth(header);
	layout->columns = palloc(layout->ncols * sizeof(int));
	layout->nested = palloc0(layout->ncols * sizeof(ObjectLayout *));
	layout->cells = palloc(layout->ncols * sizeof(JsonbElement));
	if (header)
		LayOutKeys(layout);

	OutInit(&out, FORMAT_JSONB, 256, CurrentMemoryContext);
	object = BeginContainer(&out, JB_FOBJECT | layout->nkeys, layout->nkeys * 2);
	for (int i = 0; i < layout->nkeys; i++)
	{
		const HeaderColumn *column = &header->cols[layout->columns[i]];

		CHECK_FOR_INTERRUPTS();
		AddString(&out, &object, column->name, column->namelen);
		if (column->shape != COLUMN_PLAIN)
			layout->nested[layout->columns[i]] = ObjectLayoutCreate(column->nested);
	}
	layout->entries = out.data + sizeof(uint32);
	layout->keys = layout->entries + layout->nkeys * 2 * sizeof(JEntry);
	layout->keyslen = out.data + out.len - layout->keys;
	return layout;
}

static void WriteObject(Output *out, ObjectLayout *layout);

/* Take a row apart; false if it is null. */
static bool
TakeRow(ObjectLayout *layout, const JsonbElement *row)
{
	CHECK_FOR_INTERRUPTS();
	if (!RowFits(row, layout->ncols))
		ReportNotDocument(FORMAT_JSONB, psprintf("A row is neither null nor an array of %d cells.",
												 layout->ncols));
	if (row->type == JENTRY_ISNULL)
		return false;
	TakeCells(row, layout->ncols, layout->cells);
	return true;
}

/* A row as an object, or null; returns its type. */
static uint32
WriteRowAsObject(Output *out, ObjectLayout *layout, const JsonbElement *row)
{
	if (!TakeRow(layout, row))
		return JENTRY_ISNULL;
	WriteObject(out, layout);
	return JENTRY_ISCONTAINER;
}

static void
WriteRowsAsObjects(Output *out, ObjectLayout *layout, JsonbWalk rows)
{
	ContainerBuilder array = BeginArray(out, rows.count);
	JsonbElement row;

	while (JsonbWalkNext(&rows, &row))
	{
		Size		start = out->len;

		AddEntry(out, &array, WriteRowAsObject(out, layout, &row), start);
	}
}

/* The cell of a nested document, as an array of objects, or null */
static uint32
WriteNestedRows(Output *out, ObjectLayout *layout, const JsonbElement *cell)
{
	JsonbWalk	rows;

	if (cell->type == JENTRY_ISNULL)
		return JENTRY_ISNULL;
	if (!JsonbElementIsArray(cell))
		ReportNotDocument(FORMAT_JSONB, NESTED_NOT_ROWS);
	JsonbWalkStart(&rows, cell->data, cell->len);
	WriteRowsAsObjects(out, layout, rows);
	return JENTRY_ISCONTAINER;
}

/* Write the object of the row whose cells are in the layout. */
static void
WriteObject(Output *out, ObjectLayout *layout)
{
	ContainerBuilder object = BeginContainer(out, JB_FOBJECT | layout->nkeys, layout->nkeys * 2);

	check_stack_depth();

	memcpy(out->data + object.entries, layout->entries, layout->nkeys * sizeof(JEntry));
	object.entries += layout->nkeys * sizeof(JEntry);
	object.next = layout->nkeys;
	object.total = layout->keyslen;
	OutAppend(out, layout->keys, layout->keyslen);
	for (int i = 0; i < layout->nkeys; i++)
	{
		int			col = layout->columns[i];
		const JsonbElement *cell = &layout->cells[col];
		Size		start = out->len;
		uint32		type = cell->type;

		CHECK_FOR_INTERRUPTS();
		switch (layout->header->cols[col].shape)
		{
			case COLUMN_PLAIN:
				AppendElement(out, cell);
				break;
			case COLUMN_ROW:
				type = WriteRowAsObject(out, layout->nested[col], cell);
				break;
			case COLUMN_ROWS:
				type = WriteNestedRows(out, layout->nested[col], cell);
				break;
		}
		AddEntry(out, &object, type, start);
	}
}

/* A cell of a nested column by itself; the layout is that of its header. */
Jsonb *
CellAsObjects(ObjectLayout *layout, ColumnShape shape, const JsonbElement *cell)
{
	uint32		type;
	Output		out;

	OutInitValue(&out, FORMAT_JSONB, cell->len * 2 + layout->keyslen + 64, CurrentMemoryContext);
	type = shape == COLUMN_ROW ? WriteRowAsObject(&out, layout, cell) :
		WriteNestedRows(&out, layout, cell);
	return type == JENTRY_ISCONTAINER ? OutFinishJsonb(&out) : ElementToJsonb(cell);
}

/* Vectors are walked in step, and a row gathered from them at a time. */
static void
WriteVectorsAsObjects(Output *out, ObjectLayout *layout, const Document *doc)
{
	ContainerBuilder array = BeginArray(out, doc->nrows);

	for (uint32 i = 0; i < doc->nrows; i++)
	{
		Size		start = out->len;

		CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < doc->narrays; j++)
		{
			CHECK_FOR_INTERRUPTS();
			layout->cells[j] = JsonbWalkTake(&doc->arrays[j]);
		}
		WriteObject(out, layout);
		AddEntry(out, &array, JENTRY_ISCONTAINER, start);
	}
}

/* All rows of a document, as an array of objects */
Jsonb *
DocumentToObjects(const Document *doc)
{
	ObjectLayout *layout = ObjectLayoutCreate(doc->header);
	Size		head = layout->keyslen + (layout->nkeys + 2) * sizeof(JEntry);
	Output		out;

	OutInitValue(&out, FORMAT_JSONB,
				 Min(doc->members.cells.len + doc->nrows * head, OutMaxLen(FORMAT_JSONB)),
				 CurrentMemoryContext);
	if (doc->members.by_column)
		WriteVectorsAsObjects(&out, layout, doc);
	else
		WriteRowsAsObjects(&out, layout, doc->arrays[0]);
	return OutFinishJsonb(&out);
}
