/*-------------------------------------------------------------------------
 *
 * valid.c
 *		Is a value a document?
 *
 *		jsonrow_is_valid(jsonb) -> boolean
 *		jsonrow_is_valid(json) -> boolean
 *			True if the value is a document of either orientation: a list of
 *			names at every depth, rows as wide as their header, vectors of one
 *			length, and null or rows where the header says so.  The checks of
 *			the domains jsonrow and jsonrow_json.  NULL gives NULL.
 *
 * For jsonb, this is what DocumentOpen checks, and also what is nested.  For
 * JSON text, the header is read into a tree, and the cells are scanned once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/members.h"
#include "format/json_scan.h"
#include "miscadmin.h"

PG_FUNCTION_INFO_V1(jsonrow_is_valid_jsonb);
PG_FUNCTION_INFO_V1(jsonrow_is_valid_json);

Datum
jsonrow_is_valid_jsonb(PG_FUNCTION_ARGS)
{
	Document	doc;

	PG_RETURN_BOOL(DocumentTryOpen(&doc, PG_GETARG_JSONB_P(0)) == NULL &&
				   DocumentNestedProblem(&doc, 0, doc.nrows) == NULL);
}

/*
 * JSON text; each function consumes what it checks, and more if it is invalid
 */

static bool JsonCellIsValid(JsonScan *scan, const HeaderColumn *column);

static bool
JsonRowIsValid(JsonScan *scan, const Header *header)
{
	int			ncells = 0;
	bool		first = true;

	CHECK_FOR_INTERRUPTS();
	if (JsonScanAcceptNull(scan))
		return true;
	if (!JsonScanAccept(scan, '['))
		return false;
	while (JsonScanNextElement(scan, &first))
		if (ncells == HeaderWidth(header) || !JsonCellIsValid(scan, &header->cols[ncells++]))
			return false;
	return ncells == HeaderWidth(header);
}

static bool
JsonRowsAreValid(JsonScan *scan, const Header *header)
{
	bool		first = true;

	if (!JsonScanAccept(scan, '['))
		return false;
	while (JsonScanNextElement(scan, &first))
		if (!JsonRowIsValid(scan, header))
			return false;
	return true;
}

static bool
JsonCellIsValid(JsonScan *scan, const HeaderColumn *column)
{
	check_stack_depth();

	switch (column->shape)
	{
		case COLUMN_ROW:
			return JsonRowIsValid(scan, column->nested);
		case COLUMN_ROWS:
			return JsonScanAcceptNull(scan) || JsonRowsAreValid(scan, column->nested);
		default:
			JsonScanPass(scan);
			return true;
	}
}

/* Check one vector; returns its length, or -1 if it is invalid. */
static int64
JsonVectorLength(JsonScan *scan, const HeaderColumn *column)
{
	int64		ncells = 0;
	bool		first = true;

	if (!JsonScanAccept(scan, '['))
		return -1;
	while (JsonScanNextElement(scan, &first))
	{
		CHECK_FOR_INTERRUPTS();
		if (!JsonCellIsValid(scan, column))
			return -1;
		ncells++;
	}
	return ncells;
}

static bool
JsonVectorsAreValid(JsonScan *scan, const Header *header)
{
	int64		nrows = 0;
	int			ncols = 0;
	bool		first = true;

	if (!JsonScanAccept(scan, '['))
		return false;
	while (JsonScanNextElement(scan, &first))
	{
		int64		len;

		if (ncols == HeaderWidth(header))
			return false;
		len = JsonVectorLength(scan, &header->cols[ncols]);
		if (len < 0 || (ncols > 0 && len != nrows))
			return false;
		nrows = len;
		ncols++;
	}
	return ncols == HeaderWidth(header);
}

Datum
jsonrow_is_valid_json(PG_FUNCTION_ARGS)
{
	text	   *doc = PG_GETARG_TEXT_PP(0);
	DocumentMembers members;
	JsonScan	cells = {0};
	Header	   *header;

	if (MembersFindInJson(&members, VARDATA_ANY(doc), VARSIZE_ANY_EXHDR(doc), NULL) != NULL ||
		!HeaderScan(members.cols.data, members.cols.len, &header))
		PG_RETURN_BOOL(false);
	cells.p = members.cells.data;
	cells.end = members.cells.data + members.cells.len;
	PG_RETURN_BOOL(members.by_column ? JsonVectorsAreValid(&cells, header) :
				   JsonRowsAreValid(&cells, header));
}
