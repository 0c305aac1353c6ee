/*-------------------------------------------------------------------------
 *
 * whole_row.c
 *		The columns that a whole row of the range table stands for.
 *
 * They are equivalent to the row only if it is never NULL.  The row of a table
 * on the nullable side of an outer join may be NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/index_only.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Add those below a node of the join tree whose row cannot be NULL. */
static Bitmapset *
AddRows(Bitmapset *rows, Node *node)
{
	ListCell   *cell;

	check_stack_depth();
	if (node == NULL)
		return rows;
	if (IsA(node, RangeTblRef))
		return bms_add_member(rows, ((RangeTblRef *) node)->rtindex);
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			rows = AddRows(rows, lfirst(cell));
		}
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT)
			rows = AddRows(rows, join->larg);
		if (join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT)
			rows = AddRows(rows, join->rarg);
		if (join->rtindex > 0)
			rows = bms_add_member(rows, join->rtindex);
	}
	return rows;
}

/*
 * Does the row of this range table entry exist whenever an expression is
 * evaluated?
 */
bool
RowIsThere(Level *level, int varno)
{
	if (level->query->commandType != CMD_SELECT)
		return false;
	if (!level->rows_are_known)
		level->rows = AddRows(NULL, (Node *) level->query->jointree);
	level->rows_are_known = true;
	return bms_is_member(varno, level->rows);
}

/* Has a column a value whenever an expression is evaluated? */
bool
IsNeverNull(Level *level, Var *var)
{
	Level		below;
	RangeTblEntry *rte;
	TargetEntry *entry;

	check_stack_depth();
	if (var->varlevelsup > 0 || var->varattno <= 0)
		return false;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (RteIsGroup(rte))
	{
		Var		   *grouped = list_nth(GroupExpressions(rte), var->varattno - 1);

		return IsA(grouped, Var) && !HasAny(level->query, PART_GROUPING_SETS) && IsNeverNull(level, grouped);
	}
	if (!RowIsThere(level, var->varno))
		return false;
	if (rte->rtekind == RTE_RELATION)
		return ColumnIsNeverNull(rte, var->varattno);
	if (rte->rtekind != RTE_SUBQUERY || !HasOnly(rte->subquery, PARTS_OF_ROWS | PARTS_OF_GROUP_ROWS | PART_LIMIT | PART_OFFSET))
		return false;
	below = LevelBelow(level, rte->subquery);
	entry = get_tle_by_resno(rte->subquery->targetList, var->varattno);
	return entry != NULL && IsA(entry->expr, Var) && IsNeverNull(&below, (Var *) entry->expr);
}

/* Can the columns of this entry be read without an error? */
static bool
IsExpandable(RangeTblEntry *rte)
{
	switch (rte->rtekind)
	{
		case RTE_SUBQUERY:
			return count_nonjunk_tlist_entries(rte->subquery->targetList) == list_length(rte->eref->colnames);
		case RTE_JOIN:
			return list_length(rte->joinaliasvars) == list_length(rte->eref->colnames);
		case RTE_FUNCTION:
		case RTE_TABLEFUNC:
		case RTE_VALUES:
		case RTE_CTE:
			return true;
		default:
			return false;
	}
}

/*
 * The row of an entry that has no type of its own: the names are those of the
 * alias.
 */
static bool
AnonymousRow(RangeTblEntry *rte, int varno, List **names, List **values)
{
	ListCell   *cell;

	if (!IsExpandable(rte))
		return false;
	ExpandRangeTableEntry(rte, varno, false, names, values);
	foreach(cell, *names)
	{
		size_t		len = strlen(strVal(lfirst(cell)));

		if (len == 0 || len >= NAMEDATALEN)
			return false;
	}
	return list_length(*names) == list_length(*values);
}

/* A column of a table */
static Node *
TableColumn(int varno, Form_pg_attribute att)
{
	return (Node *) makeVar(varno, att->attnum, att->atttypid, att->atttypmod,
							att->attcollation, 0);
}

/*
 * The row of a named type: the names are the type's, regardless of the alias.
 * False if the columns are not those of the type.
 */
static bool
TypedRow(RangeTblEntry *rte, int varno, TupleDesc tupdesc, List **names, List **values)
{
	List	   *columns = NIL;
	bool		table = rte->rtekind == RTE_RELATION;

	if (!table)
	{
		if (!IsExpandable(rte))
			return false;
		ExpandRangeTableEntry(rte, varno, true, NULL, &columns);
		if (list_length(columns) != tupdesc->natts)
			return false;
	}
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		Node	   *column;

		if (att->attisdropped)
			continue;
		column = table ? TableColumn(varno, att) : list_nth(columns, i);
		if (exprType(column) != att->atttypid)
			return false;
		*names = lappend(*names, makeString(pstrdup(NameStr(att->attname))));
		*values = lappend(*values, column);
	}
	return true;
}

/* The names and columns of a row, which may be NULL; false if they are not known */
bool
RowColumns(Level *level, Var *var, List **names, List **values)
{
	RangeTblEntry *rte;
	TupleDesc	tupdesc;
	bool		result;

	*names = *values = NIL;
	if (var->varattno != 0 || var->varlevelsup != 0)
		return false;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (var->vartype == RECORDOID)
		return AnonymousRow(rte, var->varno, names, values);
	if (rte->rtekind == RTE_RELATION && get_rel_type_id(rte->relid) != var->vartype)
		return false;
	tupdesc = lookup_rowtype_tupdesc_domain(var->vartype, -1, true);
	if (tupdesc == NULL)
		return false;
	result = TypedRow(rte, var->varno, tupdesc, names, values);
	ReleaseTupleDesc(tupdesc);
	DependOnType(level, var->vartype);
	return result;
}

/* The names and columns that a Var stands for, if it is a row that is never NULL */
bool
WholeRow(Level *level, Var *var, List **names, List **values)
{
	return var->varattno == 0 && VarIsPlain(var) &&
		RowIsThere(level, var->varno) &&
		!CouldComeFromIndex(rt_fetch(var->varno, level->query->rtable)) &&
		RowColumns(level, var, names, values);
}
