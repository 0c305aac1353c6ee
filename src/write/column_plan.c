/*-------------------------------------------------------------------------
 *
 * column_plan.c
 *		The column plan: how each column of a row is written.
 *
 * The categories are those of PostgreSQL's json_categorize_type, with some of
 * them split where a type deserves a function of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "write/column_plan.h"
#include "write/settings.h"
#include "write/writer.h"

/* Only documents obey the settings. */
PlanContext *
PlanContextCreate(const Writer *writer, NestedForm nested, DocumentDomains domains,
				  MemoryContext context)
{
	PlanContext *shared = MemoryContextAllocZero(context, sizeof(PlanContext));

	shared->writer = writer;
	shared->nested = nested;
	shared->typed = nested == NESTED_HOISTED && DocumentsAreTyped();
	shared->big_strings = nested == NESTED_HOISTED && BigNumbersAreStrings();
	shared->domains = domains;
	shared->context = context;
	return shared;
}

static bool
TypeIsArray(Oid typid)
{
	return OidIsValid(get_element_type(typid)) || typid == ANYARRAYOID ||
		typid == ANYCOMPATIBLEARRAYOID || typid == RECORDARRAYOID;
}

static uint64 cast_changes = 0;

static void
NoteCastChange(Datum arg, int cacheid, uint32 hashvalue)
{
	cast_changes++;
}

/*
 * How often casts and functions have changed, as far as this session knows.  A
 * cast's function is kept only until this count changes, because PostgreSQL
 * looks it up for each value.
 */
uint64
CountCatalogChanges(void)
{
	static bool registered = false;

	if (!registered)
	{
		CacheRegisterSyscacheCallback(CASTSOURCETARGET, NoteCastChange, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, NoteCastChange, (Datum) 0);
	}
	registered = true;
	return cast_changes;
}

/* The result of a column's cast to json; the function may have been replaced. */
Datum
CastToJson(ColumnPlan *column, Datum value)
{
	if (unlikely(column->casts != CountCatalogChanges()))
	{
		column->casts = CountCatalogChanges();
		fmgr_info_cxt(column->function.fn_oid, &column->function, column->shared->context);
	}
	return FunctionCall1(&column->function, value);
}

/* The cast from a type to json, if it isn't built in */
static Oid
FindCastToJson(Oid typid)
{
	Oid			function;

	if (typid >= FirstNormalObjectId &&
		find_coercion_pathway(JSONOID, typid, COERCION_EXPLICIT,
							  &function) == COERCION_PATH_FUNC)
		return function;
	return InvalidOid;
}

/* The category for one kind of document */
static ColumnCategory
CategoryOfDocuments(const PlanContext *shared, DocumentKind kind)
{
	if (shared->nested == NESTED_HOISTED)
		return kind == DOCUMENT_JSONB ? CATEGORY_DOCUMENT : CATEGORY_DOCUMENT_JSON;
	return kind == DOCUMENT_JSONB ? CATEGORY_OBJECTS : CATEGORY_OBJECTS_JSON;
}

/*
 * Find a type's category and its function, if the category has one.
 */
static ColumnCategory
ClassifyType(Oid typid, const PlanContext *shared, Oid *function)
{
	DocumentKind document = NO_DOCUMENT;
	bool		typisvarlena;

	*function = InvalidOid;
	if (shared->nested != NESTED_AS_IS)
		document = DocumentKindOf(typid, &shared->domains);
	if (document != NO_DOCUMENT)
		return CategoryOfDocuments(shared, document);

	if (typid >= FirstGenbkiObjectId)	/* the types above are no domains */
		typid = getBaseType(typid);
	switch (typid)
	{
		case BOOLOID:
			return CATEGORY_BOOL;
		case INT2OID:
			return CATEGORY_INT2;
		case INT4OID:
			return CATEGORY_INT4;
		case INT8OID:
			return shared->big_strings ? CATEGORY_INT8_STRING : CATEGORY_INT8;
		case FLOAT4OID:
			return CATEGORY_FLOAT4;
		case FLOAT8OID:
			return CATEGORY_FLOAT8;
		case NUMERICOID:
			return shared->big_strings ? CATEGORY_NUMERIC_STRING : CATEGORY_NUMERIC;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return CATEGORY_TEXT;
		case NAMEOID:
			return CATEGORY_NAME;
		case JSONOID:
			return CATEGORY_JSON;
		case JSONBOID:
			return CATEGORY_JSONB;
	}

	if (FindTextType(typid) != NULL)
		return CATEGORY_TEXT_TYPE;
	if (TypeIsArray(typid))
		return CATEGORY_ARRAY;
	if (type_is_rowtype(typid))
		return CATEGORY_COMPOSITE;
	*function = FindCastToJson(typid);
	if (OidIsValid(*function))
		return CATEGORY_JSONCAST;
	getTypeOutputInfo(typid, function, &typisvarlena);
	return CATEGORY_OTHER;
}

/*
 * Can writing a value of the type raise an error, or have side effects?  JSON
 * text may not be valid as jsonb; users create casts and output functions.
 */
bool
WritingMayRaise(Oid typid)
{
	Oid			element;

	typid = getBaseType(typid);
	element = get_element_type(typid);
	if (OidIsValid(element))
		return WritingMayRaise(element);
	if (typid >= FirstNormalObjectId)
		return get_typtype(typid) != TYPTYPE_ENUM || OidIsValid(FindCastToJson(typid));
	return typid == JSONOID || type_is_rowtype(typid) || TypeIsArray(typid);
}

/*
 * Plan a column of the type; by_query is what the query tells about it, or NULL.
 * How its composites are written is planned when the first one comes: types
 * may contain many others.
 */
void
PlanColumn(ColumnPlan *column, PlanContext *shared, Oid typid, const HeaderColumn *by_query)
{
	MemoryContext old = MemoryContextSwitchTo(shared->context);
	Oid			function;

	memset(column, 0, sizeof(*column));
	column->shared = shared;
	column->category = ClassifyType(typid, shared, &function);
	column->typid = typid;
	if (OidIsValid(function))
		fmgr_info_cxt(function, &column->function, shared->context);
	if (shared->nested != NESTED_AS_IS && IsDocumentByQuery(by_query, typid))
	{
		column->category = CategoryOfDocuments(shared, column->category == CATEGORY_JSON ?
											   DOCUMENT_JSON : DOCUMENT_JSONB);
		column->may_be_empty = true;
	}

	switch (column->category)
	{
		case CATEGORY_TEXT_TYPE:
			column->text_type = FindTextType(getBaseType(typid));
			if (column->text_type->cachesize > 0)
				column->text_cache = palloc0(column->text_type->cachesize);
			break;
		case CATEGORY_COMPOSITE:
			column->by_query = by_query ? by_query->nested : NULL;
			break;
		case CATEGORY_DOCUMENT:
		case CATEGORY_DOCUMENT_JSON:
			column->known = palloc0(MAX_KNOWN_HEADERS * sizeof(KnownHeader));
			break;
		default:
			break;
	}
	column->write = shared->writer->cell[column->category];
	if (column->write == NULL)
		elog(ERROR, "no cell writer for category %d", column->category);
	MemoryContextSwitchTo(old);
}

/* The type of an argument; PostgreSQL's error if the call does not tell */
Oid
ArgumentType(FunctionCallInfo fcinfo, int arg)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, arg);

	if (!OidIsValid(typid))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("could not determine input data type")));
	return typid;
}

/*
 * Plan an argument of a function that does the same as one of PostgreSQL's.
 * The plan is kept as long as the call.
 */
ColumnPlan *
PlanArgument(FunctionCallInfo fcinfo, const Writer *writer, int arg)
{
	MemoryContext context = fcinfo->flinfo->fn_mcxt;
	ColumnPlan *plan = MemoryContextAlloc(context, sizeof(ColumnPlan));
	Oid			typid = ArgumentType(fcinfo, arg);

	PlanColumn(plan, PlanContextCreate(writer, NESTED_AS_IS, DocumentDomainsLookup(), context),
			   typid, NULL);
	return plan;
}

/*
 * The plan of an array's elements.  It changes from value to value only for
 * anyarray, as in pg_stats.
 *
 * The elements of an array have no place in the header, so composites among
 * them are objects, and documents are left as they are.  The setting for
 * numbers applies to them, too.
 */
ElementPlan *
ElementPlanFor(ColumnPlan *column, Oid typid)
{
	PlanContext *shared = column->shared;
	ElementPlan *element;
	char		typalign;

	for (element = column->elements; element != NULL; element = element->next)
		if (element->typid == typid)
			return element;

	element = MemoryContextAllocZero(shared->context, sizeof(ElementPlan));
	get_typlenbyvalalign(typid, &element->layout.typlen, &element->layout.typbyval,
						 &typalign);
	element->layout.alignment = AlignmentInBytes(typalign);
	if (shared->nested != NESTED_AS_IS)
	{
		bool		big_strings = shared->big_strings;

		shared = PlanContextCreate(shared->writer, NESTED_AS_IS, shared->domains,
								   shared->context);
		shared->big_strings = big_strings;
	}
	PlanColumn(&element->column, shared, typid, NULL);
	element->typid = typid;
	element->next = column->elements;
	column->elements = element;
	return element;
}
