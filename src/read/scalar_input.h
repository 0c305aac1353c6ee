/*-------------------------------------------------------------------------
 *
 * scalar_input.h
 *		Strings, numbers and booleans of JSON as values of SQL types.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SCALAR_INPUT_H
#define JSONROW_SCALAR_INPUT_H

#include "jsonrow.h"

#include "format/json_parse.h"
#include "format/json_text.h"
#include "format/output.h"
#include "format/text_types.h"

typedef struct ScalarInput ScalarInput;

/* Makes a value from text, without an error; false if the input function must. */
typedef bool (*ScalarTextFunction) (ScalarInput *input, const char *text, Size len, Datum *value);

/* The same from a number of a jsonb */
typedef bool (*ScalarNumberFunction) (ScalarInput *input, const JsonbElement *number, Datum *value);

/* How a type that isn't a domain is read */
struct ScalarInput
{
	Oid			typid;
	int32		typmod;
	ScalarTextFunction from_text;	/* or NULL */
	ScalarNumberFunction from_number;	/* or NULL */
	const TextType *text_type;	/* for short strings */
	FmgrInfo	function;		/* the type's input function */
	Oid			ioparam;
	Output	   *text;			/* room for one value as text, shared by many */
};

extern void ScalarInputInit(ScalarInput *input, Oid typid, int32 typmod, Output *text,
							MemoryContext context);
extern Datum ScalarFromText(ScalarInput *input, const char *text, Size len);
extern Datum ScalarFromElement(ScalarInput *input, const JsonbElement *element);
extern Datum ScalarFromItem(ScalarInput *input, const JsonItem *item);
extern Datum ElementAsText(const JsonbElement *element, Output *text);
extern Datum JsonbToJson(const Jsonb *jsonb, JsonSpacing spacing);

/* The text of a JSON string, without quotes and escapes, until out's next use */
static inline const char *
ItemText(const JsonItem *item, Output *out, Size *len)
{
	if (item->kind == JSON_IS_STRING)
	{
		if (item->escaped)
		{
			out->len = 0;
			JsonDecodeString(out, item);
			*len = out->len;
			return out->data;
		}
		*len = item->len - 2;
		return item->text + 1;
	}
	*len = item->len;
	return item->text;
}

#endif							/* JSONROW_SCALAR_INPUT_H */
