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
#include "format/json_to_jsonb.h"
#include "write/hoist.h"

static Header *
ReadJsonbHeader(const char *cols, Size len)
{
	return HeaderRequire("jsonb", cols, len);
}

static Header *
ReadJsonHeader(const char *cols, Size len)
{
	Jsonb	   *jsonb = JsonbFromJson(cols, len);

	return HeaderRequire("json", VARDATA(jsonb), VARSIZE(jsonb) - VARHDRSZ);
}

static void
ResolveHeader(Header *header, const DocumentParts *parts)
{
	uint32		nrows;

	HeaderResolve(header, parts->by_column, OpenArrays(parts, header, &nrows));
}

static void
ResolveJsonHeader(Header *header, const DocumentParts *parts)
{
	HeaderResolveJson(header, parts->by_column, parts->cells, parts->cellslen);
}

/* HeaderSaysNothing, of JSON text */
static bool
JsonHeaderSaysNothing(const Header *header, const DocumentParts *parts)
{
	JsonScan	scan = {parts->cells + 1, parts->cells + parts->cellslen};
	bool		first = true;

	if (header->ncols > 0)
		return false;
	while (JsonScanNextElement(&scan, &first))
	{
		const char *row;
		Size		len;

		JsonScanValue(&scan, &row, &len);
		if (*row != 'n')
			return false;
	}
	return true;
}

/* The parts of a document, read in its format */
typedef struct NestedFormat
{
	Header	   *(*header) (const char *cols, Size len);
	bool		(*says_nothing) (const Header *header, const DocumentParts *parts);
	void		(*resolve) (Header *header, const DocumentParts *parts);
} NestedFormat;

static const NestedFormat NestedJsonb = {ReadJsonbHeader, HeaderSaysNothing, ResolveHeader};
static const NestedFormat NestedJson = {ReadJsonHeader, JsonHeaderSaysNothing, ResolveJsonHeader};

/* Enter a document's header in the column. */
static void
EnterHeader(HeaderColumn *column, Header *header, bool lasting,
			const DocumentParts *parts, const NestedFormat *reader,
			MemoryContext context)
{
	if (reader->says_nothing(header, parts))
		return;
	if (header->incomplete)
	{
		header = HeaderCopy(header);
		reader->resolve(header, parts);
		lasting = false;
	}
	HeaderAgree(column, header, lasting, context);
}

/* Find the header that these bytes stand for, and enter it in the column. */
static void
AgreeOnHeader(ColumnPlan *plan, HeaderColumn *column, const DocumentParts *parts,
			  const NestedFormat *reader, MemoryContext context)
{
	const char *cols = parts->cols;
	Size		len = parts->colslen;
	MemoryContext old;
	KnownHeader *known;

	for (int i = 0; i < plan->nknown; i++)
	{
		known = &plan->known[i];
		if (known->len == len && memcmp(known->bytes, cols, len) == 0)
		{
			EnterHeader(column, known->header, true, parts, reader, context);
			return;
		}
	}

	if (plan->nknown == MAX_KNOWN_HEADERS)
	{
		EnterHeader(column, reader->header(cols, len), false, parts, reader, context);
		return;
	}
	old = MemoryContextSwitchTo(plan->shared->context);
	known = &plan->known[plan->nknown];
	known->bytes = memcpy(palloc(len), cols, len);
	known->len = len;
	known->header = reader->header(known->bytes, len);
	plan->nknown++;
	MemoryContextSwitchTo(old);
	EnterHeader(column, known->header, true, parts, reader, context);
}

/*
 * Take a nested document apart.  Its header is entered in the outer header's
 * column, or an error raised if it differs from those before; its cells are
 * left to be written, as rows.  What lasts as long as the outer document is allocated
 * in context.
 */
void
HoistJsonb(ColumnPlan *plan, HeaderColumn *column, const Jsonb *doc,
		   MemoryContext context, DocumentParts *parts)
{
	const char *missing = JsonbDocumentParts(doc, parts);

	if (missing)
		ReportNotDocument("jsonb", missing);
	AgreeOnHeader(plan, column, parts, &NestedJsonb, context);
}

/* The same for a document that is JSON text. */
void
HoistJson(ColumnPlan *plan, HeaderColumn *column, const char *doc, Size len,
		  MemoryContext context, DocumentParts *parts)
{
	const char *missing = JsonDocumentParts(doc, len, parts);

	if (missing)
		ReportNotDocument("json", missing);
	AgreeOnHeader(plan, column, parts, &NestedJson, context);
}
