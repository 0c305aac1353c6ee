/*-------------------------------------------------------------------------
 *
 * jsonb_write.c
 *		jsonb containers, written in their flat form at once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/jsonb_write.h"
#include "miscadmin.h"

/*
 * Begin a document, varlena header and all, in an empty buffer.  Its header
 * and its rows or vectors are written next, each followed by EndMember.
 * types has no data, or is NULL, in a document without that member.
 */
void
BeginDocument(Output *out, DocumentBuilder *doc, bool by_column, const JsonbElement *types)
{
	bool		has_types = types && types->data;
	uint32		npairs = has_types ? 3 : 2;

	Assert(out->len == 0);
	OutReserve(out, VARHDRSZ);
	out->len = VARHDRSZ;
	doc->root = BeginContainer(out, JB_FOBJECT | npairs, npairs * 2);
	AddString(out, &doc->root, "cols", 4);
	AddString(out, &doc->root, by_column ? "vals" : "rows", 4);
	if (has_types)
		AddString(out, &doc->root, "types", 5);
	doc->types = has_types ? types : NULL;
	doc->start = out->len;
}

void
EndMember(Output *out, DocumentBuilder *doc)
{
	CHECK_FOR_INTERRUPTS();		/* it may have been large */
	AddEntry(out, &doc->root, JENTRY_ISCONTAINER, doc->start);
	doc->start = out->len;
}

/* A member that is a container already */
void
AppendMember(Output *out, DocumentBuilder *doc, const char *container, Size len)
{
	AppendContainer(out, container, len);
	EndMember(out, doc);
}

/* The finished document, once its members have been written */
Jsonb *
EndDocument(Output *out, DocumentBuilder *doc)
{
	if (doc->types)
		AddElement(out, &doc->root, doc->types);
	return EndJsonb(out);
}

/* The buffer's whole content as a finished value */
Jsonb *
EndJsonb(Output *out)
{
	if (out->len - VARHDRSZ > JENTRY_OFFLENMASK)
		ReportTooLarge(FORMAT_JSONB);
	SET_VARSIZE(out->data, out->len);
	return (Jsonb *) out->data;
}

/*
 * Append an element's bytes.  They mean the same anywhere, since containers
 * begin at multiples of four there as here.
 */
void
AppendElement(Output *out, const JsonbElement *element)
{
	if (JsonbElementIsAligned(element))
		OutAlign(out);
	OutAppend(out, element->data, element->len);
}

/* An element as a value of its own */
Jsonb *
ElementToJsonb(const JsonbElement *element)
{
	uint32		array[2] = {JB_FARRAY | JB_FSCALAR | 1, element->type | JENTRY_HAS_OFF | element->len};
	Size		head = element->type == JENTRY_ISCONTAINER ? 0 : sizeof(array);
	Size		size = VARHDRSZ + head + element->len;
	char	   *result = palloc(size);

	memcpy(result + VARHDRSZ, array, head);
	memcpy(result + VARHDRSZ + head, element->data, element->len);
	SET_VARSIZE(result, size);
	return (Jsonb *) result;
}

void
AppendArray(Output *out, const JsonbElement *elements, uint32 count)
{
	ContainerBuilder array = BeginArray(out, count);

	for (uint32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddElement(out, &array, &elements[i]);
	}
}

void
AppendContainer(Output *out, const char *container, Size len)
{
	OutAlign(out);
	OutAppend(out, container, len);
}

/*
 * Write the entries of the next count elements of another array, or of a
 * gathered one, that will be moved to a position, counted from where
 * alignment is.  They go to the container; without one they are stacked.
 *
 * The first number or container among them may need other padding than it
 * had.  What follows it then lies as before, counted from a multiple of
 * four, and can be copied in one piece.
 */
ElementRun
AddEntries(Output *out, ContainerBuilder *container, JsonbWalk source, uint32 count,
		   Size position)
{
	const char *begin = source.base + source.offset;
	ElementRun	run = {.lead = begin, .position = position};

	for (uint32 i = 0; i < count; i++)
	{
		uint32		start = source.offset;
		JsonbElement element = JsonbWalkTake(&source);
		uint32		len = source.offset - start;

		if (i % 65536 == 65535)
			CHECK_FOR_INTERRUPTS();
		if (run.rest == NULL && JsonbElementIsAligned(&element))
		{
			run.leadlen = source.base + start - begin;
			run.rest = element.data;
			position += run.leadlen;
			len = element.len + INTALIGN(position) - position;
		}
		if (container)
			AddEntryOfLength(out, container, element.type, len);
		else
			OutPushItem(out, element.type | len);
	}
	if (run.rest)
		run.restlen = source.base + source.offset - run.rest;
	else
		run.leadlen = source.base + source.offset - begin;
	return run;
}

/* Append the next count elements of another array, as bytes. */
void
AppendElements(Output *out, ContainerBuilder *container, JsonbWalk source, uint32 count)
{
	ElementRun	run = AddEntries(out, container, source, count, out->len);

	OutAppend(out, run.lead, run.leadlen);
	if (run.rest)
	{
		OutAlign(out);
		OutAppend(out, run.rest, run.restlen);
	}
}

/*
 * Elements may be gathered in a buffer before their number is known, each
 * with its entry, type and length, stacked at the buffer's end.
 */

/* Append the entries of gathered elements: every 32nd holds an offset. */
void
AppendGatheredEntries(Output *out, const Output *elements, uint32 count)
{
	uint32		total = 0;
	char	   *dst = OutReserve(out, (Size) count * sizeof(JEntry));

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

/* Append gathered elements as an array; release: they are freed. */
void
AppendGathered(Output *out, Output *elements, uint32 count, bool release)
{
	uint32		header = JB_FARRAY | count;

	OutAlign(out);
	OutAppend(out, &header, sizeof(header));
	AppendGatheredEntries(out, elements, count);
	if (release)
		OutTake(out, elements);
	else
		OutAppend(out, elements->data, elements->len);
}

/* Walk gathered elements as if they were an array already. */
JsonbWalk
WalkGathered(const Output *elements, uint32 count)
{
	JsonbWalk	walk = {0};

	walk.flags = JB_FARRAY;
	walk.count = walk.nentries = count;
	walk.entries = elements->data + elements->size - sizeof(JEntry);
	walk.step = -(int) sizeof(JEntry);
	walk.base = elements->data;
	walk.baselen = elements->len;
	return walk;
}
