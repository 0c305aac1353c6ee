/*-------------------------------------------------------------------------
 *
 * reader.c
 *		A stored document, read only as far as needed.
 *
 * The header comes first in the value.  In an array, the JEntries near an
 * element tell where it is: every 32nd holds an offset, so no more than 33 are
 * examined.  A cell takes three reads, however large the document is: the
 * value's beginning, a window of the entries, and the row.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/members.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/reader.h"

/* A row up to this size is read at once, a larger one only where needed. */
#define SMALL_ROW_SIZE	4096

/* Finding a cell in a vector takes as long as fetching this many bytes */
#define VECTOR_WORTH	(128 * 1024)

/* How much more than was guessed is decompressed */
#define EXPECT_MORE		4096

/* Enter an element that should be an array; false if it isn't. */
static bool
EnterArray(JsonbWalk *walk, const JsonbWalk *outer, const JsonbElement *element)
{
	if (element->type != JENTRY_ISCONTAINER)
		return false;
	JsonbWalkEnter(walk, outer, element);
	return JsonbWalkIsArray(walk);
}

/* A whole array, regardless of where the walk is in it */
static JsonbElement
WholeArray(const JsonbWalk *array)
{
	Size		len = JsonbWalkHeadSize(array) + array->baselen;

	return JsonbElementOf(JENTRY_ISCONTAINER, array->bytes ? BytesAt(array->bytes, array->start, len) : array->entries - sizeof(uint32), len);
}

/* Open a document that will be read up to reach. */
void
ReaderOpen(Reader *reader, Datum doc, Size reach)
{
	JsonbWalk	root;
	DocumentMembers members;
	JsonbElement vector;
	JsonbWalk	first;
	const char *missing;

	BytesOpen(&reader->bytes, doc, reach);
	JsonbWalkStartAt(&root, &reader->bytes, 0, reader->bytes.size);
	missing = MembersFind(&members, &root);
	if (missing)
		ReportNotDocument(FORMAT_JSONB, missing);
	reader->by_column = members.by_column;
	JsonbWalkEnter(&reader->cols, &root, &members.cols);
	JsonbWalkEnter(&reader->cells, &root, &members.cells);
	reader->nrows = reader->cells.count;
	if (!reader->by_column)
		return;

	if (reader->cells.count != reader->cols.count)
		ReportNotDocument(FORMAT_JSONB,
						  VectorCountDiffers(reader->cells.count, reader->cols.count));
	if (reader->cells.count > 0)
	{
		vector = JsonbWalkTakeAt(&reader->cells, 0);
		if (!EnterArray(&first, &reader->cells, &vector))
			ReportNotDocument(FORMAT_JSONB, VectorNotArray(0));
		reader->nrows = first.count;
	}
}

void
ReaderClose(Reader *reader)
{
	BytesClose(&reader->bytes);
}

/*
 * Columns and rows by name and number
 */

/* The header as a tree */
Header *
ReaderHeader(Reader *reader)
{
	JsonbElement cols = WholeArray(&reader->cols);

	return HeaderRequire(&cols, FORMAT_JSONB);
}

/* The names, to be walked; each is passed to TakeName. */
JsonbWalk
ReaderNames(Reader *reader)
{
	JsonbElement cols = WholeArray(&reader->cols);
	JsonbWalk	names;

	JsonbWalkStart(&names, cols.data, cols.len);
	return names;
}

/* TakeName, of a column that isn't plain */
void
TakeNestedName(JsonbElement *element)
{
	JsonbElement name;
	JsonbElement nested;

	if (!JsonbOnlyMember(element, &name, &nested) || !JsonbElementIsArray(&nested))
		ReportNotDocument(FORMAT_JSONB, NOT_NAMES);
	*element = name;
}

/* The first column with a name, or -1; error if it is a column's number */
int
ReaderColumnNamed(Reader *reader, const text *name)
{
	JsonbWalk	names = ReaderNames(reader);
	JsonbElement candidate;

	for (int i = 0; JsonbWalkNext(&names, &candidate); i++)
	{
		CHECK_FOR_INTERRUPTS();
		TakeName(&candidate);
		if (candidate.len == VARSIZE_ANY_EXHDR(name) &&
			memcmp(candidate.data, VARDATA_ANY(name), candidate.len) == 0)
			return i;
	}
	CheckUnknownColumn(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), names.count);
	return -1;
}

/* The column with a number, which may count from the end, or -1 */
int
ReaderColumnAt(Reader *reader, int64 col)
{
	int64		position = PositionOf(col, reader->cols.count);

	if (position >= 0)
	{
		JsonbElement element = JsonbWalkTakeAt(&reader->cols, position);

		JsonbWalkFetch(&reader->cols, &element);
		TakeName(&element);
	}
	return position;
}

/*
 * Cells
 */

/*
 * An element of an array will be read, or at most its first len bytes.  Where
 * it ends is guessed, as if all elements had the same size; in a compressed
 * value, that is how far it is decompressed.
 */
static void
ExpectElement(Reader *reader, Size start, Size len, uint32 count, uint32 index, Size most)
{
	Size		entries = sizeof(uint32) + count * sizeof(JEntry);
	Size		elements = len > entries ? len - entries : 0;
	Size		element = elements / Max(count, 1);

	BytesExpect(&reader->bytes,
				start + entries + element * index + Min(element, most) + EXPECT_MORE);
}

/* One of the vectors of a document, to be read up to a row */
static JsonbWalk
EnterVector(Reader *reader, uint32 index, uint32 row)
{
	JsonbElement element = JsonbWalkTakeAt(&reader->cells, index);
	JsonbWalk	vector;

	if (element.data == NULL)
		ExpectElement(reader, JsonbWalkPlace(&reader->cells, &element), element.len,
					  reader->nrows, row, element.len);
	if (!EnterArray(&vector, &reader->cells, &element))
		ReportNotDocument(FORMAT_JSONB, VectorNotArray(index));
	if (vector.count != reader->nrows)
		ReportNotDocument(FORMAT_JSONB, VECTORS_DIFFER);
	return vector;
}

/*
 * Enter a row's array; no more than this many bytes of it are likely to be
 * read.  False if the row is null.
 */
static bool
EnterRow(Reader *reader, uint32 row, Size most, JsonbWalk *cells)
{
	JsonbWalk  *rows = &reader->cells;
	JsonbElement element;

	if (rows->bytes != NULL)
		ExpectElement(reader, rows->start, JsonbWalkHeadSize(rows) + rows->baselen,
					  reader->nrows, row, most);
	element = JsonbWalkTakeAt(rows, row);
	if (element.type == JENTRY_ISNULL)
		return false;
	if (element.len <= SMALL_ROW_SIZE)
		JsonbWalkFetch(rows, &element);
	if (!EnterArray(cells, rows, &element) || cells->count != reader->cols.count)
		ReportNotDocument(FORMAT_JSONB, BadRow(row, reader->cols.count));
	return true;
}

/* Read a cell; false if the row is null and has none. */
bool
ReaderCell(Reader *reader, uint32 row, uint32 col, JsonbElement *cell)
{
	JsonbWalk	array;

	if (reader->by_column)
		array = EnterVector(reader, col, row);
	else if (!EnterRow(reader, row, SMALL_ROW_SIZE, &array))
		return false;
	*cell = JsonbWalkTakeAt(&array, reader->by_column ? row : col);
	JsonbWalkFetch(&array, cell);
	return true;
}

/*
 * Rows
 */

/* Put a row together from the vectors. */
static JsonbElement
GatherRow(Reader *reader, uint32 row)
{
	uint32		ncols = reader->cols.count;
	ContainerBuilder array;
	Output		out;

	if (!reader->bytes.in_pieces || reader->bytes.size / VECTOR_WORTH < ncols)
		BytesExpectAll(&reader->bytes);
	OutInit(&out, FORMAT_JSONB, 256, CurrentMemoryContext);
	array = BeginArray(&out, ncols);
	for (uint32 i = 0; i < ncols; i++)
	{
		JsonbElement cell = JsonbNull;

		CHECK_FOR_INTERRUPTS();
		ReaderCell(reader, row, i, &cell);
		AddElement(&out, &array, &cell);
	}
	return JsonbElementOf(JENTRY_ISCONTAINER, out.data, out.len);
}

/* Read a row: an array of its cells, or null. */
JsonbElement
ReaderRow(Reader *reader, uint32 row)
{
	JsonbWalk	cells;

	if (reader->by_column)
		return GatherRow(reader, row);
	if (!EnterRow(reader, row, reader->bytes.size, &cells))
		return JsonbNull;
	return WholeArray(&cells);
}

/*
 * Columns
 */

/* A vector of a column-oriented document, whole */
JsonbElement
ReaderVector(Reader *reader, uint32 col)
{
	JsonbWalk	vector = EnterVector(reader, col, reader->nrows);

	return WholeArray(&vector);
}

/*
 * Start at a column's first cell; everything that contains the column is read.
 */
void
ColumnWalkStart(ColumnWalk *walk, Reader *reader, uint32 col)
{
	JsonbElement array = reader->by_column ? ReaderVector(reader, col) : WholeArray(&reader->cells);

	walk->by_column = reader->by_column;
	walk->col = col;
	walk->ncols = reader->cols.count;
	JsonbWalkStart(&walk->array, array.data, array.len);
}

/* Get the next cell, null in a row that is null; false at the end. */
bool
ColumnWalkNext(ColumnWalk *walk, JsonbElement *cell)
{
	JsonbWalk	cells;

	if (!JsonbWalkNext(&walk->array, cell))
		return false;
	walk->no_cell = !walk->by_column && cell->type == JENTRY_ISNULL;
	if (walk->by_column || walk->no_cell)
		return true;
	if (!RowFits(cell, walk->ncols))
		ReportNotDocument(FORMAT_JSONB, BadRow(walk->array.next - 1, walk->ncols));
	JsonbWalkStart(&cells, cell->data, cell->len);
	*cell = JsonbWalkTakeAt(&cells, walk->col);
	return true;
}
