/*-------------------------------------------------------------------------
 *
 * state.c
 *		The state of an aggregate: rows, or vectors, collected under a header.
 *
 * Rows go to one growing buffer.  What precedes them in the document (the
 * header, in jsonb also a JEntry per row) is only known at the end, except for
 * JSON text under a header that is complete: there it is written first.  A
 * large document is finished in the buffer in which it grew, which costs at
 * most one move of its bytes, and handed over as it is.
 *
 * In column orientation there is a buffer for each vector.  At the end they
 * are written one after the other, and each is freed as soon as that is done.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/build.h"
#include "format/elements.h"
#include "miscadmin.h"
#include "write/state.h"

/* Enough for a few narrow rows, or for a few cells */
#define INITIAL_BUFFER_SIZE		256
#define INITIAL_VECTOR_SIZE		64

/* Smaller documents are copied out of the state instead of kept. */
#define KEEP_SIZE				8192

/* Brackets, padding and such per column of a finished document */
#define COLUMN_OVERHEAD			16

/* What to do if a document is too large */
#define LIMIT_HINT_JSONB	"Use the aggregate's _json form, or smaller batches of rows."
#define LIMIT_HINT_JSON		"Use jsonrow_stream, or smaller batches of rows."

void
ReportColumnsDiffer(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("columns differ from those of earlier rows"),
			 errhint("All rows of one document must have the same columns. Use to_jsonb() for what differs.")));
}

/* It came as bytes, which were not written by an aggregate of this kind. */
void
ReportBadState(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid serialized state of a jsonrow aggregate")));
}

pg_noreturn static void
ReportDocumentsDiffer(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("documents differ in their columns"),
			 errhint("Only documents with the same header can be concatenated.")));
}

#ifdef USE_ASSERT_CHECKING
static void
AssertCheckState(const DocumentState *state)
{
	Assert(state->rows.format == state->writer->format);
	Assert(state->header != NULL || state->header_id == 0);
	Assert(state->columns == NULL || (state->by_column && state->header != NULL));
	Assert(!state->by_column || (state->rows.len == 0 && state->headlen == 0));
	Assert(state->headlen <= state->rows.len);
	Assert(state->headlen == 0 || state->writer->head_comes_first);
	for (int i = 0; i < StateArrayCount(state); i++)
	{
		const Output *array = StateArray(state, i);

		Assert(array->format == state->writer->format);
		Assert(state->finished ||
			   OutItemsSize(array) == EntriesSize(array->format, state->nrows));
	}
}
#else
#define AssertCheckState(state)	((void) 0)
#endif

static void
InitArray(Output *array, DocumentFormat format, Size size, MemoryContext context)
{
	OutInit(array, format, size, context);
	array->limit_hint = format == FORMAT_JSONB ? LIMIT_HINT_JSONB : LIMIT_HINT_JSON;
}

/* The buffers themselves are allocated in result_context. */
DocumentState *
StateCreate(const Writer *writer, bool by_column, MemoryContext context,
			MemoryContext result_context)
{
	DocumentState *state = MemoryContextAllocZero(context, sizeof(DocumentState));

	state->writer = writer;
	state->by_column = by_column;
	state->context = context;
	InitArray(&state->rows, writer->format, INITIAL_BUFFER_SIZE, result_context);
	return state;
}

/* Set what is between rows in JSON text, in addition to a comma. */
void
StateSetSpacing(DocumentState *state, bool spaced, bool line_feeds)
{
	state->rows.spaced = spaced;
	state->line_feeds = line_feeds && state->writer->format == FORMAT_JSON;
}

/* Raise an error if there are too many nulls, at four bytes each. */
static void
CheckNulls(const DocumentState *state, int ncols, uint32 nrows)
{
	if ((uint64) nrows * ncols > state->rows.maxlen / sizeof(JEntry))
		ReportTooLarge(&state->rows);
}

/* A vector for each of ncols columns, with a null for each row so far */
static Output *
CreateColumns(const DocumentState *state, int ncols, MemoryContext context)
{
	Output	   *columns = MemoryContextAlloc(context, ncols * sizeof(Output));

	CheckNulls(state, ncols, state->nrows);
	for (int i = 0; i < ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		InitArray(&columns[i], state->writer->format, INITIAL_VECTOR_SIZE, context);
		ElementsAddNulls(&columns[i], state->nrows, 0);
	}
	return columns;
}

/*
 * One more row is complete.  The exact limit is enforced here, once per row;
 * the buffers only know it roughly.
 */
static inline void
EndRows(DocumentState *state, uint32 nrows)
{
	state->nrows += nrows;
	state->size = 0;
	for (int i = 0; i < StateArrayCount(state); i++)
	{
		const Output *array = StateArray(state, i);

		state->size += array->len + OutItemsSize(array);
	}
	if (unlikely(state->size > state->rows.maxlen))
		ReportTooLarge(&state->rows);
}

/*
 * Rows
 */

/*
 * The head was written before it turned out that it isn't right for all rows;
 * it will be rewritten.
 */
static void
DropHead(DocumentState *state)
{
	Output	   *rows = &state->rows;

	rows->len -= state->headlen;
	memmove(rows->data, rows->data + state->headlen, rows->len);
	state->headlen = 0;
}

/*
 * Add the header of rows to come to the state; false if it does not fit.
 *
 * lasting says that the header lives as long as the query.  Then it is shared
 * between documents, unless rows may still add to it.
 */
static bool
AgreeOnHeader(DocumentState *state, Header *header, bool lasting)
{
	MemoryContext old = MemoryContextSwitchTo(state->context);

	AssertCheckHeader(header);
	if (state->header == NULL && lasting && !header->incomplete)
		state->header = header;
	else if (state->header == NULL)
		state->header = HeaderCopy(header);
	else if (!HeaderMerge(&state->header, header))
	{
		MemoryContextSwitchTo(old);
		return false;
	}
	else if (HeaderJoinTypes(&state->header, header))
		DropHead(state);
	MemoryContextSwitchTo(old);

	if (state->by_column && state->columns == NULL)
		state->columns = CreateColumns(state, state->header->ncols, state->rows.context);
	AssertCheckHeader(state->header);
	return true;
}

/* The same for the header of a planned row */
static void
AgreeOnPlan(DocumentState *state, Header *header, bool lasting)
{
	if (!AgreeOnHeader(state, header, lasting))
		ReportColumnsDiffer();
	state->header_id = header->id;
	if (!state->by_column && state->writer->head_comes_first && state->rows.len == 0 &&
		!header->incomplete)
	{
		JsonbElement types = HeaderTypes(header, state->rows.format);

		state->writer->head(&state->rows, header, &types, NULL, 0, 0);
		state->headlen = state->rows.len;
	}
}

/* Append the cells of a row to their vectors. */
static void
AddCells(DocumentState *state, RowPlan *plan, const NullableDatum *cells)
{
	for (int i = 0; i < plan->ncols; i++)
	{
		ColumnPlan *column = &plan->cols[i * plan->step];
		Output	   *vector = &state->columns[i];
		Size		start;

		CHECK_FOR_INTERRUPTS();
		if (cells[i].isnull)
		{
			ElementsAddNull(vector, state->nrows);
			continue;
		}
		start = ElementBegin(vector, state->nrows);
		ElementEnd(vector, start,
				   column->write(vector, column, &state->header->cols[i], cells[i].value));
	}
}

/* Begin a row or another value; returns where. */
static inline Size
BeginRow(DocumentState *state)
{
	Size		start = ElementBegin(&state->rows, state->nrows);

	if (state->line_feeds && state->nrows > 0)
		OutAppend(&state->rows, "\n ", 2);
	return start;
}

/* Add one value that isn't a row, and isn't NULL. */
void
StateAddValue(DocumentState *state, ColumnPlan *plan, Datum value)
{
	Size		start = BeginRow(state);

	ElementEnd(&state->rows, start, plan->write(&state->rows, plan, NULL, value));
	EndRows(state, 1);
	AssertCheckState(state);
}

/*
 * Add one row.  lasting says that what the plan points to lives as long as the
 * query.
 */
void
StateAddRow(DocumentState *state, RowPlan *plan, bool lasting, const NullableDatum *cells)
{
	AssertCheckState(state);
	if (plan->header != NULL && unlikely(state->header_id != plan->header->id))
		AgreeOnPlan(state, plan->header, lasting);
	if (state->by_column)
		AddCells(state, plan, cells);
	else
	{
		Size		start = BeginRow(state);

		ElementEnd(&state->rows, start, plan->write(&state->rows, plan, state->header, cells));
	}
	EndRows(state, 1);
	AssertCheckState(state);
}

/*
 * Add a row that is NULL as a whole: a null or, in column orientation, a null
 * in each vector.
 */
void
StateAddNullRow(DocumentState *state)
{
	for (int i = 0; i < StateArrayCount(state); i++)
		ElementsAddNull(StateArray(state, i), state->nrows);
	EndRows(state, 1);
	AssertCheckState(state);
}

/*
 * Combining states and documents
 */

/* They take the orientation of the first. */
static void
AgreeOnOrientation(DocumentState *state, bool by_column)
{
	if (state->header == NULL && state->nrows == 0)
		state->by_column = by_column;
	else if (state->by_column != by_column)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("documents differ in orientation"),
				 errhint("Use jsonrow_to_rows or jsonrow_to_columns.")));
}

/* Byte for byte; one or both may be missing. */
static bool
SameTypes(const JsonbElement *a, const JsonbElement *b)
{
	if (a->data == NULL || b->data == NULL)
		return a->data == b->data;
	return a->type == b->type && a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/*
 * A member "types" that could not be read into the header comes with the first
 * header, and is kept as it is; it must be the same in all documents.
 */
static void
AgreeOnTypes(DocumentState *state, const JsonbElement *types)
{
	if (state->header == NULL && state->types.data == NULL)
	{
		state->types = *types;
		if (types->data != NULL)
			state->types.data = memcpy(MemoryContextAlloc(state->context, types->len + 1),
									   types->data, types->len);
	}
	else if (!SameTypes(&state->types, types))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("documents differ in member \"types\"")));
}

/* Append another state's rows, as bytes. */
void
StateAppend(DocumentState *state, const DocumentState *other)
{
	Assert(!state->finished);
	Assert(other->headlen == 0);	/* it came as bytes, without a head */
	if (state->writer != other->writer)
		ReportBadState();
	state->typed |= other->typed;
	if (other->header == NULL && other->nrows == 0 && other->types.data == NULL)
		return;
	AgreeOnOrientation(state, other->by_column);
	if (other->header != NULL || other->types.data != NULL)
		AgreeOnTypes(state, &other->types);
	if (other->header != NULL && !AgreeOnHeader(state, other->header, false))
		ReportColumnsDiffer();
	if (other->nrows == 0)
		return;

	if (state->by_column && other->columns == NULL)
		CheckNulls(state, StateArrayCount(state), other->nrows);
	for (int i = 0; i < StateArrayCount(state); i++)
	{
		Output	   *array = StateArray(state, i);

		CHECK_FOR_INTERRUPTS();
		if (state->by_column && other->columns == NULL)
			ElementsAddNulls(array, other->nrows, state->nrows);
		else
			ElementsAddGathered(array, state->nrows, StateArray(other, i), other->nrows);
	}
	EndRows(state, other->nrows);
	AssertCheckState(state);
}

/* Append the rows of a finished document, as bytes. */
void
StateAppendDocument(DocumentState *state, const Document *doc)
{
	bool		unknown = MembersSayNothing(&doc->members, doc->header);
	JsonbElement types = doc->members.types;

	if (HeaderReadTypes(doc->header, &types, FORMAT_JSONB))
	{
		types = JsonbElementOf(0, NULL, 0);
		state->typed |= unknown;
	}
	if (unknown && doc->nrows == 0 && types.data == NULL)
		return;
	AgreeOnOrientation(state, doc->members.by_column);
	if (!unknown || types.data != NULL)
		AgreeOnTypes(state, &types);
	if (doc->header->incomplete)
		HeaderResolve(doc->header, doc->members.by_column, doc->arrays);
	if (!unknown && !AgreeOnHeader(state, doc->header, false))
		ReportDocumentsDiffer();
	for (int i = 0; i < doc->narrays; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ElementsAddArray(StateArray(state, i), doc->arrays[i], doc->nrows);
	}
	EndRows(state, doc->nrows);
	AssertCheckState(state);
}

/*
 * The end
 */

/*
 * The member "types" of the document that the state becomes under a header;
 * without data if it has none.
 */
JsonbElement
StateTypes(const DocumentState *state, const Header *header, DocumentFormat format)
{
	static const Header no_columns = {.typed = true};

	if (state->types.data != NULL)
		return state->types;
	if (state->typed && state->header == NULL && HeaderWidth(header) == 0)
		header = &no_columns;
	return HeaderTypes(header, format);
}

/* StateFinish, in column orientation */
static Datum
FinishColumns(DocumentState *state, const Header *header, const JsonbElement *types, bool keep)
{
	Output	   *columns = state->columns;
	Output		out;
	Datum		result;

	if (columns == NULL)		/* there were no rows, or all were NULL */
		columns = CreateColumns(state, header->ncols, CurrentMemoryContext);
	keep = keep && state->size > KEEP_SIZE;
	InitArray(&out, state->writer->format,
			  INITIAL_BUFFER_SIZE + state->size + header->ncols * COLUMN_OVERHEAD + types->len,
			  keep ? state->rows.context : CurrentMemoryContext);
	state->writer->columns(&out, header, types, columns, state->nrows, keep);
	result = PointerGetDatum(OutFinishValue(&out));
	if (keep)
	{
		state->rows.data = out.data;
		state->finished = true;
	}
	return result;
}

/*
 * The rows become the document in their own buffer.  Unless the head is there
 * already, they are moved up, and the head is put in front.
 */
static Datum
FinishInPlace(DocumentState *state, const Header *header, const JsonbElement *types,
			  const Output *head)
{
	Output	   *rows = &state->rows;
	Size		shift = head->len - state->headlen;

	rows->end = rows->size;		/* the entries are in the head now */
	OutReserve(rows, shift + TailMaxSize(types));
	if (shift > 0)
	{
		memmove(rows->data + shift, rows->data, rows->len);
		memcpy(rows->data, head->data, head->len);
		rows->len += shift;
	}
	state->writer->tail(rows, header, types);
	state->finished = true;
	return PointerGetDatum(OutFinishValue(rows));
}

/* The document is put together from copies, and the state is left alone. */
static Datum
FinishCopy(const DocumentState *state, const Header *header, const JsonbElement *types,
		   const Output *head)
{
	Size		rowslen = state->rows.len - state->headlen;
	Output		out;

	OutInit(&out, state->writer->format,
			head->len + rowslen + TailMaxSize(types) + OUTPUT_MARGIN, CurrentMemoryContext);
	OutAppend(&out, head->data, head->len);
	OutAppend(&out, state->rows.data + state->headlen, rowslen);
	state->writer->tail(&out, header, types);
	return PointerGetDatum(OutFinishValue(&out));
}

/* StateFinish, in row orientation, or as a bare array of rows */
static Datum
FinishRows(DocumentState *state, const Header *header, const JsonbElement *types, bool keep)
{
	Size		rowslen = state->rows.len - state->headlen;
	Output		head = state->rows; /* everything that precedes the rows */

	head.len = state->headlen;
	if (state->headlen == 0)
	{
		InitArray(&head, state->writer->format, INITIAL_BUFFER_SIZE, CurrentMemoryContext);
		state->writer->head(&head, header, types, &state->rows, state->nrows, rowslen);
	}
	OutCheckValue(&state->rows, head.len + rowslen);
	CHECK_FOR_INTERRUPTS();		/* all rows may be moved */
	if (keep && head.len + rowslen > KEEP_SIZE)
		return FinishInPlace(state, header, types, &head);
	return FinishCopy(state, header, types, &head);
}

/*
 * The finished document, under the header given or as a bare array of rows.
 *
 * keep says that no rows will follow, so the state may become the result.
 * Finishing twice gives the same result in any case; without keep the state is
 * left alone, as a moving window frame needs.
 */
Datum
StateFinish(DocumentState *state, const Header *header, bool keep)
{
	JsonbElement types = StateTypes(state, header, state->writer->format);
	Datum		result;

	AssertCheckState(state);
	AssertCheckHeader(header);
	if (state->finished)
		result = PointerGetDatum(state->rows.data);
	else if (state->by_column)
		result = FinishColumns(state, header, &types, keep);
	else
		result = FinishRows(state, header, &types, keep);
	AssertCheckState(state);
	return result;
}
