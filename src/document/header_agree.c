/*-------------------------------------------------------------------------
 *
 * header_agree.c
 *		The headers that the cells of a column come with.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "document/header.h"

pg_noreturn pg_noinline static void
ReportHeaderMismatch(const HeaderColumn *column)
{
	if (column->shape == COLUMN_ROWS)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 column->closed ?
				 errmsg("columns of nested document \"%.*s\" were not known when the header was sent",
						column->namelen, column->name) :
				 errmsg("columns of nested document \"%.*s\" differ from those of earlier rows",
						column->namelen, column->name),
				 errhint("Cast the nested document to jsonb to keep it as it is, before COALESCE or CASE if it is in one.")));
	else
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 column->closed ?
				 errmsg("columns of record \"%.*s\" were not known when the header was sent",
						column->namelen, column->name) :
				 errmsg("columns of record \"%.*s\" differ from those of earlier rows",
						column->namelen, column->name),
				 errhint("Use to_jsonb() to write the record as an object.")));
}

pg_noreturn pg_noinline static void
ReportTypesMismatch(const HeaderColumn *column)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("types in column \"%.*s\" differ from those in the header, which has been sent",
					column->namelen, column->name),
			 errhint("Cast what differs to one type, or set jsonrow.header to names.")));
}

/*
 * May cells of the column come with headers that differ in types?  Not if it
 * has a composite type, which has named them already.
 */
static bool
TypesAreOpen(const HeaderColumn *column)
{
	return column->shape == COLUMN_ROWS || (column->typid == RECORDOID && column->typmod < 0);
}

/*
 * Record that a cell of the column has come with this header; error if it
 * doesn't fit what the column had before.
 *
 * lasting says that theirs lives as long as the query, so that a pointer to it
 * may be kept; anything that must be copied is copied to context.
 */
void
HeaderAgree(HeaderColumn *column, Header *theirs, bool lasting,
			MemoryContext context)
{
	if (likely(column->agreed == theirs))
		return;
	AssertCheckHeader(theirs);
	if (lasting && column->nested == NULL && !theirs->incomplete)
		column->nested = theirs;	/* nobody will change it: share it */
	else if (column->nested != theirs)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		if (!HeaderMerge(&column->nested, theirs))
			ReportHeaderMismatch(column);
		if (TypesAreOpen(column) && !column->sent)
			HeaderJoinTypes(&column->nested, theirs);
		else if (TypesAreOpen(column) && !HeaderTypesInclude(column->nested, theirs))
			ReportTypesMismatch(column);
		MemoryContextSwitchTo(old);
	}
	if (lasting)
		column->agreed = theirs;
	AssertCheckHeader(column->nested);
}
