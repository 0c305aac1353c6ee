/*-------------------------------------------------------------------------
 *
 * convert.c
 *		Documents in another orientation, or as objects.
 *
 * All are strict: NULL gives NULL.  Errors: a value that is no document; a
 * result over jsonb's 2^28 - 1 bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "change/splice.h"
#include "document/objects.h"
#include "document/orientation.h"

PG_FUNCTION_INFO_V1(jsonrow_to_rows);
PG_FUNCTION_INFO_V1(jsonrow_to_columns);
PG_FUNCTION_INFO_V1(jsonrow_to_objects);

/*
 * The document in the other orientation.  Its size is about that of the
 * first: what is added or taken away is a header word and an entry per row.
 */
static Jsonb *
Turn(const Document *doc)
{
	const DocumentMembers *members = &doc->members;
	DocumentBuilder turned;
	Output		out;

	BeginLike(&out, &turned, doc, !members->by_column,
			  members->cells.len + (Size) doc->nrows * (sizeof(uint32) + sizeof(JEntry)));
	if (members->by_column)
		WriteTransposed(&out, members);
	else
		WriteVectors(&out, doc->arrays[0], doc->header->ncols);
	EndMember(&out, &turned);
	return EndDocument(&out, &turned);
}

/*
 * jsonrow_to_rows(doc jsonb) -> jsonrow
 *		The same document, row-oriented.
 */
Datum
jsonrow_to_rows(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	Document	doc;

	DocumentOpenWhole(&doc, fcinfo, 0, jsonb);
	PG_RETURN_JSONB_P(doc.members.by_column ? Turn(&doc) : jsonb);
}

/*
 * jsonrow_to_columns(doc jsonb) -> jsonrow
 *		The same document, column-oriented.  A row that is null becomes a row
 *		of nulls, and rows without columns are lost.
 */
Datum
jsonrow_to_columns(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	Document	doc;

	DocumentOpenWhole(&doc, fcinfo, 0, jsonb);
	PG_RETURN_JSONB_P(doc.members.by_column ? jsonb : Turn(&doc));
}

/*
 * jsonrow_to_objects(doc jsonb) -> jsonb
 *		The rows as an array of objects, headers expanded at every depth:
 *		what coalesce(jsonb_agg(t), '[]') gives.  A row that is null stays
 *		null.  If several columns have the same name, the last one counts.
 *		Also an error: a nested cell that does not fit its header.
 */
Datum
jsonrow_to_objects(PG_FUNCTION_ARGS)
{
	Document	doc;

	DocumentOpen(&doc, PG_GETARG_JSONB_P(0));
	PG_RETURN_JSONB_P(DocumentToObjects(&doc));
}
