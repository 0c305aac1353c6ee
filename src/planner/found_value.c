/*-------------------------------------------------------------------------
 *
 * found_value.c
 *		What a look-up makes of the row that it finds, computed above the join.
 *
 *		SELECT d.v                                  SELECT CASE WHEN d.id IS NOT NULL
 *		                                                THEN json_build_object('name', d.name) END
 *		FROM film f LEFT JOIN LATERAL (             FROM film f LEFT JOIN LATERAL (
 *			SELECT json_build_object(                   SELECT name, id
 *				'name', name) v
 *			FROM director                               FROM director
 *			WHERE id = f.director_id                    WHERE id = f.director_id
 *		) d ON true                                 ) d ON true
 *
 * A look-up without LIMIT becomes a join (to_one.c), and PostgreSQL computes what it
 * selects where it reads the table.  A hash join reads all of it: each director is
 * made JSON, though few may be referred to, and within a collection that runs for each
 * of its parents, again and again.  Columns cost nothing there.
 *
 * Why nothing changes: a row that is found has met a strict condition on one of the table's
 * columns, so that is not NULL; where no row is found, it is.  The value is computed
 * from the same columns, and refers to nothing else; it is referred to once, in the
 * select list, so it is computed for no row twice.
 *
 * Where all rows are joined at once, the value stays where it is: a director who is found for
 * many films is made JSON once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/expressions.h"
#include "planner/found_value.h"
#include "planner/levels.h"
#include "planner/pull_up.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/source.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

/* A value that moves from a look-up to the query above */
typedef struct Moved
{
	RangeTblEntry *rte;			/* the look-up, in the query */
	int			varno;
	AttrNumber	attno;
	Node	   *value;
	AttrNumber	key;			/* a column that is not NULL if there is a row */
	const Var  *reference;		/* to the value */
	int			nreferences;	/* how often it is referred to */
} Moved;

/*
 * What may move
 */

/* Could it not be computed in the query above from columns of the look-up? */
static Visit
VisitBound(Node *node, int depth, void *context)
{
	Var		   *var = (Var *) node;
	RowShape	shape = {0};

	if (IsA(node, SubLink))
		return FindBareSelect((SubLink *) node, &shape) ? VISIT_CHILDREN : VISIT_FOUND;
	if (IsA(node, Aggref) || IsA(node, WindowFunc) || IsA(node, GroupingFunc))
		return VISIT_FOUND;
	return IsA(node, Var) && ((int) var->varlevelsup > depth ||
							  ((int) var->varlevelsup == depth && (var->varattno < 0 || var->vartype == RECORDOID))) ?
		VISIT_FOUND : VISIT_CHILDREN;
}

/* What a query may contain in whose select list a value is computed */
#define PARTS_OF_READER	(PARTS_OF_ROWS | PART_AGGREGATES | PART_LIMIT | PART_OFFSET | PART_CTES)

static Visit
CountReference(Node *node, int depth, void *context)
{
	Moved	   *moved = context;
	Var		   *var = (Var *) node;

	if (IsA(node, Var) && var->varno == moved->varno && (int) var->varlevelsup == depth)
	{
		/* All of its row would show other columns. */
		moved->nreferences += var->varattno == moved->attno ? 1 : var->varattno == 0 ? 2 : 0;
		if (var->varattno == moved->attno)
			moved->reference = var;
	}
	return VISIT_CHILDREN;
}

/* Is the value referred to once, in the select list? */
static bool
IsReferredToOnce(Level *level, Moved *moved)
{
	moved->nreferences = 0;
	FindInLevels((Node *) level->query->targetList, CountReference, moved);
	return moved->nreferences == 1;
}

/*
 * Columns of the look-up
 */

/* The column of a subquery that is this expression; a new one if there is none */
static AttrNumber
ColumnOf(RangeTblEntry *rte, Expr *expr)
{
	ListCell   *cell;

	foreach(cell, rte->subquery->targetList)
	{
		if (equal(lfirst_node(TargetEntry, cell)->expr, expr))
			return foreach_current_index(cell) + 1;
	}
	return AddColumn(rte, expr, "found")->resno;
}

/* A column of the table that a strict condition compares; NULL if there is none */
static Var *
ComparedColumn(Node *conditions, int varno)
{
	OpExpr	   *op = (OpExpr *) conditions;
	Var		   *result = NULL;
	ListCell   *cell;

	if (is_andclause(conditions))
	{
		foreach(cell, ((BoolExpr *) conditions)->args)
		{
			if ((result = ComparedColumn(lfirst(cell), varno)) != NULL)
				break;
		}
		return result;
	}
	if (!IsA(conditions, OpExpr) || !op_strict(op->opno))
		return NULL;
	foreach(cell, op->args)
	{
		Var		   *var = (Var *) StripRelabels(lfirst(cell));

		if (IsA(var, Var) && var->varno == varno && var->varlevelsup == 0 && var->varattno > 0)
			return var;
	}
	return NULL;
}

/* A column that is not NULL if the look-up has a row, which its only item has; 0 if there is none */
static AttrNumber
KeyOf(RangeTblEntry *rte)
{
	Query	   *query = rte->subquery;
	int			varno = OnlyItem(query->jointree);
	RangeTblEntry *item = rt_fetch(varno, query->rtable);
	Var		   *key = query->jointree->quals != NULL ? ComparedColumn(query->jointree->quals, varno) : NULL;
	AttrNumber	attno;
	TargetEntry *entry;

	check_stack_depth();
	if (key == NULL && PassesRows(item) && HasOnly(item->subquery, PART_WHERE) &&
		(attno = KeyOf(item)) != 0)
	{
		entry = list_nth(item->subquery->targetList, attno - 1);
		key = makeVarFromTargetEntry(varno, entry);
	}
	return key != NULL ? ColumnOf(rte, (Expr *) copyObject(key)) : 0;
}

/*
 * The value, in the query above
 */

/* The query's column for one of the look-up's own */
static Node *
BroughtUp(Var *var, int depth, void *context)
{
	Moved	   *moved = context;
	Var		   *own;
	Var		   *result;

	if ((int) var->varlevelsup != depth)
		return NULL;
	own = copyObject(var);
	result = copyObject(unconstify(Var *, moved->reference));
	own->varlevelsup = 0;
	result->varattno = ColumnOf(moved->rte, (Expr *) own);
	result->vartype = own->vartype;
	result->vartypmod = own->vartypmod;
	result->varcollid = own->varcollid;
	result->varlevelsup = depth;
	return (Node *) result;
}

/* The value if there is a row */
static Node *
ValueIfFound(Moved *moved)
{
	TargetEntry *key = list_nth(moved->rte->subquery->targetList, moved->key - 1);
	Node	   *is_found = IsNotNull(BroughtUp((Var *) key->expr, 0, moved));

	return ValueIf(is_found, ReplaceVars(moved->value, BroughtUp, moved, false));
}

/* The value, in the place of the reference to it */
static Node *
ValueFor(Var *var, int depth, void *context)
{
	const Moved *moved = context;
	Node	   *result;

	if (var->varno != moved->varno || (int) var->varlevelsup != depth || var->varattno != moved->attno)
		return NULL;
	result = copyObject(moved->value);
	IncrementVarSublevelsUp(result, depth, 0);
	return result;
}

static void
MoveValue(Level *level, Moved *moved, TargetEntry *entry)
{
	Query	   *query = level->query;
	bool		sublinks;

	moved->value = ValueIfFound(moved);
	sublinks = checkExprHasSubLink(moved->value);
	query->targetList = (List *) ReplaceVars((Node *) query->targetList, ValueFor, moved, sublinks);
	query->hasSubLinks |= sublinks;
	entry->expr = (Expr *) makeNullConst(exprType((Node *) entry->expr), exprTypmod((Node *) entry->expr),
										 exprCollation((Node *) entry->expr));
}

/* Is it computed, from what can be columns? */
static bool
IsComputed(Node *expr)
{
	Node	   *value = StripRelabels(expr);

	return !IsA(value, Var) && !IsA(value, Const) && !IsA(value, Param) &&
		!FindInLevels(value, VisitBound, NULL);
}

/*
 * Let a query compute what a look-up in its FROM makes of a row.  That is the right side of a
 * left join, and one table, or a subquery that only projects one.
 */
void
ComputeAboveJoin(Level *level, int varno)
{
	RangeTblEntry *rte = rt_fetch(varno, level->query->rtable);
	Moved		moved = {.rte = rte,.varno = varno};
	ListCell   *cell;

	if (!HasOnly(level->query, PARTS_OF_READER) || !HasOnly(rte->subquery, PART_WHERE) ||
		HasColumnsOfJoins(level->query) || FromRefersTo(level->query, varno) ||
		RefersTo((Node *) level->query->jointree, varno))
		return;
	/* It may get more columns, and what it reads, too. */
	ExpandRowsOfSources(rte->subquery);
	foreach(cell, list_copy(rte->subquery->targetList))
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		moved.attno = entry->resno;
		moved.value = (Node *) entry->expr;
		if (!entry->resjunk && IsComputed(moved.value) && IsReferredToOnce(level, &moved) &&
			(moved.key = KeyOf(rte)) != 0)
			MoveValue(level, &moved, entry);
	}
}
