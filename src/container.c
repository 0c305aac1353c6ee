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
		JEntry		entry = JsonbWalkEntry(walk, i);

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
