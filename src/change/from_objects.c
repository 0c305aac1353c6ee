/*-------------------------------------------------------------------------
 *
 * from_objects.c
 *		Arrays of objects as documents.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/build.h"
#include "document/header.h"
#include "document/name_map.h"
#include "format/jsonb_write.h"
#include "miscadmin.h"

PG_FUNCTION_INFO_V1(jsonrow_from_objects);

/*
 * The columns found so far, and which of them the keys of the last object are.
 * Usually the next object has the same keys, byte for byte.
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
	keys = ColumnNameOf(walk.base, set->keys.len);
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
		set->columns[i] = ColumnOfName(set, ColumnNameOf(key.data, key.len));
	}
	set->nkeys = walk.count;
	set->entries = walk.entries;
	set->keys = ColumnNameOf(walk.base, walk.offset);
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
	HeaderEncode(out, header);
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
			cells[i] = JsonbNull;
		values = FindColumns(set, &object);
		for (uint32 i = 0; i < set->nkeys; i++)
			cells[set->columns[i]] = JsonbWalkTake(&values);
		AppendJsonbArray(out, cells, ncols);
		AddEntry(out, &rows, JENTRY_ISCONTAINER, start);
	}
}

/*
 * jsonrow_from_objects(jsonb) -> jsonrow
 *		An array of objects as a row-oriented document.  Columns come in the
 *		order in which their keys first appear, in jsonb's order within an
 *		object.  A missing key becomes a null, and a null instead of an object
 *		becomes a row that is null.  All columns are plain: what is nested
 *		stays as it is.  NULL gives NULL.  Errors: anything but an array of
 *		objects; a result over jsonb's 2^28 - 1 bytes.
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
	if (!JsonbWalkIsArray(&objects))
		ReportNotObjects();
	CollectColumns(set, objects);
	OutInit(&out, FORMAT_JSONB, VARSIZE(jsonb) + DOCUMENT_HEAD_MAXSIZE, CurrentMemoryContext);
	BeginDocument(&out, &doc, false, NULL);
	WriteColumnNames(&out, set);
	EndMember(&out, &doc);
	WriteObjectsAsRows(&out, set, objects);
	EndMember(&out, &doc);
	PG_RETURN_JSONB_P(EndDocument(&out, &doc));
}
