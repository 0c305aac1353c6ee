/*-------------------------------------------------------------------------
 *
 * text_types.c
 *		Types whose values are short strings in JSON.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "format/datetime_text.h"
#include "format/text_types.h"
#include "format/value_text.h"

static const TextType text_types[] = {
	{OIDOID, OID_TEXT_MAXSIZE, OidToText},
	{UUIDOID, UUID_TEXT_SIZE, UuidToText, 0, UuidFromText},
	{DATEOID, DATETIME_TEXT_MAXSIZE, DateToText, 0, DateFromText},
	{TIMESTAMPOID, DATETIME_TEXT_MAXSIZE, TimestampToText, 0, TimestampFromText},
	{TIMESTAMPTZOID, DATETIME_TEXT_MAXSIZE, TimestampTzToText, sizeof(ZoneCache), TimestampTzFromText},
};

/* The row of a type that isn't a domain; NULL if it has none. */
const TextType *
FindTextType(Oid typid)
{
	for (int i = 0; i < lengthof(text_types); i++)
		if (text_types[i].typid == typid)
			return &text_types[i];
	return NULL;
}
