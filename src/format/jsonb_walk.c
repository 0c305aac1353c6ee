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

/* Read a container's header word, and check it against its size. */
static inline void
SetCounts(JsonbWalk *walk, uint32 header, Size len)
{
	walk->flags = header & ~JB_CMASK;
	walk->count = header & JB_CMASK;
	walk->nentries = walk->flags & JB_FOBJECT ? walk->count * 2 : walk->count;
	if (((walk->flags & JB_FARRAY) != 0) == ((walk->flags & JB_FOBJECT) != 0) ||
		walk->nentries > (len - sizeof(header)) / sizeof(JEntry))
		ReportCorruptJsonb();
	walk->next = 0;
	walk->offset = 0;
	walk->step = sizeof(JEntry);
	walk->baselen = len - JsonbWalkHeadSize(walk);
}

static inline void
StartInMemory(JsonbWalk *walk, const char *container, Size len)
{
	uint32		header;

	if (len < sizeof(header))
		ReportCorruptJsonb();
	memcpy(&header, container, sizeof(header));
	SetCounts(walk, header, len);
	walk->entries = container + sizeof(header);
	walk->base = container + JsonbWalkHeadSize(walk);
	walk->bytes = NULL;
	walk->start = 0;
}

/* Start at the first entry of a container that is in memory. */
void
JsonbWalkStart(JsonbWalk *walk, const char *container, Size len)
{
	StartInMemory(walk, container, len);
}

/* The same for a container anywhere in a value */
void
JsonbWalkStartAt(JsonbWalk *walk, Bytes *bytes, Size start, Size len)
{
	uint32		header;

	if (BytesHave(bytes, start, len))
	{
		JsonbWalkStart(walk, BytesAt(bytes, start, len), len);
		return;
	}
	if (len < sizeof(header))
		ReportCorruptJsonb();
	memcpy(&header, BytesAt(bytes, start, sizeof(header)), sizeof(header));
	SetCounts(walk, header, len);
	walk->entries = walk->base = NULL;
	walk->bytes = bytes;
	walk->start = start;
}

/* Start at the first entry of a container that is an element of another. */
void
JsonbWalkEnter(JsonbWalk *walk, const JsonbWalk *outer, const JsonbElement *element)
{
	if (element->data != NULL)
		JsonbWalkStart(walk, element->data, element->len);
	else
		JsonbWalkStartAt(walk, outer->bytes, JsonbWalkPlace(outer, element), element->len);
}

/* Some entries of a container that is not all in memory */
static const char *
EntriesAt(const JsonbWalk *walk, uint32 first, uint32 count)
{
	return BytesAt(walk->bytes, walk->start + sizeof(uint32) + (Size) first * sizeof(JEntry),
				   (Size) count * sizeof(JEntry));
}

/* JsonbWalkEntry, of a container that is not all in memory */
JEntry
FetchEntry(Bytes *bytes, Size offset)
{
	JEntry		entry;

	memcpy(&entry, BytesAt(bytes, offset, sizeof(entry)), sizeof(entry));
	return entry;
}

/*
 * Add up the lengths of n entries from the last one back to the nearest that
 * holds an offset, which is added instead; false if none of them does.
 */
static inline bool
AddLengths(const char *entries, int step, uint32 n, uint64 *offset)
{
	while (n-- > 0)
	{
		JEntry		entry;

		memcpy(&entry, entries + (ssize_t) n * step, sizeof(entry));
		*offset += JBE_OFFLENFLD(entry);
		if (JBE_HAS_OFF(entry))
			return true;
	}
	return false;
}

/*
 * The same for the entries before one, a stride at a time, as they are fetched
 */
static uint64
FetchOffset(const JsonbWalk *walk, uint32 index)
{
	uint64		offset = 0;
	bool		found = false;

	while (index > 0 && !found)
	{
		uint32		first = (index - 1) - (index - 1) % JB_OFFSET_STRIDE;

		/* The entry that will be needed next is fetched in the same piece. */
		const char *entries = EntriesAt(walk, first, Min(index + 1, walk->nentries) - first);

		CHECK_FOR_INTERRUPTS(); /* a damaged value may hold no offset at all */
		found = AddLengths(entries, sizeof(JEntry), index - first, &offset);
		index = first;
	}
	return offset;
}

/*
 * Go to an entry by its index.  The entries before it tell where its element
 * begins; every 32nd of them holds an offset.
 */
void
JsonbWalkSeek(JsonbWalk *walk, uint32 index)
{
	uint64		offset = 0;

	Assert(index <= walk->nentries);
	if (likely(walk->bytes == NULL))
		AddLengths(walk->entries, walk->step, index, &offset);
	else
		offset = FetchOffset(walk, index);
	if (offset > walk->baselen)
		ReportCorruptJsonb();
	walk->next = index;
	walk->offset = offset;
}

/* The key of a member, in memory; its length is the element's */
static inline JsonbElement
KeyInMemory(const JsonbWalk *object, uint32 index)
{
	uint64		start = 0;
	JEntry		entry = JsonbWalkEntry(object, index);
	uint32		len = JBE_OFFLENFLD(entry);

	AddLengths(object->entries, sizeof(JEntry), index, &start);
	if (JBE_HAS_OFF(entry))
		len -= start;
	if (unlikely(!JBE_ISSTRING(entry) || start > object->baselen || len > object->baselen - start))
		ReportCorruptJsonb();
	return JsonbElementOf(JENTRY_ISSTRING, object->base + start, len);
}

/* The same, wherever it is; its bytes are fetched if they may be those of the key. */
static JsonbElement
FetchKey(JsonbWalk *object, uint32 index, Size len)
{
	JsonbElement key = JsonbWalkTakeAt(object, index);

	if (key.type != JENTRY_ISSTRING)
		ReportCorruptJsonb();
	if (key.len == len)
		JsonbWalkFetch(object, &key);
	return key;
}

/* Objects of so few members are looked through from the first one on. */
#define FEW_MEMBERS		8

/*
 * The index of a key in a small object, or -1.  As keys are sorted by length
 * first, their entries tell most.
 */
static inline int64
FindKeyInTurn(const JsonbWalk *object, const char *key, Size len)
{
	uint32		start = 0;

	for (uint32 i = 0; i < object->count; i++)
	{
		JEntry		entry = JsonbWalkEntry(object, i);
		uint32		length = JBE_OFFLENFLD(entry);

		if (JBE_HAS_OFF(entry))
			length -= start;
		if (length > len)
			break;
		if (length == len)
		{
			if (unlikely(!JBE_ISSTRING(entry) || start > object->baselen ||
						 len > object->baselen - start))
				ReportCorruptJsonb();
			if (memcmp(object->base + start, key, len) == 0)
				return i;
		}
		start += length;
	}
	return -1;
}

/* The index of a key, or -1.  They are sorted by length first. */
static inline int64
FindKey(JsonbWalk *object, const char *key, Size len)
{
	uint32		low = 0;
	uint32		high = object->count;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		JsonbElement candidate = likely(object->bytes == NULL) ?
			KeyInMemory(object, middle) : FetchKey(object, middle, len);
		int			order = JsonbCompareKeys(candidate.data, candidate.len, key, len);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

/* Find a member of an object. */
bool
JsonbWalkFind(JsonbWalk *object, const char *key, Size len, JsonbElement *value)
{
	int64		found = FindKey(object, key, len);

	if (found < 0)
		return false;
	*value = JsonbWalkTakeAt(object, object->count + found);
	return true;
}

/* The member of an object that has one; false for anything else */
bool
JsonbOnlyMember(const JsonbElement *object, JsonbElement *key, JsonbElement *value)
{
	JsonbWalk	walk;

	if (object->type != JENTRY_ISCONTAINER)
		return false;
	JsonbWalkStart(&walk, object->data, object->len);
	if (!(walk.flags & JB_FOBJECT) || walk.count != 1)
		return false;
	*key = JsonbWalkTake(&walk);
	*value = JsonbWalkTake(&walk);
	return key->type == JENTRY_ISSTRING;
}

/* Find a member of a container that is in memory; false if it is no object. */
bool
JsonbFindMember(const char *container, Size size, const char *key, Size len, JsonbElement *value)
{
	JsonbWalk	object;
	int64		found;
	uint64		offset = 0;

	StartInMemory(&object, container, size);
	if (!(object.flags & JB_FOBJECT))
		return false;
	found = object.count <= FEW_MEMBERS ? FindKeyInTurn(&object, key, len) :
		FindKey(&object, key, len);
	if (found < 0)
		return false;
	object.next = object.count + found;
	AddLengths(object.entries, sizeof(JEntry), object.next, &offset);
	if (offset > object.baselen)
		ReportCorruptJsonb();
	object.offset = offset;
	*value = JsonbWalkTake(&object);
	return true;
}

bool
JsonbIsEmptyArray(const Jsonb *jsonb)
{
	JsonbWalk	walk;

	JsonbWalkRoot(&walk, jsonb);
	return JsonbWalkIsArray(&walk) && walk.count == 0;
}

/* A whole value as an element; a scalar without the array around it */
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

/* What a number holds after its varlena header; false if it is damaged */
static bool
NumericPayload(const JsonbElement *element, const char **payload, Size *len)
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

	if (!NumericPayload(element, &payload, &len) || len < sizeof(uint16))
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

	if (!NumericPayload(element, &payload, &len) || !NumericViewInit(view, payload, len))
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

/* Are two elements equal, by jsonb's operator =? */
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

/* Check a value to its depth, for functions that trust what they read. */
void
JsonbElementCheck(const JsonbElement *element)
{
	JsonbWalk	walk;
	JsonbElement entry;
	NumericView number;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (element->type == JENTRY_ISNUMERIC)
		JsonbNumericView(element, &number);
	if (element->type != JENTRY_ISCONTAINER)
		return;
	JsonbWalkStart(&walk, element->data, element->len);
	if (walk.flags & JB_FSCALAR)
		ReportCorruptJsonb();
	for (uint32 keys = walk.flags & JB_FOBJECT ? walk.count : 0; JsonbWalkNext(&walk, &entry);)
	{
		if (walk.next <= keys && entry.type != JENTRY_ISSTRING)
			ReportCorruptJsonb();
		JsonbElementCheck(&entry);
	}
}
