/*-------------------------------------------------------------------------
 *
 * concat.c
 *		Documents concatenated: their rows become those of a new one.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "write/aggregate.h"
#include "write/state.h"

PG_FUNCTION_INFO_V1(jsonrow_concat);
PG_FUNCTION_INFO_V1(jsonrow_concat_agg_transfn);

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

/* Add the rows of one more document: see aggregate.c */
Datum
jsonrow_concat_agg_transfn(PG_FUNCTION_ARGS)
{
	DocumentState *state = PG_ARGISNULL(0) ? NULL : (DocumentState *) PG_GETARG_POINTER(0);
	Document	doc;

	if (PG_ARGISNULL(1))
	{
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}
	DocumentOpen(&doc, PG_GETARG_JSONB_P(1));	/* its type says that it is
												 * one */
	if (state == NULL)
		state = AggregateStateCreate(fcinfo, &JsonbWriter, doc.members.by_column);
	StateAppendDocument(state, &doc);
	PG_RETURN_POINTER(state);
}
