/*-------------------------------------------------------------------------
 *
 * describe.c
 *		Headers made from types and names.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"
#include "write/describe.h"

bool
TypeIsComposite(Oid typid)
{
	return OidIsValid(typid) && type_is_rowtype(getBaseType(typid));
}

/* The shape that a column of the type has in a header */
ColumnShape
ColumnShapeOf(Oid typid, const DocumentDomains *domains)
{
	if (DocumentKindOf(typid, domains) != NO_DOCUMENT)
		return COLUMN_ROWS;
	return TypeIsComposite(typid) ? COLUMN_ROW : COLUMN_PLAIN;
}

/* The argument that names the columns must not be NULL. */
void
CheckNamesGiven(FunctionCallInfo fcinfo, int arg)
{
	if (PG_ARGISNULL(arg))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("column names must not be null")));
}

/* There must be as many names as values. */
void
CheckNameCount(ArrayType *cols, int nvalues)
{
	int			ncols = ArrayGetNItems(ARR_NDIM(cols), ARR_DIMS(cols));

	if (ncols != nvalues)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of column names (%d) does not match number of values (%d)",
						ncols, nvalues)));
}

/* Are the names still these, byte for byte? */
bool
NamesAreStill(ArrayType *cols, FunctionCallInfo fcinfo, int arg)
{
	ArrayType  *given;

	if (PG_ARGISNULL(arg))
		return false;
	given = PG_GETARG_ARRAYTYPE_P(arg);
	return VARSIZE(given) == VARSIZE(cols) && memcmp(given, cols, VARSIZE(cols)) == 0;
}

/* A header made from a text[] of names; all columns are plain so far. */
Header *
DescribeNames(ArrayType *cols)
{
	Datum	   *names;
	bool	   *nulls;
	int			ncols;
	Header	   *header;

	deconstruct_array(cols, TEXTOID, -1, false, TYPALIGN_INT, &names, &nulls, &ncols);
	header = HeaderCreate(ncols);
	for (int i = 0; i < ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("name of column %d must not be null", i + 1)));
		HeaderSetColumn(header, i, VARDATA_ANY(DatumGetPointer(names[i])),
						VARSIZE_ANY_EXHDR(DatumGetPointer(names[i])), COLUMN_PLAIN, NULL);
	}
	return header;
}

/* Set the type of a header's column, and the shape that goes with it. */
void
DescribeColumnType(Header *header, int i, Oid typid, int32 typmod,
				   const DocumentDomains *domains)
{
	HeaderColumn *column = &header->cols[i];
	ColumnShape shape = ColumnShapeOf(typid, domains);

	HeaderSetColumn(header, i, column->name, column->namelen, shape,
					shape == COLUMN_ROW ? DescribeType(typid, typmod, domains) : NULL);
	column->typid = typid;
	column->typmod = typmod;
}

/* The names of a row type alone; they stay where they are in the descriptor. */
Header *
NamesOfTupleDesc(TupleDesc tupdesc)
{
	Header	   *header = HeaderCreate(tupdesc->natts);
	int			ncols = 0;

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (!att->attisdropped)
			HeaderSetColumn(header, ncols++, NameStr(att->attname),
							strlen(NameStr(att->attname)), COLUMN_PLAIN, NULL);
	}
	header->ncols = ncols;
	return header;
}

/* The header of a row type, made in the current memory context */
Header *
DescribeTupleDesc(TupleDesc tupdesc, const DocumentDomains *domains)
{
	Header	   *header = NamesOfTupleDesc(tupdesc);
	int			ncols = 0;

	check_stack_depth();

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (att->attisdropped)
			continue;
		header->cols[ncols].name = pstrdup(NameStr(att->attname));
		DescribeColumnType(header, ncols++, att->atttypid, att->atttypmod, domains);
	}
	return header;
}

/* The header of a composite type; NULL for a record of no known type */
Header *
DescribeType(Oid typid, int32 typmod, const DocumentDomains *domains)
{
	TupleDesc	tupdesc;
	Header	   *header;

	typid = getBaseType(typid);
	if (typid != RECORDOID)
		typmod = -1;
	else if (typmod < 0)
		return NULL;
	tupdesc = lookup_rowtype_tupdesc(typid, typmod);
	header = DescribeTupleDesc(tupdesc, domains);
	ReleaseTupleDesc(tupdesc);
	return header;
}
