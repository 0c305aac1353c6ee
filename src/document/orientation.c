/*-------------------------------------------------------------------------
 *
 * orientation.c
 *		Vectors written as rows, and rows as vectors.
 *
 * Vectors are walked in step, so that each is read once, from beginning to
 * end.  To write them in step, it must be known where each begins, so the rows
 * are walked twice.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/orientation.h"
#include "format/json_scan.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

/*
 * Vectors to rows
 */

/* The rows of jsonb vectors, in jsonb */
static void
TransposeToJsonb(Output *out, JsonbWalk *vectors, uint32 ncols, uint32 nrows)
{
	ContainerBuilder rows = BeginArray(out, nrows);

	for (uint32 i = 0; i < nrows; i++)
	{
		Size		start = out->len;
		ContainerBuilder row = BeginArray(out, ncols);

		CHECK_FOR_INTERRUPTS();
		for (uint32 j = 0; j < ncols; j++)
		{
			JsonbElement cell = JsonbWalkTake(&vectors[j]);

			CHECK_FOR_INTERRUPTS();
			AddElement(out, &row, &cell);
		}
		AddEntry(out, &rows, JENTRY_ISCONTAINER, start);
	}
}

static void
BeginJsonRow(Output *out, bool first)
{
	if (!first)
		OutAppendChar(out, ',');
	OutAppendChar(out, '[');
}

/* ... in JSON text */
static void
TransposeToJson(Output *out, JsonbWalk *vectors, uint32 ncols, uint32 nrows)
{
	OutAppendChar(out, '[');
	for (uint32 i = 0; i < nrows; i++)
	{
		CHECK_FOR_INTERRUPTS();
		BeginJsonRow(out, i == 0);
		for (uint32 j = 0; j < ncols; j++)
		{
			JsonbElement cell = JsonbWalkTake(&vectors[j]);

			CHECK_FOR_INTERRUPTS();
			if (j > 0)
				OutAppendChar(out, ',');
			JsonAppendElement(out, &cell, JSON_COMPACT);
		}
		OutAppendChar(out, ']');
	}
	OutAppendChar(out, ']');
}

static void
TransposeJsonb(Output *out, const JsonbElement *vals)
{
	JsonbWalk  *vectors;
	uint32		ncols,
				nrows;
	const char *problem = VectorsOpen(vals, &vectors, &ncols, &nrows);

	if (problem)
		ReportNotDocument(FORMAT_JSONB, problem);
	if (out->format == FORMAT_JSONB)
		TransposeToJsonb(out, vectors, ncols, nrows);
	else
		TransposeToJson(out, vectors, ncols, nrows);
	pfree(vectors);
}

/* Find the vectors; each scan is left after its opening bracket. */
static JsonScan *
OpenJsonVectors(const JsonbElement *vals, uint32 *ncols)
{
	JsonScan	scan = {vals->data, vals->data + vals->len};
	uint32		capacity = 16;
	JsonScan   *vectors = palloc0(capacity * sizeof(JsonScan));
	bool		first = true;

	*ncols = 0;
	JsonScanAccept(&scan, '[');
	while (JsonScanNextElement(&scan, &first))
	{
		const char *value;
		Size		valuelen;

		if (*ncols == capacity)
		{
			capacity *= 2;
			vectors = repalloc(vectors, capacity * sizeof(JsonScan));
		}
		JsonScanValue(&scan, &value, &valuelen);
		JsonScanStart(&vectors[*ncols], value, valuelen);
		if (!JsonScanAccept(&vectors[*ncols], '['))
			ReportNotDocument(FORMAT_JSON, VectorNotArray(*ncols));
		(*ncols)++;
	}
	return vectors;
}

/* Step to the next cell of all vectors; false at their common end. */
static bool
NextJsonCells(JsonScan *vectors, uint32 ncols, uint32 row)
{
	bool		more = false;

	for (uint32 j = 0; j < ncols; j++)
	{
		bool		first = row == 0;
		bool		next = JsonScanNextElement(&vectors[j], &first);

		if (j > 0 && next != more)
			ReportNotDocument(FORMAT_JSON, VECTORS_DIFFER);
		more = next;
	}
	return more;
}

static void
TransposeJson(Output *out, const JsonbElement *vals)
{
	uint32		ncols;
	JsonScan   *vectors = OpenJsonVectors(vals, &ncols);

	OutAppendChar(out, '[');
	for (uint32 i = 0; NextJsonCells(vectors, ncols, i); i++)
	{
		BeginJsonRow(out, i == 0);
		for (uint32 j = 0; j < ncols; j++)
		{
			const char *cell;
			Size		celllen;

			if (j > 0)
				OutAppendChar(out, ',');
			JsonScanValue(&vectors[j], &cell, &celllen);
			if (unlikely(vectors[j].spaced))
				JsonCompact(out, cell, celllen);
			else
				OutAppend(out, cell, celllen);
		}
		OutAppendChar(out, ']');
	}
	OutAppendChar(out, ']');
	pfree(vectors);
}

void
WriteTransposed(Output *out, const DocumentMembers *members)
{
	Assert(members->by_column);
	if (members->format == FORMAT_JSONB)
		TransposeJsonb(out, &members->cells);
	else
		TransposeJson(out, &members->cells);
}

/*
 * Rows to vectors
 */

/* A vector that is written together with others, once its length is known */
typedef struct VectorBuilder
{
	Size		len;			/* of its cells, with their padding */
	ContainerBuilder container;
	Size		next;			/* where in the output its next cell goes */
} VectorBuilder;

/* Where a cell begins that is put after others */
static inline Size
CellStart(const JsonbElement *cell, Size end)
{
	return JsonbElementIsAligned(cell) ? INTALIGN(end) : end;
}

/* Add up the length of each vector. */
static void
MeasureVectors(JsonbWalk rows, VectorBuilder *vectors)
{
	JsonbElement row,
				cell;

	while (JsonbWalkNext(&rows, &row))
	{
		JsonbWalk	cells;

		CHECK_FOR_INTERRUPTS();
		if (row.type == JENTRY_ISNULL)
			continue;
		JsonbWalkStart(&cells, row.data, row.len);
		for (uint32 j = 0; JsonbWalkNext(&cells, &cell); j++)
		{
			CHECK_FOR_INTERRUPTS();
			vectors[j].len = CellStart(&cell, vectors[j].len) + cell.len;
		}
	}
}

/*
 * Write everything except the cells and their entries, and leave room for
 * these.
 */
static void
LayOutVectors(Output *out, VectorBuilder *vectors, uint32 ncols, uint32 nrows)
{
	ContainerBuilder vals = BeginArray(out, ncols);

	for (uint32 j = 0; j < ncols; j++)
	{
		Size		start = out->len;

		CHECK_FOR_INTERRUPTS();
		vectors[j].container = BeginArray(out, nrows);
		OutReserve(out, vectors[j].len);
		vectors[j].next = out->len;
		out->len += vectors[j].len;
		AddEntry(out, &vals, JENTRY_ISCONTAINER, start);
	}
}

static inline void
WriteCell(Output *out, VectorBuilder *vector, const JsonbElement *cell)
{
	Size		end = vector->next;
	Size		start = CellStart(cell, end);

	CHECK_FOR_INTERRUPTS();
	Assert(start + cell->len <= out->len);
	memset(out->data + end, 0, start - end);
	memcpy(out->data + start, cell->data, cell->len);
	vector->next = start + cell->len;
	AddEntryOfLength(out, &vector->container, cell->type, vector->next - end);
}

/* A row that is null becomes a null in each vector. */
void
WriteVectors(Output *out, JsonbWalk rows, uint32 ncols)
{
	VectorBuilder *vectors = palloc0(mul_size(ncols, sizeof(VectorBuilder)));
	JsonbElement row,
				cell;

	MeasureVectors(rows, vectors);
	LayOutVectors(out, vectors, ncols, rows.count);
	while (JsonbWalkNext(&rows, &row))
	{
		JsonbWalk	cells;

		CHECK_FOR_INTERRUPTS();
		if (row.type == JENTRY_ISNULL)
		{
			for (uint32 j = 0; j < ncols; j++)
				WriteCell(out, &vectors[j], &JsonbNull);
			continue;
		}
		JsonbWalkStart(&cells, row.data, row.len);
		for (uint32 j = 0; JsonbWalkNext(&cells, &cell); j++)
			WriteCell(out, &vectors[j], &cell);
	}
	pfree(vectors);
}
