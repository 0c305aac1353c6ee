/*-------------------------------------------------------------------------
 *
 * objects.c
 *		The rows of a document as objects.
 *
 * All rows under one header have the same keys, so what comes before the
 * values of an object is made once and copied.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/object_keys.h"
#include "document/objects.h"
#include "miscadmin.h"

/* How the rows under one header become objects */
struct ObjectLayout
{
	const Header *header;		/* NULL if unknown: then rows have no cells */
	int			ncols;
	ObjectKeys	keys;
	ObjectLayout **nested;		/* of each column that isn't plain */
	JsonbElement *cells;		/* room for one row */
};

ObjectLayout *
ObjectLayoutCreate(const Header *header)
{
	ObjectLayout *layout = palloc0(sizeof(ObjectLayout));

	check_stack_depth();

	layout->header = header;
	layout->ncols = HeaderWidth(header);
	layout->nested = palloc0(layout->ncols * sizeof(ObjectLayout *));
	layout->cells = palloc(layout->ncols * sizeof(JsonbElement));
	ObjectKeysInit(&layout->keys, header);
	for (int i = 0; i < layout->keys.nkeys; i++)
	{
		int			col = layout->keys.columns[i];

		CHECK_FOR_INTERRUPTS();
		if (header->cols[col].shape != COLUMN_PLAIN)
			layout->nested[col] = ObjectLayoutCreate(header->cols[col].nested);
	}
	return layout;
}

static void WriteObject(Output *out, ObjectLayout *layout);

/* Take a row apart; false if it is null. */
static bool
TakeRow(ObjectLayout *layout, const JsonbElement *row)
{
	CHECK_FOR_INTERRUPTS();
	if (!RowFits(row, layout->ncols))
		ReportNotDocument(FORMAT_JSONB, BadNestedRow(layout->ncols));
	if (row->type == JENTRY_ISNULL)
		return false;
	TakeCells(row, layout->ncols, layout->cells);
	return true;
}

/* Write a row as an object, or null; returns its type. */
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
	ContainerBuilder object = BeginObject(out, &layout->keys);

	check_stack_depth();

	for (int i = 0; i < layout->keys.nkeys; i++)
	{
		int			col = layout->keys.columns[i];
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

	OutInitValue(&out, FORMAT_JSONB, cell->len * 2 + layout->keys.framelen + 64, CurrentMemoryContext);
	type = shape == COLUMN_ROW ? WriteRowAsObject(&out, layout, cell) :
		WriteNestedRows(&out, layout, cell);
	return type == JENTRY_ISCONTAINER ? OutFinishJsonb(&out) : ElementToJsonb(cell);
}

/* Vectors are walked in step, and one row at a time is collected from them. */
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

/* Append all rows of a document, as an array of objects. */
void
AppendObjects(Output *out, ObjectLayout *layout, const Document *doc)
{
	if (doc->members.by_column)
		WriteVectorsAsObjects(out, layout, doc);
	else
		WriteRowsAsObjects(out, layout, doc->arrays[0]);
}

/* The same as a value */
Jsonb *
DocumentToObjects(const Document *doc)
{
	ObjectLayout *layout = ObjectLayoutCreate(doc->header);
	Output		out;

	OutInitValue(&out, FORMAT_JSONB,
				 Min(doc->members.cells.len + doc->nrows * layout->keys.framelen,
					 OutMaxLen(FORMAT_JSONB)),
				 CurrentMemoryContext);
	AppendObjects(&out, layout, doc);
	return OutFinishJsonb(&out);
}
