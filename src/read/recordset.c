/*-------------------------------------------------------------------------
 *
 * recordset.c
 *		Documents as sets of rows.
 *
 *		jsonrow_each(doc jsonb) -> SETOF (row int, value jsonb)
 *			Each row by position, as an array of its cells, with its number,
 *			starting with 0; null for a row that is null.
 *
 *		jsonrow_to_recordset(doc jsonb) -> SETOF record
 *			The rows as records of the call's column definition list.  Columns
 *			are found by name; one that is missing from the document is NULL.
 *
 *		jsonrow_populate_recordset(base anyelement, doc jsonb) -> SETOF anyelement
 *			The rows as values of base's type, a composite.  A column that
 *			is missing from the document is taken from base, or is NULL.
 *
 * The values are what jsonb_to_recordset and jsonb_populate_recordset make of
 * the rows as objects.  A nested document becomes what the column's type says:
 * a jsonrow with its header, or a json or jsonb array of objects.  A row that
 * is null is a row of NULLs.  A NULL document gives no rows.
 *
 * Rows are made one at a time, as they are asked for; only the document
 * itself is in memory.
 *
 * Errors: a value that is no document; cells that the types don't accept.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "document/document.h"
#include "format/jsonb_write.h"
#include "read/cell_input.h"
#include "read/srf.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

PG_FUNCTION_INFO_V1(jsonrow_each);
PG_FUNCTION_INFO_V1(jsonrow_to_recordset);
PG_FUNCTION_INFO_V1(jsonrow_populate_recordset);

/* A document being handed out row by row */
typedef struct RowCursor
{
	Document	doc;
	uint32		next;
	JsonbElement row;			/* the current one; without data if
								 * column-oriented */
	JsonbElement *cells;		/* its cells */
	RowInput   *input;			/* how they become a record */
	HeapTupleHeader base;		/* or NULL */
	Oid			domain;			/* of the result, if it is one */
	void	   *domain_checks;
} RowCursor;

/* Start a document; what the cursor needs is kept until the last row. */
static RowCursor *
OpenCursor(FunctionCallInfo fcinfo, int arg, FuncCallContext *context)
{
	RowCursor  *cursor = MemoryContextAllocZero(context->multi_call_memory_ctx, sizeof(RowCursor));
	MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);

	DocumentOpen(&cursor->doc, PG_GETARG_JSONB_P_COPY(arg));
	cursor->cells = palloc(cursor->doc.header->ncols * sizeof(JsonbElement));
	MemoryContextSwitchTo(old);
	return cursor;
}

/* Step to the next row and take it apart; one that is null has null cells. */
static bool
NextRowOf(RowCursor *cursor)
{
	Document   *doc = &cursor->doc;

	if (cursor->next == doc->nrows)
		return false;
	cursor->next++;
	if (doc->members.by_column)
	{
		cursor->row = JsonbElementOf(JENTRY_ISCONTAINER, NULL, 0);
		for (int i = 0; i < doc->narrays; i++)
			cursor->cells[i] = JsonbWalkTake(&doc->arrays[i]);
		return true;
	}
	cursor->row = JsonbWalkTake(&doc->arrays[0]);
	TakeCells(&cursor->row, doc->header->ncols, cursor->cells);
	return true;
}

/* The current row as a value */
static Jsonb *
CurrentRow(const RowCursor *cursor)
{
	Output		out;

	if (!cursor->doc.members.by_column)
		return ElementToJsonb(&cursor->row);
	OutInitValue(&out, FORMAT_JSONB, 128, CurrentMemoryContext);
	AppendJsonbArray(&out, cursor->cells, cursor->doc.header->ncols);
	return OutFinishJsonb(&out);
}

Datum
jsonrow_each(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	RowCursor  *cursor;
	Datum		values[2];
	bool		nulls[2] = {false, false};

	if (SRF_IS_FIRSTCALL())
	{
		context = SRF_FIRSTCALL_INIT();
		context->user_fctx = OpenCursor(fcinfo, 0, context);
		SetResultRowType(fcinfo, context);
	}
	context = SRF_PERCALL_SETUP();
	cursor = context->user_fctx;
	if (!NextRowOf(cursor))
		SRF_RETURN_DONE(context);
	values[0] = Int32GetDatum(cursor->next - 1);
	values[1] = JsonbPGetDatum(CurrentRow(cursor));
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values, nulls)));
}

/* The row type of the result, from the call or from its base argument */
static TupleDesc
ResultRowType(FunctionCallInfo fcinfo, RowCursor *cursor)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	TupleDesc	tupdesc = NULL;
	Oid			typid;

	/* Only the record itself tells its type; the executor compares. */
	if (cursor->base != NULL && getBaseType(get_fn_expr_argtype(fcinfo->flinfo, 0)) == RECORDOID)
		return lookup_rowtype_tupdesc_copy(HeapTupleHeaderGetTypeId(cursor->base),
										   HeapTupleHeaderGetTypMod(cursor->base));
	switch (get_call_result_type(fcinfo, &typid, &tupdesc))
	{
		case TYPEFUNC_COMPOSITE:
			break;
		case TYPEFUNC_COMPOSITE_DOMAIN:
			cursor->domain = typid;
			break;
		case TYPEFUNC_RECORD:
			if (rsinfo && IsA(rsinfo, ReturnSetInfo))
				tupdesc = rsinfo->expectedDesc;
			if (tupdesc == NULL)
				ReportNoRowType(get_func_name(fcinfo->flinfo->fn_oid));
			break;
		default:
			ReportNotRowType(get_func_name(fcinfo->flinfo->fn_oid));
	}
	return tupdesc;
}

/* Start a document whose rows become records; doc and base are arguments. */
static RowCursor *
OpenRecordset(FunctionCallInfo fcinfo, int doc, int base, FuncCallContext *context)
{
	RowCursor  *cursor = OpenCursor(fcinfo, doc, context);
	MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
	InputContext *shared = InputContextCreate(DocumentDomainsLookup(),
											  context->multi_call_memory_ctx);

	if (base >= 0 && !type_is_rowtype(get_fn_expr_argtype(fcinfo->flinfo, base)))
		ReportNotRowType(get_func_name(fcinfo->flinfo->fn_oid));
	if (base >= 0 && !PG_ARGISNULL(base))
		cursor->base = DatumGetHeapTupleHeaderCopy(PG_GETARG_DATUM(base));
	/* A nested document that becomes a document again keeps its types. */
	HeaderReadTypes(cursor->doc.header, &cursor->doc.members.types, FORMAT_JSONB);
	cursor->input = PlanRowInput(shared, ResultRowType(fcinfo, cursor), cursor->doc.header);
	MemoryContextSwitchTo(old);
	return cursor;
}

static Datum
NextRecord(FunctionCallInfo fcinfo, FuncCallContext *context)
{
	RowCursor  *cursor = context->user_fctx;
	Datum		result;

	if (!NextRowOf(cursor))
		SRF_RETURN_DONE(context);
	result = HeapTupleGetDatum(RowToTuple(cursor->input, cursor->cells,
										  cursor->row.type == JENTRY_ISNULL ? NULL : cursor->base));
	if (OidIsValid(cursor->domain))
		domain_check(result, false, cursor->domain, &cursor->domain_checks,
					 context->multi_call_memory_ctx);
	SRF_RETURN_NEXT(context, result);
}

Datum
jsonrow_to_recordset(PG_FUNCTION_ARGS)
{
	if (SRF_IS_FIRSTCALL())
	{
		FuncCallContext *context = SRF_FIRSTCALL_INIT();

		context->user_fctx = OpenRecordset(fcinfo, 0, -1, context);
	}
	return NextRecord(fcinfo, SRF_PERCALL_SETUP());
}

Datum
jsonrow_populate_recordset(PG_FUNCTION_ARGS)
{
	if (SRF_IS_FIRSTCALL())
	{
		FuncCallContext *context = SRF_FIRSTCALL_INIT();

		if (PG_ARGISNULL(1))
			SRF_RETURN_DONE(context);
		context->user_fctx = OpenRecordset(fcinfo, 1, 0, context);
	}
	return NextRecord(fcinfo, SRF_PERCALL_SETUP());
}
