/*-------------------------------------------------------------------------
 *
 * header_resolve.c
 *		What a header's text leaves open, determined from the rows under it.
 *
 * A nested header that is written as [] isn't known, unless there are rows
 * under it: then it has no columns.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/header.h"
#include "format/json_scan.h"
#include "miscadmin.h"

/*
 * jsonb
 */

static void ResolveRow(Header *header, const JsonbElement *row);

static void
ResolveNested(HeaderColumn *column, const JsonbElement *row)
{
	if (row->type == JENTRY_ISNULL)
		return;
	if (column->nested == NULL)
		column->nested = HeaderCreate(0);
	else
		ResolveRow(column->nested, row);
}

static void
ResolveCell(HeaderColumn *column, const JsonbElement *cell)
{
	JsonbWalk	rows;
	JsonbElement row;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (!HeaderColumnIsIncomplete(column))
		return;
	if (column->shape == COLUMN_ROW)
		ResolveNested(column, cell);
	else if (JsonbElementIsArray(cell))
	{
		JsonbWalkStart(&rows, cell->data, cell->len);
		while (JsonbWalkNext(&rows, &row))
		{
			CHECK_FOR_INTERRUPTS();
			ResolveNested(column, &row);
		}
	}
}

static void
ResolveRow(Header *header, const JsonbElement *row)
{
	JsonbWalk	cells;
	JsonbElement cell;

	if (!JsonbElementIsArray(row))
		return;
	JsonbWalkStart(&cells, row->data, row->len);
	for (int i = 0; i < header->ncols && JsonbWalkNext(&cells, &cell); i++)
		ResolveCell(&header->cols[i], &cell);
}

/*
 * Resolve the header of a document from its rows or, in a column-oriented
 * document, the cells of each column.
 */
void
HeaderResolve(Header *header, bool by_column, const JsonbWalk *arrays)
{
	JsonbElement element;

	for (int i = 0; i < (by_column ? header->ncols : 1); i++)
	{
		JsonbWalk	walk = arrays[i];

		while (JsonbWalkNext(&walk, &element))
		{
			CHECK_FOR_INTERRUPTS();
			if (by_column)
				ResolveCell(&header->cols[i], &element);
			else
				ResolveRow(header, &element);
		}
	}
	HeaderUpdateAll(header);
}

/*
 * JSON text; each function consumes what it looks at
 */

static void ResolveJsonRow(Header *header, JsonScan *scan);

/* Enter an array; anything else is consumed, and false is returned. */
static bool
EnterJsonArray(JsonScan *scan)
{
	if (JsonScanAccept(scan, '['))
		return true;
	JsonScanPass(scan);
	return false;
}

static void
ResolveNestedJson(HeaderColumn *column, JsonScan *row)
{
	if (JsonScanPeek(row) != '[')
		JsonScanPass(row);
	else if (column->nested != NULL)
		ResolveJsonRow(column->nested, row);
	else
	{
		column->nested = HeaderCreate(0);
		JsonScanPass(row);
	}
}

static void
ResolveJsonCell(HeaderColumn *column, JsonScan *cell)
{
	bool		first = true;

	check_stack_depth();
	if (!HeaderColumnIsIncomplete(column))
		JsonScanPass(cell);
	else if (column->shape == COLUMN_ROW)
		ResolveNestedJson(column, cell);
	else if (EnterJsonArray(cell))
		while (JsonScanNextElement(cell, &first))
			ResolveNestedJson(column, cell);
}

static void
ResolveJsonRow(Header *header, JsonScan *row)
{
	bool		first = true;

	if (!EnterJsonArray(row))
		return;
	for (int i = 0; JsonScanNextElement(row, &first); i++)
	{
		if (i < header->ncols)
			ResolveJsonCell(&header->cols[i], row);
		else
			JsonScanPass(row);
	}
}

/* The cells of one column, up to the end of their array, or of the text */
static void
ResolveJsonVector(HeaderColumn *column, JsonScan *cells)
{
	bool		first = true;

	while (JsonScanPeek(cells) != '\0' && JsonScanNextElement(cells, &first))
		ResolveJsonCell(column, cells);
}

/* Rows, likewise */
static void
ResolveJsonRows(Header *header, JsonScan *rows)
{
	bool		first = true;

	while (JsonScanPeek(rows) != '\0' && JsonScanNextElement(rows, &first))
		ResolveJsonRow(header, rows);
}

/* HeaderResolve, for the member "rows" or "vals" of a document that is text */
void
HeaderResolveJson(Header *header, bool by_column, const char *cells, Size len)
{
	JsonScan	scan = {cells, cells + len};
	bool		first = true;

	JsonScanAccept(&scan, '[');
	if (!by_column)
		ResolveJsonRows(header, &scan);
	else
		for (int i = 0; JsonScanNextElement(&scan, &first); i++)
		{
			if (i >= header->ncols)
				JsonScanPass(&scan);
			else if (EnterJsonArray(&scan))
				ResolveJsonVector(&header->cols[i], &scan);
		}
	HeaderUpdateAll(header);
}

/*
 * The same for rows, or the cells of each column, that are being collected:
 * there are no brackets around them.
 */
void
HeaderResolveElements(Header *header, bool by_column, const Output *arrays)
{
	for (int i = 0; i < (by_column ? header->ncols : 1); i++)
	{
		JsonScan	scan = {arrays[i].data, arrays[i].data + arrays[i].len};

		if (by_column)
			ResolveJsonVector(&header->cols[i], &scan);
		else
			ResolveJsonRows(header, &scan);
	}
	HeaderUpdateAll(header);
}
