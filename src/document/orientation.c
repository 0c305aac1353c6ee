/*-------------------------------------------------------------------------
 *
 * orientation.c
 *		Vectors written as rows, and rows as vectors.
 *
 * Vectors are walked in step, so that each is read once, from its beginning
 * to its end.  To be written in step, they must know where each begins, so
 * the rows are walked twice.
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

void
WriteTransposed(Output *out, const char *vals, Size len)
{
	uint32		ncols,
				nrows;
	JsonbWalk  *vectors = OpenVectors(vals, len, &ncols, &nrows);
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
	pfree(vectors);
}

static void
BeginJsonRow(Output *out, bool first)
{
	if (!first)
		OutAppendChar(out, ',');
	OutAppendChar(out, '[');
}

void
WriteTransposedAsJson(Output *out, const char *vals, Size len)
{
	uint32		ncols,
				nrows;
	JsonbWalk  *vectors = OpenVectors(vals, len, &ncols, &nrows);

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
	pfree(vectors);
}

/*
 * A vector that is written while others are: where its next cell goes, and
 * before that is known, how much has gone there.
 */
typedef struct VectorBuilder
{
	ContainerBuilder container;
	Size		position;
} VectorBuilder;

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
			if (JsonbElementIsAligned(&cell))
				vectors[j].position = INTALIGN(vectors[j].position);
			vectors[j].position += cell.len;
		}
	}
}

/* Write all but the cells and their entries, and leave room for these. */
static void
LayOutVectors(Output *out, VectorBuilder *vectors, uint32 ncols, uint32 nrows)
{
	ContainerBuilder vals = BeginArray(out, ncols);

	for (uint32 j = 0; j < ncols; j++)
	{
		Size		start = out->len;
		Size		len = vectors[j].position;

		CHECK_FOR_INTERRUPTS();
		vectors[j].container = BeginArray(out, nrows);
		OutReserve(out, len);
		vectors[j].position = out->len;
		out->len += len;
		AddEntry(out, &vals, JENTRY_ISCONTAINER, start);
	}
}

static inline void
WriteCell(Output *out, VectorBuilder *vector, const JsonbElement *cell)
{
	Size		start = vector->position;
	Size		padded = JsonbElementIsAligned(cell) ? INTALIGN(start) : start;

	CHECK_FOR_INTERRUPTS();
	memset(out->data + start, 0, padded - start);
	memcpy(out->data + padded, cell->data, cell->len);
	vector->position = padded + cell->len;
	AddEntryOfLength(out, &vector->container, cell->type, vector->position - start);
}

/* Each row has ncols cells; one that is null becomes a row of nulls. */
void
WriteVectors(Output *out, JsonbWalk rows, uint32 ncols)
{
	VectorBuilder *vectors = palloc0(mul_size(ncols, sizeof(VectorBuilder)));
	const JsonbElement null = {JENTRY_ISNULL, rows.base, 0};
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
				WriteCell(out, &vectors[j], &null);
			continue;
		}
		JsonbWalkStart(&cells, row.data, row.len);
		for (uint32 j = 0; JsonbWalkNext(&cells, &cell); j++)
			WriteCell(out, &vectors[j], &cell);
	}
	pfree(vectors);
}

/* Find the vectors; each scan has passed its opening bracket then. */
static JsonScan *
OpenVectorsJson(const char *vals, Size len, uint32 *ncols)
{
	JsonScan	scan = {vals, vals + len};
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
		vectors[*ncols] = (JsonScan) {value, value + valuelen};
		if (!JsonScanAccept(&vectors[*ncols], '['))
			ReportVectorNotArray("json", *ncols);
		(*ncols)++;
	}
	return vectors;
}

/* Step to the next cell of all vectors; false at their common end. */
static bool
NextCellsJson(JsonScan *vectors, uint32 ncols, uint32 row)
{
	bool		more = false;

	for (uint32 j = 0; j < ncols; j++)
	{
		bool		first = row == 0;
		bool		next = JsonScanNextElement(&vectors[j], &first);

		if (j > 0 && next != more)
			ReportVectorsDiffer("json");
		more = next;
	}
	return more;
}

void
WriteTransposedJson(Output *out, const char *vals, Size len)
{
	uint32		ncols;
	JsonScan   *vectors = OpenVectorsJson(vals, len, &ncols);

	OutAppendChar(out, '[');
	for (uint32 i = 0; NextCellsJson(vectors, ncols, i); i++)
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
