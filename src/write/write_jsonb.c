/*-------------------------------------------------------------------------
 *
 * write_jsonb.c
 *		Cells, rows and documents as jsonb.
 *
 * For the layout of a container, see jsonb_write.h.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "document/build.h"
#include "document/objects.h"
#include "document/orientation.h"
#include "format/elements.h"
#include "format/float_text.h"
#include "format/json_to_jsonb.h"
#include "format/jsonb_write.h"
#include "format/numeric_format.h"
#include "format/value_text.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"
#include "write/composite.h"
#include "write/hoist.h"
#include "write/writer.h"

/*
 * Cells
 */

static JEntry
WriteBool(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return DatumGetBool(value) ? JENTRY_ISBOOL_TRUE : JENTRY_ISBOOL_FALSE;
}

static inline JEntry
WriteInt64(Output *out, int64 value)
{
	OutReserve(out, sizeof(int32) + NUMERIC_INT64_MAXSIZE);
	OutAlign(out);
	out->len += NumericFromInt64(out->data + out->len, value);
	return JENTRY_ISNUMERIC;
}

static JEntry
WriteInt2(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt64(out, DatumGetInt16(value));
}

static JEntry
WriteInt4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt64(out, DatumGetInt32(value));
}

static JEntry
WriteInt8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt64(out, DatumGetInt64(value));
}

static JEntry
WriteString(Output *out, const char *str, Size len)
{
	OutAppend(out, str, len);
	return JENTRY_ISSTRING;
}

static JEntry
WriteInt8AsString(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, INT64_TEXT_MAXSIZE + 1);

	out->len += pg_lltoa(DatumGetInt64(value), dst);
	return JENTRY_ISSTRING;
}

/* NaN and infinities are strings. */
static JEntry
WriteFloat4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	float4		number = DatumGetFloat4(value);
	char		text[FLOAT_TEXT_MAXSIZE];

	if (unlikely(!isfinite(number)))
		return WriteString(out, text, Float4ToText(text, number) - text);
	OutReserve(out, sizeof(int32) + NUMERIC_FLOAT_MAXSIZE);
	OutAlign(out);
	out->len += NumericFromFloat4(out->data + out->len, number);
	return JENTRY_ISNUMERIC;
}

static JEntry
WriteFloat8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	float8		number = DatumGetFloat8(value);
	char		text[FLOAT_TEXT_MAXSIZE];

	if (unlikely(!isfinite(number)))
		return WriteString(out, text, Float8ToText(text, number) - text);
	OutReserve(out, sizeof(int32) + NUMERIC_FLOAT_MAXSIZE);
	OutAlign(out);
	out->len += NumericFromFloat8(out->data + out->len, number);
	return JENTRY_ISNUMERIC;
}

/* A numeric as it is stored, but always with a four-byte varlena header */
static JEntry
AppendNumeric(Output *out, const char *payload, Size len)
{
	char	   *dst;

	OutAlign(out);
	dst = OutReserve(out, VARHDRSZ + len);
	SET_VARSIZE(dst, VARHDRSZ + len);
	memcpy(dst + VARHDRSZ, payload, len);
	out->len += VARHDRSZ + len;
	return JENTRY_ISNUMERIC;
}

static JEntry
WriteNumeric(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *number = DatumGetPacked(value);
	NumericView view;

	NumericViewOf(&view, number);
	if (unlikely(view.special))
		return WriteString(out, view.name, strlen(view.name));
	if (unlikely(!view.compact))
	{
		/* Perhaps stored by an old release: let numeric_in choose the form. */
		char	   *text = DatumGetCString(DirectFunctionCall1(numeric_out, value));

		number = (struct varlena *)
			DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
												ObjectIdGetDatum(InvalidOid),
												Int32GetDatum(-1)));
	}
	return AppendNumeric(out, VARDATA_ANY(number), VARSIZE_ANY_EXHDR(number));
}

static JEntry
WriteNumericAsString(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	NumericView view;

	NumericViewOf(&view, DatumGetPacked(value));
	if (unlikely(view.special))
		return WriteString(out, view.name, strlen(view.name));
	OutAdvanceTo(out, NumericToText(OutReserve(out, NumericTextMaxSize(&view)), &view));
	return JENTRY_ISSTRING;
}

static JEntry
WriteText(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *text = DatumGetPacked(value);

	return WriteString(out, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
}

static JEntry
WriteName(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *name = NameStr(*DatumGetName(value));

	return WriteString(out, name, strnlen(name, NAMEDATALEN));
}

static JEntry
WriteTextType(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const TextType *type = plan->text_type;
	char	   *dst = OutReserve(out, type->maxsize);

	OutAdvanceTo(out, type->print(dst, value, plan->text_cache));
	return JENTRY_ISSTRING;
}

/* Append a whole value. */
static JEntry
AppendJsonb(Output *out, const Jsonb *jsonb)
{
	JsonbElement root = JsonbRootElement(jsonb);

	AppendElement(out, &root);
	return root.type;
}

static JEntry
WriteJsonb(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return AppendJsonb(out, DatumGetJsonbP(value));
}

static JEntry
WriteJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);

	return AppendJsonb(out, JsonbFromJson(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json)));
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

	return WriteString(out, text, strlen(text));
}

/* One dimension of an array, and those within it */
static JEntry
WriteDimension(Output *out, ArrayWalk *walk, const int *dims, int ndims)
{
	ColumnPlan *element = &walk->element->column;
	ContainerBuilder container = BeginArray(out, dims[0]);

	for (int i = 0; i < dims[0]; i++)
	{
		Size		start = out->len;
		JEntry		type = JENTRY_ISNULL;

		if (ndims > 1)
			type = WriteDimension(out, walk, dims + 1, ndims - 1);
		else
		{
			NullableDatum value = ArrayWalkNext(walk);

			CHECK_FOR_INTERRUPTS();
			if (!value.isnull)
				type = element->write(out, element, NULL, value.value);
		}
		AddEntry(out, &container, type, start);
	}
	return JENTRY_ISCONTAINER;
}

static JEntry
WriteArray(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	ArrayWalk	walk;

	ArrayWalkStart(&walk, plan, value);
	return WriteDimension(out, &walk, walk.dims, walk.ndims);
}

/*
 * Rows
 */

/* header is that of the cell's column, or NULL. */
static inline void
AddCell(Output *out, ContainerBuilder *container, ColumnPlan *column, HeaderColumn *header, const NullableDatum *cell)
{
	Size		start = out->len;

	AddEntry(out, container,
			 cell->isnull ? JENTRY_ISNULL : column->write(out, column, header, cell->value),
			 start);
}

static JEntry
WriteRowAsArray(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	ContainerBuilder container = BeginArray(out, plan->ncols);

	for (int i = 0; i < plan->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddCell(out, &container, &plan->cols[i * plan->step], header ? &header->cols[i] : NULL, &cells[i]);
	}
	return JENTRY_ISCONTAINER;
}

/* See RowPlanSortKeys: the values become an array first. */
static JEntry
WriteRowInOrder(Output *out, RowPlan *plan, const NullableDatum *cells)
{
	JsonbElement *elements = palloc(plan->ncols * sizeof(JsonbElement));
	Output		array;
	JsonbWalk	walk;
	ContainerBuilder object;

	OutInit(&array, FORMAT_JSONB, 1024, CurrentMemoryContext);
	WriteRowAsArray(&array, plan, NULL, cells);
	JsonbWalkStart(&walk, array.data, array.len);
	for (int i = 0; i < plan->ncols; i++)
		elements[i] = JsonbWalkTake(&walk);

	object = BeginObject(out, &plan->keys);
	for (int i = 0; i < plan->keys.nkeys; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddElement(out, &object, &elements[plan->keys.columns[i]]);
	}
	pfree(array.data);
	pfree(elements);
	return JENTRY_ISCONTAINER;
}

static JEntry
WriteRowAsObject(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	ContainerBuilder object;

	if (unlikely(plan->in_order))
		return WriteRowInOrder(out, plan, cells);
	object = BeginObject(out, &plan->keys);
	for (int i = 0; i < plan->keys.nkeys; i++)
	{
		int			col = plan->keys.columns[i];

		CHECK_FOR_INTERRUPTS();
		AddCell(out, &object, &plan->cols[col * plan->step], NULL, &cells[col]);
	}
	return JENTRY_ISCONTAINER;
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
		return AppendJsonb(out, doc);
	HoistJsonb(plan, column, doc, out->context, &members);
	if (members.by_column)
		WriteTransposed(out, &members);
	else
		AppendElement(out, &members.cells);
	return JENTRY_ISCONTAINER;
}

static JEntry
WriteDocumentJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);
	Jsonb	   *doc = JsonbFromJson(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));

	return WriteDocument(out, plan, column, JsonbPGetDatum(doc));
}

/* A document's rows as an array of objects */
static JEntry
WriteObjects(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Jsonb	   *jsonb = DatumGetJsonbP(value);
	Document	doc;

	if (plan->may_be_empty && JsonbIsEmptyArray(jsonb))
		return AppendJsonb(out, jsonb);
	DocumentOpen(&doc, jsonb);
	AppendObjects(out, ObjectLayoutCreate(doc.header), &doc);
	return JENTRY_ISCONTAINER;
}

static JEntry
WriteObjectsOfJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);
	Jsonb	   *doc = JsonbFromJson(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));

	return WriteObjects(out, plan, column, JsonbPGetDatum(doc));
}

/*
 * Documents
 */

/*
 * The rows' array is opened here, and its JEntries are written.  The rows come
 * later, but the array's length in the root object includes them.
 */
static void
WriteHead(Output *out, const Header *header, const JsonbElement *types,
		  const Output *rows, uint32 nrows, Size rowslen)
{
	uint32		array = JB_FARRAY | nrows;
	DocumentBuilder doc;

	if (header == NULL)
	{
		OutReserve(out, VARHDRSZ);
		out->len = VARHDRSZ;
	}
	else
	{
		BeginDocument(out, &doc, false, types);
		HeaderEncode(out, header);
		EndMember(out, &doc);
		OutAlign(out);
	}
	OutAppend(out, &array, sizeof(array));
	AppendGatheredEntries(out, rows, nrows);
	if (header != NULL)
	{
		EndPendingMember(out, &doc, rowslen);
		EndPendingTypes(out, &doc, rowslen);
	}
}

static void
WriteTail(Output *out, const Header *header, const JsonbElement *types)
{
	if (types->data != NULL)
		AppendElement(out, types);
}

static void
WriteColumns(Output *out, const Header *header, const JsonbElement *types,
			 Output *columns, uint32 nrows, bool release)
{
	DocumentBuilder doc;
	ContainerBuilder vals;

	BeginDocument(out, &doc, true, types);
	HeaderEncode(out, header);
	EndMember(out, &doc);
	vals = BeginArray(out, header->ncols);
	for (int i = 0; i < header->ncols; i++)
	{
		Size		start = out->len;

		CHECK_FOR_INTERRUPTS();
		AppendGathered(out, &columns[i], nrows, release);
		AddEntry(out, &vals, JENTRY_ISCONTAINER, start);
	}
	EndMember(out, &doc);
	EndTypes(out, &doc);
}

const Writer JsonbWriter = {
	.format = FORMAT_JSONB,
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
	.name_values = RowPlanSortKeys,
	.head = WriteHead,
	.tail = WriteTail,
	.columns = WriteColumns,
};
