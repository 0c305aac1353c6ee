/*-------------------------------------------------------------------------
 *
 * header_codec.c
 *		Headers as jsonb and as JSON text, written and read; their types are
 *		written here, too, and read in header_types.c.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/header.h"
#include "format/json_scan.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

/*
 * Written: as the member "cols", with names, or as "types"
 */

typedef enum HeaderPart
{
	HEADER_NAMES,
	HEADER_TYPES,
} HeaderPart;

static void Encode(Output *out, const Header *header, HeaderPart part);

/* What a plain column is written as; NULL if its type isn't known */
static const char *
PlainName(const HeaderColumn *column, HeaderPart part, Size *len)
{
	if (part == HEADER_NAMES)
	{
		*len = column->namelen;
		return column->name;
	}
	*len = column->type ? strlen(column->type) : 0;
	return column->type;
}

/* {"name": HEADER} or {"name": [HEADER]}; {"name": TYPES} */
static void
EncodeNestedAsJson(Output *out, const HeaderColumn *column, HeaderPart part)
{
	bool		rows = part == HEADER_NAMES && column->shape == COLUMN_ROWS;

	OutAppendChar(out, '{');
	JsonAppendString(out, column->name, column->namelen);
	OutAppend(out, rows ? ":[" : ":", rows ? 2 : 1);
	Encode(out, column->nested, part);
	OutAppend(out, rows ? "]}" : "}", rows ? 2 : 1);
}

static void
EncodeAsJson(Output *out, const Header *header, HeaderPart part)
{
	OutAppendChar(out, '[');
	for (int i = 0; i < HeaderWidth(header); i++)
	{
		const HeaderColumn *column = &header->cols[i];
		Size		len;
		const char *name = PlainName(column, part, &len);

		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendChar(out, ',');
		if (column->shape != COLUMN_PLAIN)
			EncodeNestedAsJson(out, column, part);
		else if (name != NULL)
			JsonAppendString(out, name, len);
		else
			OutAppend(out, "null", 4);
	}
	OutAppendChar(out, ']');
}

/* The same in jsonb */
static void
EncodeNestedAsJsonb(Output *out, const HeaderColumn *column, HeaderPart part)
{
	ContainerBuilder pair = BeginContainer(out, JB_FOBJECT | 1, 2);
	Size		value;

	AddString(out, &pair, column->name, column->namelen);
	value = out->len;
	if (part == HEADER_NAMES && column->shape == COLUMN_ROWS)
	{
		ContainerBuilder list = BeginArray(out, 1);
		Size		element = out->len;

		Encode(out, column->nested, part);
		AddEntry(out, &list, JENTRY_ISCONTAINER, element);
	}
	else
		Encode(out, column->nested, part);
	AddEntry(out, &pair, JENTRY_ISCONTAINER, value);
}

static void
EncodeAsJsonb(Output *out, const Header *header, HeaderPart part)
{
	ContainerBuilder array = BeginArray(out, HeaderWidth(header));

	for (int i = 0; i < HeaderWidth(header); i++)
	{
		const HeaderColumn *column = &header->cols[i];
		Size		start = out->len;
		Size		len;
		const char *name = PlainName(column, part, &len);

		CHECK_FOR_INTERRUPTS();
		if (column->shape != COLUMN_PLAIN)
		{
			EncodeNestedAsJsonb(out, column, part);
			AddEntry(out, &array, JENTRY_ISCONTAINER, start);
		}
		else if (name != NULL)
			AddString(out, &array, name, len);
		else
			AddEntry(out, &array, JENTRY_ISNULL, start);
	}
}

static void
Encode(Output *out, const Header *header, HeaderPart part)
{
	check_stack_depth();
	if (part == HEADER_NAMES && header && header->encoded && header->encoded_format == out->format)
	{
		if (out->format == FORMAT_JSONB)
			OutAlign(out);
		OutAppend(out, header->encoded, header->encodedlen);
	}
	else if (out->format == FORMAT_JSONB)
		EncodeAsJsonb(out, header, part);
	else
		EncodeAsJson(out, header, part);
}

/* Append a header, in the output's format; [] if it is not known. */
void
HeaderEncode(Output *out, const Header *header)
{
	Encode(out, header, HEADER_NAMES);
}

/*
 * The member "types" of documents that have this header, without data if they
 * have none; in the current memory context, unless it was made once for all.
 * Without columns it is an empty array, if that was read.
 */
JsonbElement
HeaderTypes(const Header *header, DocumentFormat format)
{
	Output		out;

	if (header == NULL || !header->typed)
		return JsonbElementOf(0, NULL, 0);
	if (header->encoded && header->encoded_format == format)
		return header->types;
	OutInit(&out, format, 256, CurrentMemoryContext);
	Encode(&out, header, HEADER_TYPES);
	return JsonbElementOf(JENTRY_ISCONTAINER, out.data, out.len);
}

/*
 * What a document in JSON text begins with, after the brace: its header, and
 * the result of HeaderTypes for it.
 */
void
HeaderAppendMembers(Output *out, const Header *header, const JsonbElement *types)
{
	OutAppend(out, "\"cols\":", 7);
	HeaderEncode(out, header);
	if (types->data == NULL)
		return;
	OutAppend(out, ",\"types\":", 9);
	OutAppend(out, types->data, types->len);
}

/*
 * Make the bytes of a header that is complete, and of its types, once for all
 * documents, in the current memory context.
 */
void
HeaderEncodeOnce(Header *header, DocumentFormat format)
{
	Output		out;

	Assert(!header->incomplete);
	header->types = HeaderTypes(header, format);
	OutInit(&out, format, 256, CurrentMemoryContext);
	HeaderEncode(&out, header);
	header->encoded = out.data;
	header->encodedlen = out.len;
	header->encoded_format = format;
}

/*
 * Read from jsonb
 */

/* One NAME that is an object: {"name": HEADER} or {"name": [HEADER]} */
static bool
DecodeNestedName(const JsonbElement *object, Header *header, int i)
{
	JsonbWalk	list;
	JsonbElement key,
				value,
				inner;
	ColumnShape shape = COLUMN_ROW;
	Header	   *nested;

	if (!JsonbOnlyMember(object, &key, &value) || !JsonbElementIsArray(&value))
		return false;

	/* [HEADER] is an array of one array; HEADER has no array in it. */
	JsonbWalkStart(&list, value.data, value.len);
	if (list.count == 1 && JsonbWalkNext(&list, &inner) && JsonbElementIsArray(&inner))
	{
		shape = COLUMN_ROWS;
		value = inner;
	}
	if (!HeaderDecode(&value, &nested))
		return false;
	HeaderSetColumn(header, i, key.data, key.len, shape, nested->ncols > 0 ? nested : NULL);
	return true;
}

/*
 * Read a header from its jsonb array; false if that isn't one.
 *
 * The tree is made in the current memory context; its names stay where they
 * are in the array.
 */
bool
HeaderDecode(const JsonbElement *array, Header **header)
{
	JsonbWalk	walk;
	JsonbElement name;

	check_stack_depth();

	if (!JsonbElementIsArray(array))
		return false;
	JsonbWalkStart(&walk, array->data, array->len);
	*header = HeaderCreate(walk.count);
	for (int i = 0; JsonbWalkNext(&walk, &name); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (name.type == JENTRY_ISSTRING)
			HeaderSetColumn(*header, i, name.data, name.len, COLUMN_PLAIN, NULL);
		else if (!DecodeNestedName(&name, *header, i))
			return false;
	}
	return true;
}

/*
 * Read from JSON text.  The names are left as they are, with their escapes,
 * because jsonb may not be able to hold them.  Each function consumes what it
 * reads.
 */

static bool ScanNames(JsonScan *scan, Header **header);

/* The object that a NAME may be; its opening brace has been consumed. */
static bool
ScanNestedName(JsonScan *scan, HeaderColumn *column)
{
	JsonScan	ahead;
	Size		len;

	if (!JsonScanKey(scan, &column->name, &len))
		return false;			/* {} */
	column->namelen = len;
	ahead = *scan;
	column->shape = COLUMN_ROW;
	if (JsonScanAccept(&ahead, '[') && JsonScanPeek(&ahead) == '[')
	{
		*scan = ahead;
		column->shape = COLUMN_ROWS;
	}
	return ScanNames(scan, &column->nested) &&
		(column->shape == COLUMN_ROW || JsonScanAccept(scan, ']')) &&
		JsonScanAccept(scan, '}');
}

static bool
ScanNames(JsonScan *scan, Header **header)
{
	int			capacity = 8;
	int			ncols = 0;
	bool		first = true;

	check_stack_depth();

	if (!JsonScanAccept(scan, '['))
		return false;
	*header = HeaderCreate(capacity);
	while (JsonScanNextElement(scan, &first))
	{
		HeaderColumn column = {.name = ""};
		Size		len;

		CHECK_FOR_INTERRUPTS();
		if (JsonScanPeek(scan) == '"')
		{
			JsonScanString(scan, &column.name, &len);
			column.namelen = len;
		}
		else if (!JsonScanAccept(scan, '{') || !ScanNestedName(scan, &column))
			return false;
		if (ncols == capacity)
		{
			capacity *= 2;
			*header = repalloc_huge(*header, offsetof(Header, cols) +
									mul_size(capacity, sizeof(HeaderColumn)));
		}
		(*header)->cols[ncols++] = column;
	}
	(*header)->ncols = ncols;
	return true;
}

/* A header's columns; false if the text isn't a header. */
bool
HeaderScan(const char *json, Size len, Header **header)
{
	JsonScan	scan = {json, json + len};

	return ScanNames(&scan, header);
}
