/*-------------------------------------------------------------------------
 *
 * document.c
 *		A finished jsonb document, opened to read all of it or to make another
 *		one from it.
 *
 * An opened document has a header of names, and rows as wide as that or
 * vectors of one length; the cells of nested columns may hold anything.  A
 * function that makes another document from it opens it whole: then these have
 * been checked, too.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/domains.h"
#include "miscadmin.h"

/* "1 cell", "2 cells" */
const char *
NumberOfCells(uint32 ncols)
{
	return psprintf(ncols == 1 ? "%u cell" : "%u cells", ncols);
}

const char *
BadRow(uint32 row, uint32 ncols)
{
	return psprintf("Row %u is neither null nor an array of %s.", row, NumberOfCells(ncols));
}

const char *
BadNestedRow(uint32 ncols)
{
	return psprintf("A row is neither null nor an array of %s.", NumberOfCells(ncols));
}

const char *
VectorNotArray(uint32 vector)
{
	return psprintf("Vector %u is not an array.", vector);
}

const char *
VectorCountDiffers(uint32 vectors, uint32 ncols)
{
	return psprintf("The number of vectors (%u) does not match the number of columns (%u).", vectors, ncols);
}

/*
 * No column has this name.  If it is the number of a column, it was meant as a
 * number but came as text: drivers send parameters without a type, and those
 * are taken as text.  Raise an error then.
 */
void
CheckUnknownColumn(const char *name, Size len, uint32 ncols)
{
	char		number[12];
	char	   *end;
	long		col;

	if (len == 0 || len >= sizeof(number) || !strchr("-0123456789", *name))
		return;
	memcpy(number, name, len);
	number[len] = '\0';
	col = strtol(number, &end, 10);
	if (*end == '\0' && end > number && PositionOf(col, ncols) >= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" does not exist", number),
				 errhint("To refer to a column by its number, pass an integer. Cast a parameter, as in $1::int.")));
}

/* Is it null, or an array of ncols cells? */
bool
RowFits(const JsonbElement *row, uint32 ncols)
{
	uint32		header;

	if (row->type == JENTRY_ISNULL)
		return true;
	if (row->type != JENTRY_ISCONTAINER)
		return false;
	memcpy(&header, row->data, sizeof(header));
	if (header != (JB_FARRAY | ncols))
		return false;
	if (row->len < sizeof(header) + (Size) ncols * sizeof(JEntry))
		ReportCorruptJsonb();
	return true;
}

/* The cells of a row that fits; nulls for a row that is null */
void
TakeCells(const JsonbElement *row, uint32 ncols, JsonbElement *cells)
{
	JsonbWalk	walk;

	if (row->type == JENTRY_ISNULL)
	{
		for (uint32 i = 0; i < ncols; i++)
			cells[i] = *row;
		return;
	}
	JsonbWalkStart(&walk, row->data, row->len);
	for (uint32 i = 0; i < ncols; i++)
		cells[i] = JsonbWalkTake(&walk);
}

/* Are all rows as wide as the header?  Returns what is wrong, or NULL. */
static const char *
RowsProblem(JsonbWalk rows, uint32 ncols)
{
	JsonbElement row;

	for (uint32 i = 0; JsonbWalkNext(&rows, &row); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!RowFits(&row, ncols))
			return BadRow(i, ncols);
	}
	return NULL;
}

/*
 * The vectors of a column-oriented document, which must have the same length.
 * Returns what is wrong, or NULL.
 */
const char *
VectorsOpen(const JsonbElement *vals, JsonbWalk **vectors, uint32 *ncols, uint32 *nrows)
{
	JsonbWalk	walk;
	JsonbElement vector;

	JsonbWalkStart(&walk, vals->data, vals->len);
	*ncols = walk.count;
	*nrows = 0;
	*vectors = palloc(mul_size(*ncols, sizeof(JsonbWalk)));
	for (uint32 i = 0; JsonbWalkNext(&walk, &vector); i++)
	{
		JsonbWalk  *cells = &(*vectors)[i];

		CHECK_FOR_INTERRUPTS();
		if (!JsonbElementIsArray(&vector))
			return VectorNotArray(i);
		JsonbWalkStart(cells, vector.data, vector.len);
		if (i > 0 && cells->count != *nrows)
			return VECTORS_DIFFER;
		*nrows = cells->count;
	}
	return NULL;
}

/*
 * Find the array of rows or, in a column-oriented document, the vectors.
 * Returns what is wrong, or NULL.
 */
static const char *
OpenArrays(Document *doc)
{
	const DocumentMembers *members = &doc->members;
	int			ncols = doc->header->ncols;
	uint32		nvectors;
	const char *problem;

	if (!members->by_column)
	{
		doc->narrays = 1;
		doc->arrays = palloc(sizeof(JsonbWalk));
		JsonbWalkStart(doc->arrays, members->cells.data, members->cells.len);
		doc->nrows = doc->arrays->count;
		return NULL;
	}
	problem = VectorsOpen(&members->cells, &doc->arrays, &nvectors, &doc->nrows);
	if (problem == NULL && nvectors != ncols)
		problem = VectorCountDiffers(nvectors, ncols);
	doc->narrays = ncols;
	return problem;
}

/* Open a document; returns why the value isn't one, or NULL. */
const char *
DocumentTryOpen(Document *doc, const Jsonb *jsonb)
{
	const char *problem;

	memset(doc, 0, sizeof(*doc));
	problem = MembersFindIn(&doc->members, jsonb);
	if (problem == NULL && !HeaderDecode(&doc->members.cols, &doc->header))
		problem = NOT_NAMES;
	if (problem == NULL)
		problem = OpenArrays(doc);
	if (problem == NULL && !doc->members.by_column)
		problem = RowsProblem(doc->arrays[0], doc->header->ncols);
	return problem;
}

/* Open a document, or raise an error if it isn't one. */
void
DocumentOpen(Document *doc, const Jsonb *jsonb)
{
	const char *problem = DocumentTryOpen(doc, jsonb);

	if (problem)
		ReportNotDocument(FORMAT_JSONB, problem);
	AssertCheckHeader(doc->header);
}

/* Does a row fit a header, which may be unknown, at every depth? */
static bool
JsonbRowIsValid(const JsonbElement *row, const Header *header)
{
	JsonbWalk	walk;
	JsonbElement cell;

	CHECK_FOR_INTERRUPTS();
	if (!RowFits(row, HeaderWidth(header)))
		return false;
	if (row->type == JENTRY_ISNULL)
		return true;
	JsonbWalkStart(&walk, row->data, row->len);
	for (int i = 0; JsonbWalkNext(&walk, &cell); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!JsonbCellIsValid(&cell, &header->cols[i]))
			return false;
	}
	return true;
}

static bool
JsonbRowsAreValid(const char *rows, Size len, const Header *header)
{
	JsonbWalk	walk;
	JsonbElement row;

	JsonbWalkStart(&walk, rows, len);
	while (JsonbWalkNext(&walk, &row))
		if (!JsonbRowIsValid(&row, header))
			return false;
	return true;
}

/* Does a cell fit its column, at every depth? */
bool
JsonbCellIsValid(const JsonbElement *cell, const HeaderColumn *column)
{
	check_stack_depth();

	switch (column->shape)
	{
		case COLUMN_ROW:
			return JsonbRowIsValid(cell, column->nested);
		case COLUMN_ROWS:
			return cell->type == JENTRY_ISNULL ||
				(JsonbElementIsArray(cell) &&
				 JsonbRowsAreValid(cell->data, cell->len, column->nested));
		default:
			return true;
	}
}

/*
 * Does what is nested in some rows fit its headers, at every depth?  Returns
 * what is wrong, or NULL.
 */
const char *
DocumentNestedProblem(const Document *doc, uint32 from, uint32 to)
{
	const Header *header = doc->header;
	bool		by_column = doc->members.by_column;
	bool		nested = false;

	for (int i = 0; i < header->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		nested |= header->cols[i].shape != COLUMN_PLAIN;
	}
	for (int i = 0; nested && i < doc->narrays; i++)
	{
		JsonbWalk	walk = doc->arrays[i];

		if (by_column && header->cols[i].shape == COLUMN_PLAIN)
			continue;
		JsonbWalkSeek(&walk, from);
		while (walk.next < to)
		{
			JsonbElement element = JsonbWalkTake(&walk);

			CHECK_FOR_INTERRUPTS();
			if (by_column ? !JsonbCellIsValid(&element, &header->cols[i]) :
				!JsonbRowIsValid(&element, header))
				return psprintf("A nested cell of row %u does not fit its header.",
								walk.next - 1);
		}
	}
	return NULL;
}

/*
 * Raise an error unless what is nested in some rows of an argument fits its
 * headers.  A jsonrow has been checked before it became one.
 */
void
DocumentCheckNested(const Document *doc, FunctionCallInfo fcinfo, int arg, uint32 from, uint32 to)
{
	const char *problem;

	if (ArgumentIsDocument(fcinfo, arg))
		return;
	problem = DocumentNestedProblem(doc, from, to);
	if (problem)
		ReportNotDocument(FORMAT_JSONB, problem);
}

/*
 * Open an argument from which another document will be made; it must be valid
 * at every depth.  The value is that of the argument, detoasted.
 */
void
DocumentOpenWhole(Document *doc, FunctionCallInfo fcinfo, int arg, const Jsonb *jsonb)
{
	DocumentOpen(doc, jsonb);
	DocumentCheckNested(doc, fcinfo, arg, 0, doc->nrows);
}

/*
 * Open the first argument, a document that will change, and perhaps grow.  One
 * that had to be fetched or decompressed is a private copy.  What is nested
 * has not been checked yet.
 */
void
DocumentOpenEditable(Document *doc, FunctionCallInfo fcinfo, Size growth)
{
	Datum		value = PG_GETARG_DATUM(0);
	Jsonb	   *jsonb = DatumGetJsonbP(value);
	bool		ours = DatumGetPointer(value) != (Pointer) jsonb;
	Size		capacity = VARSIZE(jsonb) + growth;

	if (ours && growth > 0)
		jsonb = repalloc_huge(jsonb, capacity);
	DocumentOpen(doc, jsonb);
	if (ours)
	{
		doc->buffer = (char *) jsonb;
		doc->capacity = capacity;
	}
}

/* Resolve the header of a document from its rows or vectors. */
void
HeaderResolveMembers(Header *header, const DocumentMembers *members)
{
	Document	doc = {.members = *members,.header = header};
	const char *problem;

	if (members->format == FORMAT_JSON)
	{
		HeaderResolveJson(header, members->by_column, members->cells.data, members->cells.len);
		return;
	}
	problem = OpenArrays(&doc);
	if (problem)
		ReportNotDocument(FORMAT_JSONB, problem);
	HeaderResolve(header, members->by_column, doc.arrays);
}
