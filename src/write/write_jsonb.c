/*-------------------------------------------------------------------------
 *
 * write_jsonb.c
 *		Cells, rows and documents as jsonb.
 *
 * How a container is laid out is told in jsonb_build.h.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/orientation.h"
#include "format/json_to_jsonb.h"
#include "format/jsonb_write.h"
#include "format/numeric_format.h"
#include "format/value_text.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"
#include "utils/uuid.h"
#include "write/composite.h"
#include "write/hoist.h"
#include "write/writer.h"

/*
 * Cells
 */

static uint32
WriteBool(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return DatumGetBool(value) ? JENTRY_ISBOOL_TRUE : JENTRY_ISBOOL_FALSE;
}

static inline uint32
WriteInt64(Output *out, int64 value)
{
	OutReserve(out, sizeof(int32) + NUMERIC_INT64_MAXSIZE);
	OutAlign(out);
	out->len += NumericFromInt64(out->data + out->len, value);
	return JENTRY_ISNUMERIC;
}

static uint32
WriteInt2(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt64(out, DatumGetInt16(value));
}

static uint32
WriteInt4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt64(out, DatumGetInt32(value));
}

static uint32
WriteInt8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt64(out, DatumGetInt64(value));
}

static uint32
WriteString(Output *out, const char *str, Size len)
{
	OutAppend(out, str, len);
	return JENTRY_ISSTRING;
}

/* A float as its output function prints it; NaN and infinities are strings */
static uint32
WriteFloatText(Output *out, const char *text, int len, bool finite)
{
	if (unlikely(!finite))
		return WriteString(out, text, len);
	OutReserve(out, sizeof(int32) + NUMERIC_FLOAT_MAXSIZE);
	OutAlign(out);
	out->len += NumericFromFloatText(out->data + out->len, text, len);
	return JENTRY_ISNUMERIC;
}

static uint32
WriteFloat4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char		text[FLOAT_TEXT_MAXSIZE];
	float4		number = DatumGetFloat4(value);

	return WriteFloatText(out, text, Float4ToText(text, number) - text, isfinite(number));
}

static uint32
WriteFloat8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char		text[FLOAT_TEXT_MAXSIZE];
	float8		number = DatumGetFloat8(value);

	return WriteFloatText(out, text, Float8ToText(text, number) - text, isfinite(number));
}

/* A numeric as it is stored, but always under a four-byte varlena header */
static uint32
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

static uint32
WriteNumeric(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *number = DatumGetPacked(value);
	NumericView view;

	if (!NumericViewInit(&view, VARDATA_ANY(number), VARSIZE_ANY_EXHDR(number)))
		ReportCorruptJsonb();
	if (unlikely(view.special))
		return WriteString(out, view.name, strlen(view.name));
	if (unlikely(!view.compact))
	{
		/* Stored by an old release, perhaps: let numeric_in choose the form. */
		char	   *text = DatumGetCString(DirectFunctionCall1(numeric_out, value));

		number = (struct varlena *)
			DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
												ObjectIdGetDatum(InvalidOid),
												Int32GetDatum(-1)));
	}
	return AppendNumeric(out, VARDATA_ANY(number), VARSIZE_ANY_EXHDR(number));
}

static uint32
WriteText(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *text = DatumGetPacked(value);

	return WriteString(out, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
}

static uint32
WriteName(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *name = NameStr(*DatumGetName(value));

	return WriteString(out, name, strnlen(name, NAMEDATALEN));
}

static uint32
WriteOid(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, OID_TEXT_MAXSIZE);

	OutAdvanceTo(out, OidToText(dst, DatumGetObjectId(value)));
	return JENTRY_ISSTRING;
}

static uint32
WriteUuid(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, UUID_TEXT_SIZE);

	OutAdvanceTo(out, UuidToText(dst, DatumGetUUIDP(value)));
	return JENTRY_ISSTRING;
}

static uint32
WriteDate(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, DATETIME_TEXT_MAXSIZE);

	OutAdvanceTo(out, DateToText(dst, DatumGetDateADT(value)));
	return JENTRY_ISSTRING;
}

static uint32
WriteTimestamp(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, DATETIME_TEXT_MAXSIZE);

	OutAdvanceTo(out, TimestampToText(dst, DatumGetTimestamp(value)));
	return JENTRY_ISSTRING;
}

static uint32
WriteTimestampTz(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, DATETIME_TEXT_MAXSIZE);

	OutAdvanceTo(out, TimestampTzToText(dst, DatumGetTimestampTz(value), plan->zones));
	return JENTRY_ISSTRING;
}

/* Splice in a whole value. */
static uint32
AppendJsonb(Output *out, const Jsonb *jsonb)
{
	JsonbElement root = JsonbRootElement(jsonb);

	AppendElement(out, &root);
	return root.type;
}

static uint32
WriteJsonb(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return AppendJsonb(out, DatumGetJsonbP(value));
}

static uint32
WriteJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);

	return AppendJsonb(out, JsonbFromJson(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json)));
}

static uint32
WriteJsonCast(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteJson(out, plan, column, FunctionCall1(&plan->function, value));
}

static uint32
WriteBuiltin(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteJsonb(out, plan, column, FunctionCall1(&plan->function, value));
}

static uint32
WriteOther(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *text = OutputFunctionCall(&plan->function, value);

	return WriteString(out, text, strlen(text));
}

/* One dimension of an array, and those within it */
static uint32
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

static uint32
WriteArray(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	ArrayWalk	walk;

	ArrayWalkStart(&walk, plan, value);
	return WriteDimension(out, &walk, walk.dims, walk.ndims);
}

static uint32
WriteRow(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	ContainerBuilder container = BeginArray(out, plan->ncols);

	for (int i = 0; i < plan->ncols; i++)
	{
		ColumnPlan *column = &plan->cols[i * plan->step];
		Size		start = out->len;
		JEntry		type = JENTRY_ISNULL;

		CHECK_FOR_INTERRUPTS();
		if (!cells[i].isnull)
			type = column->write(out, column, header ? &header->cols[i] : NULL,
								 cells[i].value);
		AddEntry(out, &container, type, start);
	}
	return JENTRY_ISCONTAINER;
}

static uint32
WriteDocument(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	DocumentParts parts;

	HoistJsonb(plan, column, DatumGetJsonbP(value), out->context, &parts);
	if (parts.by_column)
		WriteTransposed(out, parts.cells, parts.cellslen);
	else
		AppendContainer(out, parts.cells, parts.cellslen);
	return JENTRY_ISCONTAINER;
}

static uint32
WriteDocumentJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);
	Jsonb	   *doc = JsonbFromJson(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));

	return WriteDocument(out, plan, column, JsonbPGetDatum(doc));
}

/*
 * Documents
 */

static void
WriteHeader(Output *out, const Header *header)
{
	int			ncols = HeaderWidth(header);
	ContainerBuilder array;

	check_stack_depth();
	if (header && header->written_by == &JsonbWriter)
	{
		AppendContainer(out, header->written, header->writtenlen);
		return;
	}
	array = BeginArray(out, ncols);
	for (int i = 0; i < ncols; i++)
	{
		const HeaderColumn *column = &header->cols[i];
		Size		start = out->len;
		Size		value;
		ContainerBuilder pair;

		CHECK_FOR_INTERRUPTS();
		if (column->shape == COLUMN_PLAIN)
		{
			AddString(out, &array, column->name, column->namelen);
			continue;
		}
		pair = BeginContainer(out, JB_FOBJECT | 1, 2);
		AddString(out, &pair, column->name, column->namelen);
		value = out->len;
		if (column->shape == COLUMN_ROW)
			WriteHeader(out, column->nested);
		else
		{
			ContainerBuilder list = BeginArray(out, 1);
			Size		element = out->len;

			WriteHeader(out, column->nested);
			AddEntry(out, &list, JENTRY_ISCONTAINER, element);
		}
		AddEntry(out, &pair, JENTRY_ISCONTAINER, value);
		AddEntry(out, &array, JENTRY_ISCONTAINER, start);
	}
}

/*
 * The rows' array is opened here, but its JEntries and rows come later; so
 * its length in the root object is put together from what will come.
 */
static void
WriteHead(Output *out, const Header *header, uint32 nrows, Size rowslen)
{
	uint32		rows = JB_FARRAY | nrows;
	Size		pending = (Size) nrows * sizeof(JEntry) + rowslen;
	DocumentBuilder doc;

	if (header == NULL)
	{
		OutReserve(out, VARHDRSZ);
		out->len = VARHDRSZ;
		OutAppend(out, &rows, sizeof(rows));
		return;
	}

	BeginDocument(out, &doc, false, NULL);
	WriteHeader(out, header);
	EndMember(out, &doc);
	OutAlign(out);
	OutAppend(out, &rows, sizeof(rows));
	if (out->len + pending - VARHDRSZ > JENTRY_OFFLENMASK)
		ReportTooLarge(FORMAT_JSONB);
	doc.start -= pending;
	EndMember(out, &doc);
}

static void
WriteColumns(Output *out, const Header *header, Output *columns, uint32 nrows,
			 bool release)
{
	DocumentBuilder doc;
	ContainerBuilder vals;

	BeginDocument(out, &doc, true, NULL);
	WriteHeader(out, header);
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
}

const Writer JsonbWriter = {
	.limit = FORMAT_JSONB,
	.builtin = F_TO_JSONB,
	.cell = {
		[CATEGORY_BOOL] = WriteBool,
		[CATEGORY_INT2] = WriteInt2,
		[CATEGORY_INT4] = WriteInt4,
		[CATEGORY_INT8] = WriteInt8,
		[CATEGORY_FLOAT4] = WriteFloat4,
		[CATEGORY_FLOAT8] = WriteFloat8,
		[CATEGORY_NUMERIC] = WriteNumeric,
		[CATEGORY_TEXT] = WriteText,
		[CATEGORY_NAME] = WriteName,
		[CATEGORY_OID] = WriteOid,
		[CATEGORY_UUID] = WriteUuid,
		[CATEGORY_DATE] = WriteDate,
		[CATEGORY_TIMESTAMP] = WriteTimestamp,
		[CATEGORY_TIMESTAMPTZ] = WriteTimestampTz,
		[CATEGORY_JSON] = WriteJson,
		[CATEGORY_JSONB] = WriteJsonb,
		[CATEGORY_JSONCAST] = WriteJsonCast,
		[CATEGORY_ARRAY] = WriteArray,
		[CATEGORY_COMPOSITE] = WriteComposite,
		[CATEGORY_DOCUMENT] = WriteDocument,
		[CATEGORY_DOCUMENT_JSON] = WriteDocumentJson,
		[CATEGORY_BUILTIN] = WriteBuiltin,
		[CATEGORY_OTHER] = WriteOther,
	},
	.row = WriteRow,
	.head = WriteHead,
	.columns = WriteColumns,
	.header = WriteHeader,
	.has_entries = true,
};
