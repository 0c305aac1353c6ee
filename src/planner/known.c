/*-------------------------------------------------------------------------
 *
 * known.c
 *		Values that are known before anything is computed: constants, the
 *		parameters of this plan, and what tools make of these.
 *
 * PostgreSQL may drop an expression that it has not computed, so nothing is
 * computed here that could raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <ctype.h>

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "planner/calls.h"
#include "planner/known.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/* What is longer is not looked at: it would take memory, and reading it could fail. */
#define LONG_TEXT	8192

/* An external parameter's value in this plan; NULL if it is not known */
static Const *
KnownParam(Level *level, const Param *param)
{
	ParamListInfo params = level->rewrite->params;
	ParamExternData value;

	if (param->paramkind != PARAM_EXTERN || params == NULL ||
		param->paramid <= 0 || param->paramid > params->numParams)
		return NULL;
	value = params->paramFetch != NULL ?
		*params->paramFetch(params, param->paramid, true, &value) : params->params[param->paramid - 1];
	if (value.ptype != param->paramtype || (value.pflags & PARAM_FLAG_CONST) == 0)
		return NULL;
	return makeConst(value.ptype, param->paramtypmod, param->paramcollid, get_typlen(value.ptype), value.value,
					 value.isnull, get_typbyval(value.ptype));
}

/* A constant, or the value of a parameter; NULL for anything else, and for long texts */
Const *
KnownValue(Level *level, Node *expr)
{
	Const	   *value = IsA(expr, Param) ? KnownParam(level, (Param *) expr) : IsA(expr, Const) ? (Const *) expr : NULL;
	bool		is_varlena = value != NULL && !value->constisnull && value->constlen == -1;

	return is_varlena && (VARATT_IS_EXTERNAL(DatumGetPointer(value->constvalue)) ||
						  toast_raw_datum_size(value->constvalue) > LONG_TEXT) ? NULL : value;
}

/*
 * Texts
 */

/*
 * A field of JSON, as Hasura sends what is known of its user.  The escapes of a json, which has not been taken in
 * as jsonb, may not be text at all.
 */
static char *
KnownField(Level *level, const OpExpr *op)
{
	Const	   *object = KnownValue(level, linitial(op->args));
	Const	   *key = KnownValue(level, lsecond(op->args));
	bool		is_json = object != NULL && object->consttype == JSONOID;
	Datum		field;

	LOCAL_FCINFO(call, 2);

	if (object == NULL || object->constisnull || key == NULL || key->constisnull ||
		(is_json && strstr(TextDatumGetCString(object->constvalue), "\\u") != NULL))
		return NULL;
	InitFunctionCallInfoData(*call, NULL, 2, InvalidOid, NULL, NULL);
	call->args[0].value = object->constvalue;
	call->args[1].value = key->constvalue;
	call->args[0].isnull = call->args[1].isnull = false;
	field = is_json ? json_object_field_text(call) : jsonb_object_field_text(call);
	return call->isnull ? NULL : TextDatumGetCString(field);
}

static char *
KnownResult(Level *level, const OpExpr *op)
{
	Oid			function = get_opcode(op->opno);
	bool		is_field = function == F_JSON_OBJECT_FIELD_TEXT || function == F_JSONB_OBJECT_FIELD_TEXT;
	char	   *left,
			   *right;

	/* PostgreSQL calls it, too, so the user must be allowed to. */
	if (!(is_field || function == F_TEXTCAT) || !MayReplace(level, function))
		return NULL;
	if (is_field)
		return KnownField(level, op);
	left = KnownText(level, linitial(op->args));
	right = left != NULL ? KnownText(level, lsecond(op->args)) : NULL;
	return right != NULL && strlen(left) + strlen(right) <= LONG_TEXT ? psprintf("%s%s", left, right) : NULL;
}

/*
 * The text that an expression gives, for the whole query; NULL if it is not known, or is
 * NULL.  The types are those that are text already.
 */
char *
KnownText(Level *level, Node *expr)
{
	Const	   *value;

	check_stack_depth();
	while (IsA(expr, RelabelType) && exprType(expr) == TEXTOID)
		expr = (Node *) ((RelabelType *) expr)->arg;
	if (IsA(expr, OpExpr))
		return KnownResult(level, (OpExpr *) expr);
	value = KnownValue(level, expr);
	if (value == NULL || value->constisnull)
		return NULL;
	switch (value->consttype)
	{
		case UNKNOWNOID:
			return pstrdup(DatumGetCString(value->constvalue));
		case TEXTOID:
		case VARCHAROID:
			return TextDatumGetCString(value->constvalue);
		default:
			return NULL;
	}
}

/* Few digits, which are the same number in all types of numbers */
static bool
IsShortNumber(const char *text)
{
	size_t		n = strspn(text, "0123456789");

	return n > 0 && n <= 9 && text[n] == '\0';
}

static bool
IsUuid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (strlen(text) != strlen(form))
		return false;
	for (int i = 0; form[i] != '\0'; i++)
		if (form[i] == '-' ? text[i] != '-' : !isxdigit((unsigned char) text[i]))
			return false;
	return true;
}

/* Is it the cast of a text that is known, and that a type takes in for certain? */
bool
IsTextOfType(Level *level, CoerceViaIO *cast)
{
	char	   *text = KnownText(level, (Node *) cast->arg);

	if (text == NULL)
		return false;
	switch (cast->resulttype)
	{
		case INT4OID:
		case INT8OID:
		case FLOAT8OID:
		case NUMERICOID:
			return IsShortNumber(text);
		case UUIDOID:
			return IsUuid(text);
		default:
			return false;
	}
}

/*
 * Counts of rows
 */

static int64
CountOfValue(const Const *value)
{
	int64		count;

	if (value == NULL || (value->consttype != INT4OID && value->consttype != INT8OID))
		return UNKNOWN_COUNT;
	if (value->constisnull)
		return NO_COUNT;
	count = value->consttype == INT4OID ? DatumGetInt32(value->constvalue) : DatumGetInt64(value->constvalue);
	return count < 0 ? UNKNOWN_COUNT : count;
}

/* Pages are counted, and one row is asked for to see whether there are more. */
static int64
CountOfResult(Level *level, OpExpr *op)
{
	static const Oid sums[] = {F_INT4PL, F_INT8PL, F_INT48PL, F_INT84PL};
	static const Oid differences[] = {F_INT4MI, F_INT8MI, F_INT48MI, F_INT84MI};
	static const Oid products[] = {F_INT4MUL, F_INT8MUL, F_INT48MUL, F_INT84MUL};
	Oid			function = get_opcode(op->opno);
	int64		left,
				right;

	if (list_length(op->args) != 2)
		return UNKNOWN_COUNT;
	left = CountOf(level, linitial(op->args));
	right = CountOf(level, lsecond(op->args));
	/* What these make of so small numbers is an integer of any type. */
	if (left < 0 || left > PG_INT16_MAX || right < 0 || right > PG_INT16_MAX)
		return UNKNOWN_COUNT;
	if (IsListed(function, sums, lengthof(sums)))
		return left + right;
	if (IsListed(function, products, lengthof(products)))
		return left * right;
	return left >= right && IsListed(function, differences, lengthof(differences)) ? left - right : UNKNOWN_COUNT;
}

/*
 * The number that LIMIT or OFFSET asks for, if it is known before anything is computed, which might raise an error;
 * or one of those below 0 that stand for what is none.  The expression may be NULL.
 */
int64
CountOf(Level *level, Node *expr)
{
	static const Oid numbers[] = {F_INT8_FLOAT8, F_INT8_NUMERIC};
	FuncExpr   *call = (FuncExpr *) expr;
	char	   *digits;

	if (expr == NULL)
		return NO_COUNT;
	check_stack_depth();
	switch (nodeTag(expr))
	{
		case T_Const:
		case T_Param:
			return CountOfValue(KnownValue(level, expr));
		case T_FuncExpr:
			/* Zero sends LIMIT $1::text::double precision. */
			return call->funcid == F_INT8_INT4 ||
				(IsListed(call->funcid, numbers, lengthof(numbers)) && IsA(linitial(call->args), CoerceViaIO)) ?
				CountOf(level, linitial(call->args)) : UNKNOWN_COUNT;
		case T_OpExpr:
			return CountOfResult(level, (OpExpr *) expr);
		case T_CoerceViaIO:
			digits = KnownText(level, (Node *) ((CoerceViaIO *) expr)->arg);
			return digits != NULL && IsShortNumber(digits) ? atol(digits) : UNKNOWN_COUNT;
		default:
			return UNKNOWN_COUNT;
	}
}

/* May OFFSET skip rows?  Tools send OFFSET 0, as a parameter. */
bool
SkipsRows(Level *level)
{
	int64		skipped = CountOf(level, level->query->limitOffset);

	return skipped != NO_COUNT && skipped != 0;
}

/* May a query give fewer rows than it would without LIMIT and OFFSET? */
bool
CutsRows(Level *level)
{
	return CountOf(level, level->query->limitCount) != NO_COUNT || SkipsRows(level);
}
