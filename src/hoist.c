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

#include "container.h"
#include "hoist.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

typedef Header *(*HeaderReader) (const char *cols, Size len);

/* Parse JSON text that is known to be valid. */
Jsonb *
JsonbFromJson(const char *json, Size len)
{
	char	   *cstring = pnstrdup(json, len);
	Jsonb	   *jsonb = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(cstring)));

	pfree(cstring);
	return jsonb;
}

static Header *
ReadJsonbHeader(const char *cols, Size len)
{
	Header	   *header;

	if (!HeaderDecode(cols, len, &header))
		ReportNotDocument("jsonb", "Member \"cols\" is not a list of names.");
	return header;
}

static Header *
ReadJsonHeader(const char *cols, Size len)
{
	Jsonb	   *jsonb = JsonbFromJson(cols, len);
	Header	   *header;

	if (!HeaderDecode(VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ, &header))
		ReportNotDocument("json", "Member \"cols\" is not a list of names.");
	return header;
}

/* Find the header that these bytes stand for, and enter it in the column. */
static void
AgreeOnHeader(ColumnPlan *plan, HeaderColumn *column, const char *cols, Size len,
			  HeaderReader read, MemoryContext context)
{
	MemoryContext old;
	KnownHeader *known;

	for (int i = 0; i < plan->nknown; i++)
	{
		known = &plan->known[i];
		if (known->len == len && memcmp(known->bytes, cols, len) == 0)
		{
			HeaderAgree(column, known->header, true, context);
			return;
		}
	}

	if (plan->nknown == MAX_KNOWN_HEADERS)
	{
		HeaderAgree(column, read(cols, len), false, context);
		return;
	}
	old = MemoryContextSwitchTo(plan->shared->context);
	known = &plan->known[plan->nknown];
	known->bytes = memcpy(palloc(len), cols, len);
	known->len = len;
	known->header = read(known->bytes, len);
	plan->nknown++;
	MemoryContextSwitchTo(old);
	HeaderAgree(column, known->header, true, context);
}

/*
 * Take a nested document apart.  Its header is entered in the outer header's
 * column, or an error raised if it differs from those before; its rows are
 * left to be written.  What lasts as long as the outer document is allocated
 * in context.
 */
void
HoistJsonb(ColumnPlan *plan, HeaderColumn *column, const Jsonb *doc,
		   MemoryContext context, DocumentParts *parts)
{
	const char *missing = JsonbDocumentParts(doc, parts);

	if (missing)
		ReportNotDocument("jsonb", missing);
	AgreeOnHeader(plan, column, parts->cols, parts->colslen, ReadJsonbHeader, context);
}

/* The same for a document that is JSON text */
void
HoistJson(ColumnPlan *plan, HeaderColumn *column, const char *doc, Size len,
		  MemoryContext context, DocumentParts *parts)
{
	const char *missing = JsonDocumentParts(doc, len, parts);

	if (missing)
		ReportNotDocument("json", missing);
	AgreeOnHeader(plan, column, parts->cols, parts->colslen, ReadJsonHeader, context);
}
