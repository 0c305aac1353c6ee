/*-------------------------------------------------------------------------
 *
 * column_plan.c
 *		The column plan: how each column of a row is written.
 *
 * The categories are those of PostgreSQL's json_categorize_type, some of
 * them split where a type is worth a function of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/parse_coerce.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "write/column_plan.h"
#include "write/writer.h"

PlanContext *
PlanContextCreate(const Writer *writer, bool has_header, DocumentDomains domains,
				  MemoryContext context)
{
	PlanContext *shared = MemoryContextAllocZero(context, sizeof(PlanContext));

	shared->writer = writer;
	shared->has_header = has_header;
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

/*
 * Find a type's category and its function, if the category has one.
 */
static ColumnCategory
ClassifyType(Oid typid, const PlanContext *shared, Oid *function)
{
	DocumentKind document = NO_DOCUMENT;
	bool		typisvarlena;

	*function = InvalidOid;
	if (shared->has_header)
		document = DocumentKindOf(typid, &shared->domains);
	if (document != NO_DOCUMENT)
		return document == DOCUMENT_JSONB ? CATEGORY_DOCUMENT : CATEGORY_DOCUMENT_JSON;

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
			return CATEGORY_INT8;
		case FLOAT4OID:
			return CATEGORY_FLOAT4;
		case FLOAT8OID:
			return CATEGORY_FLOAT8;
		case NUMERICOID:
			return CATEGORY_NUMERIC;
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
		return shared->has_header ? CATEGORY_COMPOSITE : CATEGORY_BUILTIN;
	*function = FindCastToJson(typid);
	if (OidIsValid(*function))
		return CATEGORY_JSONCAST;
	getTypeOutputInfo(typid, function, &typisvarlena);
	return CATEGORY_OTHER;
}

/*
 * Set up to_jsonb or to_json for values of the type.  They learn it from
 * their call's expression, so we give them one.
 */
static void
PrepareBuiltin(ColumnPlan *column, Oid typid)
{
	Oid			function = column->shared->writer->builtin;
	Node	   *argument;

	fmgr_info_cxt(function, &column->function, column->shared->context);
	argument = (Node *) makeNullConst(typid, -1, InvalidOid);
	fmgr_info_set_expr((Node *) makeFuncExpr(function, get_func_rettype(function),
											 list_make1(argument), InvalidOid,
											 InvalidOid, COERCE_EXPLICIT_CALL),
					   &column->function);
}

/*
 * Plan a column of the type; told is what the query tells of it, or NULL.  How
 * its composites are written is planned when the first of them comes: types
 * may contain many others.
 */
void
PlanColumn(ColumnPlan *column, PlanContext *shared, Oid typid, const HeaderColumn *told)
{
	MemoryContext old = MemoryContextSwitchTo(shared->context);
	Oid			function;

	memset(column, 0, sizeof(*column));
	column->shared = shared;
	column->category = ClassifyType(typid, shared, &function);
	if (OidIsValid(function))
		fmgr_info_cxt(function, &column->function, shared->context);
	if (shared->has_header && IsToldDocument(told, typid))
	{
		column->category = column->category == CATEGORY_JSON ? CATEGORY_DOCUMENT_JSON :
			CATEGORY_DOCUMENT;
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
			column->told = told ? told->nested : NULL;
			break;
		case CATEGORY_DOCUMENT:
		case CATEGORY_DOCUMENT_JSON:
			column->known = palloc0(MAX_KNOWN_HEADERS * sizeof(KnownHeader));
			break;
		case CATEGORY_BUILTIN:
			PrepareBuiltin(column, typid);
			break;
		default:
			break;
	}
	column->write = shared->writer->cell[column->category];
	if (column->write == NULL)
		elog(ERROR, "no cell writer for category %d", column->category);
	MemoryContextSwitchTo(old);
}

uint8
AlignmentInBytes(char typalign)
{
	switch (typalign)
	{
		case TYPALIGN_CHAR:
			return 1;
		case TYPALIGN_SHORT:
			return ALIGNOF_SHORT;
		case TYPALIGN_INT:
			return ALIGNOF_INT;
		default:
			return ALIGNOF_DOUBLE;
	}
}

/*
 * The plan of an array's elements.  It changes from value to value only for
 * anyarray, as in pg_stats.
 *
 * The elements of an array have no place in the header, so composites among
 * them are objects, and that is left to PostgreSQL.
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
	if (shared->has_header)
		shared = PlanContextCreate(shared->writer, false, shared->domains,
								   shared->context);
	PlanColumn(&element->column, shared, typid, NULL);
	element->typid = typid;
	element->next = column->elements;
	column->elements = element;
	return element;
}
