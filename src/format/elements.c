/*-------------------------------------------------------------------------
 *
 * elements.c
 *		The elements of an array, collected before their number is known.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/elements.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

/* Add nulls to count elements. */
void
ElementsAddNulls(Output *elements, uint32 nnulls, uint32 count)
{
	for (uint32 i = 0; i < nnulls; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ElementsAddNull(elements, count + i);
	}
}

/* Add the next count elements of a jsonb array. */
void
ElementsAddArray(Output *elements, JsonbWalk array, uint32 count)
{
	ElementRun	run;

	Assert(elements->format == FORMAT_JSONB);
	ElementRunStart(&run, &array, elements->len);
	for (uint32 i = 0; i < count; i++)
	{
		JsonbElement element = ElementRunTake(&run, &array);

		if (i % 65536 == 65535)
			CHECK_FOR_INTERRUPTS();
		OutPushItem(elements, element.type | element.len);
	}
	ElementRunEnd(&run, &array);
	AppendRun(elements, &run);
}

/* Add collected elements to count others. */
void
ElementsAddGathered(Output *elements, uint32 count,
					const Output *other, uint32 other_count)
{
	if (other->format == FORMAT_JSONB)
	{
		ElementsAddArray(elements, ElementsWalk(other, other_count), other_count);
		return;
	}
	ElementBegin(elements, count);
	OutAppend(elements, other->data, other->len);
}

/* Append the JEntries of an array of them: every 32nd holds an offset. */
void
AppendGatheredEntries(Output *out, const Output *elements, uint32 count)
{
	uint32		total = 0;
	char	   *dst;

	if (elements->format != FORMAT_JSONB)
		return;
	dst = OutReserve(out, EntriesSize(FORMAT_JSONB, count));
	for (uint32 i = 0; i < count; i++)
	{
		JEntry		entry = OutItem(elements, i);

		CHECK_FOR_INTERRUPTS();
		total += JBE_OFFLENFLD(entry);
		if (i % JB_OFFSET_STRIDE == 0)
			entry = (entry & JENTRY_TYPEMASK) | total | JENTRY_HAS_OFF;
		memcpy(dst, &entry, sizeof(entry));
		dst += sizeof(entry);
	}
	OutAdvanceTo(out, dst);
}

/* Append an array of collected elements; release says to free them. */
void
AppendGathered(Output *out, Output *elements, uint32 count, bool release)
{
	bool		is_json = elements->format == FORMAT_JSON;

	if (is_json)
		OutAppendChar(out, '[');
	else
	{
		uint32		header = JB_FARRAY | count;

		OutAlign(out);
		OutAppend(out, &header, sizeof(header));
		AppendGatheredEntries(out, elements, count);
	}
	if (release)
		OutTake(out, elements);
	else
		OutAppend(out, elements->data, elements->len);
	if (is_json)
		OutAppendChar(out, ']');
}

/*
 * Walk collected jsonb elements as if they were an array already.  Their
 * entries are stacked: the first one comes last in memory.
 */
JsonbWalk
ElementsWalk(const Output *elements, uint32 count)
{
	JsonbWalk	walk = {0};

	Assert(elements->format == FORMAT_JSONB);
	walk.flags = JB_FARRAY;
	walk.count = walk.nentries = count;
	walk.entries = elements->data + elements->size - sizeof(JEntry);
	walk.step = -(int) sizeof(JEntry);
	walk.base = elements->data;
	walk.baselen = elements->len;
	return walk;
}
