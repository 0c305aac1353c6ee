/*-------------------------------------------------------------------------
 *
 * hoist.c
 *		Nested documents: their header moves to the outer one.
 *
 * The documents of one column mostly have the same header, byte for byte,
 * or one of a few that differ in what is not known yet of columns nested
 * deeper.  So the first few seen in a query are remembered as bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "format/json_scan.h"
#include "write/hoist.h"

/* Enter a document's header in the column. */
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

/* The header that these bytes were found to stand for before, or NULL */
static KnownHeader *
FindKnownHeader(ColumnPlan *plan, const JsonbElement *cols)
{
	for (int i = 0; i < plan->nknown; i++)
		if (plan->known[i].len == cols->len &&
			memcmp(plan->known[i].bytes, cols->data, cols->len) == 0)
			return &plan->known[i];
	return NULL;
}

/* Read a header, and remember it for the rest of the query. */
static KnownHeader *
AddKnownHeader(ColumnPlan *plan, const DocumentMembers *members)
{
	MemoryContext old = MemoryContextSwitchTo(plan->shared->context);
	KnownHeader *known = &plan->known[plan->nknown];
	DocumentMembers copy = *members;

	copy.cols.data = memcpy(palloc(copy.cols.len), copy.cols.data, copy.cols.len);
	known->bytes = copy.cols.data;
	known->len = copy.cols.len;
	known->header = MembersHeader(&copy);
	plan->nknown++;
	MemoryContextSwitchTo(old);
	return known;
}

/*
 * Enter a nested document's header in the outer header's column, or raise an
 * error if it differs from those before; its cells are left to be written, as
 * rows.  What lasts as long as the outer document is allocated in context.
 */
static void
HoistHeader(ColumnPlan *plan, HeaderColumn *column, const DocumentMembers *members,
			MemoryContext context)
{
	KnownHeader *known = FindKnownHeader(plan, &members->cols);

	if (known == NULL && plan->nknown < MAX_KNOWN_HEADERS)
		known = AddKnownHeader(plan, members);
	if (known != NULL)
		EnterHeader(column, known->header, true, members, context);
	else
		EnterHeader(column, MembersHeader(members), false, members, context);
}

/* Take a nested document apart; see HoistHeader. */
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
	const char *problem = MembersFindInJson(members, doc, len);

	if (problem)
		ReportNotDocument(FORMAT_JSON, problem);
	HoistHeader(plan, column, members, context);
}
