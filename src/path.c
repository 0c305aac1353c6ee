/*-------------------------------------------------------------------------
 *
 * path.c
 *		The way to a cell, for PostgreSQL's own operators.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "stored.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(jsonrow_path_name);
PG_FUNCTION_INFO_V1(jsonrow_path_index);

static Datum
PathTo(FunctionCallInfo fcinfo, const StoredDocument *doc, int col)
{
	int64		row = StoredRow(doc, PG_GETARG_INT32(1));
	Datum		steps[3];
	Datum		row_step,
				col_step;

	if (row < 0 || col < 0)
		PG_RETURN_NULL();
	row_step = PointerGetDatum(cstring_to_text(psprintf(INT64_FORMAT, row)));
	col_step = PointerGetDatum(cstring_to_text(psprintf("%d", col)));
	steps[0] = PointerGetDatum(cstring_to_text(doc->parts.by_column ? "vals" : "rows"));
	steps[1] = doc->parts.by_column ? col_step : row_step;
	steps[2] = doc->parts.by_column ? row_step : col_step;
	PG_RETURN_ARRAYTYPE_P(construct_array(steps, 3, TEXTOID, -1, false, TYPALIGN_INT));
}

/*
 * jsonrow_path(doc jsonb, row int, col text) -> text[]
 *		The path of a cell for #>, #>>, jsonb_set and subscripting, as in
 *		{rows,3,1}.  Row and column count from 0, from the end if negative.
 *		NULL if there is no such cell, or an argument is NULL.  Error: a value
 *		that is no document.
 */
Datum
jsonrow_path_name(PG_FUNCTION_ARGS)
{
	StoredDocument doc;

	OpenStoredUnchecked(&doc, PG_GETARG_JSONB_P(0));
	return PathTo(fcinfo, &doc, StoredColumnNamed(&doc, PG_GETARG_TEXT_PP(2)));
}

/* jsonrow_path(doc jsonb, row int, col int) -> text[] */
Datum
jsonrow_path_index(PG_FUNCTION_ARGS)
{
	StoredDocument doc;

	OpenStoredUnchecked(&doc, PG_GETARG_JSONB_P(0));
	return PathTo(fcinfo, &doc, StoredColumnAt(&doc, PG_GETARG_INT32(2)));
}
