/*-------------------------------------------------------------------------
 *
 * splice.c
 *		Arrays, and so documents, with some of their elements replaced.
 *
 * The result is written front to back into one allocation of its size.  What
 * doesn't change is copied as bytes; only the JEntries of the arrays that
 * are cut are written anew.
 *
 * A document that was fetched or decompressed for us alone is changed where
 * it is: of a document of 1 MB, to let the kernel hand out the pages for
 * another one took longer than all the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "change/splice.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

/* Padding in front of an array, of what is inserted, and of what follows */
#define MAX_PADDING		(3 * 3)

/* Root, its keys, and header words, padding included */
#define ROOT_SIZE		64

static JsonbWalk
WalkFrom(const JsonbWalk *array, uint32 index)
{
	JsonbWalk	walk = *array;

	JsonbWalkSeek(&walk, index);
	return walk;
}

/* What some elements take, with their padding */
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

/* What the array takes at most */
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

	AppendElements(out, &container, WalkFrom(array, splice->from),
				   splice->to - splice->from);
	if (splice->inserted)
		AddElement(out, &container, splice->inserted);
	AppendElements(out, &container, WalkFrom(array, splice->resume),
				   array->count - splice->resume);
}

/* The array that a splice makes of another, by itself */
JsonbElement
SplicedArray(const JsonbWalk *array, const Splice *splice)
{
	Output		out;

	OutInit(&out, FORMAT_JSONB, SplicedSize(array, splice), CurrentMemoryContext);
	SpliceArray(&out, array, splice);
	return (JsonbElement) {JENTRY_ISCONTAINER, out.data, out.len};
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
 * Carry out moves that are in order, both by where they come from and by
 * where they go, and overlap in neither.  Those towards the front are done
 * from the first on, the others from the last on: so none is overwritten.
 */
static void
MoveAll(const Move *moves, int nmoves)
{
	for (int i = 0; i < nmoves; i++)
		if (moves[i].len > 0 && moves[i].to < moves[i].from)
			memmove(moves[i].to, moves[i].from, moves[i].len);
	for (int i = nmoves - 1; i >= 0; i--)
		if (moves[i].len > 0 && moves[i].to > moves[i].from)
			memmove(moves[i].to, moves[i].from, moves[i].len);
}

static int
AddMoves(Move *moves, char *base, const ElementRun *run)
{
	moves[0] = (Move) {base + run->position, run->lead, run->leadlen};
	moves[1] = (Move) {base + RunRestPosition(run), run->rest, run->restlen};
	return run->rest ? 2 : 1;
}

static void
WritePadding(char *base, Size from, Size to)
{
	memset(base + from, 0, to - from);
}

/*
 * SpliceCells, in the buffer that the document is in.  All that precedes the
 * elements is made beside it.  Returns NULL if there is too little room.
 */
static Jsonb *
SpliceInPlace(const Document *doc, const JsonbWalk *cells, const Splice *splice)
{
	uint32		count = SplicedCount(cells, splice);
	char	   *base = doc->buffer;
	Output		head;
	DocumentBuilder open;
	ContainerBuilder array;
	ElementRun	before,
				after;
	JsonbElement nothing = {0};
	const JsonbElement *inserted = splice->inserted ? splice->inserted : &nothing;
	Size		position,
				end;
	Move		moves[4];
	int			nmoves;

	OutInit(&head, FORMAT_JSONB, ROOT_SIZE + doc->parts.colslen + (Size) count * sizeof(JEntry),
			CurrentMemoryContext);
	BeginDocument(&head, &open, doc->parts.by_column, NULL);
	AppendMember(&head, &open, doc->parts.cols, doc->parts.colslen);
	array = BeginArray(&head, count);

	before = AddEntries(&head, &array, WalkFrom(cells, splice->from),
						splice->to - splice->from, head.len);
	position = JsonbElementIsAligned(inserted) ? INTALIGN(RunEnd(&before)) : RunEnd(&before);
	end = position + inserted->len;
	if (splice->inserted)
		AddEntryOfLength(&head, &array, inserted->type, end - RunEnd(&before));
	after = AddEntries(&head, &array, WalkFrom(cells, splice->resume),
					   cells->count - splice->resume, end);
	end = RunEnd(&after);
	AddEntryOfLength(&head, &open.root, JENTRY_ISCONTAINER, end - open.start);
	if (end > doc->capacity)
	{
		pfree(head.data);
		return NULL;
	}

	nmoves = AddMoves(moves, base, &before);
	nmoves += AddMoves(moves + nmoves, base, &after);
	MoveAll(moves, nmoves);
	memcpy(base, head.data, head.len);
	pfree(head.data);
	if (before.rest)
		WritePadding(base, before.position + before.leadlen, RunRestPosition(&before));
	WritePadding(base, RunEnd(&before), position);
	if (inserted->len > 0)
		memcpy(base + position, inserted->data, inserted->len);
	if (after.rest)
		WritePadding(base, after.position + after.leadlen, RunRestPosition(&after));
	if (end - VARHDRSZ > JENTRY_OFFLENMASK)
		ReportTooLarge(FORMAT_JSONB);
	SET_VARSIZE(base, end);
	return (Jsonb *) base;
}

/*
 * Documents
 */

/* Begin a document like another, up to its rows or vectors. */
static void
BeginLike(Output *out, DocumentBuilder *open, const Document *doc, Size cellslen)
{
	const DocumentParts *parts = &doc->parts;

	OutInit(out, FORMAT_JSONB, ROOT_SIZE + parts->colslen + cellslen + parts->types.len,
			CurrentMemoryContext);
	BeginDocument(out, open, parts->by_column, &parts->types);
	AppendMember(out, open, parts->cols, parts->colslen);
}

/* A document with its array of rows, or of vectors, spliced */
Jsonb *
SpliceCells(const Document *doc, const Splice *splice)
{
	JsonbWalk	cells;
	DocumentBuilder open;
	Output		out;

	JsonbWalkStart(&cells, doc->parts.cells, doc->parts.cellslen);
	if (doc->buffer != NULL && doc->parts.types.data == NULL)
	{
		Jsonb	   *result = SpliceInPlace(doc, &cells, splice);

		if (result != NULL)
			return result;
	}
	BeginLike(&out, &open, doc, SplicedSize(&cells, splice));
	SpliceArray(&out, &cells, splice);
	EndMember(&out, &open);
	return EndDocument(&out, &open);
}

/* The splice of one vector: its own one of the cells that are inserted */
static Splice
SpliceOfVector(const Splice *splice, int vector)
{
	Splice		result = *splice;

	if (splice->inserted)
		result.inserted = &splice->inserted[vector];
	return result;
}

/*
 * A document with its rows spliced.  By column, each vector is, and inserted
 * has a cell for each.
 */
Jsonb *
SpliceRows(const Document *doc, const Splice *splice)
{
	DocumentBuilder open;
	ContainerBuilder vals;
	Output		out;
	Size		size = 0;

	if (!doc->parts.by_column)
		return SpliceCells(doc, splice);

	for (int i = 0; i < doc->narrays; i++)
	{
		Splice		one = SpliceOfVector(splice, i);

		CHECK_FOR_INTERRUPTS();
		size += SplicedSize(&doc->arrays[i], &one) + sizeof(JEntry);
	}
	BeginLike(&out, &open, doc, size);
	vals = BeginArray(&out, doc->narrays);
	for (int i = 0; i < doc->narrays; i++)
	{
		Splice		one = SpliceOfVector(splice, i);
		Size		start = out.len;

		CHECK_FOR_INTERRUPTS();
		SpliceArray(&out, &doc->arrays[i], &one);
		AddEntry(&out, &vals, JENTRY_ISCONTAINER, start);
	}
	EndMember(&out, &open);
	return EndDocument(&out, &open);
}
