/*-------------------------------------------------------------------------
 *
 * receiver.c
 *		Rows from the executor, as JSON in pieces that end between rows.
 *
 * The executor hands over slots; their values go to the writers that the
 * aggregates use, and these write to one buffer, which is reused for each
 * piece.  So there is no composite, no tuplestore, and never more in memory
 * than a piece and a row.
 *
 * The header comes before the rows.  An aggregate learns from its rows what is
 * nested in them, and writes the header at the end; here the end of the first
 * piece is the limit.  What is not known by then from the rows, or from the
 * query's plan, can no longer be entered.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "executor/tuptable.h"
#include "format/elements.h"
#include "format/json_text.h"
#include "stream/receiver.h"
#include "utils/memutils.h"
#include "write/query_header.h"
#include "write/state.h"
#include "write/writer.h"

/*
 * Room for a full piece and a row that is not too long, but below malloc's
 * mmap
 */
#define BUFFER_SIZE		(PIECE_SIZE + PIECE_SIZE / 2)

/* Buffers that a long row has made larger than this are given back. */
#define KEEP_SIZE		(1024 * 1024)

static void
BeginBuffer(RowReceiver *receiver)
{
	OutInitValue(&receiver->piece, FORMAT_JSON, BUFFER_SIZE, receiver->context);
}

/*
 * Plan the rows, for the first time or because one of their types was altered.
 */
static void
PlanRows(RowReceiver *receiver)
{
	MemoryContext old = MemoryContextSwitchTo(receiver->context);
	Header	   *header;

	receiver->rows = RowPlanOfDescriptor(receiver->shared,
										 StreamHasHeader(receiver->form) ? ROW_ARRAY : ROW_OBJECT,
										 receiver->tupdesc, receiver->by_query);
	header = receiver->rows->header;
	if (receiver->header == NULL && header != NULL && header->incomplete)
		receiver->header = HeaderCopy(header);
	else if (receiver->header == NULL)
		receiver->header = header;
	else if (!HeaderMerge(&receiver->header, header))
		ReportColumnsDiffer();
	MemoryContextSwitchTo(old);
}

/* What precedes the first row */
static void
AppendHead(RowReceiver *receiver, Output *out)
{
	JsonbElement types = HeaderTypes(receiver->header, FORMAT_JSON);

	switch (receiver->form)
	{
		case STREAM_ROWS:
		case STREAM_OBJECTS:
			JsonWriter.head(out, receiver->header, &types, NULL, 0, 0);
			break;
		case STREAM_LINES:
			OutAppendChar(out, '{');
			HeaderAppendMembers(out, receiver->header, &types);
			OutAppend(out, "}\n", 2);
			break;
		case STREAM_OBJECT_LINES:
			break;
	}
}

/* Write what precedes the rows, though some may be there already. */
static void
Begin(RowReceiver *receiver)
{
	MemoryContext old = MemoryContextSwitchTo(receiver->context);
	Output		rows = receiver->piece;

	if (receiver->header != NULL && receiver->header->incomplete)
	{
		Header	   *header = HeaderCopy(receiver->header);

		if (HeaderMerge(&header, receiver->by_query))
			receiver->header = header;
		HeaderClose(receiver->header);
	}
	BeginBuffer(receiver);
	AppendHead(receiver, &receiver->piece);
	OutAppend(&receiver->piece, rows.data + VARHDRSZ, rows.len - VARHDRSZ);
	pfree(rows.data);
	receiver->begun = true;
	MemoryContextSwitchTo(old);
}

/*
 * The executor is run once for each piece, and in between a cursor may have
 * been replaced by another.
 */
static void
StartRows(DestReceiver *self, int operation, TupleDesc tupdesc)
{
	RowReceiver *receiver = (RowReceiver *) self;
	MemoryContext old;

	if (receiver->tupdesc != NULL)
	{
		if (!equalTupleDescs(receiver->tupdesc, tupdesc))
			ReportColumnsDiffer();
		return;
	}
	old = MemoryContextSwitchTo(receiver->context);
	receiver->tupdesc = CreateTupleDescCopy(tupdesc);
	MemoryContextSwitchTo(old);
	PlanRows(receiver);
	if (receiver->header == NULL || !receiver->header->incomplete)
		Begin(receiver);
}

static void
AddRow(RowReceiver *receiver, TupleTableSlot *slot)
{
	Output	   *out = &receiver->piece;
	RowPlan    *plan = receiver->rows;
	Size		start;

	slot_getallattrs(slot);
	for (int i = 0; i < plan->ncols; i++)
	{
		plan->cells[i].value = slot->tts_values[i];
		plan->cells[i].isnull = slot->tts_isnull[i];
	}
	if (StreamHasLines(receiver->form))
	{
		start = out->len;
		plan->write(out, plan, receiver->header, plan->cells);
		JsonEndLine(out, start);
	}
	else
	{
		ElementBegin(out, Min(receiver->nrows, 1));
		plan->write(out, plan, receiver->header, plan->cells);
	}
	receiver->nrows++;
	if (unlikely(out->len > out->maxlen))
		ReportTooLarge(out);
}

static bool
ReceiveRow(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;
	MemoryContext old = MemoryContextSwitchTo(receiver->row_context);

	if (unlikely(receiver->rows->nested != NIL && RowPlanIsOutdated(receiver->rows)))
		PlanRows(receiver);
	AddRow(receiver, slot);
	MemoryContextSwitchTo(old);
	MemoryContextReset(receiver->row_context);
	return !RowReceiverIsFull(receiver) || receiver->full(receiver);
}

static void
EndRun(DestReceiver *self)
{
}

/* A receiver for rows of any type, made in a context that lives as long */
RowReceiver *
RowReceiverCreate(StreamForm form, MemoryContext context)
{
	RowReceiver *receiver = MemoryContextAllocZero(context, sizeof(RowReceiver));

	receiver->pub.receiveSlot = ReceiveRow;
	receiver->pub.rStartup = StartRows;
	receiver->pub.rShutdown = EndRun;
	receiver->pub.rDestroy = EndRun;
	receiver->pub.mydest = DestNone;
	receiver->form = form;
	receiver->context = context;
	receiver->row_context = AllocSetContextCreate(context, "jsonrow stream row",
												  ALLOCSET_DEFAULT_SIZES);
	receiver->shared = PlanContextCreate(&JsonWriter, StreamHasHeader(form) ?
										 NESTED_HOISTED : NESTED_OBJECTS,
										 DocumentDomainsLookup(), context);
	BeginBuffer(receiver);
	return receiver;
}

/* Note what the query says about its rows, before they come. */
void
RowReceiverTell(RowReceiver *receiver, PlannedStmt *stmt, ParamListInfo params)
{
	MemoryContext old = MemoryContextSwitchTo(receiver->context);

	receiver->by_query = HeaderOfResult(stmt, params);
	MemoryContextSwitchTo(old);
}

/*
 * No more rows will come: write what follows them.  Returns whether there is
 * something to hand on.
 */
bool
RowReceiverEnd(RowReceiver *receiver)
{
	Output	   *out = &receiver->piece;

	Assert(!receiver->ended);
	if (!receiver->begun)
		Begin(receiver);
	if (!StreamHasLines(receiver->form))
		JsonWriter.tail(out, receiver->header, NULL);
	else if (receiver->form == STREAM_LINES)
	{
		char	   *dst = OutReserve(out, 32);

		out->len += snprintf(dst, 32, "{\"rows\":" UINT64_FORMAT "}\n", receiver->nrows);
	}
	receiver->ended = true;
	return out->len > VARHDRSZ;
}

/*
 * What is to be handed on, as a text that is valid until the next piece begins
 */
struct varlena *
RowReceiverPiece(RowReceiver *receiver)
{
	if (!receiver->begun)
		Begin(receiver);
	return OutFinishValue(&receiver->piece);
}

/* It has been handed on; use the buffer again. */
void
RowReceiverNextPiece(RowReceiver *receiver)
{
	if (receiver->piece.size > KEEP_SIZE)
	{
		pfree(receiver->piece.data);
		BeginBuffer(receiver);
	}
	receiver->piece.len = VARHDRSZ;
}
