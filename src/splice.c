/*-------------------------------------------------------------------------
 *
 * splice.c
 *		A stored document with some of its rows replaced.
 *
 * The result is written front to back into one allocation of its size.  What
 * doesn't change is copied as bytes; only the JEntries of the arrays that
 * are cut are written anew.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "jsonb_build.h"
#include "splice.h"

/* Padding in front of a container, and of an element after the cut */
#define MAX_PADDING		(4 * 3)

/* Root, keys, and the header words of the arrays, padding included */
#define ROOT_SIZE		64

static JsonbWalk
WalkFrom(const JsonbWalk *array, uint32 index)
{
	JsonbWalk	walk = *array;

	JsonbWalkSeek(&walk, index);
	return walk;
}

static uint32
SplicedCount(const JsonbWalk *array, const Splice *splice)
{
	return splice->to - splice->from + (splice->inserted ? 1 : 0) +
		array->count - splice->resume;
}

/* What the array that a splice makes of another takes, at most */
Size
SplicedSize(const JsonbWalk *array, const Splice *splice)
{
	return sizeof(uint32) + (Size) SplicedCount(array, splice) * sizeof(JEntry) +
		WalkFrom(array, splice->to).offset - WalkFrom(array, splice->from).offset +
		(splice->inserted ? splice->inserted->len : 0) +
		array->baselen - WalkFrom(array, splice->resume).offset + MAX_PADDING;
}

/* Write the array that a splice makes of another. */
void
SpliceArray(Output *out, const JsonbWalk *array, const Splice *splice)
{
	OpenContainer container = BeginArray(out, SplicedCount(array, splice));

	AppendElements(out, &container, WalkFrom(array, splice->from),
				   splice->to - splice->from);
	if (splice->inserted)
		AddElement(out, &container, splice->inserted);
	AppendElements(out, &container, WalkFrom(array, splice->resume),
				   array->count - splice->resume);
}

/* What becomes of one of a document's arrays */
static Splice
SpliceOf(const StoredDocument *doc, const Splice *splice, int array)
{
	Splice		result = *splice;

	if (splice->array == ALL_ARRAYS && splice->inserted)
		result.inserted = &splice->inserted[array];
	else if (splice->array != ALL_ARRAYS && splice->array != array)
		result = (Splice) {.to = doc->nrows, .resume = doc->nrows};
	return result;
}

static Size
SplicedDocumentSize(const StoredDocument *doc, const Splice *splice)
{
	Size		size = ROOT_SIZE + doc->parts.colslen + doc->parts.types.len;

	for (int i = 0; i < doc->narrays; i++)
	{
		Splice		one = SpliceOf(doc, splice, i);

		size += SplicedSize(&doc->arrays[i], &one) + sizeof(JEntry);
	}
	return size;
}

static void
SpliceCells(Output *out, const StoredDocument *doc, const Splice *splice)
{
	OpenContainer vals;

	if (!doc->parts.by_column)
	{
		SpliceArray(out, doc->arrays, splice);
		return;
	}
	vals = BeginArray(out, doc->narrays);
	for (int i = 0; i < doc->narrays; i++)
	{
		Splice		one = SpliceOf(doc, splice, i);
		Size		start = out->len;

		SpliceArray(out, &doc->arrays[i], &one);
		AddEntry(out, &vals, JENTRY_ISCONTAINER, start);
	}
}

/* The document that a splice of its arrays makes of another */
Jsonb *
SpliceDocument(const StoredDocument *doc, const Splice *splice)
{
	const DocumentParts *parts = &doc->parts;
	OpenDocument open;
	Output		out;

	OutInit(&out, LIMIT_JSONB, SplicedDocumentSize(doc, splice), CurrentMemoryContext);
	BeginDocument(&out, &open, parts->by_column, &parts->types);
	AppendContainer(&out, parts->cols, parts->colslen);
	EndMember(&out, &open);
	SpliceCells(&out, doc, splice);
	EndMember(&out, &open);
	return EndDocument(&out, &open);
}
