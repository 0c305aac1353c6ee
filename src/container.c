/*-------------------------------------------------------------------------
 *
 * container.c
 *		jsonb containers, walked with every bound checked.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "container.h"

/* Start at the first entry of a container. */
void
JsonbWalkStart(JsonbWalk *walk, const char *container, Size len)
{
	uint32		header;

	if (len < sizeof(header))
		ReportCorruptJsonb();
	memcpy(&header, container, sizeof(header));
	walk->flags = header & ~JB_CMASK;
	walk->count = header & JB_CMASK;
	walk->nentries = walk->flags & JB_FOBJECT ? walk->count * 2 : walk->count;
	if (((walk->flags & JB_FARRAY) != 0) == ((walk->flags & JB_FOBJECT) != 0) ||
		walk->nentries > (len - sizeof(header)) / sizeof(JEntry))
		ReportCorruptJsonb();

	walk->next = 0;
	walk->entries = container + sizeof(header);
	walk->step = sizeof(JEntry);
	walk->base = walk->entries + walk->nentries * sizeof(JEntry);
	walk->baselen = container + len - walk->base;
	walk->offset = 0;
}

static inline JEntry
EntryAt(const JsonbWalk *walk, uint32 index)
{
	JEntry		entry;

	memcpy(&entry, walk->entries + (ssize_t) index * walk->step, sizeof(entry));
	return entry;
}

/* Get the next entry; false at the end. */
bool
JsonbWalkNext(JsonbWalk *walk, JsonbElement *element)
{
	JEntry		entry;
	uint32		start = walk->offset;
	uint32		end = start;

	if (walk->next >= walk->nentries)
		return false;
	entry = EntryAt(walk, walk->next++);
	end = JBE_HAS_OFF(entry) ? JBE_OFFLENFLD(entry) : start + JBE_OFFLENFLD(entry);
	if (end < start || end > walk->baselen)
		ReportCorruptJsonb();
	walk->offset = end;

	element->type = entry & JENTRY_TYPEMASK;
	switch (element->type)
	{
		case JENTRY_ISNUMERIC:
		case JENTRY_ISCONTAINER:
			start = INTALIGN(start);
			if (start > end || end - start < sizeof(uint32))
				ReportCorruptJsonb();
			break;
		case JENTRY_ISSTRING:
			break;
		case JENTRY_ISBOOL_TRUE:
		case JENTRY_ISBOOL_FALSE:
		case JENTRY_ISNULL:
			if (start != end)
				ReportCorruptJsonb();
			break;
		default:
			ReportCorruptJsonb();
	}
	element->data = walk->base + start;
	element->len = end - start;
	return true;
}

/*
 * Go to an entry by its index: from the last offset before it, at most 32
 * entries back, the lengths are added up.
 */
void
JsonbWalkSeek(JsonbWalk *walk, uint32 index)
{
	uint64		offset = 0;

	Assert(index <= walk->nentries);
	for (uint32 i = index; i-- > 0;)
	{
		JEntry		entry = EntryAt(walk, i);

		offset += JBE_OFFLENFLD(entry);
		if (JBE_HAS_OFF(entry))
			break;
	}
	if (offset > walk->baselen)
		ReportCorruptJsonb();
	walk->next = index;
	walk->offset = offset;
}

/* A whole value as an element; a lone scalar without the array around it */
JsonbElement
JsonbRootElement(const Jsonb *jsonb)
{
	JsonbElement root = {JENTRY_ISCONTAINER, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ};
	JsonbWalk	walk;

	JsonbWalkRoot(&walk, jsonb);
	if ((walk.flags & JB_FSCALAR) &&
		(!JsonbWalkNext(&walk, &root) || root.type == JENTRY_ISCONTAINER))
		ReportCorruptJsonb();
	return root;
}

void
ReportCorruptJsonb(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("jsonb value is corrupt")));
}
