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
#include "json_scan.h"

typedef Header *(*HeaderReader) (const char *cols, Size len);

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

/*
 * Enter a document's header in the column.  No columns over no rows say
 * nothing: so is a document that had no row, where no plan told its columns.
 */
static void
EnterHeader(HeaderColumn *column, Header *header, bool lasting, bool no_rows,
			MemoryContext context)
{
	if (header->ncols > 0 || !no_rows)
		HeaderAgree(column, header, lasting, context);
}

/* Find the header that these bytes stand for, and enter it in the column. */
static void
AgreeOnHeader(ColumnPlan *plan, HeaderColumn *column, const DocumentParts *parts,
			  HeaderReader read, bool no_rows, MemoryContext context)
{
	const char *cols = parts->cols;
	Size		len = parts->colslen;
	MemoryContext old;
	KnownHeader *known;

	if (parts->by_column)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column-oriented document \"%.*s\" cannot be nested",
						column->namelen, column->name),
				 errhint("Cast it to jsonb to keep it as it is.")));

	for (int i = 0; i < plan->nknown; i++)
	{
		known = &plan->known[i];
		if (known->len == len && memcmp(known->bytes, cols, len) == 0)
		{
			EnterHeader(column, known->header, true, no_rows, context);
			return;
		}
	}

	if (plan->nknown == MAX_KNOWN_HEADERS)
	{
		EnterHeader(column, read(cols, len), false, no_rows, context);
		return;
	}
	old = MemoryContextSwitchTo(plan->shared->context);
	known = &plan->known[plan->nknown];
	known->bytes = memcpy(palloc(len), cols, len);
	known->len = len;
	known->header = read(known->bytes, len);
	plan->nknown++;
	MemoryContextSwitchTo(old);
	EnterHeader(column, known->header, true, no_rows, context);
}

static bool
JsonbRowsAreNull(const DocumentParts *parts)
{
	JsonbWalk	walk;
	JsonbElement row;

	JsonbWalkStart(&walk, parts->cells, parts->cellslen);
	while (JsonbWalkNext(&walk, &row))
		if (row.type != JENTRY_ISNULL)
			return false;
	return true;
}

static bool
JsonRowsAreNull(const DocumentParts *parts)
{
	JsonScan	scan = {parts->cells + 1, parts->cells + parts->cellslen};
	bool		first = true;

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
	AgreeOnHeader(plan, column, parts, ReadJsonbHeader, JsonbRowsAreNull(parts), context);
}

/* The same for a document that is JSON text */
void
HoistJson(ColumnPlan *plan, HeaderColumn *column, const char *doc, Size len,
		  MemoryContext context, DocumentParts *parts)
{
	const char *missing = JsonDocumentParts(doc, len, parts);

	if (missing)
		ReportNotDocument("json", missing);
	AgreeOnHeader(plan, column, parts, ReadJsonHeader, JsonRowsAreNull(parts), context);
}
