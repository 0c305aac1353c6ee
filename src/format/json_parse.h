/*-------------------------------------------------------------------------
 *
 * json_parse.h
 *		JSON text, taken apart and checked on the way.
 *
 * What json_in accepts is valid, except that it does not look at what \u
 * stands for.  PostgreSQL's functions that decode strings do, in all of the
 * text, needed or not, and so does this parser.  Whatever it refuses
 * is left to PostgreSQL's own parser, which says what is wrong.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSON_PARSE_H
#define JSONROW_JSON_PARSE_H

#include "jsonrow.h"

#include "format/output.h"

typedef enum JsonKind
{
	JSON_IS_NULL,
	JSON_IS_BOOL,
	JSON_IS_NUMBER,
	JSON_IS_STRING,
	JSON_IS_OBJECT,
	JSON_IS_ARRAY,
} JsonKind;

/* One value in a text */
typedef struct JsonItem
{
	JsonKind	kind;
	bool		escaped;		/* a string with a backslash in it */
	const char *text;			/* with its quotes or brackets */
	Size		len;
} JsonItem;

typedef struct JsonParse
{
	const char *p;
	const char *end;
	bool		decode;			/* is it checked what \u stands for? */
	bool		utf8;			/* the server's encoding */
} JsonParse;

extern void JsonParseStart(JsonParse *parse, const char *json, Size len, bool decode);
extern char JsonParsePeek(JsonParse *parse);
extern bool JsonParseAccept(JsonParse *parse, char token);
extern bool JsonParseValue(JsonParse *parse, JsonItem *item);
extern bool JsonParseKey(JsonParse *parse, JsonItem *key);
extern void JsonDecodeString(Output *out, const JsonItem *string);

/* Is it an object or an array? */
static inline bool
JsonItemIsContainer(const JsonItem *item)
{
	return item->kind >= JSON_IS_OBJECT;
}

/* Where the next element or member begins, or the end of all */
typedef enum JsonNext
{
	JSON_NEXT_ITEM,
	JSON_NEXT_END,
	JSON_NEXT_INVALID,
} JsonNext;

extern JsonNext JsonParseNext(JsonParse *parse, char closing, bool *first);

#endif							/* JSONROW_JSON_PARSE_H */
