/*-------------------------------------------------------------------------
 *
 * core_build.c
 *		PostgreSQL's own JSON constructors, byte for byte.
 *
 *		jsonrow_core_json_build_array(VARIADIC "any") -> json
 *		jsonrow_core_jsonb_build_array(VARIADIC "any") -> jsonb
 *		jsonrow_core_json_build_object(VARIADIC "any") -> json
 *		jsonrow_core_jsonb_build_object(VARIADIC "any") -> jsonb
 *		jsonrow_core_row_to_json(record [, pretty boolean]) -> json
 *		jsonrow_core_to_json(anyelement) -> json
 *		jsonrow_core_to_jsonb(anyelement) -> jsonb
 *		jsonrow_core_array_to_json(anyarray [, pretty boolean]) -> json
 *			The same as json_build_array and so on, including white space and
 *			errors, but what is known about the types is kept as long as the
 *			call.  NULL is treated in the same way: the functions of one value
 *			are strict, the others are not.
 *
 *		jsonrow_core_row_to_json(cols text[], VARIADIC "any") -> json
 *		jsonrow_core_to_jsonb(cols text[], VARIADIC "any") -> jsonb
 *			The same for a row with these names and values, without making a
 *			composite.  Errors: different numbers of names and values, a NULL
 *			name, no names.
 *
 *		jsonrow_core_to_jsonb_text(anyelement) -> json
 *		jsonrow_core_to_jsonb_text(cols text[], VARIADIC "any") -> json
 *			What jsonb_out prints of to_jsonb, for jsonb that is only embedded in
 *			JSON text: see planner/as_text.c.  Values of type json must be such
 *			text.
 *
 * If nothing can be kept (a VARIADIC array, keys that are not constants), the
 * original is called.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/primnodes.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"
#include "write/composite.h"
#include "write/describe.h"
#include "write/key_text.h"
#include "write/writer.h"

PG_FUNCTION_INFO_V1(jsonrow_core_json_build_array);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_build_array);
PG_FUNCTION_INFO_V1(jsonrow_core_json_build_object);
PG_FUNCTION_INFO_V1(jsonrow_core_jsonb_build_object);
PG_FUNCTION_INFO_V1(jsonrow_core_row_to_json);
PG_FUNCTION_INFO_V1(jsonrow_core_row_to_json_pretty);
PG_FUNCTION_INFO_V1(jsonrow_core_row_to_json_named);
PG_FUNCTION_INFO_V1(jsonrow_core_to_json);
PG_FUNCTION_INFO_V1(jsonrow_core_to_jsonb);
PG_FUNCTION_INFO_V1(jsonrow_core_to_jsonb_named);
PG_FUNCTION_INFO_V1(jsonrow_core_to_jsonb_text);
PG_FUNCTION_INFO_V1(jsonrow_core_to_jsonb_text_named);
PG_FUNCTION_INFO_V1(jsonrow_core_array_to_json);
PG_FUNCTION_INFO_V1(jsonrow_core_array_to_json_pretty);

/* What a call keeps */
typedef struct BuildPlan
{
	PlanContext *shared;
	MemoryContext context;		/* of all this */
	bool		again;			/* it is not the first plan, and has a context
								 * of its own */
	uint64		casts;			/* CountCatalogChanges when it was made */
	Size		size;			/* what the last result took */
	bool		original;		/* nothing can be kept */

	ColumnPlan	value;			/* for a function of one value */
	RowPlan    *pretty;			/* the row types seen, for pretty output */
	RowPlan		row;			/* for one that builds a row */
	NullableDatum *cells;		/* room for its values */
	text	  **keys;			/* the keys that were parameters; NULL for the
								 * others */
	ArrayType  *cols;			/* the names as they were, if they are not a
								 * constant */
} BuildPlan;

/* Results up to this size are used to predict the size of the next one. */
#define MAX_SIZE_HINT	(64 * 1024)

/*
 * Start a new, empty plan for a call.  Most calls need only one, and many are
 * for a single row, so the first one has no context of its own.
 */
static BuildPlan *
BuildPlanCreate(FunctionCallInfo fcinfo, const Writer *writer)
{
	BuildPlan  *plan = fcinfo->flinfo->fn_extra;
	MemoryContext context = fcinfo->flinfo->fn_mcxt;
	bool		again = plan != NULL;

	fcinfo->flinfo->fn_extra = NULL;
	if (again && plan->again)
		MemoryContextDelete(plan->context);
	if (again)
		context = AllocSetContextCreate(context, "jsonrow constructor", ALLOCSET_SMALL_SIZES);
	plan = MemoryContextAllocZero(context, sizeof(BuildPlan));
	plan->context = context;
	plan->again = again;
	plan->shared = PlanContextCreate(writer, NESTED_AS_IS, DocumentDomainsLookup(), context);
	plan->casts = CountCatalogChanges();
	plan->size = 128;
	return plan;
}

/* The plan that a call has kept; NULL if one must be made */
static inline BuildPlan *
KeptPlan(FunctionCallInfo fcinfo)
{
	BuildPlan  *plan = fcinfo->flinfo->fn_extra;

	return likely(plan != NULL && plan->casts == CountCatalogChanges()) ? plan : NULL;
}

static void
BeginResult(BuildPlan *plan, Output *out)
{
	OutInitValue(out, plan->shared->writer->format, plan->size, CurrentMemoryContext);
}

static Datum
EndResult(BuildPlan *plan, Output *out)
{
	plan->size = Min(out->len + out->len / 8 + 64, MAX_SIZE_HINT);
	return PointerGetDatum(OutFinishValue(out));
}

/*
 * Functions of one value
 */

static BuildPlan *
ValuePlan(FunctionCallInfo fcinfo, const Writer *writer)
{
	BuildPlan  *plan = KeptPlan(fcinfo);
	Oid			typid;

	if (likely(plan != NULL))
		return plan;
	typid = ArgumentType(fcinfo, 0);
	plan = BuildPlanCreate(fcinfo, writer);
	PlanColumn(&plan->value, plan->shared, typid, NULL);
	fcinfo->flinfo->fn_extra = plan;
	return plan;
}

/* Text of jsonb that is not too large for jsonb */
static Datum
CheckedText(Datum text)
{
	CheckJsonbText((struct varlena *) DatumGetPointer(text));
	return text;
}

/* In a format that has no form of its own for a value that stands alone */
static Datum
ValueAsText(FunctionCallInfo fcinfo, const Writer *writer)
{
	BuildPlan  *plan = ValuePlan(fcinfo, writer);
	Output		out;

	BeginResult(plan, &out);
	plan->value.write(&out, &plan->value, NULL, PG_GETARG_DATUM(0));
	return EndResult(plan, &out);
}

static Datum
ValueAsJson(FunctionCallInfo fcinfo)
{
	return ValueAsText(fcinfo, &JsonWriter);
}

/* In jsonb, a scalar by itself is stored as an array of one element. */
static void
AppendScalar(Output *out, ColumnPlan *plan, Datum value)
{
	ContainerBuilder container = BeginContainer(out, JB_FARRAY | JB_FSCALAR | 1, 1);
	Size		start = out->len;

	AddEntry(out, &container, plan->write(out, plan, NULL, value), start);
}

static Datum
ValueAsJsonb(FunctionCallInfo fcinfo)
{
	BuildPlan  *plan = ValuePlan(fcinfo, &JsonbWriter);
	Output		out;

	switch (plan->value.category)
	{
		case CATEGORY_JSONB:
			PG_RETURN_JSONB_P(PG_GETARG_JSONB_P(0));
		case CATEGORY_JSON:
		case CATEGORY_JSONCAST:
			return to_jsonb(fcinfo);
		case CATEGORY_ARRAY:
		case CATEGORY_COMPOSITE:
			BeginResult(plan, &out);
			plan->value.write(&out, &plan->value, NULL, PG_GETARG_DATUM(0));
			break;
		default:
			BeginResult(plan, &out);
			AppendScalar(&out, &plan->value, PG_GETARG_DATUM(0));
			break;
	}
	return EndResult(plan, &out);
}

Datum
jsonrow_core_to_json(PG_FUNCTION_ARGS)
{
	return ValueAsJson(fcinfo);
}

Datum
jsonrow_core_to_jsonb(PG_FUNCTION_ARGS)
{
	return ValueAsJsonb(fcinfo);
}

Datum
jsonrow_core_to_jsonb_text(PG_FUNCTION_ARGS)
{
	return CheckedText(ValueAsText(fcinfo, &JsonbTextWriter));
}

Datum
jsonrow_core_row_to_json(PG_FUNCTION_ARGS)
{
	return ValueAsJson(fcinfo);
}

Datum
jsonrow_core_array_to_json(PG_FUNCTION_ARGS)
{
	return ValueAsJson(fcinfo);
}

Datum
jsonrow_core_row_to_json_pretty(PG_FUNCTION_ARGS)
{
	BuildPlan  *plan;
	const NullableDatum *cells;
	Output		out;

	if (!PG_GETARG_BOOL(1))
		return ValueAsJson(fcinfo);
	plan = ValuePlan(fcinfo, &JsonWriter);
	cells = DeformComposite(&plan->pretty, plan->shared, ROW_OBJECT_LINES, PG_GETARG_DATUM(0), NULL);
	BeginResult(plan, &out);
	plan->pretty->write(&out, plan->pretty, NULL, cells);
	return EndResult(plan, &out);
}

Datum
jsonrow_core_array_to_json_pretty(PG_FUNCTION_ARGS)
{
	return PG_GETARG_BOOL(1) ? array_to_json_pretty(fcinfo) : ValueAsJson(fcinfo);
}

/*
 * Rows
 */

/* Plan the values, which are every step'th argument from first on. */
static bool
PlanValues(BuildPlan *plan, FunctionCallInfo fcinfo, int first, int step)
{
	RowPlan    *row = &plan->row;

	row->ncols = (PG_NARGS() - first + step - 1) / step;
	row->step = 1;
	row->cols = MemoryContextAllocZero(plan->context, row->ncols * sizeof(ColumnPlan));
	plan->cells = MemoryContextAlloc(plan->context, row->ncols * sizeof(NullableDatum));
	for (int i = 0; i < row->ncols; i++)
	{
		Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, first + i * step);

		if (!OidIsValid(typid))
			return false;
		PlanColumn(&row->cols[i], plan->shared, typid, NULL);
	}
	return true;
}

/* Build a row from the arguments, as planned. */
static Datum
BuildRow(BuildPlan *plan, FunctionCallInfo fcinfo, int first, int step)
{
	RowPlan    *row = &plan->row;
	Output		out;

	for (int i = 0; i < row->ncols; i++)
		plan->cells[i] = fcinfo->args[first + i * step];
	BeginResult(plan, &out);
	row->write(&out, row, NULL, plan->cells);
	return EndResult(plan, &out);
}

/* Set how planned values are written. */
static void
SetForm(BuildPlan *plan, RowForm form, const Header *names)
{
	MemoryContext old = MemoryContextSwitchTo(plan->context);

	RowPlanSetForm(&plan->row, plan->shared, form, names);
	MemoryContextSwitchTo(old);
}

static Datum
BuildArray(FunctionCallInfo fcinfo, const Writer *writer, PGFunction original)
{
	BuildPlan  *plan = KeptPlan(fcinfo);

	if (unlikely(plan == NULL))
	{
		plan = BuildPlanCreate(fcinfo, writer);
		plan->original = get_fn_expr_variadic(fcinfo->flinfo) ||
			!PlanValues(plan, fcinfo, 0, 1);
		if (!plan->original)
			SetForm(plan, ROW_ARRAY_SPACED, NULL);
		fcinfo->flinfo->fn_extra = plan;
	}
	return plan->original ? original(fcinfo) : BuildRow(plan, fcinfo, 0, 1);
}

Datum
jsonrow_core_json_build_array(PG_FUNCTION_ARGS)
{
	return BuildArray(fcinfo, &JsonWriter, json_build_array);
}

Datum
jsonrow_core_jsonb_build_array(PG_FUNCTION_ARGS)
{
	return BuildArray(fcinfo, &JsonbWriter, jsonb_build_array);
}

/* An argument as it is in the query */
static Node *
ArgumentExpr(FunctionCallInfo fcinfo, int arg)
{
	Node	   *call = fcinfo->flinfo->fn_expr;

	return IsA(call, FuncExpr) ? list_nth(((FuncExpr *) call)->args, arg) : NULL;
}

/* Has a value of this type always the same text, whatever the settings are, and though names may be changed? */
static bool
TextIsFixed(Oid typid)
{
	switch (typid)
	{
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case NAMEOID:
		case UNKNOWNOID:
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case NUMERICOID:
		case UUIDOID:
			return true;
		default:
			return false;
	}
}

/*
 * Set the key of value i; false unless it is a constant.  A parameter is
 * constant in most queries, but may be a variable in an expression of
 * PL/pgSQL; so remember its value.
 */
static bool
NameValue(BuildPlan *plan, FunctionCallInfo fcinfo, Header *names, int i)
{
	Node	   *expr = StripRelabels(ArgumentExpr(fcinfo, i * 2));
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, i * 2);
	bool		is_param;
	KeyPlan		key;
	const char *name;
	Size		len;

	is_param = expr && IsA(expr, Param) && (typid == TEXTOID || typid == VARCHAROID) &&
		((Param *) expr)->paramkind == PARAM_EXTERN;
	if (expr == NULL || PG_ARGISNULL(i * 2) || !(is_param || (IsA(expr, Const) && TextIsFixed(typid))) ||
		!KeyPlanInit(&key, plan->shared, typid))
		return false;
	name = KeyText(&key, PG_GETARG_DATUM(i * 2), &len);
	HeaderSetColumn(names, i, memcpy(palloc(len + 1), name, len), len, COLUMN_PLAIN, NULL);
	if (is_param)
		plan->keys[i] = PG_GETARG_TEXT_P_COPY(i * 2);
	return true;
}

/* Plan keys that are arguments; false if they may change. */
static bool
PlanKeys(BuildPlan *plan, FunctionCallInfo fcinfo)
{
	MemoryContext old = MemoryContextSwitchTo(plan->context);
	Header	   *names = HeaderCreate(plan->row.ncols);
	bool		known = true;

	plan->keys = palloc0(plan->row.ncols * sizeof(text *));
	for (int i = 0; i < names->ncols && known; i++)
	{
		CHECK_FOR_INTERRUPTS();
		known = NameValue(plan, fcinfo, names, i);
	}
	MemoryContextSwitchTo(old);
	if (known)
		SetForm(plan, ROW_OBJECT_SPACED, names);
	return known;
}

/* Do keys that are parameters still have the values they were planned with? */
static bool
SameKeys(const BuildPlan *plan, FunctionCallInfo fcinfo)
{
	for (int i = 0; i < plan->row.ncols; i++)
	{
		text	   *key;

		if (likely(plan->keys[i] == NULL))
			continue;
		if (PG_ARGISNULL(i * 2))
			return false;
		key = PG_GETARG_TEXT_PP(i * 2);
		if (VARSIZE_ANY_EXHDR(key) != VARSIZE_ANY_EXHDR(plan->keys[i]) ||
			memcmp(VARDATA_ANY(key), VARDATA_ANY(plan->keys[i]), VARSIZE_ANY_EXHDR(key)) != 0)
			return false;
	}
	return true;
}

static Datum
BuildObject(FunctionCallInfo fcinfo, const Writer *writer, PGFunction original)
{
	BuildPlan  *plan = KeptPlan(fcinfo);

	if (unlikely(plan == NULL))
	{
		plan = BuildPlanCreate(fcinfo, writer);
		plan->original = PG_NARGS() % 2 != 0 || get_fn_expr_variadic(fcinfo->flinfo) ||
			!PlanValues(plan, fcinfo, 1, 2) || !PlanKeys(plan, fcinfo);
		fcinfo->flinfo->fn_extra = plan;
	}
	if (!plan->original && unlikely(!SameKeys(plan, fcinfo)))
		plan->original = true;	/* they will change again */
	return plan->original ? original(fcinfo) : BuildRow(plan, fcinfo, 1, 2);
}

Datum
jsonrow_core_json_build_object(PG_FUNCTION_ARGS)
{
	return BuildObject(fcinfo, &JsonWriter, json_build_object);
}

Datum
jsonrow_core_jsonb_build_object(PG_FUNCTION_ARGS)
{
	return BuildObject(fcinfo, &JsonbWriter, jsonb_build_object);
}

/* Plan a row that gets its names from the first argument. */
static BuildPlan *
PlanNamed(FunctionCallInfo fcinfo, const Writer *writer)
{
	BuildPlan  *plan = BuildPlanCreate(fcinfo, writer);
	Node	   *expr = ArgumentExpr(fcinfo, 0);
	MemoryContext old;
	ArrayType  *cols;

	CheckNamesGiven(fcinfo, 0);
	if (get_fn_expr_variadic(fcinfo->flinfo) || !PlanValues(plan, fcinfo, 1, 1))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values must be passed as separate arguments")));
	old = MemoryContextSwitchTo(plan->context);
	cols = PG_GETARG_ARRAYTYPE_P_COPY(0);
	CheckNameCount(cols, plan->row.ncols);
	MemoryContextSwitchTo(old);
	SetForm(plan, ROW_OBJECT, DescribeNames(cols));
	if (expr == NULL || !IsA(expr, Const))
		plan->cols = cols;
	fcinfo->flinfo->fn_extra = plan;
	return plan;
}

static Datum
BuildNamed(FunctionCallInfo fcinfo, const Writer *writer)
{
	BuildPlan  *plan = KeptPlan(fcinfo);

	if (unlikely(plan == NULL || (plan->cols != NULL && !NamesAreStill(plan->cols, fcinfo, 0))))
		plan = PlanNamed(fcinfo, writer);
	return BuildRow(plan, fcinfo, 1, 1);
}

Datum
jsonrow_core_row_to_json_named(PG_FUNCTION_ARGS)
{
	return BuildNamed(fcinfo, &JsonWriter);
}

Datum
jsonrow_core_to_jsonb_named(PG_FUNCTION_ARGS)
{
	return BuildNamed(fcinfo, &JsonbWriter);
}

Datum
jsonrow_core_to_jsonb_text_named(PG_FUNCTION_ARGS)
{
	return CheckedText(BuildNamed(fcinfo, &JsonbTextWriter));
}
