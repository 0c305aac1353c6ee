/*-------------------------------------------------------------------------
 *
 * objects_json.c
 *		The rows of a JSON text document as objects, in JSON text.
 *
 * Names and cells are copied as they are, so even what jsonb could not hold is
 * kept.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/objects.h"
#include "document/orientation.h"
#include "format/json_scan.h"
#include "miscadmin.h"

static void AppendRows(Output *out, JsonScan *scan, const Header *header);
static void AppendRow(Output *out, JsonScan *scan, const Header *header);

/*
 * Copy a null that stands for a row or an array of rows; false if it isn't
 * null.
 */
static bool
AppendedNull(Output *out, JsonScan *scan)
{
	bool		null = JsonScanAcceptNull(scan);

	if (null)
		OutAppend(out, "null", 4);
	return null;
}

static void
AppendCell(Output *out, JsonScan *scan, const HeaderColumn *column)
{
	const char *value;
	Size		len;

	OutAppendChar(out, '"');
	OutAppend(out, column->name, column->namelen);
	OutAppend(out, "\":", 2);
	switch (column->shape)
	{
		case COLUMN_PLAIN:
			JsonScanValue(scan, &value, &len);
			OutAppend(out, value, len);
			break;
		case COLUMN_ROW:
			AppendRow(out, scan, column->nested);
			break;
		case COLUMN_ROWS:
			AppendRows(out, scan, column->nested);
			break;
	}
}

static void
AppendRow(Output *out, JsonScan *scan, const Header *header)
{
	bool		first = true;
	int			ncols = 0;

	check_stack_depth();
	if (AppendedNull(out, scan))
		return;
	if (JsonScanAccept(scan, '['))
	{
		OutAppendChar(out, '{');
		while (JsonScanNextElement(scan, &first) && ncols < HeaderWidth(header))
		{
			if (ncols > 0)
				OutAppendChar(out, ',');
			AppendCell(out, scan, &header->cols[ncols++]);
		}
		OutAppendChar(out, '}');
		if (scan->p[-1] == ']' && ncols == HeaderWidth(header))
			return;
	}
	ReportNotDocument(FORMAT_JSON, BadNestedRow(HeaderWidth(header)));
}

static void
AppendRows(Output *out, JsonScan *scan, const Header *header)
{
	bool		first = true;

	if (AppendedNull(out, scan))
		return;
	if (!JsonScanAccept(scan, '['))
		ReportNotDocument(FORMAT_JSON, NESTED_NOT_ROWS);
	OutAppendChar(out, '[');
	for (int i = 0; JsonScanNextElement(scan, &first); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendChar(out, ',');
		AppendRow(out, scan, header);
	}
	OutAppendChar(out, ']');
}

/* Append all rows of a document, as an array of objects. */
void
AppendObjectsOfJson(Output *out, const char *doc, Size len)
{
	DocumentMembers members;
	Header	   *header;
	Output		rows;
	JsonScan	scan;
	const char *problem = MembersFindInJson(&members, doc, len, NULL);

	if (problem == NULL && !HeaderScan(members.cols.data, members.cols.len, &header))
		problem = NOT_NAMES;
	if (problem)
		ReportNotDocument(FORMAT_JSON, problem);
	JsonScanStart(&scan, members.cells.data, members.cells.len);
	if (members.by_column)
	{
		OutInit(&rows, FORMAT_JSON, members.cells.len + 64, CurrentMemoryContext);
		WriteTransposed(&rows, &members);
		JsonScanStart(&scan, rows.data, rows.len);
	}
	AppendRows(out, &scan, header);
}
