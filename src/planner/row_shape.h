/*-------------------------------------------------------------------------
 *
 * row_shape.h
 *		From which values an expression makes a row or JSON, and how.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROW_SHAPE_H
#define JSONROW_ROW_SHAPE_H

#include "jsonrow.h"

#include "planner/rewrite.h"

typedef enum ShapeKind
{
	SHAPE_ROW,					/* a composite */
	SHAPE_ROW_TO_JSON,			/* row_to_json or to_json of one */
	SHAPE_ROW_TO_JSONB,
	SHAPE_JSON_OBJECT,			/* json_build_object with constant keys */
	SHAPE_JSONB_OBJECT,
	SHAPE_JSON_ARRAY,
	SHAPE_JSONB_ARRAY,
} ShapeKind;

typedef struct RowShape
{
	ShapeKind	kind;
	List	   *names;			/* of Strings; NIL for an array */
	List	   *values;
	List	   *functions;		/* that are no longer needed */
} RowShape;

/* A function has at most 100 arguments; two are the state and the names. */
#define MAX_ROW_VALUES	(FUNC_MAX_ARGS - 2)

extern bool FindRow(Level *level, Node *expr, RowShape *shape);
extern bool FindRowShape(Level *level, Node *expr, RowShape *shape);
extern Const *NamesConst(List *names);

/* pull_up.c; one step down: a column of a subquery in the range table of a query */
typedef struct Step
{
	RangeTblEntry *rte;
	int			varno;
	TargetEntry *entry;			/* that computes the column */
} Step;

extern bool FindInSubquery(Level *level, Var *var, RowShape *shape, List **way);
extern void PullUp(List *way, RowShape *shape);

/* whole_row.c */
extern bool IsNeverNull(Level *level, Var *var);
extern bool RowIsThere(Level *level, int varno);
extern bool TypedRow(Level *level, Oid rowtype, List *columns, List **names, List **values);
extern bool WholeRow(Level *level, Var *var, List **names, List **values);
extern bool FindBareSelect(SubLink *sublink, RowShape *shape);
extern Node *ValueOfBareSelect(const SubLink *sublink);
extern List *ValuesOfRow(Level *level, Node *expr);

#endif							/* JSONROW_ROW_SHAPE_H */
