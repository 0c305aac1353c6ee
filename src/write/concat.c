/*-------------------------------------------------------------------------
 *
 * concat.c
 *		Documents concatenated: their rows become those of a new one.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "write/state.h"

PG_FUNCTION_INFO_V1(jsonrow_concat);

/*
 * jsonrow_concat(doc jsonb, other jsonb) -> jsonrow
 *		The rows of both, copied as bytes, under their common header and in
 *		their common orientation.  NULL gives NULL.  Errors: headers or
 *		orientations that differ; a value that is no document; a result over
 *		jsonb's 2^28 - 1 bytes.
 */
Datum
jsonrow_concat(PG_FUNCTION_ARGS)
{
	DocumentState *state = NULL;

	for (int i = 0; i < 2; i++)
	{
		Document	doc;

		DocumentOpenWhole(&doc, fcinfo, i, PG_GETARG_JSONB_P(i));
		if (state == NULL)
			state = StateCreate(&JsonbWriter, doc.members.by_column,
								CurrentMemoryContext, CurrentMemoryContext);
		StateAppendDocument(state, &doc);
	}
	return StateFinish(state, state->header ? state->header : HeaderCreate(0), true);
}
