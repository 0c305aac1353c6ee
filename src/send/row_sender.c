/*-------------------------------------------------------------------------
 *
 * row_sender.c
 *		Rows to the client, their JSON printed by us.
 *
 * PostgreSQL prints a jsonb to a buffer, measures it, copies it to the row's
 * message, and copies that to the socket's buffer.  Here the printer writes to
 * the message itself, and a json, which is text already, is copied to it
 * without being copied and measured before.  Everything else is as in
 * printtup.c: the row description and the end are PostgreSQL's receiver's own
 * work, columns of other types are printed by their own functions, and a row
 * that is too large is left to it, because its error tells how large.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_text.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "port/pg_bswap.h"
#include "send/row_sender.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

/* The type of a message with a row */
#define DATA_ROW		'D'

/* The length that stands for NULL */
#define NULL_LENGTH		((uint32) -1)

/* What precedes a jsonb in binary */
#define JSONB_VERSION	1

/* A message has room for this much at first, as in printtup.c. */
#define MESSAGE_SIZE	1024

struct SentColumn
{
	ColumnPrinter printer;
	bool		binary;
	FmgrInfo	function;		/* of a type that prints itself */
};

/*
 * Who prints values of a type?  Domains are printed as what they are over.  A type that has
 * been dropped, under an open portal, is an error only if there is one more row.
 */
ColumnPrinter
PrinterOfType(Oid type)
{
	bool		is_own = type < FirstNormalObjectId || !SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type));
	Oid			base = is_own ? type : getBaseType(type);

	return base == JSONBOID ? PRINT_JSONB : base == JSONOID ? PRINT_JSON : PRINT_BY_TYPE;
}

static SentColumn
PlanColumn(Oid type, bool binary)
{
	SentColumn	column = {PrinterOfType(type), binary};
	Oid			function;
	bool		is_varlena;

	if (column.printer != PRINT_BY_TYPE)
		return column;
	if (binary)
		getTypeBinaryOutputInfo(type, &function, &is_varlena);
	else
		getTypeOutputInfo(type, &function, &is_varlena);
	fmgr_info(function, &column.function);
	return column;
}

static void
PlanColumns(RowSender *sender, TupleDesc tupdesc)
{
	if (sender->columns != NULL)
		pfree(sender->columns);
	sender->columns = palloc(sizeof(SentColumn) * Max(tupdesc->natts, 1));
	for (int i = 0; i < tupdesc->natts; i++)
		sender->columns[i] = PlanColumn(TupleDescAttr(tupdesc, i)->atttypid,
										sender->formats != NULL && sender->formats[i] != 0);
	sender->tupdesc = tupdesc;
}

static inline void
AppendLength(Output *out, uint32 len)
{
	len = pg_hton32(len);
	OutAppend(out, &len, sizeof(len));
}

/* Convert what was written from start on to the client's encoding. */
static void
ConvertText(Output *out, Size start)
{
	char	   *text = out->data + start;
	char	   *converted = pg_server_to_client(text, out->len - start);

	if (converted != text)
	{
		out->len = start;
		OutAppend(out, converted, strlen(converted));
		pfree(converted);
	}
}

static void RefuseValue(const Output *out);

/* Append a jsonb or json, after its length. */
static void
AppendJson(Output *out, const SentColumn *column, Datum value)
{
	struct varlena *json = pg_detoast_datum_packed((struct varlena *) DatumGetPointer(value));
	Size		start = out->len;
	Size		text;
	uint32		len;

	/* The text is about as long. */
	OutReserve(out, VARSIZE_ANY_EXHDR(json));
	AppendLength(out, 0);
	if (column->printer == PRINT_JSONB && column->binary)
		OutAppendChar(out, JSONB_VERSION);
	text = out->len;
	if (column->printer == PRINT_JSONB)
		JsonAppendContainer(out, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json), JSON_SPACED);
	else
		OutAppend(out, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));
	if ((Pointer) json != DatumGetPointer(value))
		pfree(json);
	/* It is too long as jsonb_out prints it, even if its conversion is not. */
	if (unlikely(out->len - text > OutMaxLen(FORMAT_JSON)))
		RefuseValue(out);
	ConvertText(out, text);
	len = pg_hton32(out->len - start - sizeof(len));
	memcpy(out->data + start, &len, sizeof(len));
}

/* Append a value of another type, after its length. */
static void
AppendPrinted(Output *out, SentColumn *column, Datum value)
{
	if (column->binary)
	{
		bytea	   *bytes = SendFunctionCall(&column->function, value);

		AppendLength(out, VARSIZE(bytes) - VARHDRSZ);
		OutAppend(out, VARDATA(bytes), VARSIZE(bytes) - VARHDRSZ);
	}
	else
	{
		char	   *text = OutputFunctionCall(&column->function, value);
		char	   *converted = pg_server_to_client(text, strlen(text));
		Size		len = strlen(converted);

		AppendLength(out, len);
		OutAppend(out, converted, len);
	}
}

/* Have PostgreSQL's receiver send the row. */
static bool
HandOn(RowSender *sender)
{
	return sender->next->receiveSlot(sender->slot, sender->next);
}

/*
 * A value is too long to be printed: PostgreSQL's receiver says so, in its own
 * words.  It needs the memory to find out.
 */
static void
RefuseValue(const Output *out)
{
	RowSender  *sender = (RowSender *) ((char *) out - offsetof(RowSender, message));

	pfree(out->data);
	HandOn(sender);
	elog(ERROR, "PostgreSQL printed a value that jsonrow found too long");
}

/*
 * Write the message of a row.  Returns false if it has become too long; a
 * single value is not, because its own limit counts from where it begins: it
 * may be shorter in the client's encoding.
 */
static bool
WriteMessage(RowSender *sender, TupleTableSlot *slot)
{
	Output	   *out = &sender->message;
	int			natts = slot->tts_tupleDescriptor->natts;
	uint16		count = pg_hton16(natts);

	out->len = 0;
	OutAppend(out, &count, sizeof(count));
	for (int i = 0; i < natts; i++)
	{
		SentColumn *column = &sender->columns[i];

		out->maxlen = out->len + OutMaxLen(FORMAT_JSON);
		if (slot->tts_isnull[i])
			AppendLength(out, NULL_LENGTH);
		else if (column->printer == PRINT_BY_TYPE)
			AppendPrinted(out, column, slot->tts_values[i]);
		else
			AppendJson(out, column, slot->tts_values[i]);
		if (unlikely(out->len > OutMaxLen(FORMAT_JSON)))
			return false;
	}
	return true;
}

static void
SendMessage(const Output *message)
{
	StringInfoData buf = {.data = message->data,.len = message->len,.cursor = DATA_ROW};

	pq_endmessage_reuse(&buf);
}

static bool
SendRow(TupleTableSlot *slot, DestReceiver *self)
{
	RowSender  *sender = (RowSender *) self;
	MemoryContext old;
	bool		written;

	if (sender->tupdesc != slot->tts_tupleDescriptor)
		PlanColumns(sender, slot->tts_tupleDescriptor);
	slot_getallattrs(slot);
	sender->slot = slot;
	old = MemoryContextSwitchTo(sender->row_context);
	written = WriteMessage(sender, slot);
	if (likely(written))
		SendMessage(&sender->message);
	MemoryContextSwitchTo(old);
	MemoryContextReset(sender->row_context);
	return written || HandOn(sender);
}

static void
StartRows(DestReceiver *self, int operation, TupleDesc tupdesc)
{
	RowSender  *sender = (RowSender *) self;

	sender->next->rStartup(sender->next, operation, tupdesc);
	sender->row_context = AllocSetContextCreate(CurrentMemoryContext, "jsonrow row to be sent",
												ALLOCSET_DEFAULT_SIZES);
	OutInit(&sender->message, FORMAT_JSON, MESSAGE_SIZE, CurrentMemoryContext);
	sender->message.too_large = RefuseValue;
}

static void
EndRows(DestReceiver *self)
{
	RowSender  *sender = (RowSender *) self;

	sender->next->rShutdown(sender->next);
	if (sender->columns != NULL)
		pfree(sender->columns);
	pfree(sender->message.data);
	MemoryContextDelete(sender->row_context);
	/* It may be started again. */
	sender->columns = NULL;
	sender->tupdesc = NULL;
}

/* PostgreSQL's receiver outlives the run; its owner destroys it. */
static void
DoNotDestroy(DestReceiver *self)
{
}

/*
 * A receiver that stands before PostgreSQL's.  The formats are those of the
 * columns, or NULL, if all are text.
 */
void
RowSenderInit(RowSender *sender, DestReceiver *next, const int16 *formats)
{
	memset(sender, 0, sizeof(*sender));
	sender->pub.receiveSlot = SendRow;
	sender->pub.rStartup = StartRows;
	sender->pub.rShutdown = EndRows;
	sender->pub.rDestroy = DoNotDestroy;
	sender->pub.mydest = next->mydest;
	sender->next = next;
	sender->formats = formats;
}
