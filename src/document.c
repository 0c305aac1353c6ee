/*-------------------------------------------------------------------------
 *
 * document.c
 *		A document being gathered: rows under a header.
 *
 * Rows go to one growing buffer.  What precedes them in the document (the
 * header, in jsonb also a JEntry per row) is only known at the end, except
 * for JSON text under a header that has nothing left to learn: there it is
 * written first.  A large document is finished in the buffer it grew in,
 * which costs at most one move of its bytes, and handed over as it is.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/memutils.h"

/* Enough for a few narrow rows */
#define INITIAL_BUFFER_SIZE		256

/* Smaller documents are rather copied out of the state than kept. */
#define KEEP_SIZE				8192

/* Room for all but the rows and their entries in a serialized state */
#define MAX_STATE_OVERHEAD		(1024 * 1024)

/* What a serialized state begins with */
#define STATE_JSONB				'b'
#define STATE_JSON				't'

pg_noreturn static void
ReportColumnsDiffer(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("columns differ from the rows before"),
			 errhint("All rows of one document have the same columns; cast to jsonb what differs.")));
}

/* The buffer itself is allocated in result_context. */
Document *
DocumentCreate(const Writer *writer, MemoryContext context,
			   MemoryContext result_context)
{
	Document   *doc = MemoryContextAllocZero(context, sizeof(Document));

	doc->writer = writer;
	doc->context = context;
	OutInit(&doc->rows, writer->limit, INITIAL_BUFFER_SIZE, result_context);
	return doc;
}

/*
 * Enter the header of a planned row in the document.
 *
 * lasting: the header lives as long as the query.  Then it is shared between
 * documents, unless rows may yet add to it.
 */
static void
AgreeOnColumns(Document *doc, Header *header, bool lasting)
{
	MemoryContext old = MemoryContextSwitchTo(doc->context);

	if (doc->header == NULL && lasting && !header->open)
		doc->header = header;
	else if (doc->header == NULL)
		doc->header = HeaderCopy(header);
	else if (!HeaderMerge(&doc->header, header))
		ReportColumnsDiffer();
	doc->header_id = header->id;
	MemoryContextSwitchTo(old);

	if (!doc->writer->has_entries && doc->rows.len == 0 && !header->open)
	{
		doc->writer->head(&doc->rows, header, 0, 0);
		doc->headlen = doc->rows.len;
	}
}

/* Begin a row; returns where in the buffer. */
static inline Size
BeginRow(Document *doc)
{
	if (!doc->writer->has_entries && doc->nrows > 0)
		OutAppendChar(&doc->rows, ',');
	return doc->rows.len;
}

/* The exact limit, held once a row; the buffer only knows it roughly. */
static inline void
CheckSize(const Document *doc)
{
	if (unlikely(doc->rows.len + OutItemsSize(&doc->rows) > doc->rows.maxlen))
		ReportTooLarge(doc->writer->limit);
}

static inline void
EndRow(Document *doc, Size start, JEntry type)
{
	if (doc->writer->has_entries)
		OutPushItem(&doc->rows, type | (doc->rows.len - start));
	doc->nrows++;
	CheckSize(doc);
}

/*
 * Add one row.  lasting: what the plan points to lives as long as the query.
 */
void
DocumentAddRow(Document *doc, RowPlan *plan, bool lasting, const NullableDatum *cells)
{
	Size		start;

	if (plan->header != NULL && unlikely(doc->header_id != plan->header->id))
		AgreeOnColumns(doc, plan->header, lasting);
	start = BeginRow(doc);
	EndRow(doc, start, doc->writer->row(&doc->rows, plan, doc->header, cells));
}

/* Add what stands for a row that is NULL as a whole. */
void
DocumentAddNullRow(Document *doc)
{
	Size		start = BeginRow(doc);

	if (!doc->writer->has_entries)
		OutAppend(&doc->rows, "null", 4);
	EndRow(doc, start, JENTRY_ISNULL);
}

/*
 * The rows of the other are to be appended at start, after padding in front
 * of the first that isn't null; add their entries.
 */
static void
AppendEntries(Document *doc, const Document *other, Size padding)
{
	for (uint32 i = 0; i < other->nrows; i++)
	{
		JEntry		entry = OutItem(&other->rows, i);

		if ((entry & JENTRY_TYPEMASK) != JENTRY_ISNULL)
		{
			entry += padding;
			padding = 0;
		}
		OutPushItem(&doc->rows, entry);
	}
}

/* Append another document's rows, as bytes. */
void
DocumentAppend(Document *doc, const Document *other)
{
	Size		start = doc->rows.len;
	MemoryContext old;

	Assert(doc->writer == other->writer && !doc->finished);
	if (other->nrows == 0)
		return;

	if (other->header != NULL)
	{
		old = MemoryContextSwitchTo(doc->context);
		if (!HeaderMerge(&doc->header, other->header))
			ReportColumnsDiffer();
		MemoryContextSwitchTo(old);
	}

	if (doc->writer->has_entries)
	{
		if (other->rows.len > 0)
			OutAlign(&doc->rows);
		AppendEntries(doc, other, doc->rows.len - start);
	}
	else
		BeginRow(doc);
	OutAppend(&doc->rows, other->rows.data + other->headlen,
				 other->rows.len - other->headlen);
	doc->nrows += other->nrows;
	CheckSize(doc);
}

/* Append the JEntries of all rows: every 32nd holds an offset. */
static void
AppendFinalEntries(Output *head, const Document *doc)
{
	uint32		total = 0;
	char	   *dst = OutReserve(head, OutItemsSize(&doc->rows));

	for (uint32 i = 0; i < doc->nrows; i++)
	{
		JEntry		entry = OutItem(&doc->rows, i);

		total += JBE_OFFLENFLD(entry);
		if (i % JB_OFFSET_STRIDE == 0)
			entry = (entry & JENTRY_TYPEMASK) | total | JENTRY_HAS_OFF;
		memcpy(dst, &entry, sizeof(entry));
		dst += sizeof(entry);
	}
	OutAdvanceTo(head, dst);
}

/*
 * The finished document, under the header given or as a bare array of rows.
 *
 * keep: no rows will follow, and the state may become the result.  Finishing
 * twice gives the same result in any case; without keep the state is left
 * alone, as a moving window frame wants it.
 */
Datum
DocumentFinish(Document *doc, const Header *header, bool keep)
{
	const Writer *writer = doc->writer;
	Size		taillen = writer->has_entries ? 0 : header ? 2 : 1;
	Size		rowslen = doc->rows.len - doc->headlen;
	Output		head;			/* all that precedes the rows */
	Size		total;
	char	   *dst;

	if (doc->finished)
		return PointerGetDatum(doc->rows.data);

	head.data = doc->rows.data;
	head.len = doc->headlen;
	if (doc->headlen == 0)
	{
		OutInit(&head, writer->limit, INITIAL_BUFFER_SIZE, CurrentMemoryContext);
		writer->head(&head, header, doc->nrows, rowslen);
		if (writer->has_entries)
			AppendFinalEntries(&head, doc);
	}
	total = head.len + rowslen + taillen;
	if (total > doc->rows.maxlen)
		ReportTooLarge(writer->limit);

	if (keep && total > KEEP_SIZE)
	{
		doc->rows.end = doc->rows.size; /* the entries are in the head now */
		OutReserve(&doc->rows, total - doc->rows.len);
		dst = doc->rows.data;
		if (doc->headlen == 0)
		{
			memmove(dst + head.len, dst, rowslen);
			memcpy(dst, head.data, head.len);
		}
		doc->rows.len = total;
		doc->finished = true;
	}
	else
	{
		dst = palloc(total);
		memcpy(dst, head.data, head.len);
		memcpy(dst + head.len, doc->rows.data + doc->headlen, rowslen);
	}
	memcpy(dst + head.len + rowslen, "]}", taillen);
	SET_VARSIZE(dst, total);
	return PointerGetDatum(dst);
}

/*
 * The state as bytes, for another process.  The header travels as jsonb
 * whatever the document's own format.
 */
bytea *
DocumentSerialize(const Document *doc)
{
	StringInfoData out;
	Size		rowslen = doc->rows.len - doc->headlen;
	Size		entrieslen = OutItemsSize(&doc->rows);
	Output		header;

	if (rowslen + entrieslen > MaxAllocSize - MAX_STATE_OVERHEAD)
		ReportTooLarge(doc->writer->limit);

	OutInit(&header, LIMIT_JSONB, INITIAL_BUFFER_SIZE, CurrentMemoryContext);
	if (doc->header != NULL)
		JsonbWriter.header(&header, doc->header);

	pq_begintypsend(&out);
	enlargeStringInfo(&out, header.len + entrieslen + rowslen + 64);
	pq_sendbyte(&out, doc->writer->has_entries ? STATE_JSONB : STATE_JSON);
	pq_sendint32(&out, header.len);
	pq_sendbytes(&out, header.data, header.len);
	pq_sendint32(&out, doc->nrows);
	pq_sendint32(&out, rowslen);
	pq_sendbytes(&out, doc->rows.data + doc->headlen, rowslen);
	if (doc->writer->has_entries)	/* as they are: never sent elsewhere */
		pq_sendbytes(&out, doc->rows.data + doc->rows.end, entrieslen);
	pfree(header.data);
	return pq_endtypsend(&out);
}

pg_noreturn static void
ReportBadState(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid serialized state of a jsonrow aggregate")));
}

/* Do the rows have the lengths and widths that were announced? */
static void
CheckRows(const Document *doc)
{
	uint64		offset = 0;

	for (uint32 i = 0; i < doc->nrows; i++)
	{
		JEntry		entry = OutItem(&doc->rows, i);
		uint64		end = offset + JBE_OFFLENFLD(entry);
		uint32		row;

		if (end > doc->rows.len)
			ReportBadState();
		if (entry != JENTRY_ISNULL)
		{
			if ((entry & ~JENTRY_OFFLENMASK) != JENTRY_ISCONTAINER)
				ReportBadState();
			offset = INTALIGN(offset);
			if (offset + sizeof(row) > end)
				ReportBadState();
			memcpy(&row, doc->rows.data + offset, sizeof(row));
			if ((row & ~JB_CMASK) != JB_FARRAY ||
				(doc->header && (row & JB_CMASK) != doc->header->ncols))
				ReportBadState();
		}
		offset = end;
	}
	if (offset != doc->rows.len)
		ReportBadState();
}

/*
 * A state from its bytes, in the current memory context.  It can be appended
 * to another; rows cannot be added to it, for its own stay in the bytes.
 */
Document *
DocumentDeserialize(bytea *bytes)
{
	StringInfoData in = {0};
	Document   *doc;
	int			format;
	int			len;
	Size		entrieslen;

	in.data = VARDATA_ANY(bytes);
	in.len = VARSIZE_ANY_EXHDR(bytes);

	format = pq_getmsgbyte(&in);
	if (format != STATE_JSONB && format != STATE_JSON)
		ReportBadState();
	doc = DocumentCreate(format == STATE_JSONB ? &JsonbWriter : &JsonWriter,
						 CurrentMemoryContext, CurrentMemoryContext);

	len = pq_getmsgint(&in, 4);
	if (len > 0)
	{
		char	   *header = memcpy(palloc(len), pq_getmsgbytes(&in, len), len);

		if (!HeaderDecode(header, len, &doc->header))
			ReportBadState();
	}
	doc->nrows = pq_getmsgint(&in, 4);
	doc->rows.len = pq_getmsgint(&in, 4);
	entrieslen = doc->writer->has_entries ? mul_size(doc->nrows, sizeof(JEntry)) : 0;
	if (doc->rows.len + entrieslen != in.len - in.cursor)
		ReportBadState();
	doc->rows.end = doc->rows.len;
	doc->rows.size = doc->rows.len + entrieslen;
	doc->rows.data = unconstify(char *, pq_getmsgbytes(&in, doc->rows.size));
	pq_getmsgend(&in);
	if (doc->writer->has_entries)
		CheckRows(doc);
	return doc;
}
