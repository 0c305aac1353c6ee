/*-------------------------------------------------------------------------
 *
 * document.c
 *		A finished jsonb document, opened for whoever reads all of it or
 *		makes another of it.
 *
 * What is opened has names for a header, and rows as wide as that or vectors
 * of one length; within the cells of nested columns it may be anything.  Who
 * makes another document of it must know of these, too, and opens it whole.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/domains.h"
#include "document/valid.h"
#include "miscadmin.h"

void
ReportVectorNotArray(const char *type, uint32 vector)
{
	ReportNotDocument(type, psprintf("Vector %u is not an array.", vector));
}

void
ReportVectorsDiffer(const char *type)
{
	ReportNotDocument(type, "Its vectors differ in length.");
}

void
ReportBadRow(uint32 row, uint32 ncols)
{
	ReportNotDocument("jsonb", psprintf("Row %u is neither null nor an array of %u cells.",
										row, ncols));
}

void
ReportVectorCount(uint32 vectors, uint32 ncols)
{
	ReportNotDocument("jsonb", psprintf("It has %u vectors for %u columns.", vectors, ncols));
}

void
ReportNotRows(void)
{
	ReportNotDocument("jsonb", "The cell of a nested document is neither null nor an array.");
}

/* Is it null, or an array of ncols cells? */
bool
RowFits(const JsonbElement *row, uint32 ncols)
{
	JsonbWalk	cells;

	if (row->type == JENTRY_ISNULL)
		return true;
	if (!JsonbElementIsArray(row))
		return false;
	JsonbWalkStart(&cells, row->data, row->len);
	return cells.count == ncols && !(cells.flags & JB_FSCALAR);
}

/* The cells of a row that fits; nulls of one that is null */
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

/* Are all rows as wide as the header?  Raise an error if not. */
static void
CheckRows(const Document *doc)
{
	JsonbWalk	rows = doc->arrays[0];
	JsonbElement row;

	for (uint32 i = 0; JsonbWalkNext(&rows, &row); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!RowFits(&row, doc->header->ncols))
			ReportBadRow(i, doc->header->ncols);
	}
}

/*
 * No columns over no rows, or none but nulls, say nothing: so is a document
 * that had no row, where no plan told its columns.
 */
bool
HeaderSaysNothing(const Header *header, const DocumentParts *parts)
{
	JsonbWalk	walk;
	JsonbElement row;

	if (header->ncols > 0)
		return false;
	JsonbWalkStart(&walk, parts->cells, parts->cellslen);
	while (JsonbWalkNext(&walk, &row))
	{
		CHECK_FOR_INTERRUPTS();
		if (row.type != JENTRY_ISNULL)
			return false;
	}
	return true;
}

/* The vectors of a column-oriented document; they have the same length. */
JsonbWalk *
OpenVectors(const char *vals, Size len, uint32 *ncols, uint32 *nrows)
{
	JsonbWalk	walk;
	JsonbWalk  *vectors;
	JsonbElement vector;

	JsonbWalkStart(&walk, vals, len);
	*ncols = walk.count;
	*nrows = 0;
	vectors = palloc(mul_size(*ncols, sizeof(JsonbWalk)));
	for (uint32 i = 0; JsonbWalkNext(&walk, &vector); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!JsonbElementIsArray(&vector))
			ReportVectorNotArray("jsonb", i);
		JsonbWalkStart(&vectors[i], vector.data, vector.len);
		if (i > 0 && vectors[i].count != *nrows)
			ReportVectorsDiffer("jsonb");
		*nrows = vectors[i].count;
	}
	return vectors;
}

/* The array of rows of a document, or by column, a vector for each */
JsonbWalk *
OpenArrays(const DocumentParts *parts, const Header *header, uint32 *nrows)
{
	JsonbWalk  *arrays;
	uint32		nvectors;

	if (parts->by_column)
	{
		arrays = OpenVectors(parts->cells, parts->cellslen, &nvectors, nrows);
		if (nvectors != header->ncols)
			ReportVectorCount(nvectors, header->ncols);
	}
	else
	{
		arrays = palloc(sizeof(JsonbWalk));
		JsonbWalkStart(arrays, parts->cells, parts->cellslen);
		*nrows = arrays->count;
	}
	return arrays;
}

/* Open a document, or raise an error if it isn't one. */
void
DocumentOpen(Document *doc, const Jsonb *jsonb)
{
	const char *missing;

	memset(doc, 0, sizeof(*doc));
	missing = JsonbDocumentParts(jsonb, &doc->parts);
	if (missing)
		ReportNotDocument("jsonb", missing);
	doc->header = HeaderRequire("jsonb", doc->parts.cols, doc->parts.colslen);
	doc->arrays = OpenArrays(&doc->parts, doc->header, &doc->nrows);
	doc->narrays = doc->parts.by_column ? doc->header->ncols : 1;
	if (!doc->parts.by_column)
		CheckRows(doc);
}

pg_noreturn static void
ReportUnfitNested(uint32 row)
{
	ReportNotDocument("jsonb", psprintf("A nested cell of row %u doesn't fit its header.", row));
}

/*
 * Does what is nested in some rows of an argument fit its headers?  Raise an
 * error if not.  A jsonrow has been checked before it became one.
 */
void
DocumentCheckNested(const Document *doc, FunctionCallInfo fcinfo, int arg, uint32 from, uint32 to)
{
	const Header *header = doc->header;
	bool		nested = false;

	if (ArgumentIsDocument(fcinfo, arg))
		return;
	for (int i = 0; i < header->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		nested |= header->cols[i].shape != COLUMN_PLAIN;
	}
	for (int i = 0; nested && i < doc->narrays; i++)
	{
		JsonbWalk	walk = doc->arrays[i];
		JsonbElement element;

		if (doc->parts.by_column && header->cols[i].shape == COLUMN_PLAIN)
			continue;
		JsonbWalkSeek(&walk, from);
		while (walk.next < to)
		{
			element = JsonbWalkTake(&walk);
			CHECK_FOR_INTERRUPTS();
			if (doc->parts.by_column ? !JsonbCellIsValid(&element, &header->cols[i]) :
				!JsonbRowIsValid(&element, header))
				ReportUnfitNested(walk.next - 1);
		}
	}
}

/*
 * Open an argument of which another document will be made: it is one at every
 * depth.  The value is that of the argument, detoasted.
 */
void
DocumentOpenWhole(Document *doc, FunctionCallInfo fcinfo, int arg, const Jsonb *jsonb)
{
	DocumentOpen(doc, jsonb);
	DocumentCheckNested(doc, fcinfo, arg, 0, doc->nrows);
}

/*
 * Open the first argument, a document that will change, and perhaps grow.  One
 * that had to be fetched or decompressed is in memory for us alone.  What is
 * nested is left to be checked.
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
