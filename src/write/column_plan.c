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
PlanContextCreate(const Writer *writer, bool has_header, DocumentDomains types,
				  MemoryContext context)
{
	PlanContext *shared = MemoryContextAllocZero(context, sizeof(PlanContext));

	shared->writer = writer;
	shared->has_header = has_header;
	shared->types = types;
	shared->context = context;
	return shared;
}

/*
 * Is the type one of the document domains, or a domain over one?  Returns
 * CATEGORY_DOCUMENT, CATEGORY_DOCUMENT_JSON, or NUM_CATEGORIES if neither.
 */
ColumnCategory
DocumentCategory(Oid typid, const DocumentDomains *types)
{
	while (OidIsValid(typid))
	{
		HeapTuple	tuple;
		Form_pg_type form;

		if (typid == types->jsonrow)
			return CATEGORY_DOCUMENT;
		if (typid == types->jsonrow_json)
			return CATEGORY_DOCUMENT_JSON;
		if (typid < FirstNormalObjectId)
			break;
		tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for type %u", typid);
		form = (Form_pg_type) GETSTRUCT(tuple);
		typid = form->typtype == TYPTYPE_DOMAIN ? form->typbasetype : InvalidOid;
		ReleaseSysCache(tuple);
	}
	return NUM_CATEGORIES;
}

bool
TypeIsComposite(Oid typid)
{
	return OidIsValid(typid) && type_is_rowtype(getBaseType(typid));
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
	ColumnCategory document = NUM_CATEGORIES;
	bool		typisvarlena;

	*function = InvalidOid;
	if (shared->has_header)
		document = DocumentCategory(typid, &shared->types);
	if (document != NUM_CATEGORIES)
		return document;

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
		case OIDOID:
			return CATEGORY_OID;
		case UUIDOID:
			return CATEGORY_UUID;
		case DATEOID:
			return CATEGORY_DATE;
		case TIMESTAMPOID:
			return CATEGORY_TIMESTAMP;
		case TIMESTAMPTZOID:
			return CATEGORY_TIMESTAMPTZ;
		case JSONOID:
			return CATEGORY_JSON;
		case JSONBOID:
			return CATEGORY_JSONB;
	}

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
 * Plan a column of the type.  How its composites are written is planned when
 * the first of them comes: types may contain many others.
 */
void
PlanColumn(ColumnPlan *column, PlanContext *shared, Oid typid)
{
	MemoryContext old = MemoryContextSwitchTo(shared->context);
	Oid			function;

	memset(column, 0, sizeof(*column));
	column->shared = shared;
	column->category = ClassifyType(typid, shared, &function);
	if (OidIsValid(function))
		fmgr_info_cxt(function, &column->function, shared->context);

	switch (column->category)
	{
		case CATEGORY_TIMESTAMPTZ:
			column->zones = palloc0(sizeof(ZoneCache));
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

static uint8
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
		shared = PlanContextCreate(shared->writer, false, shared->types,
								   shared->context);
	PlanColumn(&element->column, shared, typid);
	element->typid = typid;
	element->next = column->elements;
	column->elements = element;
	return element;
}

/* How a column of the type stands in a header */
ColumnShape
ColumnShapeOf(Oid typid, const DocumentDomains *types)
{
	if (DocumentCategory(typid, types) != NUM_CATEGORIES)
		return COLUMN_ROWS;
	return TypeIsComposite(typid) ? COLUMN_ROW : COLUMN_PLAIN;
}

/* The header that a text[] of names makes; all columns plain as yet. */
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

/* Give a column of a header the shape that goes with its type. */
void
DescribeColumnType(Header *header, int i, Oid typid, const DocumentDomains *types)
{
	HeaderColumn *column = &header->cols[i];
	ColumnShape shape = ColumnShapeOf(typid, types);

	HeaderSetColumn(header, i, column->name, column->namelen, shape,
					shape == COLUMN_ROW ? DescribeType(typid, -1, types) : NULL);
}

/* The header of a row type, made in the current memory context. */
Header *
DescribeTupleDesc(TupleDesc tupdesc, const DocumentDomains *types)
{
	Header	   *header;
	int			ncols = 0;

	check_stack_depth();

	for (int i = 0; i < tupdesc->natts; i++)
		if (!TupleDescAttr(tupdesc, i)->attisdropped)
			ncols++;

	header = HeaderCreate(ncols);
	ncols = 0;
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		ColumnShape shape;

		if (att->attisdropped)
			continue;
		shape = ColumnShapeOf(att->atttypid, types);
		HeaderSetColumn(header, ncols++, pstrdup(NameStr(att->attname)),
						strlen(NameStr(att->attname)), shape,
						shape == COLUMN_ROW ?
						DescribeType(att->atttypid, att->atttypmod, types) : NULL);
	}
	return header;
}

/* The header of a composite type; NULL for a record of no known type. */
Header *
DescribeType(Oid typid, int32 typmod, const DocumentDomains *types)
{
	TupleDesc	tupdesc;
	Header	   *header;

	typid = getBaseType(typid);
	if (typid == RECORDOID && typmod < 0)
		return NULL;
	tupdesc = lookup_rowtype_tupdesc(typid, typmod);
	header = DescribeTupleDesc(tupdesc, types);
	ReleaseTupleDesc(tupdesc);
	return header;
}

/*
 * Give a planned header its number, and write it once for all documents, if
 * no row can add to it.  The bytes are made in the current memory context.
 */
void
RegisterHeader(PlanContext *shared, Header *header)
{
	Output		out;

	header->id = ++shared->last_header_id;
	if (header->incomplete)
		return;
	OutInit(&out, shared->writer->limit, 256, CurrentMemoryContext);
	shared->writer->header(&out, header);
	header->written_by = shared->writer;
	header->written = out.data;
	header->writtenlen = out.len;
}

/* A named row type as it is now, the same for all plans */
static RowType *
RowTypeNamed(PlanContext *shared, Oid typid)
{
	MemoryContext old;
	RowType    *type;
	ListCell   *cell;

	foreach(cell, shared->row_types)
	{
		type = lfirst(cell);
		if (type->typid == typid)
		{
			if (!RowTypeIsAltered(type))
				return type;
			shared->row_types = foreach_delete_current(shared->row_types, cell);
			break;
		}
	}
	old = MemoryContextSwitchTo(shared->context);
	type = palloc(sizeof(RowType));
	RowTypeLoad(type, typid, -1);
	shared->row_types = lappend(shared->row_types, type);
	MemoryContextSwitchTo(old);
	return type;
}

/* Add those row types to a list that the header of a column is made from. */
List *
AddRowTypes(List *types, PlanContext *shared, Oid typid)
{
	MemoryContext old;
	RowType    *type;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	typid = getBaseType(typid);
	if (!shared->has_header || typid == RECORDOID || !type_is_rowtype(typid))
		return types;
	type = RowTypeNamed(shared, typid);
	if (list_member_ptr(types, type))
		return types;
	old = MemoryContextSwitchTo(shared->context);
	types = lappend(types, type);
	MemoryContextSwitchTo(old);
	for (int i = 0; i < type->tupdesc->natts; i++)
		if (!TupleDescAttr(type->tupdesc, i)->attisdropped)
			types = AddRowTypes(types, shared, TupleDescAttr(type->tupdesc, i)->atttypid);
	return types;
}

/* Plan the rows of a composite type. */
static RowPlan *
PlanRowType(PlanContext *shared, Oid typid, int32 typmod)
{
	MemoryContext old = MemoryContextSwitchTo(shared->context);
	RowPlan    *row = palloc0(sizeof(RowPlan));
	TupleDesc	tupdesc;

	check_stack_depth();

	if (typid != RECORDOID)
		row->type = RowTypeNamed(shared, typid);
	else
	{
		row->type = palloc(sizeof(RowType));
		RowTypeLoad(row->type, typid, typmod);
	}
	tupdesc = row->type->tupdesc;
	row->step = 1;
	row->cols = palloc0(tupdesc->natts * sizeof(ColumnPlan));
	row->cells = palloc((tupdesc->natts + 1) * sizeof(NullableDatum));
	row->attributes = palloc(tupdesc->natts * sizeof(AttributePlan));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		AttributePlan *attribute = &row->attributes[i];

		attribute->typlen = att->attlen;
		attribute->typbyval = att->attbyval;
		attribute->alignment = AlignmentInBytes(att->attalign);
		attribute->cell = att->attisdropped ? tupdesc->natts : row->ncols;
		if (att->attisdropped)
			continue;
		PlanColumn(&row->cols[row->ncols++], shared, att->atttypid);
		row->nested = AddRowTypes(row->nested, shared, att->atttypid);
	}
	if (shared->has_header)
	{
		row->header = DescribeTupleDesc(tupdesc, &shared->types);
		RegisterHeader(shared, row->header);
	}
	MemoryContextSwitchTo(old);
	return row;
}

/* Has one of the row types that a plan was made from been altered? */
bool
RowPlanIsOutdated(const RowPlan *row)
{
	ListCell   *cell;

	if (row->type != NULL && RowTypeIsAltered(row->type))
		return true;
	foreach(cell, row->nested)
		if (RowTypeIsAltered(lfirst(cell)))
			return true;
	return false;
}

/* Take the plan of a row type out of those known; NULL if it isn't there. */
static RowPlan *
TakeRowPlan(RowPlan **known, Oid typid, int32 typmod)
{
	RowPlan    *row;

	for (RowPlan **link = known; (row = *link) != NULL; link = &row->next)
	{
		CHECK_FOR_INTERRUPTS();
		if (row->type->typid == typid && row->type->typmod == typmod)
		{
			*link = row->next;
			return row;
		}
	}
	return NULL;
}

/*
 * The plan of a row type among those known, or a new one.  A record may
 * change its type from row to row; the session knows only so many of them.
 */
RowPlan *
RowPlanFor(RowPlan **known, PlanContext *shared, Oid typid, int32 typmod)
{
	RowPlan    *row = *known;

	if (likely(row != NULL && row->type->typid == typid && row->type->typmod == typmod &&
			   !RowPlanIsOutdated(row)))
		return row;
	row = TakeRowPlan(known, typid, typmod);
	if (row == NULL || RowPlanIsOutdated(row))
		row = PlanRowType(shared, typid, typmod);
	row->next = *known;
	*known = row;
	return row;
}
