/*-------------------------------------------------------------------------
 *
 * json_find.c
 *		Members and elements of JSON text, found by one pass over it.
 *
 * All of the text is checked, even what comes after the wanted part: a later
 * member may have the same key, and the text may be wrong there.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_find.h"
#include "miscadmin.h"

static bool
KeyIs(const JsonItem *item, const char *key, Size len)
{
	Output		decoded;
	bool		same;

	if (likely(!item->escaped))
		return item->len == len + 2 && memcmp(item->text + 1, key, len) == 0;
	OutInit(&decoded, FORMAT_JSON, item->len, CurrentMemoryContext);
	JsonDecodeString(&decoded, item);
	same = decoded.len == len && memcmp(decoded.data, key, len) == 0;
	pfree(decoded.data);
	return same;
}

/* Is there nothing more than this value? */
static JsonFound
NotFound(JsonParse *parse)
{
	JsonItem	item;

	return JsonParseValue(parse, &item) && JsonParsePeek(parse) == '\0' ? JSON_NOT_FOUND : JSON_NOT_VALID;
}

/* The value of a member; the last one, if several have that key */
JsonFound
JsonFindKey(const char *json, Size size, const char *key, Size len, JsonItem *item)
{
	JsonFound	found = JSON_NOT_FOUND;
	JsonParse	parse;
	JsonNext	next;
	JsonItem	name;
	JsonItem	value;
	bool		first = true;

	JsonParseStart(&parse, json, size, true);
	if (!JsonParseAccept(&parse, '{'))
		return NotFound(&parse);
	while ((next = JsonParseNext(&parse, '}', &first)) == JSON_NEXT_ITEM)
	{
		CHECK_FOR_INTERRUPTS();
		if (!JsonParseKey(&parse, &name) || !JsonParseValue(&parse, &value))
			return JSON_NOT_VALID;
		if (KeyIs(&name, key, len))
		{
			found = found == JSON_NOT_FOUND ? JSON_FOUND : JSON_FOUND_AGAIN;
			*item = value;
		}
	}
	return next == JSON_NEXT_END && JsonParsePeek(&parse) == '\0' ? found : JSON_NOT_VALID;
}

/* An element, counted from the first one, which is 0 */
JsonFound
JsonFindPosition(const char *json, Size size, int position, JsonItem *item)
{
	JsonFound	found = JSON_NOT_FOUND;
	JsonParse	parse;
	JsonNext	next;
	JsonItem	value;
	bool		first = true;

	JsonParseStart(&parse, json, size, true);
	if (!JsonParseAccept(&parse, '['))
		return NotFound(&parse);
	while ((next = JsonParseNext(&parse, ']', &first)) == JSON_NEXT_ITEM)
	{
		CHECK_FOR_INTERRUPTS();
		if (!JsonParseValue(&parse, &value))
			return JSON_NOT_VALID;
		if (position-- == 0)
		{
			found = JSON_FOUND;
			*item = value;
		}
	}
	return next == JSON_NEXT_END && JsonParsePeek(&parse) == '\0' ? found : JSON_NOT_VALID;
}
