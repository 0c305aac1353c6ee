/*-------------------------------------------------------------------------
 *
 * splice.c
 *		Arrays, and so documents, with some of their elements replaced.
 *
 * The result is written front to back into one allocation of its size.  What
 * doesn't change is copied as bytes; only the JEntries of the arrays that
 * change are rewritten.
 *
 * A document that was fetched or decompressed for us alone is changed in
 * place: with a document of 1 MB, having the kernel provide the pages for a
 * copy took longer than everything else.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "change/splice.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

/* Padding before an array, before what is inserted, and before what follows */
#define MAX_PADDING		(3 * 3)

static JsonbWalk
WalkFrom(const JsonbWalk *array, uint32 index)
{
	JsonbWalk	walk = *array;

	JsonbWalkSeek(&walk, index);
	return walk;
}

/* The size of some elements, including padding */
static Size
RangeSize(const JsonbWalk *array, uint32 from, uint32 to)
{
	uint32		start = WalkFrom(array, from).offset;
	uint32		end = WalkFrom(array, to).offset;

	if (end < start)
		ReportCorruptJsonb();
	return end - start;
}

static uint32
SplicedCount(const JsonbWalk *array, const Splice *splice)
{
	return splice->to - splice->from + (splice->inserted ? 1 : 0) +
		array->count - splice->resume;
}

/* The maximum size of the array */
static Size
SplicedSize(const JsonbWalk *array, const Splice *splice)
{
	return sizeof(uint32) + (Size) SplicedCount(array, splice) * sizeof(JEntry) +
		RangeSize(array, splice->from, splice->to) +
		(splice->inserted ? splice->inserted->len : 0) +
		RangeSize(array, splice->resume, array->count) + MAX_PADDING;
}

static void
SpliceArray(Output *out, const JsonbWalk *array, const Splice *splice)
{
	ContainerBuilder container = BeginArray(out, SplicedCount(array, splice));

	AddElements(out, &container, WalkFrom(array, splice->from),
				splice->to - splice->from);
	if (splice->inserted)
		AddElement(out, &container, splice->inserted);
	AddElements(out, &container, WalkFrom(array, splice->resume),
				array->count - splice->resume);
}

/* The array that a splice makes of another, by itself */
JsonbElement
SplicedArray(const JsonbWalk *array, const Splice *splice)
{
	Output		out;

	OutInit(&out, FORMAT_JSONB, SplicedSize(array, splice), CurrentMemoryContext);
	SpliceArray(&out, array, splice);
	return JsonbElementOf(JENTRY_ISCONTAINER, out.data, out.len);
}

/* Begin a document like another, but perhaps in the other orientation, up to its rows or vectors. */
void
BeginLike(Output *out, DocumentBuilder *builder, const Document *doc, bool by_column, Size cellslen)
{
	const DocumentMembers *members = &doc->members;

	OutInit(out, FORMAT_JSONB, DOCUMENT_HEAD_MAXSIZE + members->cols.len + cellslen + members->types.len,
			CurrentMemoryContext);
	BeginDocument(out, builder, by_column, &members->types);
	AppendMember(out, builder, &members->cols);
}

/*
 * In place
 */

/* Bytes to be moved within a buffer */
typedef struct Move
{
	char	   *to;
	const char *from;
	Size		len;
} Move;

/*
 * Carry out moves that are sorted both by source and by destination, and
 * overlap in neither.  Moves towards the front are done from the first on, the
 * others from the last on, so that no source is overwritten.
 */
static void
MoveAll(const Move *moves, int nmoves)
{
	for (int i = 1; i < nmoves; i++)
		Assert(moves[i].from >= moves[i - 1].from + moves[i - 1].len &&
			   moves[i].to >= moves[i - 1].to + moves[i - 1].len);
	for (int i = 0; i < nmoves; i++)
		if (moves[i].to < moves[i].from)
			memmove(moves[i].to, moves[i].from, moves[i].len);
	for (int i = nmoves - 1; i >= 0; i--)
		if (moves[i].to > moves[i].from)
			memmove(moves[i].to, moves[i].from, moves[i].len);
}

static void
SetMove(Move *move, char *to, const char *from, Size len)
{
	move->to = to;
	move->from = from;
	move->len = len;
}

/* Add the moves of a run that isn't empty; returns their number. */
static int
AddMoves(Move *moves, char *base, const ElementRun *run)
{
	int			n = 0;

	if (run->leadlen > 0)
		SetMove(&moves[n++], base + run->position, run->lead, run->leadlen);
	if (run->rest)
		SetMove(&moves[n++], base + RunRestPosition(run), run->rest, run->restlen);
	return n;
}

static void
WritePadding(char *base, Size from, Size to)
{
	memset(base + from, 0, to - from);
}

static void
WriteRunPadding(char *base, const ElementRun *run)
{
	if (run->rest)
		WritePadding(base, run->position + run->leadlen, RunRestPosition(run));
}

/* The layout of a document after its cells have been spliced in place */
typedef struct SplicedLayout
{
	Output		head;			/* everything that precedes the elements */
	ElementRun	before;
	Size		inserted;		/* where the inserted one begins, if any */
	ElementRun	after;
	Size		types;			/* where the member "types" begins, if any */
	Size		end;
} SplicedLayout;

/*
 * Find out where everything goes: each part begins where the one before it
 * ends, and takes as much padding as it needs there.
 */
static void
LayOutSplice(SplicedLayout *layout, const Document *doc, const JsonbWalk *cells,
			 const Splice *splice)
{
	const JsonbElement *types = &doc->members.types;
	uint32		count = SplicedCount(cells, splice);
	Output	   *head = &layout->head;
	DocumentBuilder builder;
	ContainerBuilder array;
	Size		end;

	BeginLike(head, &builder, doc, doc->members.by_column, (Size) count * sizeof(JEntry));
	array = BeginArray(head, count);
	layout->before = AddEntries(head, &array, WalkFrom(cells, splice->from),
								splice->to - splice->from, head->len);
	layout->inserted = end = RunEnd(&layout->before);
	if (splice->inserted)
	{
		if (JsonbElementIsAligned(splice->inserted))
			layout->inserted = INTALIGN(end);
		AddEntryOfLength(head, &array, splice->inserted->type,
						 layout->inserted + splice->inserted->len - end);
		end = layout->inserted + splice->inserted->len;
	}
	layout->after = AddEntries(head, &array, WalkFrom(cells, splice->resume),
							   cells->count - splice->resume, end);
	end = RunEnd(&layout->after);
	EndPendingMember(head, &builder, end - head->len);
	EndPendingTypes(head, &builder, end - head->len);
	layout->types = JsonbElementIsAligned(types) ? INTALIGN(end) : end;
	layout->end = layout->types + types->len;
}

/*
 * SpliceCells, in the buffer that the document is in; NULL if there is not
 * enough room.  Parts that are kept are moved before anything else is written
 * there.
 */
static Jsonb *
SpliceInPlace(const Document *doc, const JsonbWalk *cells, const Splice *splice)
{
	char	   *base = doc->buffer;
	SplicedLayout layout;
	Move		moves[5];
	int			nmoves;

	/* Members that are not sorted, as damage may leave them, are copied. */
	if (doc->members.types.data != NULL && doc->members.types.data < doc->members.cells.data + doc->members.cells.len)
		return NULL;
	LayOutSplice(&layout, doc, cells, splice);
	if (layout.end > doc->capacity)
	{
		pfree(layout.head.data);
		return NULL;
	}
	nmoves = AddMoves(moves, base, &layout.before);
	nmoves += AddMoves(moves + nmoves, base, &layout.after);
	if (doc->members.types.data != NULL)
		SetMove(&moves[nmoves++], base + layout.types, doc->members.types.data, doc->members.types.len);
	MoveAll(moves, nmoves);
	memcpy(base, layout.head.data, layout.head.len);
	pfree(layout.head.data);
	WriteRunPadding(base, &layout.before);
	WritePadding(base, RunEnd(&layout.before), layout.inserted);
	if (splice->inserted)
		memcpy(base + layout.inserted, splice->inserted->data, splice->inserted->len);
	WriteRunPadding(base, &layout.after);
	WritePadding(base, RunEnd(&layout.after), layout.types);
	SET_VARSIZE(base, layout.end);
	return (Jsonb *) base;
}

/*
 * Documents
 */

/* A document with its array of rows, or of vectors, spliced */
Jsonb *
SpliceCells(const Document *doc, const Splice *splice)
{
	JsonbWalk	cells;
	DocumentBuilder builder;
	Output		out;

	JsonbWalkStart(&cells, doc->members.cells.data, doc->members.cells.len);
	if (doc->buffer != NULL)
	{
		Jsonb	   *result = SpliceInPlace(doc, &cells, splice);

		if (result != NULL)
			return result;
	}
	BeginLike(&out, &builder, doc, doc->members.by_column, SplicedSize(&cells, splice));
	SpliceArray(&out, &cells, splice);
	EndMember(&out, &builder);
	return EndDocument(&out, &builder);
}

/* The splice of one vector, with its own one of the inserted cells */
static Splice
SpliceOfVector(const Splice *splice, int vector)
{
	Splice		result = *splice;

	if (splice->inserted)
		result.inserted = &splice->inserted[vector];
	return result;
}

/*
 * A document with its rows spliced.  In a column-oriented one each vector is,
 * and inserted has a cell for each.
 */
Jsonb *
SpliceRows(const Document *doc, const Splice *splice)
{
	DocumentBuilder builder;
	ContainerBuilder vals;
	Output		out;
	Size		size = 0;

	if (!doc->members.by_column)
		return SpliceCells(doc, splice);

	for (int i = 0; i < doc->narrays; i++)
	{
		Splice		one = SpliceOfVector(splice, i);

		CHECK_FOR_INTERRUPTS();
		size += SplicedSize(&doc->arrays[i], &one) + sizeof(JEntry);
	}
	BeginLike(&out, &builder, doc, true, size);
	vals = BeginArray(&out, doc->narrays);
	for (int i = 0; i < doc->narrays; i++)
	{
		Splice		one = SpliceOfVector(splice, i);
		Size		start = out.len;

		CHECK_FOR_INTERRUPTS();
		SpliceArray(&out, &doc->arrays[i], &one);
		AddEntry(&out, &vals, JENTRY_ISCONTAINER, start);
	}
	EndMember(&out, &builder);
	return EndDocument(&out, &builder);
}
