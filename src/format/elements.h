/*-------------------------------------------------------------------------
 *
 * elements.h
 *		The elements of an array, collected before their number is known.
 *
 * In JSON text they follow one another, with commas between them.  In jsonb,
 * the array's JEntries precede all elements, so these are kept apart: each is
 * stacked at the other end of the output, as type and length.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ELEMENTS_H
#define JSONROW_ELEMENTS_H

#include "jsonrow.h"

#include "format/jsonb_walk.h"
#include "format/output.h"

extern void ElementsAddNulls(Output *elements, uint32 nnulls, uint32 count);
extern void ElementsAddArray(Output *elements, JsonbWalk array, uint32 count);
extern void ElementsAddGathered(Output *elements, uint32 count,
								const Output *other, uint32 other_count);
extern void AppendGatheredEntries(Output *out, const Output *elements, uint32 count);
extern void AppendGathered(Output *out, Output *elements, uint32 count, bool release);
extern JsonbWalk ElementsWalk(const Output *elements, uint32 count);

/* The size of the entries of this many elements, without their bytes */
static inline Size
EntriesSize(DocumentFormat format, uint32 count)
{
	return format == FORMAT_JSONB ? (Size) count * sizeof(JEntry) : 0;
}

/* Begin an element that follows count others; returns where it begins. */
static inline Size
ElementBegin(Output *elements, uint32 count)
{
	if (elements->format == FORMAT_JSON && count > 0)
	{
		OutAppendChar(elements, ',');
		if (elements->spaced)
			OutAppendMarginChar(elements, ' ');
	}
	return elements->len;
}

/* The element is complete.  For JSON text, the type does not matter. */
static inline void
ElementEnd(Output *elements, Size start, JEntry type)
{
	if (elements->format == FORMAT_JSONB)
		OutPushItem(elements, type | (elements->len - start));
}

static inline void
ElementsAddNull(Output *elements, uint32 count)
{
	Size		start = ElementBegin(elements, count);

	if (elements->format == FORMAT_JSON)
		OutAppend(elements, "null", 4);
	ElementEnd(elements, start, JENTRY_ISNULL);
}

#endif							/* JSONROW_ELEMENTS_H */
