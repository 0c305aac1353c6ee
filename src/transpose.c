/*-------------------------------------------------------------------------
 *
 * transpose.c
 *		The vectors of a column-oriented document, written as rows.
 *
 * All vectors are walked in step, so that each is read once, from its
 * beginning to its end.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "jsonb_build.h"
#include "json_scan.h"
#include "json_text.h"
#include "miscadmin.h"
#include "stored.h"
#include "transpose.h"

void
WriteTransposed(Output *out, const char *vals, Size len)
{
	uint32		ncols,
				nrows;
	JsonbWalk  *vectors = OpenVectors(vals, len, &ncols, &nrows);
	OpenContainer rows = BeginArray(out, nrows);

	for (uint32 i = 0; i < nrows; i++)
	{
		Size		start = out->len;
		OpenContainer row = BeginArray(out, ncols);

		CHECK_FOR_INTERRUPTS();
		for (uint32 j = 0; j < ncols; j++)
		{
			JsonbElement cell = JsonbWalkTake(&vectors[j]);

			AddElement(out, &row, &cell);
		}
		AddEntry(out, &rows, JENTRY_ISCONTAINER, start);
	}
	pfree(vectors);
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
		OutAppend(out, ",[" + (i == 0), 2 - (i == 0));
		for (uint32 j = 0; j < ncols; j++)
		{
			JsonbElement cell = JsonbWalkTake(&vectors[j]);

			if (j > 0)
				OutAppendChar(out, ',');
			JsonAppendElement(out, &cell, JSON_COMPACT);
		}
		OutAppendChar(out, ']');
	}
	OutAppendChar(out, ']');
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
		OutAppend(out, ",[" + (i == 0), 2 - (i == 0));
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
