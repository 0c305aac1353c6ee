/*-------------------------------------------------------------------------
 *
 * header_types.c
 *		The types of a header's columns: the member "types" of a document, read
 *		and joined.  It is written in header_codec.c.
 *
 *		TYPES = [TYPE, ...]				one per NAME of the header
 *		TYPE  = "int4"					a plain column
 *			  | null					... whose type isn't known
 *			  | {"address": TYPES}		a composite, or a document
 *
 * A member of any other form is not understood.  When such a document is
 * hoisted, its types are unknown; when it is changed, the member is kept as it
 * is.
 *
 * What a header says about a type holds for all rows under it.  So when
 * headers that say different things are joined, less is known afterwards: no
 * type, or the type without its modifier.  A nested header that isn't known
 * has no rows and says nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/header.h"
#include "format/json_scan.h"
#include "miscadmin.h"

/*
 * Read.  Column names are not compared: columns go by position.
 */

static bool ReadTypes(Header *header, const JsonbElement *types);
static bool ScanTypes(Header *header, JsonScan *scan);

static bool
ReadNested(HeaderColumn *column, const JsonbElement *object)
{
	JsonbElement key;
	JsonbElement value;

	return JsonbOnlyMember(object, &key, &value) && ReadTypes(column->nested, &value);
}

/* jsonb; header may be NULL, which has no columns. */
static bool
ReadTypes(Header *header, const JsonbElement *types)
{
	JsonbWalk	walk;
	JsonbElement type;

	check_stack_depth();
	if (!JsonbElementIsArray(types))
		return false;
	JsonbWalkStart(&walk, types->data, types->len);
	if (walk.count != HeaderWidth(header))
		return false;
	for (int i = 0; JsonbWalkNext(&walk, &type); i++)
	{
		HeaderColumn *column = &header->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (column->shape != COLUMN_PLAIN)
		{
			if (!ReadNested(column, &type))
				return false;
			header->typed |= column->nested != NULL && column->nested->typed;
		}
		else if (type.type == JENTRY_ISSTRING && memchr(type.data, '\0', type.len) == NULL)
		{
			column->type = pnstrdup(type.data, type.len);
			header->typed = true;
		}
		else if (type.type != JENTRY_ISNULL)
			return false;
	}
	return true;
}

/* One TYPE of JSON text, which is consumed if it is one */
static bool
ScanType(Header *header, HeaderColumn *column, JsonScan *scan)
{
	const char *str;
	Size		len;

	if (column->shape != COLUMN_PLAIN)
	{
		if (!JsonScanAccept(scan, '{') || !JsonScanKey(scan, &str, &len) ||
			!ScanTypes(column->nested, scan) || !JsonScanAccept(scan, '}'))
			return false;
		header->typed |= column->nested != NULL && column->nested->typed;
		return true;
	}
	if (JsonScanAcceptNull(scan))
		return true;
	if (JsonScanPeek(scan) != '"')
		return false;
	JsonScanString(scan, &str, &len);
	column->type = JsonUnescaped(str, len);
	header->typed |= column->type != NULL;
	return true;
}

/* ReadTypes, for JSON text */
static bool
ScanTypes(Header *header, JsonScan *scan)
{
	int			ncols = 0;
	bool		first = true;

	check_stack_depth();
	if (!JsonScanAccept(scan, '['))
		return false;
	while (JsonScanNextElement(scan, &first))
	{
		CHECK_FOR_INTERRUPTS();
		if (ncols == HeaderWidth(header) || !ScanType(header, &header->cols[ncols++], scan))
			return false;
	}
	return ncols == HeaderWidth(header);
}

static void
ForgetTypes(Header *header)
{
	check_stack_depth();
	for (int i = 0; i < HeaderWidth(header); i++)
	{
		CHECK_FOR_INTERRUPTS();
		header->cols[i].type = NULL;
		ForgetTypes(header->cols[i].nested);
	}
	if (header != NULL)
		header->typed = false;
}

/*
 * Add to a document's header what its member "types" says.  False if it is
 * missing or cannot be understood.  The header is not shared, and knows no
 * types yet.
 */
bool
HeaderReadTypes(Header *header, const JsonbElement *types, DocumentFormat format)
{
	JsonScan	scan;

	if (types->data == NULL)
		return false;
	if (format == FORMAT_JSONB)
		header->typed = ReadTypes(header, types);
	else
	{
		JsonScanStart(&scan, types->data, types->len);
		header->typed = ScanTypes(header, &scan);
	}
	if (!header->typed)
		ForgetTypes(header);
	return header->typed;
}

/*
 * Join
 */

/* Where a type's modifier begins and ends, as in numeric(10,2)[] */
static void
FindModifier(const char *type, Size *begin, Size *end)
{
	bool		quoted = false;

	*end = strlen(type);
	while (*end > 2 && memcmp(type + *end - 2, "[]", 2) == 0)
		*end -= 2;
	for (*begin = 0; *begin < *end; (*begin)++)
	{
		if (!quoted && (type[*begin] == '(' || type[*begin] == ' '))
			break;
		quoted ^= type[*begin] == '"';
	}
}

/* numeric of numeric(10,2), numeric[] of numeric(10,2)[] */
static char *
WithoutModifier(const char *type)
{
	Size		begin,
				end;

	FindModifier(type, &begin, &end);
	return psprintf("%.*s%s", (int) begin, type, type + end);
}

/* Does a type, which may not be known, include another?  Nothing is allocated. */
static bool
TypeIncludes(const char *type, const char *other)
{
	Size		begin,
				end;

	if (type == NULL)
		return true;
	if (other == NULL || strcmp(type, other) == 0)
		return other != NULL;
	FindModifier(other, &begin, &end);
	return strncmp(type, other, begin) == 0 && strcmp(type + begin, other + end) == 0;
}

static const char *
JoinedType(const char *a, const char *b)
{
	const char *type = a;

	if (a != NULL && !TypeIncludes(a, b))
		type = WithoutModifier(a);
	return TypeIncludes(type, b) ? type : NULL;
}

/* Is what ours says true for theirs, too? */
bool
HeaderTypesInclude(const Header *ours, const Header *theirs)
{
	check_stack_depth();
	if (ours == NULL || theirs == NULL)
		return true;
	for (int i = 0; i < ours->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!TypeIncludes(ours->cols[i].type, theirs->cols[i].type) ||
			!HeaderTypesInclude(ours->cols[i].nested, theirs->cols[i].nested))
			return false;
	}
	return !ours->typed || theirs->typed;
}

static void
JoinTypes(Header *ours, const Header *theirs)
{
	check_stack_depth();
	if (ours == NULL || theirs == NULL)
		return;
	for (int i = 0; i < ours->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ours->cols[i].type = JoinedType(ours->cols[i].type, theirs->cols[i].type);
		JoinTypes(ours->cols[i].nested, theirs->cols[i].nested);
	}
	ours->typed &= theirs->typed;
}

/*
 * After two headers were found to fit: keep only those types of ours that hold
 * for rows under theirs, too.  If that changes anything, ours becomes a copy
 * in the current memory context, because it may be shared; returns whether it
 * did.
 */
bool
HeaderJoinTypes(Header **ours, const Header *theirs)
{
	if (HeaderTypesInclude(*ours, theirs))
		return false;
	*ours = HeaderCopy(*ours);
	JoinTypes(*ours, theirs);
	return true;
}
