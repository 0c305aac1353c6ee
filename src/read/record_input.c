/*-------------------------------------------------------------------------
 *
 * record_input.c
 *		Objects of JSON as rows of SQL values.
 *
 * What populate_record in jsonfuncs.c does, to the value and the error.  An
 * object's members are found in one pass.  Their keys usually come in the same
 * order as in the object before, so a key is first compared with that one's.
 *
 * Strings, numbers, booleans, arrays of these and domains over any of them are
 * read here.  Composites and other arrays are left to PostgreSQL's
 * function: it is given a row of only that field.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "document/row_type.h"
#include "format/json_text.h"
#include "format/jsonb_write.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "read/record_input.h"
#include "read/scalar_input.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

typedef enum FieldKind
{
	FIELD_SCALAR,
	FIELD_ARRAY,
	FIELD_COMPOSITE,
} FieldKind;

/* PostgreSQL's function for a row of one field */
typedef struct OriginalInput
{
	FmgrInfo	function;
	TupleDesc	tupdesc;
} OriginalInput;

/* How a field is read, or an array's elements */
struct FieldInput
{
	ColumnName	name;
	int			same_name;		/* the next field of the same name, or -1 */
	FieldKind	kind;			/* of a domain, its base type's */
	Oid			domain;			/* or zero */
	void	   *domain_checks;
	ScalarInput scalar;			/* also for a string that stands for an array
								 * or composite */
	FieldInput *element;		/* of an array */
	Oid			element_type;
	OriginalInput *original;	/* made when it is first needed */
};

/*
 * Preparations
 */

static FieldKind
KindOfType(Oid typid)
{
	if (OidIsValid(get_element_type(typid)))
		return FIELD_ARRAY;
	return type_is_rowtype(typid) ? FIELD_COMPOSITE : FIELD_SCALAR;
}

static void
PlanField(RecordInput *input, FieldInput *field, Oid typid, int32 typmod)
{
	Oid			base = getBaseTypeAndTypmod(typid, &typmod);

	check_stack_depth();
	field->kind = KindOfType(base);
	field->domain = base == typid ? InvalidOid : typid;
	ScalarInputInit(&field->scalar, base, typmod, &input->text, input->context);
	if (field->kind == FIELD_ARRAY)
	{
		field->element_type = get_element_type(base);
		field->element = MemoryContextAllocZero(input->context, sizeof(FieldInput));
		PlanField(input, field->element, field->element_type, typmod);
	}
}

/* Make the fields known by their names, of which some may be equal. */
static void
EnterField(RecordInput *input, int i, const NameData *name)
{
	FieldInput *field = &input->fields[i];
	int		   *first;

	field->name = ColumnNameOf(NameStr(*name), strlen(NameStr(*name)));
	first = NameMapAdd(input->by_name, field->name, -1);
	field->same_name = *first;
	*first = i;
}

/* Prepare for a row type, whose descriptor is copied. */
RecordInput *
RecordInputCreate(TupleDesc tupdesc, bool jsonb, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	RecordInput *input = palloc0(sizeof(RecordInput));
	int			natts = tupdesc->natts;

	input->jsonb = jsonb;
	input->context = context;
	input->tupdesc = CreateTupleDescCopy(tupdesc);
	input->natts = natts;
	input->fields = palloc0(natts * sizeof(FieldInput));
	input->members = palloc0(natts * sizeof(MemberValue));
	input->values = palloc0(natts * sizeof(Datum));
	input->nulls = palloc0(natts * sizeof(bool));
	input->base_values = palloc0(natts * sizeof(Datum));
	input->base_nulls = palloc0(natts * sizeof(bool));
	input->nguesses = natts + 8;
	input->guesses = palloc(input->nguesses * sizeof(int));
	memset(input->guesses, -1, input->nguesses * sizeof(int));
	input->by_name = NameMapCreate(natts);
	OutInit(&input->text, FORMAT_JSON, 256, context);
	for (int i = 0; i < natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(input->tupdesc, i);

		if (att->attisdropped)
			continue;
		EnterField(input, i, &att->attname);
		PlanField(input, &input->fields[i], att->atttypid, att->atttypmod);
	}
	MemoryContextSwitchTo(old);
	return input;
}

/*
 * Rows start from this one, until the next; NULL for none.  It is not copied.
 */
void
RecordInputSetBase(RecordInput *input, HeapTupleHeader base)
{
	RowType		type = {0};
	HeapTupleData tuple = {0};

	input->base = base;
	if (base == NULL)
		return;
	type.typid = input->tupdesc->tdtypeid;
	type.typmod = input->tupdesc->tdtypmod;
	type.tupdesc = input->tupdesc;
	RowTypeCheckValue(&type, base);
	tuple.t_len = HeapTupleHeaderGetDatumLength(base);
	tuple.t_data = base;
	heap_deform_tuple(&tuple, input->tupdesc, input->base_values, input->base_nulls);
}

/*
 * An object's members
 */

/* The last field with the name of the n-th key, or -1 */
static inline int
FindField(RecordInput *input, uint32 n, const char *key, Size len)
{
	int			i;

	if (likely(n < input->nguesses))
	{
		i = input->guesses[n];
		if (i >= 0 && input->fields[i].name.len == len &&
			memcmp(input->fields[i].name.data, key, len) == 0)
			return i;
	}
	i = NameMapFind(input->by_name, ColumnNameOf(key, len));
	if (n < input->nguesses)
		input->guesses[n] = i;
	return i;
}

static inline void
ForgetMembers(RecordInput *input)
{
	input->empty = true;
	for (int i = 0; i < input->natts; i++)
		input->members[i].found = false;
}

/*
 * Take the object that is next in a text; of equal keys the last one counts.
 * False if it is not valid.
 */
bool
RecordInputParse(RecordInput *input, JsonParse *parse)
{
	bool		first = true;
	JsonNext	next;

	ForgetMembers(input);
	if (!JsonParseAccept(parse, '{'))
		return false;
	for (uint32 n = 0; (next = JsonParseNext(parse, '}', &first)) == JSON_NEXT_ITEM; n++)
	{
		JsonItem	key;
		JsonItem	value;
		const char *name;
		Size		len;

		if (!JsonParseKey(parse, &key) || !JsonParseValue(parse, &value))
			return false;
		name = ItemText(&key, &input->text, &len);
		if (len < NAMEDATALEN)
			input->empty = false;
		for (int i = FindField(input, n, name, len); i >= 0; i = input->fields[i].same_name)
		{
			input->members[i].found = true;
			input->members[i].item = value;
		}
	}
	return next == JSON_NEXT_END;
}

/* Take an object of a jsonb. */
void
RecordInputWalk(RecordInput *input, const JsonbElement *object)
{
	JsonbWalk	keys;
	JsonbWalk	values;

	ForgetMembers(input);
	JsonbWalkStart(&keys, object->data, object->len);
	values = keys;
	JsonbWalkSeek(&values, keys.count);
	for (uint32 n = 0; n < keys.count; n++)
	{
		JsonbElement key = JsonbWalkTake(&keys);
		JsonbElement value = JsonbWalkTake(&values);

		CHECK_FOR_INTERRUPTS();
		input->empty = false;
		for (int i = FindField(input, n, key.data, key.len); i >= 0; i = input->fields[i].same_name)
		{
			input->members[i].found = true;
			input->members[i].element = value;
		}
	}
}

static bool
MemberIsNull(const RecordInput *input, const MemberValue *member)
{
	if (!member->found)
		return true;
	return input->jsonb ? member->element.type == JENTRY_ISNULL : member->item.kind == JSON_IS_NULL;
}

static bool
MemberIsString(const RecordInput *input, const MemberValue *member)
{
	return input->jsonb ? member->element.type == JENTRY_ISSTRING : member->item.kind == JSON_IS_STRING;
}

/*
 * Fields that are left to PostgreSQL
 */

static OriginalInput *
PlanOriginal(RecordInput *input, int i)
{
	MemoryContext old = MemoryContextSwitchTo(input->context);
	OriginalInput *original = palloc0(sizeof(OriginalInput));
	Oid			function = input->jsonb ? F_JSONB_POPULATE_RECORD : F_JSON_POPULATE_RECORD;
	List	   *args;

	original->tupdesc = CreateTemplateTupleDesc(1);
	TupleDescCopyEntry(original->tupdesc, 1, input->tupdesc, i + 1);
	original->tupdesc = BlessTupleDesc(original->tupdesc);
	fmgr_info_cxt(function, &original->function, input->context);
	args = list_make2(makeNullConst(RECORDOID, -1, InvalidOid),
					  makeNullConst(input->jsonb ? JSONBOID : JSONOID, -1, InvalidOid));
	fmgr_info_set_expr((Node *) makeFuncExpr(function, RECORDOID, args, InvalidOid, InvalidOid,
											 COERCE_EXPLICIT_CALL), &original->function);
	MemoryContextSwitchTo(old);
	return original;
}

/* An object with only one member of the current one */
static Datum
ObjectOfMember(const RecordInput *input, ColumnName name, const MemberValue *member)
{
	Output		out;
	ContainerBuilder object;

	if (!input->jsonb)
	{
		OutInitValue(&out, FORMAT_JSON, member->item.len + name.len + 16, CurrentMemoryContext);
		OutAppendChar(&out, '{');
		JsonAppendString(&out, name.data, name.len);
		OutAppendChar(&out, ':');
		OutAppend(&out, member->item.text, member->item.len);
		OutAppendChar(&out, '}');
		return PointerGetDatum(OutFinishValue(&out));
	}
	JsonbElementCheck(&member->element);
	OutInitValue(&out, FORMAT_JSONB, member->element.len + name.len + 32, CurrentMemoryContext);
	object = BeginContainer(&out, JB_FOBJECT | 1, 2);
	AddString(&out, &object, name.data, name.len);
	AddElement(&out, &object, &member->element);
	return JsonbPGetDatum(OutFinishJsonb(&out));
}

/* A field's value as PostgreSQL makes it; it may start from the base's. */
static Datum
ReadByOriginal(RecordInput *input, int i, bool *isnull)
{
	FieldInput *field = &input->fields[i];
	OriginalInput *original;
	bool		base_isnull = input->base == NULL || input->base_nulls[i];
	Datum		base_value = input->base == NULL ? (Datum) 0 : input->base_values[i];
	HeapTupleData tuple = {0};
	Datum		row;

	if (field->original == NULL)
		field->original = PlanOriginal(input, i);
	original = field->original;
	tuple = *heap_form_tuple(original->tupdesc, &base_value, &base_isnull);
	row = FunctionCall3(&original->function, HeapTupleHeaderGetDatum(tuple.t_data),
						ObjectOfMember(input, field->name, &input->members[i]),
						BoolGetDatum(false));
	tuple.t_data = DatumGetHeapTupleHeader(row);
	tuple.t_len = HeapTupleHeaderGetDatumLength(tuple.t_data);
	return heap_getattr(&tuple, 1, original->tupdesc, isnull);
}

/*
 * Values
 */

static Datum ReadField(RecordInput *input, FieldInput *field, const MemberValue *member, bool *isnull);

/* Step to the next element of an array. */
static bool
NextElement(JsonParse *parse, bool *first, JsonItem *item)
{
	return JsonParseNext(parse, ']', first) == JSON_NEXT_ITEM && JsonParseValue(parse, item);
}

/* Begin with the elements of an array that has been parsed before. */
static bool
StartElements(JsonParse *parse, const JsonItem *item)
{
	JsonParseStart(parse, item->text, item->len, false);
	return JsonParseAccept(parse, '[');
}

/* Is it an array without arrays or objects in it? */
static bool
IsFlatArray(const RecordInput *input, const MemberValue *member)
{
	JsonParse	parse;
	JsonItem	item;
	JsonbWalk	walk;
	JsonbElement element;
	bool		first = true;

	if (!input->jsonb)
	{
		if (!StartElements(&parse, &member->item))
			return false;
		while (NextElement(&parse, &first, &item))
			if (JsonItemIsContainer(&item))
				return false;
		return true;
	}
	if (!JsonbElementIsArray(&member->element))
		return false;
	JsonbWalkStart(&walk, member->element.data, member->element.len);
	while (JsonbWalkNext(&walk, &element))
	{
		CHECK_FOR_INTERRUPTS();
		if (element.type == JENTRY_ISCONTAINER)
			return false;
	}
	return true;
}

/* The same array as a value of the field's type */
static Datum
ReadFlatArray(RecordInput *input, FieldInput *field, const MemberValue *member)
{
	ArrayBuildState *array = initArrayResult(field->element_type, CurrentMemoryContext, false);
	MemberValue value = {true};
	JsonParse	parse;
	JsonbWalk	walk;
	bool		first = true;

	if (input->jsonb)
		JsonbWalkStart(&walk, member->element.data, member->element.len);
	else
		StartElements(&parse, &member->item);
	while (input->jsonb ? JsonbWalkNext(&walk, &value.element) : NextElement(&parse, &first, &value.item))
	{
		bool		isnull;
		Datum		datum = ReadField(input, field->element, &value, &isnull);

		CHECK_FOR_INTERRUPTS();
		accumArrayResult(array, datum, isnull, field->element_type, CurrentMemoryContext);
	}
	return makeArrayResult(array, CurrentMemoryContext);
}

/* Is it a value that ReadField reads, or NULL? */
static bool
FieldIsSimple(const RecordInput *input, const FieldInput *field, const MemberValue *member)
{
	if (field->kind == FIELD_SCALAR || MemberIsNull(input, member) || MemberIsString(input, member))
		return true;
	return field->kind == FIELD_ARRAY && field->element->kind == FIELD_SCALAR &&
		IsFlatArray(input, member);
}

/* The value of such a field */
static Datum
ReadField(RecordInput *input, FieldInput *field, const MemberValue *member, bool *isnull)
{
	Datum		value = (Datum) 0;

	*isnull = MemberIsNull(input, member);
	if (!*isnull)
	{
		if (field->kind == FIELD_ARRAY && !MemberIsString(input, member))
			value = ReadFlatArray(input, field, member);
		else if (input->jsonb)
			value = ScalarFromElement(&field->scalar, &member->element);
		else
			value = ScalarFromItem(&field->scalar, &member->item);
	}
	if (unlikely(OidIsValid(field->domain)))
		domain_check(value, *isnull, field->domain, &field->domain_checks, input->context);
	return value;
}

/*
 * Make the row of the object that was taken.  Fields that it lacks come from the
 * base, or are NULL, which a domain may forbid.
 */
void
RecordInputFill(RecordInput *input)
{
	for (int i = 0; i < input->natts; i++)
	{
		MemberValue *member = &input->members[i];

		if (TupleDescAttr(input->tupdesc, i)->attisdropped)
			input->nulls[i] = true;
		else if (!member->found && input->base != NULL)
		{
			input->values[i] = input->base_values[i];
			input->nulls[i] = input->base_nulls[i];
		}
		else if (FieldIsSimple(input, &input->fields[i], member))
			input->values[i] = ReadField(input, &input->fields[i], member, &input->nulls[i]);
		else
			input->values[i] = ReadByOriginal(input, i, &input->nulls[i]);
	}
}
