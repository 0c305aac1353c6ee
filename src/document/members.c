/*-------------------------------------------------------------------------
 *
 * members.c
 *		The members of a finished document: its header and its cells.
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
#include "format/json_to_jsonb.h"

/* What the members of a document are, by their keys */
typedef enum MemberKind
{
	MEMBER_COLS,
	MEMBER_ROWS,
	MEMBER_VALS,
	MEMBER_TYPES,
	MEMBER_OTHER,
	NUM_MEMBERS
} MemberKind;

static const char *const member_keys[] = {
	[MEMBER_COLS] = "cols",
	[MEMBER_ROWS] = "rows",
	[MEMBER_VALS] = "vals",
	[MEMBER_TYPES] = "types",
};

void
ReportNotDocument(JsonFormat format, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s value is not a jsonrow document",
					format == FORMAT_JSONB ? "jsonb" : "json"),
			 errdetail("%s", problem)));
}

/* File one member; of members of the same name the last one counts. */
static void
SetMember(DocumentMembers *members, MemberKind kind, const JsonbElement *value)
{
	if (kind == MEMBER_COLS)
		members->cols = *value;
	else if (kind == MEMBER_ROWS || kind == MEMBER_VALS)
	{
		members->cells = *value;
		members->by_column = kind == MEMBER_VALS;
	}
	else if (kind == MEMBER_TYPES)
		members->types = *value;
}

/* What keeps these members from making a document, as an errdetail, or NULL */
static const char *
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

/* Both members that must be arrays have been found: are they? */
static const char *
MemberNotArray(const DocumentMembers *members, bool cols_is_array, bool cells_is_array)
{
	if (!cols_is_array)
		return "Member \"cols\" is not an array.";
	if (!cells_is_array)
		return members->by_column ? "Member \"vals\" is not an array." :
			"Member \"rows\" is not an array.";
	return NULL;
}

/*
 * jsonb
 */

static MemberKind
MemberOfKey(const char *key, Size len)
{
	MemberKind	kind = MEMBER_COLS;

	while (kind < MEMBER_OTHER &&
		   (strlen(member_keys[kind]) != len || memcmp(member_keys[kind], key, len) != 0))
		kind++;
	return kind;
}

static bool
IsArray(const JsonbWalk *root, const JsonbElement *member)
{
	JsonbWalk	walk;

	if (member->type != JENTRY_ISCONTAINER)
		return false;
	JsonbWalkEnter(&walk, root, member);
	return JsonbWalkIsArray(&walk);
}

/*
 * Find the members of a document in its root container.  Returns NULL, or
 * what is missing, as an errdetail.
 */
const char *
MembersFind(DocumentMembers *members, const JsonbWalk *root)
{
	JsonbWalk	keys = *root;
	JsonbWalk	values;
	bool		found[NUM_MEMBERS] = {false};
	const char *missing;

	memset(members, 0, sizeof(*members));
	members->format = FORMAT_JSONB;
	if (!(root->flags & JB_FOBJECT))
		return "It is not an object.";
	if (root->count > 3)
		return "It has more than three members.";

	values = JsonbWalkValues(&keys);
	for (uint32 i = 0; i < root->count; i++)
	{
		JsonbElement key = JsonbWalkTake(&keys);
		JsonbElement value = JsonbWalkTake(&values);
		MemberKind	kind;

		if (key.type != JENTRY_ISSTRING)
			ReportCorruptJsonb();
		JsonbWalkFetch(&keys, &key);
		kind = MemberOfKey(key.data, key.len);
		found[kind] = true;
		SetMember(members, kind, &value);
	}
	missing = MissingMember(found);
	if (missing)
		return missing;
	return MemberNotArray(members, IsArray(root, &members->cols), IsArray(root, &members->cells));
}

/* The same for a document in memory */
const char *
MembersFindIn(DocumentMembers *members, const Jsonb *doc)
{
	JsonbWalk	root;

	JsonbWalkRoot(&root, doc);
	return MembersFind(members, &root);
}

/* Does a document whose header has no columns have a row that isn't null? */
static bool
HasRow(const JsonbElement *cells)
{
	JsonbWalk	walk;
	JsonbElement row;

	JsonbWalkStart(&walk, cells->data, cells->len);
	while (JsonbWalkNext(&walk, &row))
	{
		CHECK_FOR_INTERRUPTS();
		if (row.type != JENTRY_ISNULL)
			return true;
	}
	return false;
}

/*
 * JSON text
 */

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
static MemberKind
MemberOfJsonKey(const char *key, Size len)
{
	MemberKind	kind = MEMBER_COLS;

	while (kind < MEMBER_OTHER && !JsonKeyIs(key, len, member_keys[kind]))
		kind++;
	return kind;
}

/* MembersFind, of a document that is JSON text */
const char *
MembersFindInJson(DocumentMembers *members, const char *doc, Size len)
{
	JsonScan	scan = {doc, doc + len};
	bool		found[NUM_MEMBERS] = {false};
	bool		first = true;
	const char *missing;

	memset(members, 0, sizeof(*members));
	members->format = FORMAT_JSON;
	if (!JsonScanAccept(&scan, '{'))
		return "It is not an object.";
	while (JsonScanNextElement(&scan, &first))
	{
		JsonbElement value = {0};
		const char *key;
		Size		keylen,
					valuelen;
		MemberKind	kind;

		JsonScanString(&scan, &key, &keylen);
		JsonScanAccept(&scan, ':');
		JsonScanValue(&scan, &value.data, &valuelen);
		value.len = valuelen;
		kind = MemberOfJsonKey(key, keylen);
		found[kind] = true;
		SetMember(members, kind, &value);
	}
	members->spaced = scan.spaced;
	missing = MissingMember(found);
	if (missing)
		return missing;
	return MemberNotArray(members, *members->cols.data == '[', *members->cells.data == '[');
}

static bool
JsonHasRow(const JsonbElement *cells)
{
	JsonScan	scan = {cells->data + 1, cells->data + cells->len};
	bool		first = true;

	while (JsonScanNextElement(&scan, &first))
	{
		const char *row;
		Size		len;

		JsonScanValue(&scan, &row, &len);
		if (*row != 'n')
			return true;
	}
	return false;
}

/*
 * Both
 */

/* The header as a tree; raises an error if it isn't one. */
Header *
MembersHeader(const DocumentMembers *members)
{
	JsonbElement cols = members->cols;
	Header	   *header;

	if (members->format == FORMAT_JSON)
		cols = JsonbRootElement(JsonbFromJson(cols.data, cols.len));
	if (!HeaderDecode(&cols, &header))
		ReportNotDocument(members->format, NOT_NAMES);
	return header;
}

/*
 * A document that has no columns and no rows, or only null rows, does not
 * tell which columns it would have.  An aggregate that was given no rows
 * makes such a document, if the query does not tell either.
 */
bool
MembersSayNothing(const DocumentMembers *members, const Header *header)
{
	if (header->ncols > 0)
		return false;
	return members->format == FORMAT_JSONB ? !HasRow(&members->cells) : !JsonHasRow(&members->cells);
}
