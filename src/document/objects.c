/*-------------------------------------------------------------------------
 *
 * objects.c
 *		Documents to arrays of objects and back.
 *
 * jsonb sorts an object's keys by length, then by bytes, and keeps the last
 * of equal ones.  All rows under one header have the same keys, so what
 * comes before the values of an object is made once and copied.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/document.h"
#include "document/name_map.h"
#include "document/objects.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"
#include "read/reader.h"
#include "utils/builtins.h"
#include "write/writer.h"

PG_FUNCTION_INFO_V1(jsonrow_to_objects);
PG_FUNCTION_INFO_V1(jsonrow_object);
PG_FUNCTION_INFO_V1(jsonrow_from_objects);

/*
 * To objects
 */

/* How the rows under one header become objects */
struct ObjectLayout
{
	const Header *header;		/* NULL if unknown: then rows have no cells */
	int			ncols;
	int			nkeys;			/* distinct names */
	int		   *columns;		/* in the order of the keys */
	ObjectLayout **nested;		/* of each column that isn't plain */
	JsonbElement *cells;		/* room for one row */
	const char *entries;		/* the keys' JEntries */
	const char *keys;
	Size		keyslen;
};

/* As jsonb orders keys; of equal ones, the last comes first. */
static int
CompareColumns(const void *a, const void *b, void *header)
{
	const HeaderColumn *cols = ((const Header *) header)->cols;
	int			i = *(const int *) a;
	int			j = *(const int *) b;
	int			order;

	CHECK_FOR_INTERRUPTS();
	order = JsonbCompareKeys(cols[i].name, cols[i].namelen, cols[j].name, cols[j].namelen);
	return order != 0 ? order : j - i;
}

/* Sort the columns by name, and leave out those of a name that comes again. */
static void
PlanKeys(ObjectLayout *plan)
{
	const HeaderColumn *cols = plan->header->cols;
	int			n = 0;

	for (int i = 0; i < plan->ncols; i++)
		plan->columns[i] = i;
	qsort_arg(plan->columns, plan->ncols, sizeof(int), CompareColumns,
			  (void *) plan->header);
	for (int i = 0; i < plan->ncols; i++)
	{
		const HeaderColumn *column = &cols[plan->columns[i]];
		const HeaderColumn *last = n > 0 ? &cols[plan->columns[n - 1]] : NULL;

		if (last == NULL || last->namelen != column->namelen ||
			memcmp(last->name, column->name, column->namelen) != 0)
			plan->columns[n++] = plan->columns[i];
	}
	plan->nkeys = n;
}

ObjectLayout *
ObjectLayoutCreate(const Header *header)
{
	ObjectLayout *plan = palloc0(sizeof(ObjectLayout));
	ContainerBuilder object;
	Output		out;

	check_stack_depth();

	plan->header = header;
	plan->ncols = HeaderWidth(header);
	plan->columns = palloc(plan->ncols * sizeof(int));
	plan->nested = palloc0(plan->ncols * sizeof(ObjectLayout *));
	plan->cells = palloc(plan->ncols * sizeof(JsonbElement));
	if (header)
		PlanKeys(plan);

	OutInit(&out, FORMAT_JSONB, 256, CurrentMemoryContext);
	object = BeginContainer(&out, JB_FOBJECT | plan->nkeys, plan->nkeys * 2);
	for (int i = 0; i < plan->nkeys; i++)
	{
		const HeaderColumn *column = &header->cols[plan->columns[i]];

		CHECK_FOR_INTERRUPTS();
		AddString(&out, &object, column->name, column->namelen);
		if (column->shape != COLUMN_PLAIN)
			plan->nested[plan->columns[i]] = ObjectLayoutCreate(column->nested);
	}
	plan->entries = out.data + sizeof(uint32);
	plan->keys = plan->entries + plan->nkeys * 2 * sizeof(JEntry);
	plan->keyslen = out.data + out.len - plan->keys;
	return plan;
}

static void WriteObject(Output *out, ObjectLayout *plan);

/* Take a row apart; false if it is null. */
static bool
TakeRow(ObjectLayout *plan, const JsonbElement *row)
{
	CHECK_FOR_INTERRUPTS();
	if (!RowFits(row, plan->ncols))
		ReportNotDocument("jsonb", psprintf("A row is neither null nor an array of %d cells.",
											plan->ncols));
	if (row->type == JENTRY_ISNULL)
		return false;
	TakeCells(row, plan->ncols, plan->cells);
	return true;
}

/* A row as an object, or null; returns its type. */
static uint32
WriteRowAsObject(Output *out, ObjectLayout *plan, const JsonbElement *row)
{
	if (!TakeRow(plan, row))
		return JENTRY_ISNULL;
	WriteObject(out, plan);
	return JENTRY_ISCONTAINER;
}

static void
WriteRowsAsObjects(Output *out, ObjectLayout *plan, JsonbWalk rows)
{
	ContainerBuilder array = BeginArray(out, rows.count);
	JsonbElement row;

	while (JsonbWalkNext(&rows, &row))
	{
		Size		start = out->len;

		AddEntry(out, &array, WriteRowAsObject(out, plan, &row), start);
	}
}

/* The cell of a nested document, as an array of objects, or null */
static uint32
WriteNestedRows(Output *out, ObjectLayout *plan, const JsonbElement *cell)
{
	JsonbWalk	rows;

	if (cell->type == JENTRY_ISNULL)
		return JENTRY_ISNULL;
	if (!JsonbElementIsArray(cell))
		ReportNotRows();
	JsonbWalkStart(&rows, cell->data, cell->len);
	WriteRowsAsObjects(out, plan, rows);
	return JENTRY_ISCONTAINER;
}

/* Write the object of the row whose cells are in the plan. */
static void
WriteObject(Output *out, ObjectLayout *plan)
{
	ContainerBuilder object = BeginContainer(out, JB_FOBJECT | plan->nkeys, plan->nkeys * 2);

	check_stack_depth();

	memcpy(out->data + object.entries, plan->entries, plan->nkeys * sizeof(JEntry));
	object.entries += plan->nkeys * sizeof(JEntry);
	object.next = plan->nkeys;
	object.total = plan->keyslen;
	OutAppend(out, plan->keys, plan->keyslen);
	for (int i = 0; i < plan->nkeys; i++)
	{
		int			col = plan->columns[i];
		const JsonbElement *cell = &plan->cells[col];
		Size		start = out->len;
		uint32		type = cell->type;

		CHECK_FOR_INTERRUPTS();
		switch (plan->header->cols[col].shape)
		{
			case COLUMN_PLAIN:
				AppendElement(out, cell);
				break;
			case COLUMN_ROW:
				type = WriteRowAsObject(out, plan->nested[col], cell);
				break;
			case COLUMN_ROWS:
				type = WriteNestedRows(out, plan->nested[col], cell);
				break;
		}
		AddEntry(out, &object, type, start);
	}
}

/* A cell of a nested column by itself; the plan is that of its header. */
Jsonb *
CellAsObjects(ObjectLayout *plan, ColumnShape shape, const JsonbElement *cell)
{
	uint32		type;
	Output		out;

	OutInit(&out, FORMAT_JSONB, cell->len * 2 + plan->keyslen + 64, CurrentMemoryContext);
	out.len = VARHDRSZ;
	type = shape == COLUMN_ROW ? WriteRowAsObject(&out, plan, cell) :
		WriteNestedRows(&out, plan, cell);
	return type == JENTRY_ISCONTAINER ? EndJsonb(&out) : ElementToJsonb(cell);
}

/* Vectors are walked in step, and a row gathered from them at a time. */
static void
WriteVectorsAsObjects(Output *out, ObjectLayout *plan, Document *doc)
{
	ContainerBuilder array = BeginArray(out, doc->nrows);

	for (uint32 i = 0; i < doc->nrows; i++)
	{
		Size		start = out->len;

		CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < doc->narrays; j++)
		{
			CHECK_FOR_INTERRUPTS();
			plan->cells[j] = JsonbWalkTake(&doc->arrays[j]);
		}
		WriteObject(out, plan);
		AddEntry(out, &array, JENTRY_ISCONTAINER, start);
	}
}

/*
 * jsonrow_to_objects(doc jsonb) -> jsonb
 *		The rows as an array of objects, headers expanded at every depth:
 *		what coalesce(jsonb_agg(t), '[]') gives.  A row that is null stays
 *		null, and of columns of the same name the last one counts.
 *		NULL gives NULL.  Errors: a value that is no document, at any depth; a
 *		result over jsonb's 2^28 - 1 bytes.
 */
Datum
jsonrow_to_objects(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	Document doc;
	ObjectLayout *plan;
	Output		out;

	DocumentOpen(&doc, jsonb);
	plan = ObjectLayoutCreate(doc.header);
	OutInit(&out, FORMAT_JSONB,
			Min(VARSIZE(jsonb) + doc.nrows * (plan->keyslen + (plan->nkeys + 2) * sizeof(JEntry)),
				OutMaxLen(FORMAT_JSONB)),
			CurrentMemoryContext);
	out.len = VARHDRSZ;
	if (doc.parts.by_column)
		WriteVectorsAsObjects(&out, plan, &doc);
	else
		WriteRowsAsObjects(&out, plan, doc.arrays[0]);
	PG_RETURN_JSONB_P(EndJsonb(&out));
}

/*
 * jsonrow_object(doc jsonb, row int) -> jsonb
 *		One row as an object, with the names of nested columns, too; null for
 *		a row that is null.  The row counts from 0, from the end if negative;
 *		NULL if it isn't there.
 */
Datum
jsonrow_object(PG_FUNCTION_ARGS)
{
	Reader		reader;
	int64		row;
	Datum		result = (Datum) 0;

	ReaderOpen(&reader, PG_GETARG_DATUM(0), PG_GETARG_INT32(1));
	row = PositionOf(PG_GETARG_INT32(1), reader.nrows);
	if (row >= 0)
	{
		ObjectLayout *plan = ObjectLayoutCreate(ReaderHeader(&reader));
		JsonbElement element = ReaderRow(&reader, row);

		result = JsonbPGetDatum(CellAsObjects(plan, COLUMN_ROW, &element));
	}
	else
		fcinfo->isnull = true;
	ReaderClose(&reader);
	return result;
}

/*
 * From objects
 */

/*
 * The columns found so far, and where the keys of the last object lead.
 * Mostly the next object has the same keys, byte for byte.
 */
typedef struct ColumnSet
{
	NameMap    *by_name;
	ColumnName *names;			/* in order of appearance */
	int			capacity;

	uint32		nkeys;			/* of the last object */
	const char *entries;
	ColumnName	keys;
	int		   *columns;		/* one per key */
	uint32		keys_capacity;
} ColumnSet;

static ColumnSet *
CreateColumnSet(void)
{
	ColumnSet  *set = palloc0(sizeof(ColumnSet));

	set->by_name = NameMapCreate(64);
	set->capacity = set->keys_capacity = 64;
	set->names = palloc(set->capacity * sizeof(ColumnName));
	set->columns = palloc(set->keys_capacity * sizeof(int));
	return set;
}

static int
ColumnOfName(ColumnSet *set, ColumnName name)
{
	int			ncols = NameMapCount(set->by_name);
	int			column = *NameMapAdd(set->by_name, name, ncols);

	if (column == ncols)
	{
		if (column == set->capacity)
		{
			set->capacity *= 2;
			set->names = repalloc_huge(set->names, set->capacity * sizeof(ColumnName));
		}
		set->names[column] = name;
	}
	return column;
}

/* Find the columns of an object's keys; returns a walk at its first value. */
static JsonbWalk
FindColumns(ColumnSet *set, const JsonbElement *object)
{
	JsonbWalk	walk;
	ColumnName	keys;
	Size		entrieslen;

	JsonbWalkStart(&walk, object->data, object->len);
	entrieslen = walk.count * sizeof(JEntry);
	keys = (ColumnName) {walk.base, set->keys.len};
	if (set->entries != NULL && walk.count == set->nkeys && keys.len <= walk.baselen &&
		memcmp(walk.entries, set->entries, entrieslen) == 0 && SameName(keys, set->keys))
	{
		walk.next = walk.count;
		walk.offset = keys.len;
		return walk;
	}

	if (walk.count > set->keys_capacity)
	{
		set->keys_capacity = walk.count;
		set->columns = repalloc_huge(set->columns, walk.count * sizeof(int));
	}
	for (uint32 i = 0; i < walk.count; i++)
	{
		JsonbElement key = JsonbWalkTake(&walk);

		CHECK_FOR_INTERRUPTS();
		if (key.type != JENTRY_ISSTRING)
			ReportCorruptJsonb();
		set->columns[i] = ColumnOfName(set, (ColumnName) {key.data, key.len});
	}
	set->nkeys = walk.count;
	set->entries = walk.entries;
	set->keys = (ColumnName) {walk.base, walk.offset};
	return walk;
}

pg_noreturn static void
ReportNotObjects(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument of jsonrow_from_objects must be an array of objects")));
}

static bool
ElementIsObject(const JsonbElement *element)
{
	return element->type == JENTRY_ISCONTAINER && !JsonbElementIsArray(element);
}

/* Find all columns, in order of appearance. */
static void
CollectColumns(ColumnSet *set, JsonbWalk objects)
{
	JsonbElement object;

	while (JsonbWalkNext(&objects, &object))
	{
		CHECK_FOR_INTERRUPTS();
		if (ElementIsObject(&object))
			FindColumns(set, &object);
		else if (object.type != JENTRY_ISNULL)
			ReportNotObjects();
	}
}

static void
WriteColumnNames(Output *out, const ColumnSet *set)
{
	Header	   *header = HeaderCreate(NameMapCount(set->by_name));

	for (int i = 0; i < header->ncols; i++)
		HeaderSetColumn(header, i, set->names[i].data, set->names[i].len,
						COLUMN_PLAIN, NULL);
	JsonbWriter.header(out, header);
}

static void
WriteObjectsAsRows(Output *out, ColumnSet *set, JsonbWalk objects)
{
	int			ncols = NameMapCount(set->by_name);
	JsonbElement *cells = palloc(mul_size(ncols, sizeof(JsonbElement)));
	ContainerBuilder rows = BeginArray(out, objects.count);
	JsonbElement object;

	while (JsonbWalkNext(&objects, &object))
	{
		Size		start = out->len;
		JsonbWalk	values;

		CHECK_FOR_INTERRUPTS();
		if (object.type == JENTRY_ISNULL)
		{
			AddEntry(out, &rows, JENTRY_ISNULL, start);
			continue;
		}
		for (int i = 0; i < ncols; i++)
			cells[i] = (JsonbElement) {JENTRY_ISNULL, object.data, 0};
		values = FindColumns(set, &object);
		for (uint32 i = 0; i < set->nkeys; i++)
			cells[set->columns[i]] = JsonbWalkTake(&values);
		AppendArray(out, cells, ncols);
		AddEntry(out, &rows, JENTRY_ISCONTAINER, start);
	}
}

/*
 * jsonrow_from_objects(jsonb) -> jsonrow
 *		An array of objects as a row-oriented document.  Columns come in the
 *		order in which their keys first appear, jsonb's order within an
 *		object; a missing key is a null, and a null in place of an object a
 *		row that is null.  All columns are plain: what is nested stays as it
 *		is.  NULL gives NULL.  Errors: anything but an array of objects; a
 *		result over jsonb's 2^28 - 1 bytes.
 */
Datum
jsonrow_from_objects(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	ColumnSet  *set = CreateColumnSet();
	JsonbWalk	objects;
	DocumentBuilder doc;
	Output		out;

	JsonbWalkRoot(&objects, jsonb);
	if (!(objects.flags & JB_FARRAY) || (objects.flags & JB_FSCALAR))
		ReportNotObjects();
	CollectColumns(set, objects);
	OutInit(&out, FORMAT_JSONB, VARSIZE(jsonb) + 64, CurrentMemoryContext);
	BeginDocument(&out, &doc, false, NULL);
	WriteColumnNames(&out, set);
	EndMember(&out, &doc);
	WriteObjectsAsRows(&out, set, objects);
	EndMember(&out, &doc);
	PG_RETURN_JSONB_P(EndDocument(&out, &doc));
}
