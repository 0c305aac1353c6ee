/*-------------------------------------------------------------------------
 *
 * write_json.c
 *		Cells, rows and documents as JSON text.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/orientation.h"
#include "format/json_scan.h"
#include "format/json_text.h"
#include "format/value_text.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "write/composite.h"
#include "write/hoist.h"
#include "write/writer.h"

/* Sign and digits of the longest integer */
#define INT64_TEXT_MAXSIZE	20

/*
 * Cells.  What they return is of no interest: see CellWriter.
 */

static uint32
WriteBool(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	if (DatumGetBool(value))
		OutAppend(out, "true", 4);
	else
		OutAppend(out, "false", 5);
	return 0;
}

static inline uint32
WriteInt32(Output *out, int32 value)
{
	char	   *dst = OutReserve(out, INT64_TEXT_MAXSIZE + 1);

	out->len += pg_ltoa(value, dst);
	return 0;
}

static uint32
WriteInt2(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt32(out, DatumGetInt16(value));
}

static uint32
WriteInt4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteInt32(out, DatumGetInt32(value));
}

static uint32
WriteInt8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	char	   *dst = OutReserve(out, INT64_TEXT_MAXSIZE + 1);

	out->len += pg_lltoa(DatumGetInt64(value), dst);
	return 0;
}

/*
 * Around text that needs no escape: reserve room and write the opening quote;
 * write the closing one.
 */
static inline char *
OpenQuote(Output *out, Size size)
{
	char	   *dst = OutReserve(out, size + 2);

	*dst = '"';
	return dst + 1;
}

static inline uint32
CloseQuote(Output *out, char *end)
{
	*end = '"';
	OutAdvanceTo(out, end + 1);
	return 0;
}

static uint32
WriteFloat4(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	float4		number = DatumGetFloat4(value);

	if (unlikely(!isfinite(number)))
		return CloseQuote(out, Float4ToText(OpenQuote(out, FLOAT_TEXT_MAXSIZE), number));
	OutAdvanceTo(out, Float4ToText(OutReserve(out, FLOAT_TEXT_MAXSIZE), number));
	return 0;
}

static uint32
WriteFloat8(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	float8		number = DatumGetFloat8(value);

	if (unlikely(!isfinite(number)))
		return CloseQuote(out, Float8ToText(OpenQuote(out, FLOAT_TEXT_MAXSIZE), number));
	OutAdvanceTo(out, Float8ToText(OutReserve(out, FLOAT_TEXT_MAXSIZE), number));
	return 0;
}

static uint32
WriteNumeric(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *number = DatumGetPacked(value);

	JsonAppendNumeric(out, VARDATA_ANY(number), VARSIZE_ANY_EXHDR(number));
	return 0;
}

static uint32
WriteText(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *text = DatumGetPacked(value);

	JsonAppendString(out, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
	return 0;
}

static uint32
WriteName(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *name = NameStr(*DatumGetName(value));

	JsonAppendString(out, name, strnlen(name, NAMEDATALEN));
	return 0;
}

static uint32
WriteOid(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return CloseQuote(out, OidToText(OpenQuote(out, OID_TEXT_MAXSIZE),
									 DatumGetObjectId(value)));
}

static uint32
WriteUuid(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return CloseQuote(out, UuidToText(OpenQuote(out, UUID_TEXT_SIZE),
									  DatumGetUUIDP(value)));
}

static uint32
WriteDate(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return CloseQuote(out, DateToText(OpenQuote(out, DATETIME_TEXT_MAXSIZE),
									  DatumGetDateADT(value)));
}

static uint32
WriteTimestamp(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return CloseQuote(out, TimestampToText(OpenQuote(out, DATETIME_TEXT_MAXSIZE),
										   DatumGetTimestamp(value)));
}

static uint32
WriteTimestampTz(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return CloseQuote(out, TimestampTzToText(OpenQuote(out, DATETIME_TEXT_MAXSIZE),
											 DatumGetTimestampTz(value), plan->zones));
}

/* JSON text is kept as it is, white space and all, as to_json does. */
static uint32
WriteJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);

	OutAppend(out, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));
	return 0;
}

static uint32
WriteJsonb(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	Jsonb	   *jsonb = DatumGetJsonbP(value);

	JsonAppendContainer(out, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ, JSON_SPACED);
	return 0;
}

/* The function is a cast to json, or to_json. */
static uint32
WriteFunctionJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	return WriteJson(out, plan, column, FunctionCall1(&plan->function, value));
}

static uint32
WriteOther(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	const char *text = OutputFunctionCall(&plan->function, value);

	JsonAppendString(out, text, strlen(text));
	return 0;
}

/* One dimension of an array, and those within it */
static void
WriteDimension(Output *out, ArrayWalk *walk, const int *dims, int ndims)
{
	ColumnPlan *element = &walk->element->column;

	OutAppendChar(out, '[');
	for (int i = 0; i < dims[0]; i++)
	{
		if (i > 0)
			OutAppendChar(out, ',');
		if (ndims > 1)
			WriteDimension(out, walk, dims + 1, ndims - 1);
		else
		{
			NullableDatum value = ArrayWalkNext(walk);

			CHECK_FOR_INTERRUPTS();
			if (value.isnull)
				OutAppend(out, "null", 4);
			else
				element->write(out, element, NULL, value.value);
		}
	}
	OutAppendChar(out, ']');
}

static uint32
WriteArray(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	ArrayWalk	walk;

	ArrayWalkStart(&walk, plan, value);
	WriteDimension(out, &walk, walk.dims, walk.ndims);
	return 0;
}

static uint32
WriteRow(Output *out, RowPlan *plan, Header *header, const NullableDatum *cells)
{
	OutAppendChar(out, '[');
	for (int i = 0; i < plan->ncols; i++)
	{
		ColumnPlan *column = &plan->cols[i * plan->step];

		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendMarginChar(out, ',');
		if (cells[i].isnull)
			OutAppend(out, "null", 4);
		else
			column->write(out, column, header ? &header->cols[i] : NULL, cells[i].value);
	}
	OutAppendChar(out, ']');
	return 0;
}

static uint32
WriteDocument(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	DocumentParts parts;

	HoistJsonb(plan, column, DatumGetJsonbP(value), out->context, &parts);
	if (parts.by_column)
		WriteTransposedAsJson(out, parts.cells, parts.cellslen);
	else
		JsonAppendContainer(out, parts.cells, parts.cellslen, JSON_COMPACT);
	return 0;
}

static uint32
WriteDocumentJson(Output *out, ColumnPlan *plan, HeaderColumn *column, Datum value)
{
	struct varlena *json = DatumGetPacked(value);
	DocumentParts parts;

	HoistJson(plan, column, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json),
			  out->context, &parts);
	if (parts.by_column)
		WriteTransposedJson(out, parts.cells, parts.cellslen);
	else if (unlikely(parts.spaced))
		JsonCompact(out, parts.cells, parts.cellslen);
	else
		OutAppend(out, parts.cells, parts.cellslen);
	return 0;
}

/*
 * Documents
 */

static void
WriteHeader(Output *out, const Header *header)
{
	int			ncols = HeaderWidth(header);

	check_stack_depth();
	if (header && header->written_by == &JsonWriter)
	{
		OutAppend(out, header->written, header->writtenlen);
		return;
	}
	OutAppendChar(out, '[');
	for (int i = 0; i < ncols; i++)
	{
		const HeaderColumn *column = &header->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendChar(out, ',');
		if (column->shape == COLUMN_PLAIN)
		{
			JsonAppendString(out, column->name, column->namelen);
			continue;
		}
		OutAppendChar(out, '{');
		JsonAppendString(out, column->name, column->namelen);
		OutAppendChar(out, ':');
		if (column->shape == COLUMN_ROWS)
			OutAppendChar(out, '[');
		WriteHeader(out, column->nested);
		if (column->shape == COLUMN_ROWS)
			OutAppendChar(out, ']');
		OutAppendChar(out, '}');
	}
	OutAppendChar(out, ']');
}

/* A document up to its rows or vectors */
static void
OpenCells(Output *out, const Header *header, const char *member)
{
	OutAppend(out, "{\"cols\":", 8);
	WriteHeader(out, header);
	OutAppend(out, member, strlen(member));
}

static void
WriteHead(Output *out, const Header *header, uint32 nrows, Size rowslen)
{
	OutReserve(out, VARHDRSZ);
	out->len = VARHDRSZ;
	if (header != NULL)
		OpenCells(out, header, ",\"rows\":");
	OutAppendChar(out, '[');
}

static void
WriteColumns(Output *out, const Header *header, Output *columns, uint32 nrows,
			 bool release)
{
	OutReserve(out, VARHDRSZ);
	out->len = VARHDRSZ;
	OpenCells(out, header, ",\"vals\":");
	OutAppendChar(out, '[');
	for (int i = 0; i < header->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			OutAppendChar(out, ',');
		OutAppendChar(out, '[');
		if (release)
			OutTake(out, &columns[i]);
		else
			OutAppend(out, columns[i].data, columns[i].len);
		OutAppendChar(out, ']');
	}
	OutAppend(out, "]}", 2);
}

const Writer JsonWriter = {
	.limit = FORMAT_JSON,
	.builtin = F_TO_JSON,
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
		[CATEGORY_JSONCAST] = WriteFunctionJson,
		[CATEGORY_ARRAY] = WriteArray,
		[CATEGORY_COMPOSITE] = WriteComposite,
		[CATEGORY_DOCUMENT] = WriteDocument,
		[CATEGORY_DOCUMENT_JSON] = WriteDocumentJson,
		[CATEGORY_BUILTIN] = WriteFunctionJson,
		[CATEGORY_OTHER] = WriteOther,
	},
	.row = WriteRow,
	.head = WriteHead,
	.columns = WriteColumns,
	.header = WriteHeader,
	.has_entries = false,
};
