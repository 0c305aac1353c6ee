/*-------------------------------------------------------------------------
 *
 * state.c
 *		A document being gathered: rows, or vectors, under a header.
 *
 * Rows go to one growing buffer.  What precedes them in the document (the
 * header, in jsonb also a JEntry per row) is only known at the end, except
 * for JSON text under a header that has nothing left to learn: there it is
 * written first.  A large document is finished in the buffer it grew in,
 * which costs at most one move of its bytes, and handed over as it is.
 *
 * By column there is a buffer for each vector.  At the end they are written
 * one after the other, and each freed as soon as that is done.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/jsonb_write.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "write/state.h"

/* Enough for a few narrow rows, or for a few cells */
#define INITIAL_BUFFER_SIZE		256
#define INITIAL_VECTOR_SIZE		64

/* Smaller documents are rather copied out of the state than kept. */
#define KEEP_SIZE				8192

/* Room for all but the rows and their entries in a serialized state */
#define MAX_STATE_OVERHEAD		(1024 * 1024)

/* Brackets, padding and such per column of a finished document */
#define COLUMN_OVERHEAD			16

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

pg_noreturn static void
ReportDocumentsDiffer(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("documents differ in %s", what)));
}

/* The buffers themselves are allocated in result_context. */
DocumentState *
StateCreate(const Writer *writer, bool by_column, MemoryContext context,
			   MemoryContext result_context)
{
	DocumentState   *doc = MemoryContextAllocZero(context, sizeof(DocumentState));

	doc->writer = writer;
	doc->by_column = by_column;
	doc->context = context;
	OutInit(&doc->rows, writer->limit, INITIAL_BUFFER_SIZE, result_context);
	return doc;
}

/*
 * Elements: the rows of an array, or the cells of a vector
 */

/* Begin an element; returns where in the buffer. */
static inline Size
BeginElement(const DocumentState *doc, Output *out, bool first)
{
	if (!doc->writer->has_entries && !first)
		OutAppendChar(out, ',');
	return out->len;
}

static inline void
EndElement(const DocumentState *doc, Output *out, Size start, JEntry type)
{
	if (doc->writer->has_entries)
		OutPushItem(out, type | (out->len - start));
}

static void
AppendNull(const DocumentState *doc, Output *out, bool first)
{
	Size		start = BeginElement(doc, out, first);

	if (!doc->writer->has_entries)
		OutAppend(out, "null", 4);
	EndElement(doc, out, start, JENTRY_ISNULL);
}

/* Are so many nulls, at four bytes each at least, more than there may be? */
static void
CheckNulls(const DocumentState *doc, int ncols, uint32 nrows)
{
	if ((uint64) nrows * ncols > doc->rows.maxlen / sizeof(JEntry))
		ReportTooLarge(doc->writer->limit);
}

static void
AppendNulls(const DocumentState *doc, Output *out, uint32 nrows, bool first)
{
	for (uint32 i = 0; i < nrows; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AppendNull(doc, out, first && i == 0);
	}
}

/* A vector for each of ncols columns, with a null for each row so far */
static Output *
CreateColumns(const DocumentState *doc, int ncols, MemoryContext context)
{
	Output	   *columns = MemoryContextAlloc(context, ncols * sizeof(Output));

	CheckNulls(doc, ncols, doc->nrows);
	for (int i = 0; i < ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		OutInit(&columns[i], doc->writer->limit, INITIAL_VECTOR_SIZE, context);
		AppendNulls(doc, &columns[i], doc->nrows, true);
	}
	return columns;
}

/* How many arrays of elements there are, and which */
static inline int
ArrayCount(const DocumentState *doc)
{
	if (!doc->by_column)
		return 1;
	return doc->columns ? doc->header->ncols : 0;
}

static inline Output *
ArrayAt(const DocumentState *doc, int i)
{
	return doc->by_column ? &doc->columns[i] : unconstify(Output *, &doc->rows);
}

/* Is a finished document too large? */
static void
CheckTotal(const DocumentState *doc, Size total)
{
	if (total > doc->rows.maxlen + (doc->writer->has_entries ? VARHDRSZ : 0))
		ReportTooLarge(doc->writer->limit);
}

static inline Size
ArraySize(const Output *array)
{
	return array->len + OutItemsSize(array);
}

/*
 * A row more is complete.  The exact limit is held here, once a row; the
 * buffers only know it roughly.
 */
static inline void
EndRows(DocumentState *doc, uint32 nrows)
{
	doc->nrows += nrows;
	doc->size = 0;
	for (int i = 0; i < ArrayCount(doc); i++)
		doc->size += ArraySize(ArrayAt(doc, i));
	if (unlikely(doc->size > doc->rows.maxlen))
		ReportTooLarge(doc->writer->limit);
}

/*
 * Enter the header of rows to come in the document.
 *
 * lasting: the header lives as long as the query.  Then it is shared between
 * documents, unless rows may yet add to it.
 */
static void
AgreeOnHeader(DocumentState *doc, Header *header, bool lasting)
{
	MemoryContext old = MemoryContextSwitchTo(doc->context);

	if (doc->header == NULL && lasting && !header->incomplete)
		doc->header = header;
	else if (doc->header == NULL)
		doc->header = HeaderCopy(header);
	else if (!HeaderMerge(&doc->header, header))
		ReportColumnsDiffer();
	MemoryContextSwitchTo(old);

	if (doc->by_column && doc->columns == NULL)
		doc->columns = CreateColumns(doc, doc->header->ncols, doc->rows.context);
}

/* The same for the header of a planned row */
static void
AgreeOnColumns(DocumentState *doc, Header *header, bool lasting)
{
	AgreeOnHeader(doc, header, lasting);
	doc->header_id = header->id;
	if (!doc->by_column && !doc->writer->has_entries && doc->rows.len == 0 &&
		!header->incomplete)
	{
		doc->writer->head(&doc->rows, header, 0, 0);
		doc->headlen = doc->rows.len;
	}
}

/* Append the cells of a row to their vectors. */
static void
AddCells(DocumentState *doc, RowPlan *plan, const NullableDatum *cells)
{
	for (int i = 0; i < plan->ncols; i++)
	{
		ColumnPlan *column = &plan->cols[i * plan->step];
		Output	   *out = &doc->columns[i];
		Size		start;
		JEntry		type;

		CHECK_FOR_INTERRUPTS();
		if (cells[i].isnull)
		{
			AppendNull(doc, out, doc->nrows == 0);
			continue;
		}
		start = BeginElement(doc, out, doc->nrows == 0);
		type = column->write(out, column, &doc->header->cols[i], cells[i].value);
		EndElement(doc, out, start, type);
	}
}

/*
 * Add one row.  lasting: what the plan points to lives as long as the query.
 */
void
StateAddRow(DocumentState *doc, RowPlan *plan, bool lasting, const NullableDatum *cells)
{
	if (plan->header != NULL && unlikely(doc->header_id != plan->header->id))
		AgreeOnColumns(doc, plan->header, lasting);
	if (doc->by_column)
		AddCells(doc, plan, cells);
	else
	{
		Size		start = BeginElement(doc, &doc->rows, doc->nrows == 0);

		EndElement(doc, &doc->rows, start,
				   doc->writer->row(&doc->rows, plan, doc->header, cells));
	}
	EndRows(doc, 1);
}

/*
 * Add what stands for a row that is NULL as a whole: by column, a null in
 * each vector.
 */
void
StateAddNullRow(DocumentState *doc)
{
	for (int i = 0; i < ArrayCount(doc); i++)
		AppendNull(doc, ArrayAt(doc, i), doc->nrows == 0);
	EndRows(doc, 1);
}

/*
 * Documents put together
 */

/* Documents take the orientation of the first. */
static void
AgreeOnOrientation(DocumentState *doc, bool by_column)
{
	if (doc->header == NULL && doc->nrows == 0)
		doc->by_column = by_column;
	else if (doc->by_column != by_column)
		ReportDocumentsDiffer("orientation");
}

/* Byte for byte; either may be missing. */
static bool
SameTypes(const JsonbElement *a, const JsonbElement *b)
{
	if (a->data == NULL || b->data == NULL)
		return a->data == b->data;
	return a->type == b->type && a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void
AgreeOnTypes(DocumentState *doc, const JsonbElement *types)
{
	if (doc->header == NULL && doc->nrows == 0)
	{
		doc->types = *types;
		if (types->data != NULL)
			doc->types.data = memcpy(MemoryContextAlloc(doc->context, types->len + 1),
									 types->data, types->len);
	}
	else if (!SameTypes(&doc->types, types))
		ReportDocumentsDiffer("member \"types\"");
}

/* Append another document's rows, as bytes. */
void
StateAppend(DocumentState *doc, const DocumentState *other)
{
	Assert(!doc->finished);
	if (doc->writer != other->writer)
		ReportBadState();
	if (other->header == NULL && other->nrows == 0)
		return;
	AgreeOnOrientation(doc, other->by_column);
	AgreeOnTypes(doc, &other->types);
	if (other->header != NULL)
		AgreeOnHeader(doc, other->header, false);
	if (other->nrows == 0)
		return;

	if (doc->by_column && other->columns == NULL)
		CheckNulls(doc, ArrayCount(doc), other->nrows);
	for (int i = 0; i < ArrayCount(doc); i++)
	{
		Output	   *out = ArrayAt(doc, i);
		const Output *array;

		CHECK_FOR_INTERRUPTS();
		if (doc->by_column && other->columns == NULL)
		{
			AppendNulls(doc, out, other->nrows, doc->nrows == 0);
			continue;
		}
		array = ArrayAt(other, i);
		BeginElement(doc, out, doc->nrows == 0);
		if (doc->writer->has_entries)
			AppendElements(out, NULL, WalkGathered(array, other->nrows), other->nrows);
		else
			OutAppend(out, array->data + other->headlen, array->len - other->headlen);
	}
	EndRows(doc, other->nrows);
}

/* Append the rows of a stored document, as bytes. */
void
StateAppendDocument(DocumentState *doc, const Document *other)
{
	bool		unknown = HeaderSaysNothing(other->header, &other->parts);

	if (unknown && other->nrows == 0 && other->parts.types.data == NULL)
		return;
	AgreeOnOrientation(doc, other->parts.by_column);
	AgreeOnTypes(doc, &other->parts.types);
	if (other->header->incomplete)
		HeaderResolve(other->header, other->parts.by_column, other->arrays);
	if (!unknown)
		AgreeOnHeader(doc, other->header, false);
	for (int i = 0; i < other->narrays; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AppendElements(ArrayAt(doc, i), NULL, other->arrays[i], other->nrows);
	}
	EndRows(doc, other->nrows);
}

/*
 * The end
 */

/* Write a document anew with the reserved member, which is rare. */
static Datum
WithTypes(const Jsonb *jsonb, const JsonbElement *types)
{
	DocumentParts parts;
	DocumentBuilder doc;
	Output		out;

	JsonbDocumentParts(jsonb, &parts);
	OutInit(&out, FORMAT_JSONB, VARSIZE(jsonb) + types->len + 64, CurrentMemoryContext);
	BeginDocument(&out, &doc, parts.by_column, types);
	AppendMember(&out, &doc, parts.cols, parts.colslen);
	AppendMember(&out, &doc, parts.cells, parts.cellslen);
	return JsonbPGetDatum(EndDocument(&out, &doc));
}

/* StateFinish, by column */
static Datum
FinishColumns(DocumentState *doc, const Header *header, bool keep)
{
	Output	   *columns = doc->columns;
	Output		out;

	if (columns == NULL)		/* there were no rows, or all were NULL */
		columns = CreateColumns(doc, header->ncols, CurrentMemoryContext);
	keep = keep && doc->size > KEEP_SIZE;
	OutInit(&out, doc->writer->limit,
			INITIAL_BUFFER_SIZE + doc->size + header->ncols * COLUMN_OVERHEAD,
			keep ? doc->rows.context : CurrentMemoryContext);
	doc->writer->columns(&out, header, columns, doc->nrows, keep);
	CheckTotal(doc, out.len);
	SET_VARSIZE(out.data, out.len);
	if (keep)
	{
		doc->rows.data = out.data;
		doc->finished = true;
	}
	return PointerGetDatum(out.data);
}

/* ... row by row, or as a bare array of rows */
static Datum
FinishRows(DocumentState *doc, const Header *header, bool keep)
{
	const Writer *writer = doc->writer;
	Size		taillen = writer->has_entries ? 0 : header ? 2 : 1;
	Size		rowslen = doc->rows.len - doc->headlen;
	Output		head;			/* all that precedes the rows */
	Size		total;
	char	   *dst;

	head.data = doc->rows.data;
	head.len = doc->headlen;
	if (doc->headlen == 0)
	{
		OutInit(&head, writer->limit, INITIAL_BUFFER_SIZE, CurrentMemoryContext);
		writer->head(&head, header, doc->nrows, rowslen);
		if (writer->has_entries)
			AppendGatheredEntries(&head, &doc->rows, doc->nrows);
	}
	total = head.len + rowslen + taillen;
	CheckTotal(doc, total);
	CHECK_FOR_INTERRUPTS();		/* all rows may be moved */

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
 * The finished document, under the header given or as a bare array of rows.
 *
 * keep: no rows will follow, and the state may become the result.  Finishing
 * twice gives the same result in any case; without keep the state is left
 * alone, as a moving window frame wants it.
 */
Datum
StateFinish(DocumentState *doc, const Header *header, bool keep)
{
	Datum		result;

	if (doc->finished)
		result = PointerGetDatum(doc->rows.data);
	else if (doc->by_column)
		result = FinishColumns(doc, header, keep);
	else
		result = FinishRows(doc, header, keep);
	return doc->types.data ? WithTypes(DatumGetJsonbP(result), &doc->types) : result;
}

/*
 * The state as bytes, for another process.  The header travels as jsonb
 * whatever the document's own format.
 */
bytea *
StateSerialize(const DocumentState *doc)
{
	const Writer *writer = doc->writer;
	StringInfoData out;
	Output		header;

	if (doc->size > MaxAllocSize - MAX_STATE_OVERHEAD)
		ReportTooLarge(writer->limit);

	OutInit(&header, FORMAT_JSONB, INITIAL_BUFFER_SIZE, CurrentMemoryContext);
	if (doc->header != NULL)
		JsonbWriter.header(&header, doc->header);

	pq_begintypsend(&out);
	enlargeStringInfo(&out, header.len + doc->types.len + doc->size + 64);
	pq_sendbyte(&out, writer->has_entries ? STATE_JSONB : STATE_JSON);
	pq_sendbyte(&out, doc->by_column);
	pq_sendint32(&out, header.len);
	pq_sendbytes(&out, header.data, header.len);
	pq_sendbyte(&out, doc->types.data != NULL);
	pq_sendint32(&out, doc->types.type);
	pq_sendint32(&out, doc->types.len);
	pq_sendbytes(&out, doc->types.data, doc->types.len);
	pq_sendint32(&out, doc->nrows);
	pq_sendint32(&out, ArrayCount(doc));
	for (int i = 0; i < ArrayCount(doc); i++)
	{
		const Output *array = ArrayAt(doc, i);

		CHECK_FOR_INTERRUPTS();
		pq_sendint32(&out, array->len - doc->headlen);
		pq_sendbytes(&out, array->data + doc->headlen, array->len - doc->headlen);
		/* as they are: never sent elsewhere */
		pq_sendbytes(&out, array->data + array->end, OutItemsSize(array));
	}
	pfree(header.data);
	return pq_endtypsend(&out);
}

void
ReportBadState(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid serialized state of a jsonrow aggregate")));
}

/* Are gathered elements what was announced: rows, or any cells? */
static void
CheckGathered(const DocumentState *doc, const Output *array)
{
	JsonbWalk	walk = WalkGathered(array, doc->nrows);
	JsonbElement element;

	while (JsonbWalkNext(&walk, &element))
	{
		CHECK_FOR_INTERRUPTS();
		if (!doc->by_column && doc->header != NULL &&
			!RowFits(&element, doc->header->ncols))
			ReportBadState();
	}
	if (walk.offset != array->len)
		ReportBadState();
}

/* The reserved member, if there is one; its bytes stay where they are. */
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
		return (JsonbElement) {0};
	}
	if (!JsonbElementIsSound(type, len))
		ReportBadState();
	return (JsonbElement) {type, data, len};
}

/* One array of a state; its bytes stay where they are. */
static void
ReadArray(StringInfo in, const DocumentState *doc, Output *array)
{
	Size		itemslen = doc->writer->has_entries ? mul_size(doc->nrows, sizeof(JEntry)) : 0;

	array->len = array->end = (uint32) pq_getmsgint(in, 4);
	array->size = add_size(array->len, itemslen);
	if (array->size > in->len - in->cursor)
		ReportBadState();
	array->data = unconstify(char *, pq_getmsgbytes(in, array->size));
	if (doc->writer->has_entries)
		CheckGathered(doc, array);
}

/* What the header's bytes don't tell */
static void
ResolveGathered(DocumentState *doc)
{
	JsonbWalk  *arrays = palloc(ArrayCount(doc) * sizeof(JsonbWalk));

	for (int i = 0; i < ArrayCount(doc); i++)
		arrays[i] = WalkGathered(ArrayAt(doc, i), doc->nrows);
	HeaderResolve(doc->header, doc->by_column, arrays);
	pfree(arrays);
}

/*
 * A state from its bytes, in the current memory context.  It can be appended
 * to another; rows cannot be added to it, for its own stay in the bytes.
 */
DocumentState *
StateDeserialize(bytea *bytes)
{
	StringInfoData in = {0};
	DocumentState   *doc;
	int			format;
	int			len;
	bool		by_column;

	in.data = VARDATA_ANY(bytes);
	in.len = VARSIZE_ANY_EXHDR(bytes);

	format = pq_getmsgbyte(&in);
	by_column = pq_getmsgbyte(&in);
	if (format != STATE_JSONB && format != STATE_JSON)
		ReportBadState();
	doc = StateCreate(format == STATE_JSONB ? &JsonbWriter : &JsonWriter, by_column,
						 CurrentMemoryContext, CurrentMemoryContext);

	len = pq_getmsgint(&in, 4);
	if (len > 0 && !HeaderDecode(pq_getmsgbytes(&in, len), len, &doc->header))
		ReportBadState();
	doc->types = ReadTypes(&in);
	doc->nrows = pq_getmsgint(&in, 4);
	len = pq_getmsgint(&in, 4);
	if (by_column && len > 0)
	{
		if (doc->header == NULL || len != doc->header->ncols)
			ReportBadState();
		doc->columns = palloc0(len * sizeof(Output));
	}
	if (len != ArrayCount(doc))
		ReportBadState();
	for (int i = 0; i < len; i++)
		ReadArray(&in, doc, ArrayAt(doc, i));
	pq_getmsgend(&in);
	if (doc->writer->has_entries && len > 0 && doc->header && doc->header->incomplete)
		ResolveGathered(doc);
	return doc;
}
