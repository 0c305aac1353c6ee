/*-------------------------------------------------------------------------
 *
 * container.c
 *		jsonb containers, walked with every bound checked.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "container.h"

/*
 * Start at the first entry of a container.  The bytes must be aligned for an
 * int, as they are in a detoasted jsonb and within one.
 */
void
JsonbWalkStart(JsonbWalk *walk, const char *container, Size len)
{
	uint32		header;

	if (len < sizeof(header))
		ReportCorruptJsonb();
	header = *(const uint32 *) container;
	walk->flags = header & ~JB_CMASK;
	walk->count = header & JB_CMASK;
	walk->nentries = walk->flags & JB_FOBJECT ? walk->count * 2 : walk->count;
	if (((walk->flags & JB_FARRAY) != 0) == ((walk->flags & JB_FOBJECT) != 0) ||
		walk->nentries > (len - sizeof(header)) / sizeof(JEntry))
		ReportCorruptJsonb();

	walk->next = 0;
	walk->entries = container + sizeof(header);
	walk->base = walk->entries + walk->nentries * sizeof(JEntry);
	walk->baselen = container + len - walk->base;
	walk->offset = 0;
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
	entry = ((const JEntry *) walk->entries)[walk->next++];
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

void
ReportCorruptJsonb(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("jsonb value is corrupt")));
}
