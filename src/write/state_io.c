/*-------------------------------------------------------------------------
 *
 * state_io.c
 *		States of aggregates as bytes, for another process.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/elements.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "write/state.h"

/* What a serialized state begins with */
#define STATE_JSONB				'b'
#define STATE_JSON				't'

/*
 * Room for everything except the rows and their entries in a serialized state
 */
#define MAX_STATE_OVERHEAD		(1024 * 1024)

/*
 * Write the bytes of a collected array, and in jsonb its entries, as they are
 */
static void
SendArray(StringInfo out, const Output *array, Size skip)
{
	CHECK_FOR_INTERRUPTS();
	pq_sendint32(out, array->len - skip);
	pq_sendbytes(out, array->data + skip, array->len - skip);
	pq_sendbytes(out, array->data + array->end, OutItemsSize(array));
}

/*
 * The header and its types are sent as jsonb, regardless of the state's own
 * format.
 */
bytea *
StateSerialize(const DocumentState *state)
{
	JsonbElement types = StateTypes(state, state->header, FORMAT_JSONB);
	StringInfoData out;
	Output		header;

	if (state->size > MaxAllocSize - MAX_STATE_OVERHEAD)
		ReportTooLarge(&state->rows);

	OutInit(&header, FORMAT_JSONB, 256, CurrentMemoryContext);
	if (state->header != NULL)
		HeaderEncode(&header, state->header);

	pq_begintypsend(&out);
	enlargeStringInfo(&out, header.len + types.len + state->size + 64);
	pq_sendbyte(&out, state->writer->format == FORMAT_JSONB ? STATE_JSONB : STATE_JSON);
	pq_sendbyte(&out, state->by_column);
	pq_sendint32(&out, header.len);
	pq_sendbytes(&out, header.data, header.len);
	pq_sendbyte(&out, types.data != NULL);
	pq_sendint32(&out, types.type);
	pq_sendint32(&out, types.len);
	pq_sendbytes(&out, types.data, types.len);
	pq_sendint32(&out, state->nrows);
	pq_sendint32(&out, StateArrayCount(state));
	for (int i = 0; i < StateArrayCount(state); i++)
		SendArray(&out, StateArray(state, i), state->headlen);
	pfree(header.data);
	return pq_endtypsend(&out);
}

/* Are collected jsonb elements what was announced: rows, or any cells? */
static void
CheckGathered(const DocumentState *state, const Output *array)
{
	JsonbWalk	walk = ElementsWalk(array, state->nrows);
	JsonbElement element;

	while (JsonbWalkNext(&walk, &element))
	{
		CHECK_FOR_INTERRUPTS();
		if (!state->by_column && state->header != NULL &&
			!RowFits(&element, state->header->ncols))
			ReportBadState();
	}
	if (walk.offset != array->len)
		ReportBadState();
}

/* The header, if there is one; its names stay in the bytes. */
static Header *
ReadHeader(StringInfo in)
{
	JsonbElement array = {JENTRY_ISCONTAINER};
	Header	   *header = NULL;

	array.len = pq_getmsgint(in, 4);
	array.data = pq_getmsgbytes(in, array.len);
	if (array.len > 0 && !HeaderDecode(&array, &header))
		ReportBadState();
	return header;
}

/* The member "types", if it is there; its bytes stay where they are. */
static JsonbElement
ReadTypes(StringInfo in)
{
	bool		has_types = pq_getmsgbyte(in) != 0;
	JEntry		type = pq_getmsgint(in, 4);
	uint32		len = pq_getmsgint(in, 4);
	const char *data = pq_getmsgbytes(in, len);

	if (!has_types)
	{
		if (type != 0 || len != 0)
			ReportBadState();
		return JsonbElementOf(0, NULL, 0);
	}
	if (!JsonbElementIsSound(type, len))
		ReportBadState();
	return JsonbElementOf(type, data, len);
}

/* One array of a state; its bytes stay where they are. */
static void
ReadArray(StringInfo in, const DocumentState *state, Output *array)
{
	DocumentFormat format = state->writer->format;

	array->format = format;
	array->len = array->end = (uint32) pq_getmsgint(in, 4);
	array->size = add_size(array->len, EntriesSize(format, state->nrows));
	if (array->size > in->len - in->cursor)
		ReportBadState();
	array->data = unconstify(char *, pq_getmsgbytes(in, array->size));
	if (format == FORMAT_JSONB)
		CheckGathered(state, array);
}

static void
ReadArrays(StringInfo in, DocumentState *state)
{
	uint32		narrays = pq_getmsgint(in, 4);

	if (state->by_column && narrays > 0)
	{
		if (state->header == NULL || narrays != state->header->ncols)
			ReportBadState();
		state->columns = palloc0(narrays * sizeof(Output));
	}
	if (narrays != StateArrayCount(state))
		ReportBadState();
	for (int i = 0; i < narrays; i++)
		ReadArray(in, state, StateArray(state, i));
}

/* Determine from the elements what the header's bytes do not tell. */
static void
ResolveHeader(DocumentState *state)
{
	JsonbWalk  *arrays;

	if (state->writer->format == FORMAT_JSON)
	{
		HeaderResolveElements(state->header, state->by_column, StateArray(state, 0));
		return;
	}
	arrays = palloc(StateArrayCount(state) * sizeof(JsonbWalk));
	for (int i = 0; i < StateArrayCount(state); i++)
		arrays[i] = ElementsWalk(StateArray(state, i), state->nrows);
	HeaderResolve(state->header, state->by_column, arrays);
	pfree(arrays);
}

/*
 * A state from its bytes, in the current memory context.  It can be appended
 * to another; rows cannot be added to it, because its own stay in the bytes.
 */
DocumentState *
StateDeserialize(bytea *bytes)
{
	StringInfoData in = {0};
	DocumentState *state;
	Header	   *header;
	int			format;
	bool		by_column;

	in.data = VARDATA_ANY(bytes);
	in.len = VARSIZE_ANY_EXHDR(bytes);

	format = pq_getmsgbyte(&in);
	by_column = pq_getmsgbyte(&in);
	if (format != STATE_JSONB && format != STATE_JSON)
		ReportBadState();
	state = StateCreate(WriterOfFormat(format == STATE_JSONB ? FORMAT_JSONB : FORMAT_JSON),
						by_column, CurrentMemoryContext, CurrentMemoryContext);
	state->header = ReadHeader(&in);
	state->types = ReadTypes(&in);
	header = state->header ? state->header : HeaderCreate(0);
	if (HeaderReadTypes(header, &state->types, FORMAT_JSONB))
	{
		state->types = JsonbElementOf(0, NULL, 0);
		state->typed = state->header == NULL;
	}
	if (state->types.data != NULL && state->writer->format == FORMAT_JSON)
		ReportBadState();
	state->nrows = pq_getmsgint(&in, 4);
	ReadArrays(&in, state);
	pq_getmsgend(&in);
	if (state->header != NULL && state->header->incomplete && StateArrayCount(state) > 0)
		ResolveHeader(state);
	return state;
}
