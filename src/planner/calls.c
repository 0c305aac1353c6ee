/*-------------------------------------------------------------------------
 *
 * calls.c
 *		Functions, operators and casts that raise no error, and reveal nothing.
 *
 * What they are called with may be computed by something that does; that is
 * another question (may_raise.c).
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_coerce.h"
#include "planner/calls.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "utils/catcache.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* These raise no error about their arguments, but that a result is too large. */
static const Oid safe_functions[] = {
	F_JSON_BUILD_ARRAY_, F_JSON_BUILD_OBJECT_, F_JSONB_BUILD_ARRAY_, F_JSONB_BUILD_OBJECT_,
	F_NUMERIC_EQ, F_NUMERIC_NE, F_NUMERIC_LT, F_NUMERIC_LE, F_NUMERIC_GT, F_NUMERIC_GE,
	F_JSONB_CONCAT, F_JSONB_EXISTS, F_JSONB_EXISTS_ANY, F_JSONB_EXISTS_ALL,
	F_JSONB_OBJECT_FIELD, F_JSONB_OBJECT_FIELD_TEXT, F_JSONB_ARRAY_ELEMENT,
	F_JSONB_ARRAY_ELEMENT_TEXT, F_JSONB_EXTRACT_PATH, F_JSONB_EXTRACT_PATH_TEXT, F_ENUM_EQ, F_ENUM_NE,
	F_TEXT_LT, F_TEXT_LE, F_TEXT_GT, F_TEXT_GE, F_LOWER_TEXT, F_UPPER_TEXT, F_INITCAP,
	F_BTRIM_TEXT, F_BTRIM_TEXT_TEXT, F_LTRIM_TEXT, F_LTRIM_TEXT_TEXT, F_RTRIM_TEXT, F_RTRIM_TEXT_TEXT,
	F_CARDINALITY, F_LENGTH_TEXT, F_CHAR_LENGTH_TEXT, F_CHARACTER_LENGTH_TEXT, F_OCTET_LENGTH_TEXT,
	F_SUBSTRING_TEXT_INT4, F_SUBSTR_TEXT_INT4, F_NUMERIC_UMINUS, F_ABS_NUMERIC, F_TEXTCAT, F_TEXT_BOOL, F_TEXT_BPCHAR, F_TEXT_INET,
	F_DATE_TIMESTAMP, F_DATE_TIMESTAMPTZ, F_LEFT, F_REVERSE, F_ARRAY_LENGTH, F_RIGHT, F_TRANSLATE
};

/* These are marked leakproof, but sizes overflow, and starts_with knows not every collation. */
static const Oid unsafe_functions[] = {
	F_CIRCLE_EQ, F_CIRCLE_NE, F_CIRCLE_LT, F_CIRCLE_LE, F_CIRCLE_GT, F_CIRCLE_GE, F_LSEG_LT,
	F_LSEG_LE, F_LSEG_GT, F_LSEG_GE, F_STARTS_WITH
};

/* Nor does a leakproof function. */
static bool
FunctionIsSafe(Oid function)
{
	return IsListed(function, safe_functions, lengthof(safe_functions)) ||
		(OidIsValid(function) && !IsListed(function, unsafe_functions, lengthof(unsafe_functions)) &&
		 get_func_leakproof(function));
}

/* Is it a string whose collation is not known?  To compare it is an error. */
bool
LacksCollation(Node *expr)
{
	return type_is_collatable(exprType(expr)) && !OidIsValid(exprCollation(expr));
}

static bool
IsCollatable(Node *node, void *context)
{
	return type_is_collatable(exprType(node));
}

/* Does a function or operator that needs a collation have none? */
static bool
CollationIsMissing(Oid collation, List *args)
{
	return !OidIsValid(collation) && expression_tree_walker((Node *) args, IsCollatable, NULL);
}

/*
 * May it be an error to print a value of this built-in type, or cause a warning?  A deep path or a long query of text takes more stack
 * than to take it in, a currency's sign may be missing from the database's encoding, and what trim_array leaves of a vector is none.
 */
bool
PrintingMayFail(Oid typid)
{
	return typid == JSONPATHOID || typid == TSQUERYOID || typid == CASHOID || typid == XMLOID || typid == OIDVECTOROID || typid == INT2VECTOROID;
}

/* Values of other built-in types, and of enums, can always be printed as text. */
static bool
IsPrinted(Oid typid)
{
	Oid			element;

	typid = getBaseType(typid);
	element = get_element_type(typid);
	if (PrintingMayFail(typid))
		return false;
	if (OidIsValid(element))
		return IsPrinted(element);
	return get_typtype(typid) == TYPTYPE_ENUM || (typid < FirstNormalObjectId && get_typtype(typid) == TYPTYPE_BASE);
}

/* Can all be printed as text?  A literal of no type is its text. */
static bool
ArePrinted(const List *args)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		if (exprType(lfirst(cell)) != UNKNOWNOID && !IsPrinted(exprType(lfirst(cell))))
			return false;
	}
	return true;
}

/* Do functions in SQL cast it to text as it is printed, or as PostgreSQL itself does?  A user may have made another cast. */
static bool
IsCastToText(Node *expr)
{
	Oid			function;

	switch (find_coercion_pathway(TEXTOID, getBaseType(exprType(expr)), COERCION_EXPLICIT, &function))
	{
		case COERCION_PATH_RELABELTYPE:
			return true;
		case COERCION_PATH_FUNC:
			return FunctionIsSafe(function);
		case COERCION_PATH_COERCEVIAIO:
			return IsPrinted(exprType(expr));
		default:
			return false;
	}
}

/* Is it jsonb that is an object, or NULL? */
static bool
IsObject(Node *expr)
{
	FuncExpr   *call = (FuncExpr *) expr;
	OpExpr	   *op = (OpExpr *) expr;
	Oid			function = IsA(expr, OpExpr) ? get_opcode(op->opno) : IsA(expr, FuncExpr) ? call->funcid : InvalidOid;
	List	   *args = IsA(expr, OpExpr) ? op->args : IsA(expr, FuncExpr) ? call->args : NIL;

	check_stack_depth();
	return function == F_JSONB_BUILD_OBJECT_ || function == F_JSONB_BUILD_OBJECT_ANY ||
		(function == F_TO_JSONB && type_is_rowtype(exprType(linitial(args)))) ||
		(function == F_JSONB_DELETE_JSONB_TEXT && IsObject(linitial(args))) ||
		(function == F_JSONB_CONCAT && IsObject(linitial(args)) && IsObject(lsecond(args)));
}

/* For each % of a pattern, PostgreSQL calls itself. */
#define LONG_PATTERN	1000

/*
 * A pattern that ends with a backslash is an error, where the text is long enough; so are some collations.  What jsonb is to
 * contain may be too deep.
 */
static bool
OperandIsSafe(Level *level, OpExpr *op)
{
	char	   *pattern;

	switch (get_opcode(op->opno))
	{
		case F_TEXTLIKE:
		case F_TEXTNLIKE:
		case F_TEXTICLIKE:
		case F_TEXTICNLIKE:
			pattern = KnownText(level, llast(op->args));
			return pattern != NULL && strlen(pattern) < LONG_PATTERN && strchr(pattern, '\\') == NULL &&
				get_collation_isdeterministic(op->inputcollid);
		case F_JSONB_CONTAINS:
			return KnownValue(level, llast(op->args)) != NULL;
		case F_TS_MATCH_VQ:		/* a query may be deeper than the stack */
			return KnownValue(level, llast(op->args)) != NULL ||
				(level->query != NULL && IsOneValueIn(level->query, llast(op->args)));
		case F_STARTS_WITH:
			return get_collation_isdeterministic(op->inputcollid);
		case F_TEXTANYCAT:
			return IsCastToText(lsecond(op->args));
		case F_ANYTEXTCAT:
			return IsCastToText(linitial(op->args));
		case F_JSONB_DELETE_JSONB_TEXT:
			return IsObject(linitial(op->args));
		default:
			return false;
	}
}

/* What pg_graphql makes cursors with: to the database's own encoding, in which all text is */
static bool
IsOwnEncoding(Node *expr)
{
	const Const *name = (const Const *) expr;

	return IsA(name, Const) && !name->constisnull && GetDatabaseEncoding() != PG_SQL_ASCII &&
		pg_char_to_encoding(NameStr(*DatumGetName(name->constvalue))) == GetDatabaseEncoding();
}

/* Is it a text that is known, and in the list? */
static bool
IsKnownAs(Level *level, Node *expr, const char *const *names, int n)
{
	char	   *text = KnownText(level, expr);

	for (int i = 0; text != NULL && i < n; i++)
		if (strcmp(text, names[i]) == 0)
			return true;
	return false;
}

/* Parts of a date are those of a time, too; of one that is infinite they are infinite, or NULL. */
static bool
IsPartOfTime(Level *level, Node *expr, bool of_date)
{
	static const char *const of_dates[] = {"year", "month", "day", "quarter", "week", "dow", "isodow", "doy", "isoyear", "epoch"};
	static const char *const of_times[] = {"hour", "minute", "second"};

	return IsKnownAs(level, expr, of_dates, lengthof(of_dates)) ||
		(!of_date && IsKnownAs(level, expr, of_times, lengthof(of_times)));
}

/* Is it a format of numbers, such as YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM?  DY is a name, which fails far before Christ. */
static bool
IsFormatOfTime(Level *level, Node *expr)
{
	char	   *format = KnownText(level, expr);
	bool		is_quoted = false;

	if (format == NULL || strstr(format, "DY") != NULL)
		return false;
	for (; *format != '\0'; format++)
	{
		if (*format == '"')
			is_quoted = !is_quoted;
		else if (!is_quoted && (strncmp(format, "TZH", 3) == 0 || strncmp(format, "TZM", 3) == 0))
			format += 2;
		else if (strchr(is_quoted ? "TZ" : "YMDHISU24 -/:.,", *format) == NULL)
			return false;
	}
	return true;
}

/* Is it a format that is known, of %s only, with enough arguments that can be printed? */
static bool
IsFormatOfText(Level *level, const List *args)
{
	char	   *format = KnownText(level, linitial(args));
	int			nargs = list_length(args) - 1;

	for (; format != NULL && *format != '\0'; format++)
	{
		if (*format != '%')
			continue;
		if (*++format == 's')
			nargs--;
		else if (*format != '%')
			return false;
	}
	return format != NULL && nargs >= 0 && ArePrinted(args);
}

/* With these arguments a function raises no error that it may with others. */
static bool
ArgumentsAreSafe(Level *level, const FuncExpr *call)
{
	static const char *const encodings[] = {"base64", "hex"};

	switch (call->funcid)
	{
		case F_REPLACE:
		case F_STRPOS:
		case F_POSITION_TEXT_TEXT:
			return get_collation_isdeterministic(call->inputcollid);
		case F_CONVERT_TO:
			return IsOwnEncoding(lsecond(call->args));
		case F_ENCODE:
			return IsKnownAs(level, lsecond(call->args), encodings, lengthof(encodings));
		case F_EXTRACT_TEXT_DATE:
			return IsPartOfTime(level, linitial(call->args), true);
		case F_EXTRACT_TEXT_TIMESTAMP:
		case F_EXTRACT_TEXT_TIMESTAMPTZ:
		case F_DATE_PART_TEXT_TIMESTAMP:
		case F_DATE_PART_TEXT_TIMESTAMPTZ:
			return IsPartOfTime(level, linitial(call->args), false);
		case F_TO_CHAR_TIMESTAMP_TEXT:
		case F_TO_CHAR_TIMESTAMPTZ_TEXT:
			return IsFormatOfTime(level, lsecond(call->args));
		case F_ROUND_NUMERIC:
		case F_ROUND_NUMERIC_INT4:
		case F_TRUNC_NUMERIC:
		case F_TRUNC_NUMERIC_INT4:
		case F_CEIL_NUMERIC:
		case F_CEILING_NUMERIC:
		case F_FLOOR_NUMERIC:
			return HasFewDigits((Node *) call, MANY_DIGITS);
		case F_MOD_INT2_INT2:
		case F_MOD_INT4_INT4:
		case F_MOD_INT8_INT8:
			return IsPositive(lsecond(call->args));
		case F_FLOAT4_NUMERIC:
			return HasFewDigits(linitial(call->args), DIGITS_OF_FLOAT4);
		case F_FLOAT8_NUMERIC:
			return HasFewDigits(linitial(call->args), DIGITS_OF_FLOAT8);
		case F_SPLIT_PART:
			return IsPositive(lthird(call->args)) && get_collation_isdeterministic(call->inputcollid);
		case F_FORMAT_TEXT:
		case F_FORMAT_TEXT_ANY:
			return !call->funcvariadic && IsFormatOfText(level, call->args);
		case F_SUBSTRING_TEXT_INT4_INT4:
		case F_SUBSTR_TEXT_INT4_INT4:
			return IsPositive(lthird(call->args));
		case F_VARCHAR_VARCHAR_INT4_BOOL:
			/* An explicit cast truncates the text. */
			return IsA(lthird(call->args), Const) && DatumGetBool(((Const *) lthird(call->args))->constvalue);
		case F_CONCAT:
		case F_CONCAT_WS:
			return !call->funcvariadic && ArePrinted(call->args);
		default:
			return false;
	}
}

/*
 * Are the functions PostgreSQL's own with which it sorts or hashes values that an operator compares?  It may take those
 * of any operator family that has the operator.
 */
bool
FamiliesAreBuiltIn(Oid operator)
{
	CatCList   *entries = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(operator));
	bool		result = true;

	for (int i = 0; i < entries->n_members; i++)
	{
		Form_pg_amop entry = (Form_pg_amop) GETSTRUCT(&entries->members[i]->tuple);

		result &= entry->amopfamily < FirstNormalObjectId ||
			(entry->amopmethod != BTREE_AM_OID && entry->amopmethod != HASH_AM_OID);
	}
	ReleaseSysCacheList(entries);
	return result;
}

static bool
OperatorIsSafe(Oid operator)
{
	return FunctionIsSafe(get_opcode(operator)) && FamiliesAreBuiltIn(operator);
}

/* Intervals and numbers of days of at most a thousand years */
#define THOUSAND_YEARS	366000

static bool
IsShort(Node *node)
{
	Const	   *constant = (Const *) node;
	Interval   *interval;

	if (!IsA(node, Const) || constant->constisnull)
		return false;
	if (constant->consttype == INT4OID)
		return abs(DatumGetInt32(constant->constvalue) / 2) <= THOUSAND_YEARS / 2;
	if (constant->consttype != INTERVALOID)
		return false;
	interval = DatumGetIntervalP(constant->constvalue);
	return abs(interval->month / 2) <= THOUSAND_YEARS / 60 && abs(interval->day / 2) <= THOUSAND_YEARS / 2 &&
		interval->time / USECS_PER_DAY <= THOUSAND_YEARS && interval->time / USECS_PER_DAY >= -THOUSAND_YEARS;
}

/* Is it the time of the clock?  That is far from the limits of its type. */
bool
IsNow(Node *node)
{
	static const Oid clocks[] = {F_NOW, F_TRANSACTION_TIMESTAMP, F_STATEMENT_TIMESTAMP};
	static const Oid casts[] = {F_DATE_TIMESTAMPTZ, F_TIMESTAMP_TIMESTAMPTZ};
	FuncExpr   *call = (FuncExpr *) node;

	if (IsA(node, SQLValueFunction))
		return ((SQLValueFunction *) node)->op <= SVFOP_LOCALTIMESTAMP_N;
	return IsA(node, FuncExpr) && (IsListed(call->funcid, clocks, lengthof(clocks)) ||
								   (IsListed(call->funcid, casts, lengthof(casts)) && IsNow(linitial(call->args))));
}

/* Is it a time that is not far from now, such as now() - interval '30 days'? */
static bool
IsNearNow(OpExpr *op)
{
	static const Oid moves[] = {
		F_TIMESTAMPTZ_PL_INTERVAL, F_TIMESTAMPTZ_MI_INTERVAL, F_TIMESTAMP_PL_INTERVAL, F_TIMESTAMP_MI_INTERVAL,
		F_DATE_PL_INTERVAL, F_DATE_MI_INTERVAL, F_DATE_PLI, F_DATE_MII
	};

	return IsListed(get_opcode(op->opno), moves, lengthof(moves)) &&
		IsNow(linitial(op->args)) && IsShort(lsecond(op->args));
}

/* A function by itself, whatever its arguments are, unless they are known; it gives no set, and makes no JSON */
bool
CallMayRaise(Level *level, const FuncExpr *call)
{
	if (IsNow((Node *) call))
		return false;
	/* Planning adds the defaults of arguments. */
	if (call->funcid >= FirstNormalObjectId && DefaultsOf((Node *) unconstify(FuncExpr *, call)) != NULL)
		return true;
	return CollationIsMissing(call->inputcollid, call->args) ||
		!(FunctionIsSafe(call->funcid) || ArgumentsAreSafe(level, call));
}

/* An operator by itself, whatever its arguments are, unless they are known */
bool
OperatorMayRaise(Level *level, OpExpr *op)
{
	if (IsNearNow(op) || (IsA(op, OpExpr) && (HasFewDigits((Node *) op, MANY_DIGITS) || DividesIntegers(op))))
		return false;
	return op->opretset || CollationIsMissing(op->inputcollid, op->args) ||
		!(OperatorIsSafe(op->opno) || OperandIsSafe(level, op) || KnownText(level, (Node *) op) != NULL);
}

/* The same of an operator between a value and each element of an array */
bool
ArrayOperatorMayRaise(const ScalarArrayOpExpr *op)
{
	return CollationIsMissing(op->inputcollid, op->args) || !OperatorIsSafe(op->opno);
}

/* A comparison of rows calls the functions of the operators' B-tree families, which raise no error that these do not. */
bool
RowComparisonMayRaise(const RowCompareExpr *comparison)
{
	ListCell   *cell;

	foreach(cell, comparison->opnos)
	{
		int			i = foreach_current_index(cell);

		if (!OperatorIsSafe(lfirst_oid(cell)) ||
			CollationIsMissing(list_nth_oid(comparison->inputcollids, i), list_make1(list_nth(comparison->largs, i))))
			return true;
	}
	return false;
}

/* GREATEST and LEAST call the function of the type's default B-tree family. */
bool
MinMaxMayRaise(const MinMaxExpr *expr)
{
	TypeCacheEntry *type = lookup_type_cache(expr->minmaxtype, TYPECACHE_LT_OPR);

	return !OidIsValid(type->lt_opr) || !OperatorIsSafe(type->lt_opr) || CollationIsMissing(expr->inputcollid, expr->args);
}

bool
CastToTextIsSafe(CoerceViaIO *cast)
{
	return (cast->resulttype == TEXTOID || cast->resulttype == VARCHAROID) && IsPrinted(exprType((Node *) cast->arg));
}

/* One that an array lacks is NULL. */
bool
IsElementOfArray(const SubscriptingRef *ref)
{
	return OidIsValid(get_element_type(ref->refcontainertype)) && ref->refassgnexpr == NULL && ref->reflowerindexpr == NIL;
}
