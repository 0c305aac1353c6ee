/*-------------------------------------------------------------------------
 *
 * chunks.c
 *		A document cut into pieces of limited size.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "change/splice.h"
#include "miscadmin.h"
#include "read/srf.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(jsonrow_chunks);

/* The rows of the next chunk, as they are found */
typedef struct ChunkState
{
	Document	doc;
	Size		headsize;		/* of a document with empty arrays */
	uint32		next;			/* the first row that isn't in a chunk yet */
	Size	   *lengths;		/* of the elements of each array, next .. */
	Size	   *candidates;		/* ... including the row that is being
								 * examined */
} ChunkState;

/* The bytes of a document before the array of its rows or vectors */
static Size
HeadSize(const Document *doc)
{
	DocumentBuilder builder;
	Output		out;

	BeginLike(&out, &builder, doc, doc->members.by_column, 0);
	pfree(out.data);
	return INTALIGN(out.len);
}

/* The exact size of a document with these rows */
static Size
ChunkSize(const ChunkState *state, const Size *lengths, uint32 nrows)
{
	const DocumentMembers *members = &state->doc.members;
	Size		size = state->headsize;

	if (members->by_column)
		size += sizeof(uint32) + state->doc.narrays * sizeof(JEntry);
	for (int i = 0; i < state->doc.narrays; i++)
	{
		CHECK_FOR_INTERRUPTS();
		size = INTALIGN(size) + sizeof(uint32) + nrows * sizeof(JEntry) + lengths[i];
	}
	if (JsonbElementIsAligned(&members->types))
		size = INTALIGN(size);
	return size + members->types.len;
}

/* The lengths of the arrays with one more row: the current one of each */
static void
AddRowLengths(ChunkState *state)
{
	for (int i = 0; i < state->doc.narrays; i++)
	{
		JsonbElement element = JsonbWalkTake(&state->doc.arrays[i]);
		Size		length = state->lengths[i];

		CHECK_FOR_INTERRUPTS();
		if (JsonbElementIsAligned(&element))
			length = INTALIGN(length);
		state->candidates[i] = length + element.len;
	}
}

/* How many rows from the next on fit in a chunk; at least one, if any */
static uint32
ChunkRows(ChunkState *state, Size max_bytes)
{
	uint32		nrows = 0;
	Size		lengthsize = state->doc.narrays * sizeof(Size);

	memset(state->lengths, 0, lengthsize);
	for (int i = 0; i < state->doc.narrays; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonbWalkSeek(&state->doc.arrays[i], state->next);
	}
	while (state->next + nrows < state->doc.nrows)
	{
		CHECK_FOR_INTERRUPTS();
		AddRowLengths(state);
		if (nrows > 0 && ChunkSize(state, state->candidates, nrows + 1) > max_bytes)
			break;
		memcpy(state->lengths, state->candidates, lengthsize);
		nrows++;
	}
	return nrows;
}

static ChunkState *
CreateChunkState(FunctionCallInfo fcinfo, FuncCallContext *context)
{
	MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
	ChunkState *state = palloc0(sizeof(ChunkState));

	if (PG_GETARG_INT32(1) <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("chunk size must be positive")));
	SetResultRowType(fcinfo, context);
	DocumentOpenWhole(&state->doc, fcinfo, 0, PG_GETARG_JSONB_P_COPY(0));
	state->headsize = HeadSize(&state->doc);
	state->lengths = palloc(state->doc.narrays * sizeof(Size));
	state->candidates = palloc(state->doc.narrays * sizeof(Size));
	MemoryContextSwitchTo(old);
	return state;
}

/*
 * jsonrow_chunks(doc jsonb, max_bytes int) -> SETOF (first_row int, doc jsonrow)
 *		The document as consecutive pieces, each with the header and as many
 *		rows as fit in max_bytes, counted as pg_column_size does; first_row is
 *		the number of a piece's first row in the document.  A single row that
 *		takes more is a piece by itself.  No rows give one piece.
 *		jsonrow_concat_agg joins them again.  Errors: a max_bytes that isn't
 *		positive, a value that is no document.
 */
Datum
jsonrow_chunks(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	ChunkState *state;
	uint32		nrows;
	Splice		splice = {0};
	Datum		values[2];
	bool		nulls[2] = {false, false};

	if (SRF_IS_FIRSTCALL())
	{
		context = SRF_FIRSTCALL_INIT();
		context->user_fctx = CreateChunkState(fcinfo, context);
	}
	context = SRF_PERCALL_SETUP();
	state = context->user_fctx;
	if (context->call_cntr > 0 && state->next == state->doc.nrows)
		SRF_RETURN_DONE(context);

	nrows = ChunkRows(state, PG_GETARG_INT32(1));
	splice.from = state->next;
	splice.to = state->next + nrows;
	splice.resume = state->doc.nrows;
	values[0] = Int32GetDatum(state->next);
	values[1] = JsonbPGetDatum(SpliceRows(&state->doc, &splice));
	state->next += nrows;
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values, nulls)));
}
