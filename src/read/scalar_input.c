/*-------------------------------------------------------------------------
 *
 * scalar_input.c
 *		Strings, numbers and booleans of JSON as values of SQL types.
 *
 * The value is what the type's input function makes of the text, as
 * json_populate_record and jsonb_populate_record call it.  Where it is certain
 * what that would be, it is not called; all else is left to it, above all the
 * errors.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "format/float_text.h"
#include "format/json_to_jsonb.h"
#include "format/jsonb_write.h"
#include "format/numeric_format.h"
#include "format/value_text.h"
#include "read/scalar_input.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

/*
 * From text
 */

static bool
TextFromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	*value = PointerGetDatum(cstring_to_text_with_len(text, len));
	return true;
}

/* A text of no more bytes than the characters that are allowed */
static bool
VarcharFromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	if (input->typmod >= VARHDRSZ && len > input->typmod - VARHDRSZ)
		return false;
	*value = PointerGetDatum(cstring_to_text_with_len(text, len));
	return true;
}

static bool
BoolFromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	bool		is_true = len == 4 && memcmp(text, "true", 4) == 0;

	if (!is_true && (len != 5 || memcmp(text, "false", 5) != 0))
		return false;
	*value = BoolGetDatum(is_true);
	return true;
}

static bool
Int2FromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	int64		number;

	if (!Int64FromText(text, len, PG_INT16_MIN, PG_INT16_MAX, &number))
		return false;
	*value = Int16GetDatum((int16) number);
	return true;
}

static bool
Int4FromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	int64		number;

	if (!Int64FromText(text, len, PG_INT32_MIN, PG_INT32_MAX, &number))
		return false;
	*value = Int32GetDatum((int32) number);
	return true;
}

static bool
Int8FromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	int64		number;

	if (!Int64FromText(text, len, PG_INT64_MIN, PG_INT64_MAX, &number))
		return false;
	*value = Int64GetDatum(number);
	return true;
}

static bool
FloatFromText4(ScalarInput *input, const char *text, Size len, Datum *value)
{
	float4		number;

	if (!Float4FromText(text, len, &number))
		return false;
	*value = Float4GetDatum(number);
	return true;
}

static bool
FloatFromText8(ScalarInput *input, const char *text, Size len, Datum *value)
{
	float8		number;

	if (!Float8FromText(text, len, &number))
		return false;
	*value = Float8GetDatum(number);
	return true;
}

static bool
NumberFromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	char	   *number = palloc(NUMERIC_TEXT_MAXSIZE);

	*value = PointerGetDatum(number);
	return NumericFromNumberText(number, text, len, input->typmod) > 0;
}

static bool
ShortFromText(ScalarInput *input, const char *text, Size len, Datum *value)
{
	return input->typmod < 0 && input->text_type->parse(text, len, value);
}

/*
 * From a jsonb's number
 */

static bool
ViewNumber(const JsonbElement *number, NumericView *view)
{
	JsonbNumericView(number, view);
	return !view->special;
}

/*
 * The number as an integer between the two bounds; false if its text is not
 * one that an integer type accepts, or out of range.
 */
static bool
NumberIsInteger(const JsonbElement *number, int64 min, int64 max, int64 *result)
{
	NumericView view;

	return ViewNumber(number, &view) && view.dscale == 0 &&
		NumericToInt64(&view, result) && *result >= min && *result <= max;
}

static bool
Int2FromNumber(ScalarInput *input, const JsonbElement *number, Datum *value)
{
	int64		integer;

	if (!NumberIsInteger(number, PG_INT16_MIN, PG_INT16_MAX, &integer))
		return false;
	*value = Int16GetDatum((int16) integer);
	return true;
}

static bool
Int4FromNumber(ScalarInput *input, const JsonbElement *number, Datum *value)
{
	int64		integer;

	if (!NumberIsInteger(number, PG_INT32_MIN, PG_INT32_MAX, &integer))
		return false;
	*value = Int32GetDatum((int32) integer);
	return true;
}

static bool
Int8FromNumber(ScalarInput *input, const JsonbElement *number, Datum *value)
{
	int64		integer;

	if (!NumberIsInteger(number, PG_INT64_MIN, PG_INT64_MAX, &integer))
		return false;
	*value = Int64GetDatum(integer);
	return true;
}

static bool
Float8FromNumber(ScalarInput *input, const JsonbElement *number, Datum *value)
{
	NumericView view;
	float8		result;

	if (!ViewNumber(number, &view) || !NumericToFloat8(&view, &result))
		return false;
	*value = Float8GetDatum(result);
	return true;
}

static bool
NumericFromNumber(ScalarInput *input, const JsonbElement *number, Datum *value)
{
	NumericView view;

	if (!ViewNumber(number, &view))
		return false;
	*value = JsonbNumericDatum(number);
	if (input->typmod >= 0)
		*value = DirectFunctionCall2(numeric, *value, Int32GetDatum(input->typmod));
	return true;
}

/*
 * All types
 */

typedef struct ScalarFunctions
{
	Oid			typid;
	ScalarTextFunction from_text;
	ScalarNumberFunction from_number;
} ScalarFunctions;

static const ScalarFunctions scalar_functions[] = {
	{TEXTOID, TextFromText},
	{VARCHAROID, VarcharFromText},
	{BOOLOID, BoolFromText},
	{INT2OID, Int2FromText, Int2FromNumber},
	{INT4OID, Int4FromText, Int4FromNumber},
	{INT8OID, Int8FromText, Int8FromNumber},
	{FLOAT4OID, FloatFromText4},
	{FLOAT8OID, FloatFromText8, Float8FromNumber},
	{NUMERICOID, NumberFromText, NumericFromNumber},
};

/*
 * Prepare for a type that isn't a domain.  text is room for one value, of
 * which there need be only one for all that is read in turn.
 */
void
ScalarInputInit(ScalarInput *input, Oid typid, int32 typmod, Output *text, MemoryContext context)
{
	Oid			function;

	memset(input, 0, sizeof(*input));
	input->typid = typid;
	input->typmod = typmod;
	input->text = text;
	input->text_type = FindTextType(typid);
	if (input->text_type != NULL && input->text_type->parse != NULL)
		input->from_text = ShortFromText;
	for (int i = 0; i < lengthof(scalar_functions); i++)
		if (scalar_functions[i].typid == typid)
		{
			input->from_text = scalar_functions[i].from_text;
			input->from_number = scalar_functions[i].from_number;
		}
	getTypeInputInfo(typid, &function, &input->ioparam);
	fmgr_info_cxt(function, &input->function, context);
}

/* What the type makes of a text, which may be in input->text */
Datum
ScalarFromText(ScalarInput *input, const char *text, Size len)
{
	Output	   *out = input->text;
	Datum		value;

	if (input->from_text != NULL && input->from_text(input, text, len, &value))
		return value;
	if (text != out->data)
	{
		out->len = 0;
		OutAppend(out, text, len);
	}
	out->len = len;
	OutAppendChar(out, '\0');
	return InputFunctionCall(&input->function, out->data, input->ioparam, input->typmod);
}

/* The text of an element as ->> gives it, until the next one */
static const char *
ElementText(const JsonbElement *element, Output *out, Size *len)
{
	if (element->type == JENTRY_ISSTRING)
	{
		*len = element->len;
		return element->data;
	}
	out->len = 0;
	JsonAppendElement(out, element, JSON_SPACED);
	*len = out->len;
	return out->data;
}

/* The text of an element that isn't null as ->> gives it */
Datum
ElementAsText(const JsonbElement *element, Output *text)
{
	Size		len;
	const char *start = ElementText(element, text, &len);

	return PointerGetDatum(cstring_to_text_with_len(start, len));
}

Datum
JsonbToJson(const Jsonb *jsonb, JsonSpacing spacing)
{
	Output		out;

	OutInitValue(&out, FORMAT_JSON, VARSIZE(jsonb) * 2, CurrentMemoryContext);
	JsonAppendContainer(&out, VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ, spacing);
	return PointerGetDatum(OutFinishValue(&out));
}

/* What the type makes of an element that isn't null */
Datum
ScalarFromElement(ScalarInput *input, const JsonbElement *element)
{
	Datum		value;
	Size		len;
	const char *text;

	if (input->typid == JSONBOID)
		return JsonbPGetDatum(ElementToJsonb(element));
	if (input->typid == JSONOID)
		return JsonbToJson(ElementToJsonb(element), JSON_SPACED);
	if (input->typid == BOOLOID &&
		(element->type == JENTRY_ISBOOL_TRUE || element->type == JENTRY_ISBOOL_FALSE))
		return BoolGetDatum(element->type == JENTRY_ISBOOL_TRUE);
	if (element->type == JENTRY_ISNUMERIC && input->from_number != NULL &&
		input->from_number(input, element, &value))
		return value;
	text = ElementText(element, input->text, &len);
	return ScalarFromText(input, text, len);
}

/* A string as the text of a json, with no more escapes than it needs */
static Datum
StringAsJson(const JsonItem *item, Output *text)
{
	Output		out;
	Size		len;
	const char *string = ItemText(item, text, &len);

	OutInitValue(&out, FORMAT_JSON, len + 64, CurrentMemoryContext);
	JsonAppendString(&out, string, len);
	return PointerGetDatum(OutFinishValue(&out));
}

/* What the type makes of a value in JSON text that isn't null */
Datum
ScalarFromItem(ScalarInput *input, const JsonItem *item)
{
	Size		len;
	const char *text;

	if (input->typid == JSONBOID)
		return JsonbPGetDatum(JsonbFromJson(item->text, item->len));
	if (input->typid == JSONOID)
	{
		if (item->escaped)
			return StringAsJson(item, input->text);
		return PointerGetDatum(cstring_to_text_with_len(item->text, item->len));
	}
	text = ItemText(item, input->text, &len);
	return ScalarFromText(input, text, len);
}
