/*-------------------------------------------------------------------------
 *
 * members.c
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

#include "document/members.h"
#include "format/json_scan.h"
#include "format/jsonb_walk.h"

static const char *const member_keys[] = {
	[MEMBER_COLS] = "cols",
	[MEMBER_ROWS] = "rows",
	[MEMBER_VALS] = "vals",
	[MEMBER_TYPES] = "types",
};

DocumentMember
MemberOfKey(const char *key, Size len)
{
	DocumentMember member = MEMBER_COLS;

	while (member < MEMBER_OTHER &&
		   (strlen(member_keys[member]) != len || memcmp(member_keys[member], key, len) != 0))
		member++;
	return member;
}

/* What keeps these members from making a document, as an errdetail, or NULL */
const char *
MissingMember(const bool *found)
{
	if (found[MEMBER_OTHER])
		return "It has a member other than \"cols\", \"rows\", \"vals\" and \"types\".";
	if (found[MEMBER_ROWS] && found[MEMBER_VALS])
		return "It has both members \"rows\" and \"vals\".";
	if (!found[MEMBER_COLS])
		return "It has no member \"cols\".";
	if (!found[MEMBER_ROWS] && !found[MEMBER_VALS])
		return "It has no member \"rows\" or \"vals\".";
	return NULL;
}

/* File one member; of members of the same name the last one counts. */
static void
SetPart(DocumentParts *parts, DocumentMember member, const char *value, Size len)
{
	if (member == MEMBER_COLS)
	{
		parts->cols = value;
		parts->colslen = len;
	}
	else if (member == MEMBER_ROWS || member == MEMBER_VALS)
	{
		parts->cells = value;
		parts->cellslen = len;
		parts->by_column = member == MEMBER_VALS;
	}
}

/* Are all parts there, and arrays? */
static const char *
CheckParts(const DocumentParts *parts, const bool *found,
		   bool (*is_array) (const char *, Size))
{
	const char *missing = MissingMember(found);

	if (missing)
		return missing;
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
	bool		found[NUM_MEMBERS] = {false};

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
		DocumentMember member;

		if (key.type != JENTRY_ISSTRING)
			ReportCorruptJsonb();
		member = MemberOfKey(key.data, key.len);
		found[member] = true;
		if (member == MEMBER_TYPES)
			parts->types = value;
		/* What isn't a container can't be taken for one without its bytes. */
		SetPart(parts, member, value.data, value.type == JENTRY_ISCONTAINER ? value.len : 0);
	}
	return CheckParts(parts, found, JsonbIsArray);
}

/* Is this the text of a name, whose letters may be escaped? */
static bool
JsonKeyIs(const char *key, Size len, const char *name)
{
	const char *end = key + len;

	for (; *name != '\0'; name++)
	{
		char		escape[8];

		if (key < end && *key == *name)
		{
			key++;
			continue;
		}
		snprintf(escape, sizeof(escape), "\\u%04x", *name);
		if (end - key < 6 || pg_strncasecmp(key, escape, 6) != 0)
			return false;
		key += 6;
	}
	return key == end;
}

/* MemberOfKey, of JSON text between quotes */
static DocumentMember
MemberOfJsonKey(const char *key, Size len)
{
	DocumentMember member = MEMBER_COLS;

	while (member < MEMBER_OTHER && !JsonKeyIs(key, len, member_keys[member]))
		member++;
	return member;
}

/* The same for a document that is JSON text. */
const char *
JsonDocumentParts(const char *doc, Size len, DocumentParts *parts)
{
	JsonScan	scan = {doc, doc + len};
	bool		found[NUM_MEMBERS] = {false};
	bool		first = true;

	memset(parts, 0, sizeof(*parts));
	if (!JsonScanAccept(&scan, '{'))
		return "It is not an object.";
	while (JsonScanNextElement(&scan, &first))
	{
		const char *key,
				   *value;
		Size		keylen,
					valuelen;
		DocumentMember member;

		JsonScanString(&scan, &key, &keylen);
		JsonScanAccept(&scan, ':');
		JsonScanValue(&scan, &value, &valuelen);
		member = MemberOfJsonKey(key, keylen);
		found[member] = true;
		SetPart(parts, member, value, valuelen);
	}
	parts->spaced = scan.spaced;
	return CheckParts(parts, found, JsonIsArray);
}

/* The header that a jsonb array holds; type is that of the document. */
Header *
HeaderRequire(const char *type, const char *cols, Size len)
{
	Header	   *header;

	if (!HeaderDecode(cols, len, &header))
		ReportNotDocument(type, "Member \"cols\" is not a list of names.");
	return header;
}

void
ReportNotDocument(const char *type, const char *missing)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s value is not a jsonrow document", type),
			 errdetail("%s", missing)));
}
