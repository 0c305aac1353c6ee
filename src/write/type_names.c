/*-------------------------------------------------------------------------
 *
 * type_names.c
 *		The names that documents give to the types of their columns.
 *
 * Names are made for programs that decode cells.  So they are the short ones
 * of pg_type, int8 rather than bigint, with the type's modifier, and do not
 * depend on search_path.  A domain has the name of its base type; an array
 * that of its elements and [].
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "write/type_names.h"

/*
 * A type that isn't built in is written without its schema, because an
 * extension may be in a different schema in each database.  Only a name that
 * could be mistaken for another type is written as in SQL.
 */
static const char *
BareName(Form_pg_type type)
{
	const char *name = NameStr(type->typname);

	if (type->typnamespace == PG_CATALOG_NAMESPACE ||
		(strpbrk(name, " .()[]\"") == NULL &&
		 !SearchSysCacheExists2(TYPENAMENSP, CStringGetDatum(name),
								ObjectIdGetDatum(PG_CATALOG_NAMESPACE))))
		return name;
	return quote_qualified_identifier(get_namespace_name_or_temp(type->typnamespace), name);
}

/*
 * The modifier of a type as PostgreSQL prints it, without the part that is in
 * the name
 */
static const char *
ModifierText(Form_pg_type type, int32 typmod)
{
	char	   *text;

	if (typmod < 0)
		return "";
	if (!OidIsValid(type->typmodout))
		return psprintf("(%d)", typmod);
	text = DatumGetCString(OidFunctionCall1(type->typmodout, Int32GetDatum(typmod)));
	switch (type->oid)
	{
		case TIMEOID:
		case TIMETZOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			text[strcspn(text, " ")] = '\0';	/* with or without time zone */
			break;
	}
	return text;
}

/* The name of a type, in the current memory context; NULL if it was dropped */
static const char *
ShortTypeName(Oid typid, int32 typmod)
{
	int32		base_typmod = -1;
	Oid			base = getBaseTypeAndTypmod(typid, &base_typmod);
	Oid			element = get_element_type(base);
	HeapTuple	tuple;
	const char *name;

	check_stack_depth();
	if (base != typid)
		typmod = base_typmod;
	/* int2vector has elements, too, but isn't their array type. */
	if (OidIsValid(element) && get_array_type(element) == base)
	{
		name = ShortTypeName(element, typmod);
		return name ? psprintf("%s[]", name) : NULL;
	}
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(base));
	if (!HeapTupleIsValid(tuple))
		return NULL;
	name = psprintf("%s%s", BareName((Form_pg_type) GETSTRUCT(tuple)),
					ModifierText((Form_pg_type) GETSTRUCT(tuple), typmod));
	ReleaseSysCache(tuple);
	return name;
}

/*
 * Name the types of a header's columns, as far as they are known, so that
 * documents include them; in the current memory context.
 */
void
HeaderNameTypes(Header *header)
{
	check_stack_depth();
	for (int i = 0; i < header->ncols; i++)
	{
		HeaderColumn *column = &header->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (column->nested != NULL)
			HeaderNameTypes(column->nested);
		else if (column->shape == COLUMN_PLAIN && OidIsValid(column->typid))
			column->type = ShortTypeName(column->typid, column->typmod);
	}
	header->typed = header->ncols > 0;
}
