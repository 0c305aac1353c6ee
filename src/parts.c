/*-------------------------------------------------------------------------
 *
 * parts.c
 *		The parts of a finished document: its header and its cells.
 *
 *		{"cols": HEADER, "rows": [ROW, ...]}
 *		{"cols": HEADER, "vals": [VECTOR, ...]}
 *
 * A member "types" is reserved; it may be there, is not looked at, and kept
 * by whatever makes another document of one.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "container.h"
#include "json_scan.h"
#include "parts.h"
#include "utils/fmgrprotos.h"

/*
 * File one member of the document under its name; returns what is wrong
 * with it, or NULL.  Of members of the same name the last one counts.
 */
static const char *
SetPart(DocumentParts *parts, const char *key, Size keylen,
		const char *value, Size valuelen)
{
	if (keylen == 4 && memcmp(key, "cols", 4) == 0)
	{
		parts->cols = value;
		parts->colslen = valuelen;
	}
	else if (keylen == 4 && (memcmp(key, "rows", 4) == 0 || memcmp(key, "vals", 4) == 0))
	{
		if (parts->cells != NULL && parts->by_column != (*key == 'v'))
			return "It has both members \"rows\" and \"vals\".";
		parts->cells = value;
		parts->cellslen = valuelen;
		parts->by_column = *key == 'v';
	}
	else if (keylen != 5 || memcmp(key, "types", 5) != 0)
		return "It has a member other than \"cols\", \"rows\", \"vals\" and \"types\".";
	return NULL;
}

/* Are both parts there, and arrays? */
static const char *
CheckParts(const DocumentParts *parts, bool (*is_array) (const char *, Size))
{
	if (parts->cols == NULL)
		return "It has no member \"cols\".";
	if (parts->cells == NULL)
		return "It has no member \"rows\" or \"vals\".";
	if (!is_array(parts->cols, parts->colslen))
		return "Member \"cols\" is not an array.";
	if (!is_array(parts->cells, parts->cellslen))
		return parts->by_column ? "Member \"vals\" is not an array." :
			"Member \"rows\" is not an array.";
	return NULL;
}

static bool
JsonIsArray(const char *json, Size len)
{
	return len > 0 && *json == '[';
}

/*
 * Find the parts of a jsonb document.  Returns NULL, or what is missing, as
 * an errdetail.
 */
const char *
JsonbDocumentParts(const Jsonb *doc, DocumentParts *parts)
{
	JsonbWalk	keys,
				values;

	memset(parts, 0, sizeof(*parts));
	JsonbWalkRoot(&keys, doc);
	if (!(keys.flags & JB_FOBJECT))
		return "It is not an object.";
	if (keys.count > 3)
		return "It has more than three members.";

	values = JsonbWalkValues(&keys);
	for (uint32 i = 0; i < keys.count; i++)
	{
		JsonbElement key = JsonbWalkTake(&keys);
		JsonbElement value = JsonbWalkTake(&values);
		const char *wrong;

		if (key.type != JENTRY_ISSTRING)
			ReportCorruptJsonb();
		/* What isn't a container can't be taken for one without its bytes. */
		wrong = SetPart(parts, key.data, key.len, value.data,
						value.type == JENTRY_ISCONTAINER ? value.len : 0);
		if (wrong)
			return wrong;
		if (key.len == 5)
			parts->types = value;
	}
	return CheckParts(parts, JsonbIsArray);
}

/* A key without its escapes, if it has any */
static void
UnescapeKey(const char **key, Size *len)
{
	Jsonb	   *jsonb;
	JsonbWalk	walk;
	JsonbElement string;

	if (likely(memchr(*key, '\\', *len) == NULL))
		return;
	jsonb = JsonbFromJson(*key - 1, *len + 2);	/* with its quotes */
	JsonbWalkRoot(&walk, jsonb);
	string = JsonbWalkTake(&walk);
	*key = string.data;
	*len = string.len;
}

/* The same for a document that is JSON text. */
const char *
JsonDocumentParts(const char *doc, Size len, DocumentParts *parts)
{
	JsonScan	scan = {doc, doc + len};
	bool		first = true;

	memset(parts, 0, sizeof(*parts));
	if (!JsonScanAccept(&scan, '{'))
		return "It is not an object.";
	while (JsonScanNextElement(&scan, &first))
	{
		const char *key,
				   *value,
				   *wrong;
		Size		keylen,
					valuelen;

		JsonScanString(&scan, &key, &keylen);
		JsonScanAccept(&scan, ':');
		JsonScanValue(&scan, &value, &valuelen);
		UnescapeKey(&key, &keylen);
		wrong = SetPart(parts, key, keylen, value, valuelen);
		if (wrong)
			return wrong;
	}
	parts->spaced = scan.spaced;
	return CheckParts(parts, JsonIsArray);
}

/* The header that a jsonb array holds; type is that of the document. */
Header *
ReadHeader(const char *type, const char *cols, Size len)
{
	Header	   *header;

	if (!HeaderDecode(cols, len, &header))
		ReportNotDocument(type, "Member \"cols\" is not a list of names.");
	return header;
}

/* Parse JSON text that is known to be valid. */
Jsonb *
JsonbFromJson(const char *json, Size len)
{
	char	   *cstring = pnstrdup(json, len);
	Jsonb	   *jsonb = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(cstring)));

	pfree(cstring);
	return jsonb;
}

void
ReportNotDocument(const char *type, const char *missing)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s value is not a jsonrow document", type),
			 errdetail("%s", missing)));
}
