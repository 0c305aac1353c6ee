/*-------------------------------------------------------------------------
 *
 * jsonb_walk.c
 *		jsonb containers, walked with every bound checked.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/jsonb_walk.h"
#include "miscadmin.h"

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

/* What a number holds behind its varlena header; false if it is damaged */
bool
JsonbNumeric(const JsonbElement *element, const char **payload, Size *len)
{
	uint32		header;

	if (element->len < sizeof(header) || !VARATT_IS_4B_U(element->data))
		return false;
	memcpy(&header, element->data, sizeof(header));
	*payload = element->data + VARHDRSZ;
	*len = VARSIZE(&header);
	if (*len < VARHDRSZ || *len > element->len)
		return false;
	*len -= VARHDRSZ;
	return true;
}

/* A number as a value of its own */
Datum
JsonbNumericDatum(const JsonbElement *element)
{
	struct varlena *number;
	const char *payload;
	Size		len;

	if (!JsonbNumeric(element, &payload, &len) || len < sizeof(uint16))
		ReportCorruptJsonb();
	number = palloc(VARHDRSZ + len);
	SET_VARSIZE(number, VARHDRSZ + len);
	memcpy(VARDATA(number), payload, len);
	return PointerGetDatum(number);
}

/* A number, taken apart */
void
JsonbNumericView(const JsonbElement *element, NumericView *view)
{
	const char *payload;
	Size		len;

	if (!JsonbNumeric(element, &payload, &len) || !NumericViewInit(view, payload, len))
		ReportCorruptJsonb();
}

static bool
NumericEqual(const JsonbElement *a, const JsonbElement *b)
{
	NumericView x,
				y;

	JsonbNumericView(a, &x);
	JsonbNumericView(b, &y);
	return NumericViewEqual(&x, &y);
}

static bool
ContainerEqual(const JsonbElement *a, const JsonbElement *b)
{
	JsonbWalk	walks[2];
	JsonbElement x;

	check_stack_depth();
	JsonbWalkStart(&walks[0], a->data, a->len);
	JsonbWalkStart(&walks[1], b->data, b->len);
	if (walks[0].flags != walks[1].flags || walks[0].count != walks[1].count)
		return false;
	while (JsonbWalkNext(&walks[0], &x))
	{
		JsonbElement y = JsonbWalkTake(&walks[1]);

		CHECK_FOR_INTERRUPTS();
		if (!JsonbElementEqual(&x, &y))
			return false;
	}
	return true;
}

/* Are two elements equal, as jsonb's operator = has it? */
bool
JsonbElementEqual(const JsonbElement *a, const JsonbElement *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type)
	{
		case JENTRY_ISSTRING:
			return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
		case JENTRY_ISNUMERIC:
			return NumericEqual(a, b);
		case JENTRY_ISCONTAINER:
			return ContainerEqual(a, b);
		default:
			return true;
	}
}

void
ReportCorruptJsonb(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("jsonb value is corrupt")));
}
