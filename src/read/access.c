/*-------------------------------------------------------------------------
 *
 * access.c
 *		Cells, rows and columns, read from a document.
 *
 * doc is any jsonb that holds a document of either orientation.  Rows and
 * columns count from 0, or from the end if negative, as with ->. If several
 * columns have the same name, the first one is found.  A row or column that
 * doesn't exist gives NULL, and so does a NULL argument.  A cell of a nested
 * column is its rows, by position.
 *
 * Errors: a value that is no document, as far as that is noticed; a damaged
 * one; the number of a column as text, if no column has that name.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "document/document.h"
#include "document/objects.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/reader.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

PG_FUNCTION_INFO_V1(jsonrow_get_name);
PG_FUNCTION_INFO_V1(jsonrow_get_index);
PG_FUNCTION_INFO_V1(jsonrow_get_text_name);
PG_FUNCTION_INFO_V1(jsonrow_get_text_index);
PG_FUNCTION_INFO_V1(jsonrow_row);
PG_FUNCTION_INFO_V1(jsonrow_object);
PG_FUNCTION_INFO_V1(jsonrow_col_name);
PG_FUNCTION_INFO_V1(jsonrow_col_index);
PG_FUNCTION_INFO_V1(jsonrow_find_name);
PG_FUNCTION_INFO_V1(jsonrow_find_index);
PG_FUNCTION_INFO_V1(jsonrow_cols);
PG_FUNCTION_INFO_V1(jsonrow_count);
PG_FUNCTION_INFO_V1(jsonrow_path_name);
PG_FUNCTION_INFO_V1(jsonrow_path_index);

/*
 * Cells
 */

/* A position that is given by a name or a number: see PositionOf */
static int64
ColumnArgument(FunctionCallInfo fcinfo, int arg, bool by_name, Reader *reader)
{
	if (by_name)
		return ReaderColumnNamed(reader, PG_GETARG_TEXT_PP(arg));
	return ReaderColumnAt(reader, PG_GETARG_INT64(arg));
}

/* Read the cell that arguments 1 and 2 name; false if there is none. */
static bool
CellArgument(FunctionCallInfo fcinfo, bool by_name, Reader *reader, JsonbElement *cell)
{
	int64		row,
				col;

	ReaderOpen(reader, PG_GETARG_DATUM(0), ReachOfRow(PG_GETARG_INT64(1)));
	row = PositionOf(PG_GETARG_INT64(1), reader->nrows);
	col = ColumnArgument(fcinfo, 2, by_name, reader);
	return row >= 0 && col >= 0 && ReaderCell(reader, row, col, cell);
}

static Datum
Get(FunctionCallInfo fcinfo, bool by_name, bool as_text)
{
	Reader		reader;
	JsonbElement cell;
	void	   *result = NULL;

	if (CellArgument(fcinfo, by_name, &reader, &cell))
		result = as_text ? (void *) ElementToText(&cell) : ElementToJsonb(&cell);
	ReaderClose(&reader);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

/*
 * jsonrow_get(doc jsonb, row bigint, col text) -> jsonb
 *		One cell.  A row that is null has none: NULL.
 */
Datum
jsonrow_get_name(PG_FUNCTION_ARGS)
{
	return Get(fcinfo, true, false);
}

/* jsonrow_get(doc jsonb, row bigint, col bigint) -> jsonb */
Datum
jsonrow_get_index(PG_FUNCTION_ARGS)
{
	return Get(fcinfo, false, false);
}

/*
 * jsonrow_get_text(doc jsonb, row bigint, col text) -> text
 *		One cell as text, as ->> gives it: a JSON null is NULL.
 */
Datum
jsonrow_get_text_name(PG_FUNCTION_ARGS)
{
	return Get(fcinfo, true, true);
}

/* jsonrow_get_text(doc jsonb, row bigint, col bigint) -> text */
Datum
jsonrow_get_text_index(PG_FUNCTION_ARGS)
{
	return Get(fcinfo, false, true);
}

/*
 * Rows
 */

static Datum
Row(FunctionCallInfo fcinfo, bool as_object)
{
	Reader		reader;
	int64		row;
	Jsonb	   *result = NULL;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), ReachOfRow(PG_GETARG_INT64(1)));
	row = PositionOf(PG_GETARG_INT64(1), reader.nrows);
	if (row >= 0)
	{
		ObjectLayout *layout = as_object ? ObjectLayoutCreate(ReaderHeader(&reader)) : NULL;
		JsonbElement element = ReaderRow(&reader, row);

		result = as_object ? CellAsObjects(layout, COLUMN_ROW, &element) : ElementToJsonb(&element);
	}
	ReaderClose(&reader);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result);
}

/*
 * jsonrow_row(doc jsonb, row bigint) -> jsonb
 *		One row, by position, as an array of its cells; null for a row that is
 *		null.
 */
Datum
jsonrow_row(PG_FUNCTION_ARGS)
{
	return Row(fcinfo, false);
}

/*
 * jsonrow_object(doc jsonb, row bigint) -> jsonb
 *		One row as an object, with the names of nested columns, too; null for a
 *		row that is null.  The row counts from 0, or from the end if negative;
 *		NULL if it doesn't exist.
 */
Datum
jsonrow_object(PG_FUNCTION_ARGS)
{
	return Row(fcinfo, true);
}

/*
 * Columns
 */

/* A column of a row-oriented document, its cells one after the other */
static Jsonb *
GatherColumn(Reader *reader, uint32 col)
{
	ColumnWalk	walk;
	JsonbElement cell;
	ContainerBuilder array;
	Output		out;

	ColumnWalkStart(&walk, reader, col);
	OutInitValue(&out, FORMAT_JSONB, 256 + (Size) reader->nrows * 16, CurrentMemoryContext);
	array = BeginArray(&out, reader->nrows);
	while (ColumnWalkNext(&walk, &cell))
	{
		CHECK_FOR_INTERRUPTS();
		AddElement(&out, &array, &cell);
	}
	return OutFinishJsonb(&out);
}

static Datum
Column(FunctionCallInfo fcinfo, bool by_name)
{
	Reader		reader;
	int64		col;
	Jsonb	   *result = NULL;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), REACH_HEADER);
	col = ColumnArgument(fcinfo, 1, by_name, &reader);
	if (col >= 0 && reader.by_column)
	{
		JsonbElement vector = ReaderVector(&reader, col);

		result = ElementToJsonb(&vector);
	}
	else if (col >= 0)
		result = GatherColumn(&reader, col);
	ReaderClose(&reader);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result);
}

/*
 * jsonrow_col(doc jsonb, col text) -> jsonb
 *		One column, as an array of its cells; null in a row that is null.
 */
Datum
jsonrow_col_name(PG_FUNCTION_ARGS)
{
	return Column(fcinfo, true);
}

/* jsonrow_col(doc jsonb, col bigint) -> jsonb */
Datum
jsonrow_col_index(PG_FUNCTION_ARGS)
{
	return Column(fcinfo, false);
}

static Datum
Find(FunctionCallInfo fcinfo, bool by_name)
{
	JsonbElement value = JsonbRootElement(PG_GETARG_JSONB_P(2));
	Reader		reader;
	int64		col;
	int64		found = -1;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), REACH_ALL);
	col = ColumnArgument(fcinfo, 1, by_name, &reader);
	if (col >= 0)
	{
		ColumnWalk	walk;
		JsonbElement cell;

		ColumnWalkStart(&walk, &reader, col);
		while (found < 0 && ColumnWalkNext(&walk, &cell))
		{
			CHECK_FOR_INTERRUPTS();
			if (!walk.no_cell && JsonbElementEqual(&cell, &value))
				found = walk.array.next - 1;
		}
	}
	ReaderClose(&reader);
	if (found < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(found);
}

/*
 * jsonrow_find(doc jsonb, col text, value jsonb) -> int
 *		The first row whose cell equals the value, by jsonb's operator =; NULL
 *		if there is none.
 */
Datum
jsonrow_find_name(PG_FUNCTION_ARGS)
{
	return Find(fcinfo, true);
}

/* jsonrow_find(doc jsonb, col bigint, value jsonb) -> int */
Datum
jsonrow_find_index(PG_FUNCTION_ARGS)
{
	return Find(fcinfo, false);
}

/*
 * The document
 */

/*
 * jsonrow_cols(doc jsonb) -> text[]
 *		The names of the columns; for nested ones, the outer name.
 */
Datum
jsonrow_cols(PG_FUNCTION_ARGS)
{
	Reader		reader;
	JsonbWalk	names;
	JsonbElement name;
	Datum	   *values;
	int			n = 0;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), REACH_HEADER);
	names = ReaderNames(&reader);
	values = palloc(mul_size(names.count, sizeof(Datum)));
	while (JsonbWalkNext(&names, &name))
	{
		CHECK_FOR_INTERRUPTS();
		TakeName(&name);
		values[n++] = PointerGetDatum(cstring_to_text_with_len(name.data, name.len));
	}
	ReaderClose(&reader);
	PG_RETURN_ARRAYTYPE_P(construct_array(values, n, TEXTOID, -1, false, TYPALIGN_INT));
}

/*
 * jsonrow_count(doc jsonb) -> int
 *		The number of rows.
 */
Datum
jsonrow_count(PG_FUNCTION_ARGS)
{
	Reader		reader;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), REACH_HEADER);
	ReaderClose(&reader);
	PG_RETURN_INT32(reader.nrows);
}

/* {rows,row,col} or {vals,col,row} */
static Datum
PathTo(const Reader *reader, int64 row, int64 col)
{
	Datum		row_step = PointerGetDatum(cstring_to_text(psprintf(INT64_FORMAT, row)));
	Datum		col_step = PointerGetDatum(cstring_to_text(psprintf(INT64_FORMAT, col)));
	Datum		steps[3];

	steps[0] = PointerGetDatum(cstring_to_text(reader->by_column ? "vals" : "rows"));
	steps[1] = reader->by_column ? col_step : row_step;
	steps[2] = reader->by_column ? row_step : col_step;
	PG_RETURN_ARRAYTYPE_P(construct_array(steps, 3, TEXTOID, -1, false, TYPALIGN_INT));
}

static Datum
CellPath(FunctionCallInfo fcinfo, bool by_name)
{
	Reader		reader;
	int64		row,
				col;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), REACH_HEADER);
	row = PositionOf(PG_GETARG_INT64(1), reader.nrows);
	col = ColumnArgument(fcinfo, 2, by_name, &reader);
	ReaderClose(&reader);
	if (row < 0 || col < 0)
		PG_RETURN_NULL();
	return PathTo(&reader, row, col);
}

/*
 * jsonrow_path(doc jsonb, row bigint, col text) -> text[]
 *		The path of a cell for #>, #>>, jsonb_set and subscripting, as in
 *		{rows,3,1}.
 */
Datum
jsonrow_path_name(PG_FUNCTION_ARGS)
{
	return CellPath(fcinfo, true);
}

/* jsonrow_path(doc jsonb, row bigint, col bigint) -> text[] */
Datum
jsonrow_path_index(PG_FUNCTION_ARGS)
{
	return CellPath(fcinfo, false);
}
