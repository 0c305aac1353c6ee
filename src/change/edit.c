/*-------------------------------------------------------------------------
 *
 * edit.c
 *		Documents changed by rows and cells.
 *
 * Rows and columns count from 0, or from the end if negative.  A row or column
 * that doesn't exist leaves the document as it is, like a path that leads
 * nowhere in jsonb_set.  All are strict: NULL gives NULL.  The result has the
 * orientation of the document, and is byte for byte what jsonb_set,
 * jsonb_insert or #- would have built.
 *
 * Errors: a value that is no document; a row or cell that doesn't fit the
 * header; the number of a column as text, if no column has that name; a result
 * over jsonb's 2^28 - 1 bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "change/splice.h"
#include "common/int.h"
#include "document/document.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(jsonrow_set_name);
PG_FUNCTION_INFO_V1(jsonrow_set_index);
PG_FUNCTION_INFO_V1(jsonrow_append);
PG_FUNCTION_INFO_V1(jsonrow_delete);
PG_FUNCTION_INFO_V1(jsonrow_slice);

pg_noreturn static void
ReportUnfitCell(const HeaderColumn *column)
{
	const char *cells = NumberOfCells(HeaderWidth(column->nested));

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("value does not fit column \"%.*s\"", column->namelen, column->name),
			 column->shape == COLUMN_ROW ?
			 errdetail("A cell of this column is null, or a row of %s.", cells) :
			 errdetail("A cell of this column is null, or an array of rows of %s.", cells)));
}

/* What a document may grow by, beyond the value that is put in */
#define GROWTH		32

/* Open the document; all of its rows will stay. */
static void
OpenForEdit(Document *doc, FunctionCallInfo fcinfo, Size growth)
{
	DocumentOpenEditable(doc, fcinfo, growth);
	DocumentCheckNested(doc, fcinfo, 0, 0, doc->nrows);
}

/*
 * Replace a cell.  In either orientation it is an element of an element of the
 * document's array.  That inner array is rebuilt, and replaced.
 */
static Datum
SetCell(FunctionCallInfo fcinfo, const Document *doc, int col,
		const JsonbElement *value)
{
	int64		row = PositionOf(PG_GETARG_INT64(1), doc->nrows);
	bool		by_column = doc->members.by_column;
	int64		outer = by_column ? col : row;
	int64		inner = by_column ? row : col;
	JsonbWalk	walk;
	JsonbElement array;
	Splice		splice = {0};

	if (row < 0 || col < 0)
		return PG_GETARG_DATUM(0);
	if (!JsonbCellIsValid(value, &doc->header->cols[col]))
		ReportUnfitCell(&doc->header->cols[col]);

	JsonbWalkStart(&walk, doc->members.cells.data, doc->members.cells.len);
	array = JsonbWalkTakeAt(&walk, outer);
	if (array.type == JENTRY_ISNULL)	/* a row that is null has no cells */
		return PG_GETARG_DATUM(0);
	JsonbWalkStart(&walk, array.data, array.len);
	splice.to = inner;
	splice.inserted = value;
	splice.resume = inner + 1;
	array = SplicedArray(&walk, &splice);
	splice.to = outer;
	splice.inserted = &array;
	splice.resume = outer + 1;
	return JsonbPGetDatum(SpliceCells(doc, &splice));
}

/*
 * jsonrow_set(doc jsonb, row bigint, col text, value jsonb) -> jsonrow
 *		The document with one cell replaced.  A nested column takes rows by
 *		position: the nested document without its header.
 */
Datum
jsonrow_set_name(PG_FUNCTION_ARGS)
{
	text	   *name = PG_GETARG_TEXT_PP(2);
	JsonbElement value = JsonbRootElement(PG_GETARG_JSONB_P(3));
	Document	doc;

	int			col;

	OpenForEdit(&doc, fcinfo, value.len + GROWTH);
	col = HeaderColumnNamed(doc.header, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	if (col < 0)
		CheckUnknownColumn(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), doc.header->ncols);
	return SetCell(fcinfo, &doc, col, &value);
}

/* jsonrow_set(doc jsonb, row bigint, col bigint, value jsonb) -> jsonrow */
Datum
jsonrow_set_index(PG_FUNCTION_ARGS)
{
	JsonbElement value = JsonbRootElement(PG_GETARG_JSONB_P(3));
	Document	doc;

	OpenForEdit(&doc, fcinfo, value.len + GROWTH);
	return SetCell(fcinfo, &doc, PositionOf(PG_GETARG_INT64(2), doc.header->ncols), &value);
}

/*
 * jsonrow_append(doc jsonb, row jsonb) -> jsonrow
 *		The document with one more row at its end: an array of one cell per
 *		column, or null.
 */
Datum
jsonrow_append(PG_FUNCTION_ARGS)
{
	JsonbElement row = JsonbRootElement(PG_GETARG_JSONB_P(1));
	Document	doc;
	JsonbElement *cells;
	Splice		splice = {0};

	OpenForEdit(&doc, fcinfo, row.len + GROWTH);
	if (!RowFits(&row, doc.header->ncols))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("row does not fit the document"),
				 errdetail("A row of this document is an array of %s, or null.",
						   NumberOfCells(doc.header->ncols))));
	cells = palloc(doc.header->ncols * sizeof(JsonbElement));
	TakeCells(&row, doc.header->ncols, cells);
	for (int i = 0; i < doc.header->ncols; i++)
		if (!JsonbCellIsValid(&cells[i], &doc.header->cols[i]))
			ReportUnfitCell(&doc.header->cols[i]);
	splice.to = splice.resume = doc.nrows;
	splice.inserted = doc.members.by_column ? cells : &row;
	PG_RETURN_JSONB_P(SpliceRows(&doc, &splice));
}

/*
 * jsonrow_delete(doc jsonb, row bigint) -> jsonrow
 *		The document without one row.
 */
Datum
jsonrow_delete(PG_FUNCTION_ARGS)
{
	Document	doc;
	int64		row;
	Splice		splice = {0};

	OpenForEdit(&doc, fcinfo, 0);
	row = PositionOf(PG_GETARG_INT64(1), doc.nrows);
	if (row < 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	splice.to = row;
	splice.resume = row + 1;
	PG_RETURN_JSONB_P(SpliceRows(&doc, &splice));
}

/*
 * jsonrow_slice(doc jsonb, first bigint, count bigint) -> jsonrow
 *		A document of count rows starting with row first, or of as many as
 *		there are.  Error: a negative count.
 */
Datum
jsonrow_slice(PG_FUNCTION_ARGS)
{
	int64		first = PG_GETARG_INT64(1);
	int64		count = PG_GETARG_INT64(2);
	Document	doc;
	int64		end;
	Splice		splice = {0};

	if (count < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of rows must not be negative")));
	DocumentOpenEditable(&doc, fcinfo, 0);
	if (first < 0)
		first += doc.nrows;
	if (pg_add_s64_overflow(first, count, &end))
		end = doc.nrows;
	end = Min(Max(end, 0), doc.nrows);
	first = Min(Max(first, 0), end);
	DocumentCheckNested(&doc, fcinfo, 0, first, end);
	splice.from = first;
	splice.to = end;
	splice.resume = doc.nrows;
	PG_RETURN_JSONB_P(SpliceRows(&doc, &splice));
}
