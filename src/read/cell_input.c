/*-------------------------------------------------------------------------
 *
 * cell_input.c
 *		Cells of a document as values of SQL types.
 *
 * The result is that of jsonb_populate_recordset for the same rows as objects.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "document/build.h"
#include "document/document.h"
#include "document/members.h"
#include "document/objects.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "read/cell_input.h"
#include "read/scalar_input.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Makes a value from a cell that isn't null. */
typedef Datum (*CellInputFunction) (CellInput *input, const JsonbElement *cell);

/* How the cells of one column become values */
struct CellInput
{
	CellInputFunction read;
	CellInputFunction read_object;	/* for ReadAsObjects */
	InputContext *shared;
	Oid			typid;			/* of a domain, its base */
	Oid			domain;			/* or zero */
	void	   *domain_checks;
	int32		typmod;
	ScalarInput scalar;
	const HeaderColumn *column; /* its place in the header, or NULL */

	CellInput  *element;		/* of an array */
	HeaderColumn row;			/* ... of the composites that rows become */
	Oid			element_type;
	RowInput   *rows;			/* of a composite, made when the first comes */
	RowInput   *objects;		/* ... from an object */
	HeapTupleHeader base;		/* ... and what it starts from, or NULL */
	ObjectLayout *object_layout;	/* of rows that become json or jsonb */
};

static void PlanCellInput(CellInput *input, InputContext *shared, Oid typid, int32 typmod,
						  const HeaderColumn *column);
static Datum CellToDatum(CellInput *input, const JsonbElement *cell, bool *isnull);
static Datum ReadComposite(CellInput *input, const JsonbElement *cell);

InputContext *
InputContextCreate(DocumentDomains domains, MemoryContext context)
{
	InputContext *shared = MemoryContextAllocZero(context, sizeof(InputContext));

	shared->domains = domains;
	shared->context = context;
	OutInit(&shared->text, FORMAT_JSON, 1024, context);
	return shared;
}

static Datum
ReadScalar(CellInput *input, const JsonbElement *cell)
{
	return ScalarFromElement(&input->scalar, cell);
}

/*
 * JSON and documents
 */

/*
 * A cell by itself.  Rows by position could not be understood without their
 * header, so they become objects.
 */
static Jsonb *
CellToJsonb(CellInput *input, const JsonbElement *cell)
{
	if (input->column == NULL || input->column->shape == COLUMN_PLAIN)
		return ElementToJsonb(cell);
	if (input->object_layout == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(input->shared->context);

		input->object_layout = ObjectLayoutCreate(input->column->nested);
		MemoryContextSwitchTo(old);
	}
	return CellAsObjects(input->object_layout, input->column->shape, cell);
}

static Datum
ReadJsonb(CellInput *input, const JsonbElement *cell)
{
	return JsonbPGetDatum(CellToJsonb(input, cell));
}

/* A nested cell, for a type that knows nothing about rows by position */
static Datum
ReadAsObjects(CellInput *input, const JsonbElement *cell)
{
	JsonbElement objects = JsonbRootElement(CellToJsonb(input, cell));

	return input->read_object(input, &objects);
}

static Datum
ReadJson(CellInput *input, const JsonbElement *cell)
{
	return JsonbToJson(CellToJsonb(input, cell), JSON_SPACED);
}

/*
 * Is the cell the rows of a nested document?  A plain cell may itself be a
 * document.
 */
static bool
CellLacksHeader(CellInput *input, const JsonbElement *cell)
{
	if (input->column == NULL || input->column->shape != COLUMN_ROWS)
		return false;
	if (!JsonbElementIsArray(cell))
		ReportNotDocument(FORMAT_JSONB, NESTED_NOT_ROWS);
	return true;
}

/* A nested document with its header again, and its types if they are known */
static Datum
ReadDocument(CellInput *input, const JsonbElement *cell)
{
	JsonbElement types;
	DocumentBuilder doc;
	Output		out;

	if (!CellLacksHeader(input, cell))
		return JsonbPGetDatum(ElementToJsonb(cell));
	types = HeaderTypes(input->column->nested, FORMAT_JSONB);
	OutInit(&out, FORMAT_JSONB, 256 + cell->len + types.len, CurrentMemoryContext);
	BeginDocument(&out, &doc, false, &types);
	HeaderEncode(&out, input->column->nested);
	EndMember(&out, &doc);
	AppendMember(&out, &doc, cell);
	return JsonbPGetDatum(EndDocument(&out, &doc));
}

/* The same as JSON text */
static Datum
ReadDocumentJson(CellInput *input, const JsonbElement *cell)
{
	JsonbElement types;
	Output		out;

	if (!CellLacksHeader(input, cell))
		return JsonbToJson(ElementToJsonb(cell), JSON_COMPACT);
	types = HeaderTypes(input->column->nested, FORMAT_JSON);
	OutInitValue(&out, FORMAT_JSON, 256 + cell->len * 2 + types.len, CurrentMemoryContext);
	OutAppendChar(&out, '{');
	HeaderAppendMembers(&out, input->column->nested, &types);
	OutAppend(&out, ",\"rows\":", 8);
	JsonAppendElement(&out, cell, JSON_COMPACT);
	OutAppendChar(&out, '}');
	return PointerGetDatum(OutFinishValue(&out));
}

/*
 * Arrays
 */

/* An array being read: its dimensions are known at the first leaf. */
typedef struct ArrayInput
{
	CellInput  *input;
	ArrayBuildState *state;
	int			ndims;			/* 0 if not known yet */
	int			dims[MAXDIM];
} ArrayInput;

pg_noreturn static void
ReportMalformedArray(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("malformed JSON array"),
			 errdetail("%s", detail)));
}

static void
ReadDimension(ArrayInput *array, const JsonbElement *cell, int depth)
{
	JsonbWalk	walk;
	JsonbElement element;
	int			count = 0;

	check_stack_depth();
	if (depth >= MAXDIM)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("number of array dimensions (%d) exceeds the maximum allowed (%d)", depth + 1, MAXDIM)));
	JsonbWalkStart(&walk, cell->data, cell->len);
	while (JsonbWalkNext(&walk, &element))
	{
		CHECK_FOR_INTERRUPTS();
		count++;
		if (JsonbElementIsArray(&element) && (array->ndims == 0 || depth + 1 < array->ndims))
			ReadDimension(array, &element, depth + 1);
		else
		{
			bool		isnull;
			Datum		value;

			if (array->ndims == 0)
				array->ndims = depth + 1;
			else if (depth + 1 != array->ndims)
				ReportMalformedArray("Multidimensional arrays must have sub-arrays with matching dimensions.");
			value = CellToDatum(array->input->element, &element, &isnull);
			accumArrayResult(array->state, value, isnull, array->input->element_type,
							 CurrentMemoryContext);
		}
	}
	if (array->ndims == 0)
		array->ndims = depth + 1;
	if (array->dims[depth] < 0)
		array->dims[depth] = count;
	else if (array->dims[depth] != count)
		ReportMalformedArray("Multidimensional arrays must have sub-arrays with matching dimensions.");
}

static Datum
ReadArrayCell(CellInput *input, const JsonbElement *cell)
{
	ArrayInput	array = {.input = input,.dims = {-1, -1, -1, -1, -1, -1}};
	int			lbs[MAXDIM] = {1, 1, 1, 1, 1, 1};

	if (cell->type == JENTRY_ISSTRING)
		return ReadScalar(input, cell);
	if (!JsonbElementIsArray(cell))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("expected JSON array")));
	if (input->column != NULL && input->column->shape == COLUMN_ROWS)
		array.ndims = 1;		/* of rows, which are arrays themselves */
	array.state = initArrayResult(input->element_type, CurrentMemoryContext, false);
	ReadDimension(&array, cell, 0);
	return makeMdArrayResult(array.state, array.ndims, array.dims, lbs,
							 CurrentMemoryContext, false);
}

/*
 * Composites
 */

/* Make the attributes of a row type accessible by name. */
static void
MapAttributes(RowInput *row)
{
	TupleDesc	tupdesc = row->type.tupdesc;

	row->by_name = NameMapCreate(tupdesc->natts);
	row->same_name = palloc(tupdesc->natts * sizeof(int));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		int		   *first;

		if (att->attisdropped)
			continue;
		first = NameMapAdd(row->by_name, ColumnNameOf(NameStr(att->attname), strlen(NameStr(att->attname))), -1);
		row->same_name[i] = *first;
		*first = i;
	}
}

/* For each attribute, find the first column with its name. */
static void
FindAttributeColumns(RowInput *row, const Header *header)
{
	for (int i = 0; i < row->type.tupdesc->natts; i++)
		row->columns[i] = -1;
	for (int column = HeaderWidth(header) - 1; column >= 0; column--)
	{
		ColumnName	name = {header->cols[column].name, header->cols[column].namelen};

		CHECK_FOR_INTERRUPTS();
		for (int i = NameMapFind(row->by_name, name); i >= 0; i = row->same_name[i])
			row->columns[i] = column;
	}
}

/*
 * Plan how rows under a header, or objects if it is NULL, become composites
 * of row->type.  Columns and attributes are matched by name.
 */
static RowInput *
PlanAttributes(RowInput *row, const Header *header)
{
	TupleDesc	tupdesc = row->type.tupdesc;
	int			natts = tupdesc->natts;

	check_stack_depth();

	row->cells = palloc0(natts * sizeof(CellInput));
	row->values = palloc0(natts * sizeof(Datum));
	row->nulls = palloc(natts * sizeof(bool));
	row->columns = palloc(natts * sizeof(int));
	MapAttributes(row);
	FindAttributeColumns(row, header);
	for (int i = 0; i < natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (!att->attisdropped)
			PlanCellInput(&row->cells[i], row->shared, att->atttypid, att->atttypmod,
						  row->columns[i] >= 0 ? &header->cols[row->columns[i]] : NULL);
	}
	return row;
}

/* The same for the rows of a document and a given row type */
RowInput *
PlanRowInput(InputContext *shared, TupleDesc tupdesc, const Header *header)
{
	MemoryContext old = MemoryContextSwitchTo(shared->context);
	RowInput   *row = palloc0(sizeof(RowInput));

	row->shared = shared;
	RowTypeOfDescriptor(&row->type, tupdesc);
	PlanAttributes(row, header);
	MemoryContextSwitchTo(old);
	return row;
}

pg_noreturn pg_noinline static void
ReportAlteredType(const RowType *type)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATUM_VERSION_MISMATCH),
			 errmsg("type %s was altered while its values were being made",
					format_type_with_typemod(type->typid, type->typmod))));
}

/*
 * The composite of row's values.  If its type is no longer the one that it was
 * planned for, code that takes the composite apart would read it wrongly.
 */
static HeapTuple
FormTuple(RowInput *row)
{
	if (RowTypeIsAltered(&row->type))
		ReportAlteredType(&row->type);
	return heap_form_tuple(row->type.tupdesc, row->values, row->nulls);
}

/* The initial values of a row: those of its base, or NULLs */
static void
StartRow(RowInput *row, HeapTupleHeader base)
{
	TupleDesc	tupdesc = row->type.tupdesc;
	HeapTupleData tuple = {0};

	if (base == NULL)
	{
		for (int i = 0; i < tupdesc->natts; i++)
			row->nulls[i] = true;
		return;
	}
	RowTypeCheckValue(&row->type, base);
	tuple.t_len = HeapTupleHeaderGetDatumLength(base);
	tuple.t_data = base;
	heap_deform_tuple(&tuple, tupdesc, row->values, row->nulls);
}

/* One attribute's value; a composite starts from the existing one. */
static void
SetAttribute(RowInput *row, int i, const JsonbElement *cell)
{
	CellInput  *input = &row->cells[i];

	input->base = NULL;
	if (input->read == ReadComposite && !row->nulls[i])
		input->base = DatumGetHeapTupleHeader(row->values[i]);
	row->values[i] = CellToDatum(input, cell, &row->nulls[i]);
}

/* One attribute without a cell: from the base, if there is one, or NULL */
static void
FillMissing(RowInput *row, int i, HeapTupleHeader base)
{
	if (base == NULL && OidIsValid(row->cells[i].domain))
		row->values[i] = CellToDatum(&row->cells[i], NULL, &row->nulls[i]);
}

/*
 * Make a composite of a row.  Attributes that are missing from the document
 * come from base, or are NULL.
 */
HeapTuple
RowToTuple(RowInput *row, const JsonbElement *cells, HeapTupleHeader base)
{
	TupleDesc	tupdesc = row->type.tupdesc;

	StartRow(row, base);
	for (int i = 0; i < tupdesc->natts; i++)
	{
		if (TupleDescAttr(tupdesc, i)->attisdropped)
			row->nulls[i] = true;
		else if (row->columns[i] < 0)
			FillMissing(row, i, base);
		else
			SetAttribute(row, i, &cells[row->columns[i]]);
	}
	return FormTuple(row);
}

/* The same for an object */
static HeapTuple
ObjectToTuple(RowInput *row, const JsonbElement *object, HeapTupleHeader base)
{
	JsonbWalk	keys;
	JsonbWalk	values;

	JsonbWalkStart(&keys, object->data, object->len);
	values = JsonbWalkValues(&keys);
	StartRow(row, base);
	for (uint32 k = 0; k < keys.count; k++)
	{
		JsonbElement key = JsonbWalkTake(&keys);
		JsonbElement value = JsonbWalkTake(&values);

		CHECK_FOR_INTERRUPTS();
		for (int i = NameMapFind(row->by_name, ColumnNameOf(key.data, key.len));
			 i >= 0; i = row->same_name[i])
			SetAttribute(row, i, &value);
	}
	for (int i = 0; i < row->type.tupdesc->natts; i++)
		if (row->nulls[i])
			FillMissing(row, i, base);
	return FormTuple(row);
}

/*
 * How cells of a composite type are read: as planned before, unless a cast or
 * a domain's check has since altered the type.
 */
static RowInput *
CompositeInput(CellInput *input, RowInput **planned, const Header *header)
{
	MemoryContext old;
	RowInput   *row = *planned;

	if (likely(row != NULL && !RowTypeIsAltered(&row->type)))
		return row;
	old = MemoryContextSwitchTo(input->shared->context);
	row = palloc0(sizeof(RowInput));
	row->shared = input->shared;
	RowTypeLoad(&row->type, input->typid, input->typmod);
	*planned = PlanAttributes(row, header);
	MemoryContextSwitchTo(old);
	return row;
}

static Datum
ReadComposite(CellInput *input, const JsonbElement *cell)
{
	const HeaderColumn *column = input->column;
	HeapTupleHeader base = input->base;

	check_stack_depth();
	input->base = NULL;
	if (column != NULL && column->shape == COLUMN_ROW)
	{
		int			ncols = HeaderWidth(column->nested);
		JsonbElement *cells;
		RowInput   *row = CompositeInput(input, &input->rows, column->nested);

		if (!RowFits(cell, ncols))
			ReportNotDocument(FORMAT_JSONB, "A composite is not as wide as its header.");
		cells = palloc(ncols * sizeof(JsonbElement));
		TakeCells(cell, ncols, cells);
		return HeapTupleGetDatum(RowToTuple(row, cells, base));
	}
	if (cell->type == JENTRY_ISCONTAINER && !JsonbElementIsArray(cell))
		return HeapTupleGetDatum(ObjectToTuple(CompositeInput(input, &input->objects, NULL),
											   cell, base));
	if (cell->type == JENTRY_ISSTRING)
		return ReadScalar(input, cell);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cannot make a composite from a cell that is neither a row nor an object")));
}

/*
 * All types
 */

/* How a type that isn't a domain is read */
static CellInputFunction
InputFunctionOf(Oid typid)
{
	if (typid == JSONBOID)
		return ReadJsonb;
	if (typid == JSONOID)
		return ReadJson;
	if (OidIsValid(get_element_type(typid)))
		return ReadArrayCell;
	return type_is_rowtype(typid) ? ReadComposite : ReadScalar;
}

/* Can an input function handle the rows of a nested column? */
static bool
ReadsRows(CellInputFunction read, ColumnShape shape)
{
	if (read == ReadJsonb || read == ReadJson)
		return true;
	if (shape == COLUMN_ROW)
		return read == ReadComposite;
	return read == ReadArrayCell || read == ReadDocument || read == ReadDocumentJson;
}

static void
PlanCellInput(CellInput *input, InputContext *shared, Oid typid, int32 typmod,
			  const HeaderColumn *column)
{
	DocumentKind document = DocumentKindOf(typid, &shared->domains);

	input->shared = shared;
	input->column = column;
	input->typmod = typmod;
	input->typid = getBaseTypeAndTypmod(typid, &input->typmod);
	input->domain = input->typid == typid ? InvalidOid : typid;
	input->read = InputFunctionOf(input->typid);
	if (document == DOCUMENT_JSONB)
		input->read = ReadDocument;
	else if (document == DOCUMENT_JSON)
		input->read = ReadDocumentJson;
	ScalarInputInit(&input->scalar, input->typid, input->typmod, &shared->text, shared->context);
	if (input->read == ReadArrayCell)
	{
		const HeaderColumn *row = NULL;

		input->element = MemoryContextAllocZero(shared->context, sizeof(CellInput));
		input->element_type = get_element_type(input->typid);
		if (column != NULL && column->shape == COLUMN_ROWS)
		{
			input->row = *column;
			input->row.shape = COLUMN_ROW;
			row = &input->row;
		}
		PlanCellInput(input->element, shared, input->element_type, input->typmod, row);
	}
	if (column != NULL && column->shape != COLUMN_PLAIN && !ReadsRows(input->read, column->shape))
	{
		input->read_object = input->read;
		input->read = ReadAsObjects;
	}
}

/* The value of a cell, which may be NULL or missing */
static Datum
CellToDatum(CellInput *input, const JsonbElement *cell, bool *isnull)
{
	Datum		value = (Datum) 0;

	*isnull = cell == NULL || cell->type == JENTRY_ISNULL;
	if (!*isnull)
		value = input->read(input, cell);
	if (unlikely(OidIsValid(input->domain)))
		domain_check(value, *isnull, input->domain, &input->domain_checks,
					 input->shared->context);
	return value;
}
