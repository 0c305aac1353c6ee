/*-------------------------------------------------------------------------
 *
 * convert.c
 *		Documents turned and put together.
 *
 * All are strict: NULL gives NULL.  Errors: a value that is no document; a
 * result over jsonb's 2^28 - 1 bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/orientation.h"
#include "format/jsonb_write.h"
#include "write/state.h"

PG_FUNCTION_INFO_V1(jsonrow_to_rows);
PG_FUNCTION_INFO_V1(jsonrow_to_columns);
PG_FUNCTION_INFO_V1(jsonrow_concat);

/*
 * The document in the other orientation.  Its size is about that of the
 * first: what is added or taken away is a header word and an entry per row.
 */
static Jsonb *
Turn(const Document *stored, const Jsonb *jsonb)
{
	const DocumentParts *parts = &stored->parts;
	DocumentBuilder doc;
	Output		out;

	OutInit(&out, FORMAT_JSONB,
			VARSIZE(jsonb) + 64 + (Size) stored->nrows * (sizeof(uint32) + sizeof(JEntry)),
			CurrentMemoryContext);
	BeginDocument(&out, &doc, !parts->by_column, &parts->types);
	AppendMember(&out, &doc, parts->cols, parts->colslen);
	if (parts->by_column)
		WriteTransposed(&out, parts->cells, parts->cellslen);
	else
		WriteVectors(&out, stored->arrays[0], stored->header->ncols);
	EndMember(&out, &doc);
	return EndDocument(&out, &doc);
}

/*
 * jsonrow_to_rows(doc jsonb) -> jsonrow
 *		The same document, row-oriented.
 */
Datum
jsonrow_to_rows(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	Document stored;

	DocumentOpenWhole(&stored, fcinfo, 0, jsonb);
	PG_RETURN_JSONB_P(stored.parts.by_column ? Turn(&stored, jsonb) : jsonb);
}

/*
 * jsonrow_to_columns(doc jsonb) -> jsonrow
 *		The same document, column-oriented.  There, a row that is null is one
 *		of nulls, and rows of no columns leave no trace.
 */
Datum
jsonrow_to_columns(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	Document stored;

	DocumentOpenWhole(&stored, fcinfo, 0, jsonb);
	PG_RETURN_JSONB_P(stored.parts.by_column ? jsonb : Turn(&stored, jsonb));
}

/*
 * jsonrow_concat(doc jsonb, doc jsonb) -> jsonrow
 *		The rows of both under their common header.  Errors: headers or
 *		orientations that differ.
 */
Datum
jsonrow_concat(PG_FUNCTION_ARGS)
{
	DocumentState   *doc = NULL;

	for (int i = 0; i < 2; i++)
	{
		Document stored;

		DocumentOpenWhole(&stored, fcinfo, i, PG_GETARG_JSONB_P(i));
		if (doc == NULL)
			doc = StateCreate(&JsonbWriter, stored.parts.by_column,
								 CurrentMemoryContext, CurrentMemoryContext);
		StateAppendDocument(doc, &stored);
	}
	return StateFinish(doc, doc->header ? doc->header : HeaderCreate(0), true);
}
