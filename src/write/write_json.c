/*-------------------------------------------------------------------------
 *
 * write_json.c
 *		Cells, rows and documents as JSON text.
 *
 * There are two writers.  One writes JSON as PostgreSQL's functions for json do.
 * The other writes what jsonb_out would print of the same values as jsonb, for
 * jsonb that is only made to be embedded in JSON text: an object has its keys in
 * jsonb's order and each key once, a number is printed as a numeric, and blanks
 * are as in jsonb.  Values of type json are expected to be such text already.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "document/objects.h"
#include "document/orientation.h"
#include "format/elements.h"
#include "format/float_text.h"
#include "format/json_scan.h"
#include "format/json_text.h"
#include "format/json_to_jsonb.h"
#include "format/numeric_format.h"
#include "format/value_text.h"
#include "miscadmin.h"
#include "write/composite.h"
#include "write/hoist.h"
#include "write/writer.h"

/*
 * Cells
 */

static JEntry
WriteBool(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	if (DatumGetBool(value))
		OutAppend(out, "true", 4);
	else
		OutAppend(out, "false", 5);
	return NO_JENTRY;
}

static inline JEntry
WriteInt32(Output *out, int32 value)
{
	char	   *dst = OutReserve(out, INT64_TEXT_MAXSIZE + 1);

	out->len += pg_ltoa(value, dst);
	return NO_JENTRY;
}

static JEntry
WriteInt2(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt32(out, DatumGetInt16(value));
}

static JEntry
WriteInt4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt32(out, DatumGetInt32(value));
}

static JEntry
WriteInt8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, INT64_TEXT_MAXSIZE + 1);

	out->len += pg_lltoa(DatumGetInt64(value), dst);
	return NO_JENTRY;
}

/*
 * Around text that needs no escapes: reserve room and write the opening quote;
 * write the closing one.
 */
static inline char *
OpenQuote(Output *out, Size size)
{
	char	   *dst = OutReserve(out, size + 2);

	*dst = '"';
	return dst + 1;
}

static inline JEntry
CloseQuote(Output *out, char *end)
{
	*end = '"';
	OutAdvanceTo(out, end + 1);
	return NO_JENTRY;
}

static JEntry
WriteInt8AsString(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OpenQuote(out, INT64_TEXT_MAXSIZE + 1);

	return CloseQuote(out, dst + pg_lltoa(DatumGetInt64(value), dst));
}

static JEntry
WriteFloat4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	float4		number = DatumGetFloat4(value);

	if (unlikely(!isfinite(number)))
		return CloseQuote(out, Float4ToText(OpenQuote(out, FLOAT_TEXT_MAXSIZE), number));
	OutAdvanceTo(out, Float4ToText(OutReserve(out, FLOAT_TEXT_MAXSIZE), number));
	return NO_JENTRY;
}

static JEntry
WriteFloat8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	float8		number = DatumGetFloat8(value);

	if (unlikely(!isfinite(number)))
		return CloseQuote(out, Float8ToText(OpenQuote(out, FLOAT_TEXT_MAXSIZE), number));
	OutAdvanceTo(out, Float8ToText(OutReserve(out, FLOAT_TEXT_MAXSIZE), number));
	return NO_JENTRY;
}

/* Room for a numeric that a float becomes, aligned */
typedef union FloatNumeric
{
	int32		force_align;
	char		data[NUMERIC_FLOAT_MAXSIZE];
	struct varlena number;
} FloatNumeric;

/* Is a float, as it was printed, the same as a numeric?  Not 1e+20, nor -0. */
static inline bool
IsNumericText(const char *text, Size len)
{
	return memchr(text, 'e', len) == NULL && !(len == 2 && text[0] == '-' && text[1] == '0');
}

/* A float that is written as a numeric, instead of what was written from start on */
static JEntry
ReplaceByNumeric(Output *out, Size start, const FloatNumeric *numeric)
{
	NumericView view;

	NumericViewOf(&view, &numeric->number);
	out->len = start;
	JsonAppendNumeric(out, &view);
	return NO_JENTRY;
}

static JEntry
WriteFloat4AsNumeric(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Size		start = out->len;
	FloatNumeric numeric;

	WriteFloat4(out, plan, column, value);
	if (likely(IsNumericText(out->data + start, out->len - start)))
		return NO_JENTRY;
	NumericFromFloat4(numeric.data, DatumGetFloat4(value));
	return ReplaceByNumeric(out, start, &numeric);
}

static JEntry
WriteFloat8AsNumeric(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Size		start = out->len;
	FloatNumeric numeric;

	WriteFloat8(out, plan, column, value);
	if (likely(IsNumericText(out->data + start, out->len - start)))
		return NO_JENTRY;
	NumericFromFloat8(numeric.data, DatumGetFloat8(value));
	return ReplaceByNumeric(out, start, &numeric);
}

static JEntry
WriteNumeric(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	NumericView view;

	NumericViewOf(&view, DatumGetPacked(value));
	JsonAppendNumeric(out, &view);
	return NO_JENTRY;
}

static JEntry
WriteNumericAsString(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	NumericView view;

	NumericViewOf(&view, DatumGetPacked(value));
	if (unlikely(view.special))
		JsonAppendNumeric(out, &view);
	else
		CloseQuote(out, NumericToText(OpenQuote(out, NumericTextMaxSize(&view)), &view));
	return NO_JENTRY;
}

static JEntry
WriteText(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *text = DatumGetPacked(value);

	JsonAppendString(out, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
	return NO_JENTRY;
}

static JEntry
WriteName(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *name = NameStr(*DatumGetName(value));

	JsonAppendString(out, name, strnlen(name, NAMEDATALEN));
	return NO_JENTRY;
}

static JEntry
WriteTextType(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const TextType *type = plan->text_type;

	return CloseQuote(out, type->print(OpenQuote(out, type->maxsize), value, plan->text_cache));
}

/* JSON text is kept as it is, including white space, as in to_json. */
static JEntry
WriteJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);

	OutAppend(out, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));
	return NO_JENTRY;
}

static JEntry
WriteJsonb(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Jsonb	   *jsonb = DatumGetJsonbP(value);

	JsonAppendContainer(out, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ, JSON_SPACED);
	return NO_JENTRY;
}

static JEntry
WriteJsonCast(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteJson(out, plan, column, CastToJson(plan, value));
}

static JEntry
WriteOther(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *text = OutputFunctionCall(&plan->function, value);

	JsonAppendString(out, text, strlen(text));
	return NO_JENTRY;
}

/* A value in an array or an object; header is its column's, or NULL. */
static inline void
WriteCell(Output *out, ColumnPlan *column, HeaderColumn *header, const NullableDatum *cell)
{
	if (cell->isnull)
		OutAppend(out, "null", 4);
	else
		column->write(out, column, header, cell->value);
}

/* One dimension of an array, and those within it */
static void
WriteDimension(Output *out, ArrayWalk *walk, const int *dims, int ndims, bool spaced)
{
	ColumnPlan *element = &walk->element->column;

	OutAppendChar(out, '[');
	for (int i = 0; i < dims[0]; i++)
	{
		if (i > 0)
			OutAppendChar(out, ',');
		if (i > 0 && spaced)
			OutAppendMarginChar(out, ' ');
		if (ndims > 1)
			WriteDimension(out, walk, dims + 1, ndims - 1, spaced);
		else
		{
			NullableDatum value = ArrayWalkNext(walk);

			CHECK_FOR_INTERRUPTS();
			WriteCell(out, element, NULL, &value);
		}
	}
	OutAppendChar(out, ']');
}

static JEntry
WriteArray(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	ArrayWalk	walk;

	ArrayWalkStart(&walk, plan, value);
	WriteDimension(out, &walk, walk.dims, walk.ndims, false);
	return NO_JENTRY;
}

static JEntry
WriteArraySpaced(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	ArrayWalk	walk;

	ArrayWalkStart(&walk, plan, value);
	WriteDimension(out, &walk, walk.dims, walk.ndims, true);
	return NO_JENTRY;
}

/*
 * Rows
 */

static JEntry
WriteRowAsArray(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	bool		spaced = plan->form == ROW_ARRAY_SPACED;

	OutAppendChar(out, '[');
	for (int i = 0; i < plan->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendMarginChar(out, ',');
		if (i > 0 && spaced)
			OutAppendMarginChar(out, ' ');
		WriteCell(out, &plan->cols[i * plan->step], header ? &header->cols[i] : NULL, &cells[i]);
	}
	OutAppendChar(out, ']');
	return NO_JENTRY;
}

/*
 * Write what precedes each of n values: a comma, its key and a colon.  columns tells
 * which names are the keys; NULL means all of them.
 */
static void
WriteLeads(RowPlan *plan, const Header *names, const int *columns, int n,
		   const char *comma, const char *colon)
{
	Output		out;

	OutInit(&out, FORMAT_JSON, 256, CurrentMemoryContext);
	plan->leads = palloc(n * sizeof(ValueLead));
	for (int i = 0; i < n; i++)
	{
		const HeaderColumn *name = &names->cols[columns ? columns[i] : i];
		const char *before = i == 0 ? "{" : comma;
		Size		start = out.len;

		CHECK_FOR_INTERRUPTS();
		OutAppend(&out, before, strlen(before));
		JsonAppendString(&out, name->name, name->namelen);
		OutAppend(&out, colon, strlen(colon));
		plan->leads[i].len = out.len - start;
	}
	OutReserve(&out, VALUE_LEAD_PADDING);
	for (int i = 0; i < n; i++)
	{
		plan->leads[i].text = out.data;
		out.data += plan->leads[i].len;
	}
}

static void
NameValues(RowPlan *plan, const Header *names)
{
	const char *comma = plan->form == ROW_OBJECT ? "," : plan->form == ROW_OBJECT_SPACED ? ", " : ",\n ";
	const char *colon = plan->form == ROW_OBJECT_SPACED ? " : " : ":";

	WriteLeads(plan, names, NULL, names->ncols, comma, colon);
}

static void
NameValuesInOrder(RowPlan *plan, const Header *names)
{
	RowPlanSortKeys(plan, names);
	WriteLeads(plan, names, plan->keys.columns, plan->keys.nkeys, ", ", ": ");
}

/* Most are short; copying a few more bytes costs less than a call of memcpy. */
static inline void
AppendLead(Output *out, const ValueLead *lead)
{
	char	   *dst = OutReserve(out, lead->len + VALUE_LEAD_PADDING);

	memcpy(dst, lead->text, VALUE_LEAD_PADDING);
	if (unlikely(lead->len > VALUE_LEAD_PADDING))
		memcpy(dst + VALUE_LEAD_PADDING, lead->text + VALUE_LEAD_PADDING,
			   lead->len - VALUE_LEAD_PADDING);
	out->len += lead->len;
}

static JEntry
WriteRowAsObject(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	for (int i = 0; i < plan->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AppendLead(out, &plan->leads[i]);
		WriteCell(out, &plan->cols[i * plan->step], NULL, &cells[i]);
	}
	if (plan->ncols == 0)
		OutAppendChar(out, '{');
	OutAppendChar(out, '}');
	return NO_JENTRY;
}

/* See RowPlanSortKeys: the values are first written where they do not matter. */
static JEntry
WriteRowInOrder(Output *out, RowPlan *plan, const NullableDatum *cells)
{
	Size	   *ends = palloc(plan->ncols * sizeof(Size));
	Output		values;

	OutInit(&values, FORMAT_JSON, 1024, CurrentMemoryContext);
	for (int i = 0; i < plan->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		WriteCell(&values, &plan->cols[i * plan->step], NULL, &cells[i]);
		ends[i] = values.len;
	}
	for (int i = 0; i < plan->keys.nkeys; i++)
	{
		int			col = plan->keys.columns[i];
		Size		start = col > 0 ? ends[col - 1] : 0;

		CHECK_FOR_INTERRUPTS();
		AppendLead(out, &plan->leads[i]);
		OutAppend(out, values.data + start, ends[col] - start);
	}
	OutAppendChar(out, '}');
	pfree(values.data);
	pfree(ends);
	return NO_JENTRY;
}

/* An object as jsonb has it */
static JEntry
WriteRowAsSortedObject(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	if (unlikely(plan->in_order))
		return WriteRowInOrder(out, plan, cells);
	for (int i = 0; i < plan->keys.nkeys; i++)
	{
		int			col = plan->keys.columns[i];

		CHECK_FOR_INTERRUPTS();
		AppendLead(out, &plan->leads[i]);
		WriteCell(out, &plan->cols[col * plan->step], NULL, &cells[col]);
	}
	if (plan->keys.nkeys == 0)
		OutAppendChar(out, '{');
	OutAppendChar(out, '}');
	return NO_JENTRY;
}

/*
 * Nested documents
 */

static JEntry
WriteDocument(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Jsonb	   *doc = DatumGetJsonbP(value);
	DocumentMembers members;

	if (plan->may_be_empty && JsonbIsEmptyArray(doc))
	{
		OutAppend(out, "[]", 2);
		return NO_JENTRY;
	}
	HoistJsonb(plan, column, doc, out->context, &members);
	if (members.by_column)
		WriteTransposed(out, &members);
	else
		JsonAppendContainer(out, members.cells.data, members.cells.len, JSON_COMPACT);
	return NO_JENTRY;
}

static JEntry
WriteDocumentJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);
	const char *text = VARDATA_ANY(json);
	Size		len = VARSIZE_ANY_EXHDR(json);
	DocumentMembers members;

	if (plan->may_be_empty && JsonIsEmptyArray(text, len))
	{
		OutAppend(out, "[]", 2);
		return NO_JENTRY;
	}
	HoistJson(plan, column, text, len, out->context, &members);
	if (members.by_column)
		WriteTransposed(out, &members);
	else if (unlikely(members.spaced))
		JsonCompact(out, members.cells.data, members.cells.len);
	else
		OutAppend(out, members.cells.data, members.cells.len);
	return NO_JENTRY;
}

/* A document's rows as an array of objects; its keys are in jsonb's order. */
static JEntry
WriteObjects(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Jsonb	   *jsonb = DatumGetJsonbP(value);
	Document	doc;

	if (!plan->may_be_empty || !JsonbIsEmptyArray(jsonb))
	{
		DocumentOpen(&doc, jsonb);
		jsonb = DocumentToObjects(&doc);
	}
	JsonAppendContainer(out, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ, JSON_COMPACT);
	return NO_JENTRY;
}

static JEntry
WriteObjectsOfJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);
	const char *text = VARDATA_ANY(json);
	Size		len = VARSIZE_ANY_EXHDR(json);

	if (plan->may_be_empty && JsonIsEmptyArray(text, len))
		OutAppend(out, "[]", 2);
	else
		AppendObjectsOfJson(out, text, len);
	return NO_JENTRY;
}

/*
 * Documents
 */

/* A document up to its rows or vectors */
static void
BeginJsonDocument(Output *out, const Header *header, const JsonbElement *types,
				  const char *member)
{
	OutReserve(out, VARHDRSZ);
	out->len = VARHDRSZ;
	if (header != NULL)
	{
		OutAppendChar(out, '{');
		HeaderAppendMembers(out, header, types);
		OutAppend(out, member, strlen(member));
	}
	OutAppendChar(out, '[');
}

static void
WriteHead(Output *out, const Header *header, const JsonbElement *types,
		  const Output *rows, uint32 nrows, Size rowslen)
{
	BeginJsonDocument(out, header, types, ",\"rows\":");
}

static void
WriteTail(Output *out, const Header *header, const JsonbElement *types)
{
	OutAppend(out, "]}", header ? 2 : 1);
}

static void
WriteColumns(Output *out, const Header *header, const JsonbElement *types,
			 Output *columns, uint32 nrows, bool release)
{
	BeginJsonDocument(out, header, types, ",\"vals\":");
	for (int i = 0; i < header->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendChar(out, ',');
		AppendGathered(out, &columns[i], nrows, release);
	}
	WriteTail(out, header, types);
}

const Writer JsonWriter = {
	.format = FORMAT_JSON,
	.cell = {
		[CATEGORY_BOOL] = WriteBool,
		[CATEGORY_INT2] = WriteInt2,
		[CATEGORY_INT4] = WriteInt4,
		[CATEGORY_INT8] = WriteInt8,
		[CATEGORY_INT8_STRING] = WriteInt8AsString,
		[CATEGORY_FLOAT4] = WriteFloat4,
		[CATEGORY_FLOAT8] = WriteFloat8,
		[CATEGORY_NUMERIC] = WriteNumeric,
		[CATEGORY_NUMERIC_STRING] = WriteNumericAsString,
		[CATEGORY_TEXT] = WriteText,
		[CATEGORY_NAME] = WriteName,
		[CATEGORY_TEXT_TYPE] = WriteTextType,
		[CATEGORY_JSON] = WriteJson,
		[CATEGORY_JSONB] = WriteJsonb,
		[CATEGORY_JSONCAST] = WriteJsonCast,
		[CATEGORY_ARRAY] = WriteArray,
		[CATEGORY_COMPOSITE] = WriteComposite,
		[CATEGORY_DOCUMENT] = WriteDocument,
		[CATEGORY_DOCUMENT_JSON] = WriteDocumentJson,
		[CATEGORY_OBJECTS] = WriteObjects,
		[CATEGORY_OBJECTS_JSON] = WriteObjectsOfJson,
		[CATEGORY_OTHER] = WriteOther,
	},
	.array = WriteRowAsArray,
	.object = WriteRowAsObject,
	.name_values = NameValues,
	.head = WriteHead,
	.head_comes_first = true,
	.tail = WriteTail,
	.columns = WriteColumns,
};

/*
 * The same as JsonWriter, but as jsonb would be printed.  It is not for documents:
 * there is no header, and what is in rows is as PostgreSQL writes it.
 */
const Writer JsonbTextWriter = {
	.format = FORMAT_JSON,
	.cell = {
		[CATEGORY_BOOL] = WriteBool,
		[CATEGORY_INT2] = WriteInt2,
		[CATEGORY_INT4] = WriteInt4,
		[CATEGORY_INT8] = WriteInt8,
		[CATEGORY_FLOAT4] = WriteFloat4AsNumeric,
		[CATEGORY_FLOAT8] = WriteFloat8AsNumeric,
		[CATEGORY_NUMERIC] = WriteNumeric,
		[CATEGORY_TEXT] = WriteText,
		[CATEGORY_NAME] = WriteName,
		[CATEGORY_TEXT_TYPE] = WriteTextType,
		[CATEGORY_JSON] = WriteJson,
		[CATEGORY_JSONB] = WriteJsonb,
		[CATEGORY_JSONCAST] = WriteJsonCast,
		[CATEGORY_ARRAY] = WriteArraySpaced,
		[CATEGORY_COMPOSITE] = WriteComposite,
		[CATEGORY_OTHER] = WriteOther,
	},
	.array = WriteRowAsArray,
	.object = WriteRowAsSortedObject,
	.name_values = NameValuesInOrder,
	.head = WriteHead,
	.tail = WriteTail,
};

/*
 * Up to this size, no text is of a jsonb that would be too large: nothing takes more
 * than four times as much in jsonb.  That is what 0 takes in an array: three bytes of
 * text, as a JEntry and a numeric twelve.
 */
#define SAFE_TEXT_SIZE		(JENTRY_OFFLENMASK / 4 - 16)

/* Raise jsonb's error if a value, as JsonbTextWriter writes it, would be too large as jsonb. */
void
CheckJsonbText(const struct varlena *text)
{
	if (unlikely(VARSIZE_ANY_EXHDR(text) > SAFE_TEXT_SIZE))
		pfree(JsonbFromJson(VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text)));
}
