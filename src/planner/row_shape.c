/*-------------------------------------------------------------------------
 *
 * row_shape.c
 *		From which values an expression makes a row or JSON, and how.
 *
 * A row that only becomes JSON need not be made: its names and values are
 * enough.  They are found here.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "planner/known.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

static bool FindShape(Level *level, Node *expr, RowShape *shape);

/* Names, as the constant that our functions expect */
Const *
NamesConst(List *names)
{
	Datum	   *datums = palloc(list_length(names) * sizeof(Datum));
	ListCell   *cell;
	int			n = 0;

	foreach(cell, names)
	{
		datums[n++] = CStringGetTextDatum(strVal(lfirst(cell)));
	}
	return makeConst(TEXTARRAYOID, -1, DEFAULT_COLLATION_OID, -1,
					 PointerGetDatum(construct_array(datums, n, TEXTOID, -1, false, TYPALIGN_INT)),
					 false, false);
}

/*
 * Add a value to a shape.  Literals without a type are text, as they are for
 * PostgreSQL's functions.
 */
static bool
AddValue(RowShape *shape, Node *expr)
{
	if (exprType(expr) == UNKNOWNOID)
	{
		Const	   *literal = (Const *) expr;

		if (!IsA(expr, Const))
			return false;
		expr = literal->constisnull ?
			(Node *) makeNullConst(TEXTOID, -1, DEFAULT_COLLATION_OID) :
			(Node *) makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
							   CStringGetTextDatum(DatumGetCString(literal->constvalue)), false, false);
	}
	shape->values = lappend(shape->values, expr);
	return true;
}

/* The shape of a json[b]_build_object */
static bool
FindObject(Level *level, List *args, RowShape *shape)
{
	ListCell   *cell;

	if (list_length(args) % 2 != 0)
		return false;
	foreach(cell, args)
	{
		if (foreach_current_index(cell) % 2 == 0)
		{
			char	   *key = KnownText(level, lfirst(cell));

			if (key == NULL)
				return false;
			shape->names = lappend(shape->names, makeString(key));
		}
		else if (!AddValue(shape, lfirst(cell)))
			return false;
	}
	return true;
}

/* The shape of a json[b]_build_array */
static bool
FindArray(List *args, RowShape *shape)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		if (!AddValue(shape, lfirst(cell)))
			return false;
	}
	return true;
}

/*
 * An expression that gives a row, and never NULL.  Above GROUP BY the row may
 * exist without its columns.
 */
bool
FindRow(Level *level, Node *expr, RowShape *shape)
{
	RowExpr    *row = (RowExpr *) expr;

	memset(shape, 0, sizeof(RowShape));
	shape->kind = SHAPE_ROW;
	if (level->grouped && level->aggregates == 0)
		return false;
	if (IsA(expr, Var))
		return WholeRow(level, (Var *) expr, &shape->names, &shape->values);
	if (IsA(expr, SubLink))
		return !level->rewrite->inlines && FindBareSelect((SubLink *) expr, shape);
	if (!IsA(expr, RowExpr))
		return false;
	if (row->row_typeid != RECORDOID)
		return TypedRow(level, row->row_typeid, row->args, &shape->names, &shape->values);
	shape->names = row->colnames;
	return FindArray(row->args, shape) && list_length(shape->names) == list_length(shape->values);
}

/* What the constructors make whose calls are taken apart; SHAPE_ROW, which is 0, for all other functions */
static const ShapeKind kinds_of_calls[NTWINS + 1] = {
	[TWIN_ROW_TO_JSON] = SHAPE_ROW_TO_JSON,
	[TWIN_TO_JSON] = SHAPE_ROW_TO_JSON,
	[TWIN_TO_JSONB] = SHAPE_ROW_TO_JSONB,
	[TWIN_JSON_BUILD_OBJECT] = SHAPE_JSON_OBJECT,
	[TWIN_JSONB_BUILD_OBJECT] = SHAPE_JSONB_OBJECT,
	[TWIN_JSON_BUILD_ARRAY] = SHAPE_JSON_ARRAY,
	[TWIN_JSONB_BUILD_ARRAY] = SHAPE_JSONB_ARRAY,
};

/* What is made of arguments */
static bool
FindMade(Level *level, ShapeKind kind, List *args, RowShape *shape)
{
	bool		found;

	memset(shape, 0, sizeof(RowShape));
	found = kind <= SHAPE_ROW_TO_JSONB ? FindRow(level, linitial(args), shape) :
		kind <= SHAPE_JSONB_OBJECT ? FindObject(level, args, shape) : FindArray(args, shape);
	shape->kind = kind;
	return found;
}

/*
 * Objects joined by ||: one with all their keys, the last of equal ones
 * counting.  An error in a value would be raised before the next objects are
 * computed, so only the last one may raise any; and that may not change the settings by
 * which the others are printed.
 */
static bool
FindJoinedObjects(Level *level, OpExpr *join, RowShape *shape)
{
	RowShape	left;
	ListCell   *cell;

	check_stack_depth();
	if (list_length(join->args) != 2 ||
		!FindShape(level, linitial(join->args), &left) ||
		!FindShape(level, lsecond(join->args), shape) ||
		(left.kind != SHAPE_ROW_TO_JSONB && left.kind != SHAPE_JSONB_OBJECT) ||
		(shape->kind != SHAPE_ROW_TO_JSONB && shape->kind != SHAPE_JSONB_OBJECT) ||
		list_length(left.values) + list_length(shape->values) > MAX_ROW_VALUES ||
		CallsVolatile((Node *) shape->values))
		return false;			/* too many: do not ask again for each object */
	foreach(cell, left.values)
	{
		if (!TypeConvertsAlike(level, exprType(lfirst(cell)), false))
			return false;
	}
	shape->kind = SHAPE_JSONB_OBJECT;
	shape->names = list_concat_copy(left.names, shape->names);
	shape->values = list_concat_copy(left.values, shape->values);
	shape->functions = lappend_oid(list_concat_copy(left.functions, shape->functions),
								   F_JSONB_CONCAT);
	return true;
}

static bool
FindShape(Level *level, Node *expr, RowShape *shape)
{
	FuncExpr   *call = (FuncExpr *) expr;
	ShapeKind	kind;
	Twin		twin;
	List	   *args = ArgumentsOfConstructor(expr, &twin);

	if (args != NIL)
		return FindMade(level, kinds_of_calls[twin], args, shape);
	switch (nodeTag(expr))
	{
		case T_FuncExpr:
			kind = kinds_of_calls[TwinOf(call->funcid)];
			if (kind == SHAPE_ROW || call->funcvariadic || call->funcretset ||
				!FindMade(level, kind, call->args, shape))
				return false;
			shape->functions = lappend_oid(shape->functions, call->funcid);
			return true;
		case T_OpExpr:
			return ((OpExpr *) expr)->opfuncid == F_JSONB_CONCAT &&
				FindJoinedObjects(level, (OpExpr *) expr, shape);
		default:
			return FindRow(level, expr, shape);
	}
}

/*
 * A row, or a constructor over values, that is never NULL.  The expression
 * itself is not changed.
 */
bool
FindRowShape(Level *level, Node *expr, RowShape *shape)
{
	return FindShape(level, expr, shape) && shape->values != NIL && list_length(shape->values) <= MAX_ROW_VALUES;
}
