/*-------------------------------------------------------------------------
 *
 * hoist.c
 *		Nested documents: their header moves to the outer one.
 *
 * The documents of one column usually have the same header, byte for byte, or
 * one of a few that differ in what is not known yet about columns nested
 * deeper.  So the first few seen in a query are remembered as bytes, including
 * types, if the outer document tells types.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "format/json_scan.h"
#include "write/hoist.h"

/* Add a document's header to the column. */
static void
EnterHeader(HeaderColumn *column, Header *header, bool lasting,
			const DocumentMembers *members, MemoryContext context)
{
	if (MembersSayNothing(members, header))
		return;
	if (header->incomplete)
	{
		header = HeaderCopy(header);
		HeaderResolveMembers(header, members);
		lasting = false;
	}
	HeaderAgree(column, header, lasting, context);
}

static bool
SameBytes(const JsonbElement *a, const JsonbElement *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/* What a document says about types is ignored if types are not to be written. */
static inline bool
HasTypes(const ColumnPlan *plan, const JsonbElement *types)
{
	return unlikely(types->data != NULL) && plan->shared->typed;
}

/* The header that these bytes stood for before, or NULL */
static KnownHeader *
FindKnownHeader(ColumnPlan *plan, const DocumentMembers *members)
{
	bool		has_types = HasTypes(plan, &members->types);

	for (int i = 0; i < plan->nknown; i++)
	{
		KnownHeader *known = &plan->known[i];

		if (SameBytes(&known->cols, &members->cols) && (known->types.data != NULL) == has_types &&
			(!has_types || (known->types.type == members->types.type &&
							SameBytes(&known->types, &members->types))))
			return known;
	}
	return NULL;
}

static Header *
ReadHeader(ColumnPlan *plan, const DocumentMembers *members)
{
	Header	   *header = MembersHeader(members);

	if (HasTypes(plan, &members->types))
		HeaderReadTypes(header, &members->types, members->format);
	return header;
}

/* The bytes of an element, kept in the current memory context */
static JsonbElement
CopyElement(const JsonbElement *element)
{
	return JsonbElementOf(element->type, memcpy(palloc(element->len + 1), element->data, element->len),
						  element->len);
}

/* Read a header, and remember it for the rest of the query. */
static KnownHeader *
AddKnownHeader(ColumnPlan *plan, const DocumentMembers *members)
{
	MemoryContext old = MemoryContextSwitchTo(plan->shared->context);
	KnownHeader *known = &plan->known[plan->nknown];
	DocumentMembers copy = *members;

	known->cols = copy.cols = CopyElement(&copy.cols);
	if (HasTypes(plan, &copy.types))
		known->types = copy.types = CopyElement(&copy.types);
	known->header = ReadHeader(plan, &copy);
	plan->nknown++;
	MemoryContextSwitchTo(old);
	return known;
}

/*
 * Add a nested document's header to the outer header's column, or raise an
 * error if it differs from those before.  Its cells must still be written, as
 * rows.  What lasts as long as the outer document is allocated in context.
 */
static void
HoistHeader(ColumnPlan *plan, HeaderColumn *column, const DocumentMembers *members,
			MemoryContext context)
{
	KnownHeader *known = FindKnownHeader(plan, members);

	if (known == NULL && plan->nknown < MAX_KNOWN_HEADERS)
		known = AddKnownHeader(plan, members);
	if (known != NULL)
		EnterHeader(column, known->header, true, members, context);
	else
		EnterHeader(column, ReadHeader(plan, members), false, members, context);
}

/* Take a nested document apart: see HoistHeader. */
void
HoistJsonb(ColumnPlan *plan, HeaderColumn *column, const Jsonb *doc,
		   MemoryContext context, DocumentMembers *members)
{
	const char *problem = MembersFindIn(members, doc);

	if (problem)
		ReportNotDocument(FORMAT_JSONB, problem);
	HoistHeader(plan, column, members, context);
}

/* The same for a document that is JSON text */
void
HoistJson(ColumnPlan *plan, HeaderColumn *column, const char *doc, Size len,
		  MemoryContext context, DocumentMembers *members)
{
	const JsonbElement *known = plan->nknown > 0 ? &plan->known[0].cols : NULL;
	const char *problem = MembersFindInJson(members, doc, len, known);

	if (problem)
		ReportNotDocument(FORMAT_JSON, problem);
	HoistHeader(plan, column, members, context);
}
