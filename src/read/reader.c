/*-------------------------------------------------------------------------
 *
 * reader.c
 *		A stored document, read only where it is asked for.
 *
 * The header comes first in the value.  Of an array, the JEntries around an
 * element tell where it is: every 32nd holds an offset, so that no more than
 * 33 are looked at.  A cell takes three reads, however large the document is:
 * the value's beginning, a window of the entries, and the row.
 *
 * No offset is believed: each is held against the container it is in.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/members.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/reader.h"
#include "utils/memutils.h"

/* A row up to this size is read at once, a larger one only where needed. */
#define SMALL_ROW_SIZE	4096

/* A guess, to be replaced by a better one when the header is known */
#define TYPICAL_ROW_SIZE	((Size) 128)

/* To find a cell in a vector takes as long as to fetch so many bytes */
#define VECTOR_WORTH	(128 * 1024)

/* How much more than was guessed is decompressed */
#define EXPECT_MORE		4096

static uint32
WordAt(Bytes *bytes, Size offset)
{
	uint32		word;

	memcpy(&word, BytesAt(bytes, offset, sizeof(word)), sizeof(word));
	return word;
}

/* Look at the container at a place; false if it isn't of this kind. */
static inline bool
LookAtContainer(Bytes *bytes, Size start, Size len, uint32 kind, ContainerPlace *place)
{
	uint32		header;

	if (len < sizeof(header))
		ReportCorruptJsonb();
	header = WordAt(bytes, start);
	if ((header & ~JB_CMASK) != kind)
		return false;
	place->start = start;
	place->len = len;
	place->count = header & JB_CMASK;
	place->nentries = kind == JB_FOBJECT ? place->count * 2 : place->count;
	if (place->nentries > (len - sizeof(header)) / sizeof(JEntry))
		ReportCorruptJsonb();
	return true;
}

static Size
EntriesStart(const ContainerPlace *container)
{
	return container->start + sizeof(uint32);
}

static inline JEntry
EntryIn(const char *entries, uint32 i)
{
	JEntry		entry;

	memcpy(&entry, entries + i * sizeof(entry), sizeof(entry));
	return entry;
}

/*
 * Where an element's bytes begin, padding included, from where those of all
 * begin: after the nearest entry before it that holds an offset.
 */
static inline uint64
ElementOffset(Bytes *bytes, const ContainerPlace *container, uint32 index)
{
	uint64		offset = 0;

	while (index > 0)
	{
		uint32		first = (index - 1) - (index - 1) % JB_OFFSET_STRIDE;
		const char *entries = BytesAt(bytes, EntriesStart(container) + first * sizeof(JEntry),
									  (index - first) * sizeof(JEntry));

		CHECK_FOR_INTERRUPTS();	/* a damaged value may hold no offset at all */
		while (index > first)
		{
			JEntry		entry = EntryIn(entries, --index - first);

			offset += JBE_OFFLENFLD(entry);
			if (JBE_HAS_OFF(entry))
				return offset;
		}
	}
	return offset;
}

/* Find an element of a container. */
static inline ElementPlace
FindElement(Bytes *bytes, const ContainerPlace *container, uint32 index)
{
	Size		base = EntriesStart(container) + container->nentries * sizeof(JEntry);
	Size		limit = container->start + container->len - base;
	uint32		first = index > 0 ? (index - 1) - (index - 1) % JB_OFFSET_STRIDE : 0;
	const char *entries;
	JEntry		entry;
	uint64		start,
				end;
	ElementPlace place;

	Assert(index < container->nentries);
	/* this also brings what ElementOffset looks at */
	entries = BytesAt(bytes, EntriesStart(container) + first * sizeof(JEntry),
					  (index - first + 1) * sizeof(JEntry));
	entry = EntryIn(entries, index - first);
	start = ElementOffset(bytes, container, index);
	end = JBE_HAS_OFF(entry) ? JBE_OFFLENFLD(entry) : start + JBE_OFFLENFLD(entry);
	place.type = entry & JENTRY_TYPEMASK;
	if (place.type == JENTRY_ISNUMERIC || place.type == JENTRY_ISCONTAINER)
		start = INTALIGN(start);
	if (start > end || end > limit || place.type > JENTRY_ISCONTAINER)
		ReportCorruptJsonb();
	place.start = base + start;
	place.len = end - start;
	return place;
}

static JsonbElement
ReadPlace(Bytes *bytes, const ElementPlace *place)
{
	return (JsonbElement) {place->type, BytesAt(bytes, place->start, place->len), place->len};
}

static inline const char *
FindArray(Bytes *bytes, const ElementPlace *place, ContainerPlace *array, const char *missing)
{
	if (place->type != JENTRY_ISCONTAINER ||
		!LookAtContainer(bytes, place->start, place->len, JB_FARRAY, array))
		return missing;
	return NULL;
}

/*
 * The root object as we and PostgreSQL write it, if there is no member types:
 * two pairs, and the keys' bytes.
 */
typedef struct RootStart
{
	uint32		header;
	JEntry		entries[4];
	char		keys[8];
} RootStart;

/* FindParts for a document that begins like this; false if it doesn't. */
static bool
FindPartsFast(Reader *reader)
{
	Bytes	   *bytes = &reader->bytes;
	RootStart	root;
	Size		cols,
				cells,
				end;

	if (bytes->size < sizeof(root))
		return false;
	memcpy(&root, BytesAt(bytes, 0, sizeof(root)), sizeof(root));
	if (root.header != (JB_FOBJECT | 2) ||
		root.entries[0] != (JENTRY_ISSTRING | JENTRY_HAS_OFF | 4) ||
		root.entries[1] != (JENTRY_ISSTRING | 4) ||
		(root.entries[2] & ~JENTRY_OFFLENMASK) != JENTRY_ISCONTAINER ||
		(root.entries[3] & ~JENTRY_OFFLENMASK) != JENTRY_ISCONTAINER)
		return false;
	if (memcmp(root.keys, "colsvals", sizeof(root.keys)) == 0)
		reader->by_column = true;
	else if (memcmp(root.keys, "colsrows", sizeof(root.keys)) != 0)
		return false;

	/* An element's padding comes first, and counts. */
	cols = sizeof(root);
	cells = INTALIGN(cols + JBE_OFFLENFLD(root.entries[2]));
	end = cols + JBE_OFFLENFLD(root.entries[2]) + JBE_OFFLENFLD(root.entries[3]);
	return end <= bytes->size && cells <= end &&
		LookAtContainer(bytes, cols, JBE_OFFLENFLD(root.entries[2]), JB_FARRAY, &reader->cols) &&
		LookAtContainer(bytes, cells, end - cells, JB_FARRAY, &reader->cells);
}

/* Find header and cells in the root object; returns what is missing. */
static const char *
FindParts(Reader *reader)
{
	Bytes	   *bytes = &reader->bytes;
	ContainerPlace root;
	ElementPlace members[NUM_MEMBERS] = {0};
	bool		found[NUM_MEMBERS] = {false};
	const char *missing;

	if (!LookAtContainer(bytes, 0, bytes->size, JB_FOBJECT, &root))
		return "It is not an object.";
	if (root.count > 3)
		return "It has more than three members.";
	for (uint32 i = 0; i < root.count; i++)
	{
		ElementPlace key = FindElement(bytes, &root, i);
		DocumentMember member;

		if (key.type != JENTRY_ISSTRING)
			ReportCorruptJsonb();
		member = MemberOfKey(BytesAt(bytes, key.start, key.len), key.len);
		members[member] = FindElement(bytes, &root, root.count + i);
		found[member] = true;
	}
	missing = MissingMember(found);
	if (missing)
		return missing;
	reader->by_column = found[MEMBER_VALS];
	missing = FindArray(bytes, &members[MEMBER_COLS], &reader->cols,
						"Member \"cols\" is not an array.");
	if (missing)
		return missing;
	if (reader->by_column)
		return FindArray(bytes, &members[MEMBER_VALS], &reader->cells,
						 "Member \"vals\" is not an array.");
	return FindArray(bytes, &members[MEMBER_ROWS], &reader->cells,
					 "Member \"rows\" is not an array.");
}

/*
 * If all elements of an array are of one size, this is where one is, of which
 * no more than so much will be read; in a compressed value that is how far it
 * is to be decompressed.
 */
static Size
GuessEnd(Size start, Size len, uint32 count, uint32 index, Size most)
{
	Size		entries = sizeof(uint32) + count * sizeof(JEntry);
	Size		elements = len > entries ? len - entries : 0;
	Size		element = elements / Max(count, 1);

	return start + entries + element * index + Min(element, most) + EXPECT_MORE;
}

/* One of the vectors of a column-oriented document */
static ContainerPlace
LookAtVector(Reader *reader, uint32 index, const ElementPlace *place)
{
	ContainerPlace vector;

	if (FindArray(&reader->bytes, place, &vector, "") != NULL)
		ReportVectorNotArray("jsonb", index);
	return vector;
}

/* The same, to be read up to a row; all vectors are of one length. */
static ContainerPlace
FindVector(Reader *reader, uint32 index, uint32 row)
{
	ElementPlace place = FindElement(&reader->bytes, &reader->cells, index);
	ContainerPlace vector;

	BytesExpect(&reader->bytes, GuessEnd(place.start, place.len, reader->nrows, row, place.len));
	vector = LookAtVector(reader, index, &place);
	if (vector.count != reader->nrows)
		ReportVectorsDiffer("jsonb");
	return vector;
}

/* The names, to be walked; each is passed to HeaderName. */
JsonbWalk
ReaderNames(Reader *reader)
{
	JsonbWalk	names;

	JsonbWalkStart(&names, BytesAt(&reader->bytes, reader->cols.start, reader->cols.len),
				   reader->cols.len);
	return names;
}

/* The name that an element of a header is, or is the key of */
JsonbElement
HeaderName(const JsonbElement *element)
{
	JsonbElement name = *element;
	JsonbElement nested;

	if (likely(element->type == JENTRY_ISSTRING))
		return name;

	if (element->type == JENTRY_ISCONTAINER)
	{
		JsonbWalk	pair;

		JsonbWalkStart(&pair, element->data, element->len);
		if ((pair.flags & JB_FOBJECT) && pair.count == 1)
		{
			name = JsonbWalkTake(&pair);
			nested = JsonbWalkTake(&pair);
			if (!JsonbElementIsArray(&nested))
				name.type = JENTRY_ISNULL;
		}
	}
	if (name.type != JENTRY_ISSTRING)
		ReportNotDocument("jsonb", "Member \"cols\" is not a list of names.");
	return name;
}

/* Open a document of which the row will be read, counted as PositionOf does. */
void
ReaderOpen(Reader *reader, Datum doc, int32 row)
{
	const char *missing;

	BytesOpen(&reader->bytes, doc, row < 0 ? MaxAllocSize : row * TYPICAL_ROW_SIZE);
	reader->by_column = false;
	if (!FindPartsFast(reader))
	{
		missing = FindParts(reader);
		if (missing)
			ReportNotDocument("jsonb", missing);
	}
	if (!reader->by_column)
		reader->nrows = reader->cells.count;
	else
	{
		if (reader->cells.count != reader->cols.count)
			ReportVectorCount(reader->cells.count, reader->cols.count);
		reader->nrows = 0;
		if (reader->cells.count > 0)
		{
			ElementPlace place = FindElement(&reader->bytes, &reader->cells, 0);

			reader->nrows = LookAtVector(reader, 0, &place).count;
		}
	}
}

void
ReaderClose(Reader *reader)
{
	BytesClose(&reader->bytes);
}

/*
 * Columns and rows by name and number
 */

/* The header as a tree */
Header *
ReaderHeader(Reader *reader)
{
	return HeaderRequire("jsonb", BytesAt(&reader->bytes, reader->cols.start, reader->cols.len),
					  reader->cols.len);
}

/* The first column of a name, or -1 */
int
ReaderColumnNamed(Reader *reader, const text *name)
{
	JsonbWalk	names = ReaderNames(reader);
	JsonbElement element;

	for (int i = 0; JsonbWalkNext(&names, &element); i++)
	{
		JsonbElement candidate = HeaderName(&element);

		CHECK_FOR_INTERRUPTS();
		if (candidate.len == VARSIZE_ANY_EXHDR(name) &&
			memcmp(candidate.data, VARDATA_ANY(name), candidate.len) == 0)
			return i;
	}
	return -1;
}

/* The column of a number that may be counted from the end, or -1 */
int
ReaderColumnAt(Reader *reader, int32 col)
{
	int64		position = PositionOf(col, reader->cols.count);

	if (position >= 0)
	{
		ElementPlace place = FindElement(&reader->bytes, &reader->cols, position);
		JsonbElement element = ReadPlace(&reader->bytes, &place);

		(void) HeaderName(&element);
	}
	return position;
}

/*
 * A row or column that is counted from the end if negative, as one of n; or
 * -1 if it isn't there
 */
int64
PositionOf(int32 index, uint32 n)
{
	int64		position = index < 0 ? (int64) n + index : index;

	return position < n ? Max(position, -1) : -1;
}

/*
 * Cells
 */

/*
 * Find the array that a row is, of which no more than so much is likely to be
 * read; false if it is null.
 */
static bool
FindRow(Reader *reader, uint32 row, Size most, ContainerPlace *cells)
{
	ElementPlace place;

	BytesExpect(&reader->bytes, GuessEnd(reader->cells.start, reader->cells.len, reader->nrows, row, most));
	place = FindElement(&reader->bytes, &reader->cells, row);
	if (place.type == JENTRY_ISNULL)
		return false;
	if (place.len <= SMALL_ROW_SIZE)
		(void) BytesAt(&reader->bytes, place.start, place.len);
	if (FindArray(&reader->bytes, &place, cells, "") != NULL ||
		cells->count != reader->cols.count)
		ReportBadRow(row, reader->cols.count);
	return true;
}

/* Read a cell; false if the row is null and has none. */
bool
ReaderCell(Reader *reader, uint32 row, uint32 col, JsonbElement *cell)
{
	ContainerPlace array;
	ElementPlace place;

	if (!reader->by_column)
	{
		if (!FindRow(reader, row, SMALL_ROW_SIZE, &array))
			return false;
		place = FindElement(&reader->bytes, &array, col);
	}
	else
	{
		array = FindVector(reader, col, row);
		place = FindElement(&reader->bytes, &array, row);
	}
	*cell = ReadPlace(&reader->bytes, &place);
	return true;
}

/* Put a row together from the vectors. */
static JsonbElement
GatherRow(Reader *reader, uint32 row)
{
	uint32		ncols = reader->cols.count;
	ContainerBuilder array;
	Output		out;

	if (!reader->bytes.in_pieces || reader->bytes.size / VECTOR_WORTH < ncols)
		BytesExpectAll(&reader->bytes);
	OutInit(&out, FORMAT_JSONB, 256, CurrentMemoryContext);
	array = BeginArray(&out, ncols);
	for (uint32 i = 0; i < ncols; i++)
	{
		JsonbElement cell = {JENTRY_ISNULL};

		CHECK_FOR_INTERRUPTS();
		ReaderCell(reader, row, i, &cell);
		AddElement(&out, &array, &cell);
	}
	return (JsonbElement) {JENTRY_ISCONTAINER, out.data, out.len};
}

/* Read a row: an array of its cells, or null. */
JsonbElement
ReaderRow(Reader *reader, uint32 row)
{
	ContainerPlace cells;
	ElementPlace place = {JENTRY_ISNULL};

	if (reader->by_column)
		return GatherRow(reader, row);
	if (FindRow(reader, row, reader->cells.len, &cells))
		place = (ElementPlace) {JENTRY_ISCONTAINER, cells.start, cells.len};
	return ReadPlace(&reader->bytes, &place);
}

/*
 * Columns
 */

/* A vector of a column-oriented document, whole */
JsonbElement
ReaderVector(Reader *reader, uint32 col)
{
	ContainerPlace vector = FindVector(reader, col, reader->nrows);
	ElementPlace place = {JENTRY_ISCONTAINER, vector.start, vector.len};

	return ReadPlace(&reader->bytes, &place);
}

/* Start at a column's first cell; all that it lies in is read. */
void
ColumnWalkStart(Reader *reader, uint32 col, ColumnWalk *walk)
{
	ContainerPlace place = reader->cells;

	walk->by_column = reader->by_column;
	walk->col = col;
	walk->ncols = reader->cols.count;
	if (reader->by_column)
		place = FindVector(reader, col, reader->nrows);
	JsonbWalkStart(&walk->array, BytesAt(&reader->bytes, place.start, place.len), place.len);
	if (walk->array.count != reader->nrows)
		ReportVectorsDiffer("jsonb");
}

/* Get the next cell, null in a row that is null; false at the end. */
bool
ColumnWalkNext(ColumnWalk *walk, JsonbElement *cell)
{
	JsonbWalk	cells;

	if (!JsonbWalkNext(&walk->array, cell))
		return false;
	walk->no_cell = !walk->by_column && cell->type == JENTRY_ISNULL;
	if (walk->by_column || walk->no_cell)
		return true;
	if (!RowFits(cell, walk->ncols))
		ReportBadRow(walk->array.next - 1, walk->ncols);
	JsonbWalkStart(&cells, cell->data, cell->len);
	JsonbWalkSeek(&cells, walk->col);
	*cell = JsonbWalkTake(&cells);
	return true;
}
