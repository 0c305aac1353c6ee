/*-------------------------------------------------------------------------
 *
 * header_codec.c
 *		Headers as jsonb and as JSON text, written and read.
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
 * Written
 */

/* {"name": HEADER} or {"name": [HEADER]} */
static void
EncodeNestedAsJson(Output *out, const HeaderColumn *column)
{
	bool		rows = column->shape == COLUMN_ROWS;

	OutAppendChar(out, '{');
	JsonAppendString(out, column->name, column->namelen);
	OutAppend(out, rows ? ":[" : ":", rows ? 2 : 1);
	HeaderEncode(out, column->nested);
	OutAppend(out, rows ? "]}" : "}", rows ? 2 : 1);
}

static void
EncodeAsJson(Output *out, const Header *header)
{
	OutAppendChar(out, '[');
	for (int i = 0; i < HeaderWidth(header); i++)
	{
		const HeaderColumn *column = &header->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendChar(out, ',');
		if (column->shape == COLUMN_PLAIN)
			JsonAppendString(out, column->name, column->namelen);
		else
			EncodeNestedAsJson(out, column);
	}
	OutAppendChar(out, ']');
}

/* The same in jsonb */
static void
EncodeNestedAsJsonb(Output *out, const HeaderColumn *column)
{
	ContainerBuilder pair = BeginContainer(out, JB_FOBJECT | 1, 2);
	Size		value;

	AddString(out, &pair, column->name, column->namelen);
	value = out->len;
	if (column->shape == COLUMN_ROW)
		HeaderEncode(out, column->nested);
	else
	{
		ContainerBuilder list = BeginArray(out, 1);
		Size		element = out->len;

		HeaderEncode(out, column->nested);
		AddEntry(out, &list, JENTRY_ISCONTAINER, element);
	}
	AddEntry(out, &pair, JENTRY_ISCONTAINER, value);
}

static void
EncodeAsJsonb(Output *out, const Header *header)
{
	ContainerBuilder array = BeginArray(out, HeaderWidth(header));

	for (int i = 0; i < HeaderWidth(header); i++)
	{
		const HeaderColumn *column = &header->cols[i];
		Size		start = out->len;

		CHECK_FOR_INTERRUPTS();
		if (column->shape == COLUMN_PLAIN)
		{
			AddString(out, &array, column->name, column->namelen);
			continue;
		}
		EncodeNestedAsJsonb(out, column);
		AddEntry(out, &array, JENTRY_ISCONTAINER, start);
	}
}

/* Append a header, in the output's format; [] if it is not known. */
void
HeaderEncode(Output *out, const Header *header)
{
	check_stack_depth();
	if (header && header->encoded && header->encoded_format == out->format)
	{
		if (out->format == FORMAT_JSONB)
			OutAlign(out);
		OutAppend(out, header->encoded, header->encodedlen);
	}
	else if (out->format == FORMAT_JSONB)
		EncodeAsJsonb(out, header);
	else
		EncodeAsJson(out, header);
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
	JsonbWalk	pair,
				list;
	JsonbElement key,
				value,
				inner;
	ColumnShape shape = COLUMN_ROW;
	Header	   *nested;

	JsonbWalkStart(&pair, object->data, object->len);
	if (!(pair.flags & JB_FOBJECT) || pair.count != 1 ||
		!JsonbWalkNext(&pair, &key) || !JsonbWalkNext(&pair, &value) ||
		key.type != JENTRY_ISSTRING || !JsonbElementIsArray(&value))
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
		else if (name.type != JENTRY_ISCONTAINER || !DecodeNestedName(&name, *header, i))
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

static void
ScanName(JsonScan *scan, HeaderColumn *column)
{
	Size		len;

	JsonScanString(scan, &column->name, &len);
	column->namelen = len;
}

/* The object that a NAME may be; its opening brace has been consumed. */
static bool
ScanNestedName(JsonScan *scan, HeaderColumn *column)
{
	JsonScan	ahead;

	if (JsonScanPeek(scan) != '"')
		return false;			/* {} */
	ScanName(scan, column);
	JsonScanAccept(scan, ':');
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

		CHECK_FOR_INTERRUPTS();
		if (JsonScanPeek(scan) == '"')
			ScanName(scan, &column);
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
