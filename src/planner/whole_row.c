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

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/tables.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Is it a node of the join tree, or below it, in a place where no join makes its row NULL? */
static bool
IsThere(Node *node, int varno)
{
	JoinExpr   *join = (JoinExpr *) node;
	ListCell   *cell;

	check_stack_depth();
	if (node == NULL)
		return false;
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			if (IsThere(lfirst(cell), varno))
				return true;
		}
		return false;
	}
	if (!IsA(node, JoinExpr))
		return VarnoOf(node) == varno;
	return join->rtindex == varno ||
		((join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT) && IsThere(join->larg, varno)) ||
		((join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT) && IsThere(join->rarg, varno));
}

/*
 * Does the row of this range table entry exist whenever an expression is
 * evaluated?
 */
bool
RowIsThere(Level *level, int varno)
{
	return level->query->commandType == CMD_SELECT && IsThere((Node *) level->query->jointree, varno);
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
		case RTE_RELATION:
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

	ExpandRangeTableEntry(rte, varno, false, names, values);
	foreach(cell, *names)
	{
		size_t		len = strlen(strVal(lfirst(cell)));

		if (len == 0 || len >= NAMEDATALEN)
			return false;
	}
	return list_length(*names) == list_length(*values);
}

/*
 * The plan also depends on the columns of a row type: it contains their names.
 */
void
DependOnType(Level *level, Oid typid)
{
	List	  **relations = &level->rewrite->relations;

	*relations = list_append_unique_oid(*relations, get_typ_typrelid(getBaseType(typid)));
}

/*
 * The row of a named type: the names are the type's, regardless of an alias.  False if the values are not those of
 * its columns, of which dropped ones have one, too.
 */
bool
TypedRow(Level *level, Oid rowtype, List *columns, List **names, List **values)
{
	TupleDesc	tupdesc = lookup_rowtype_tupdesc_domain(rowtype, -1, true);
	bool		result;

	if (tupdesc == NULL)
		return false;
	result = list_length(columns) == tupdesc->natts;
	for (int i = 0; result && i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (att->attisdropped)
			continue;
		*names = lappend(*names, makeString(pstrdup(NameStr(att->attname))));
		*values = lappend(*values, list_nth(columns, i));
		result = exprType(list_nth(columns, i)) == att->atttypid;
	}
	ReleaseTupleDesc(tupdesc);
	DependOnType(level, rowtype);
	return result;
}

/* The names and columns of a row, which may be NULL; false if they are not known */
bool
RowColumns(Level *level, Var *var, List **names, List **values)
{
	RangeTblEntry *rte;
	List	   *columns;

	*names = *values = NIL;
	if (var->varattno != 0 || var->varlevelsup != 0)
		return false;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (!IsExpandable(rte))
		return false;
	if (var->vartype == RECORDOID)
		return AnonymousRow(rte, var->varno, names, values);
	if (rte->rtekind == RTE_RELATION && get_rel_type_id(rte->relid) != var->vartype)
		return false;
	ExpandRangeTableEntry(rte, var->varno, true, NULL, &columns);
	return TypedRow(level, var->vartype, columns, names, values);
}

/* Has an index all of these columns? */
static bool
HasColumns(Relation index, int varno, void *context)
{
	Bitmapset  *missing = bms_copy(context);

	for (int i = 0; i < index->rd_index->indnatts; i++)
		missing = bms_del_member(missing, index->rd_index->indkey.values[i] - FirstLowInvalidHeapAttributeNumber);
	return bms_is_empty(missing);
}

/*
 * Could all columns of a table be read by an index-only scan, or be joined partition by partition?  Its whole row
 * could not, so the plan would be different, and with it the order of rows.
 *
 * A table that inherits the columns, or a partition, may have such an index, too; but these are not locked before the
 * planner knows which of them it needs, and to look at the indexes of all would take long.  So a table that has any
 * counts as if one of them had one.
 */
static bool
CouldComeFromIndex(const Query *query, int varno, List *columns)
{
	RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	Bitmapset  *wanted = NULL;

	if (rte->rtekind != RTE_RELATION || (list_length(columns) > INDEX_MAX_KEYS && !enable_partitionwise_join))
		return false;
	pull_varattnos((Node *) columns, varno, &wanted);
	return HasHeirs(rte) || FindIndex(query, varno, HasColumns, wanted);
}

/* The names and columns that a Var stands for, if it is a row that is never NULL */
bool
WholeRow(Level *level, Var *var, List **names, List **values)
{
	return var->varattno == 0 && VarIsPlain(var) &&
		RowIsThere(level, var->varno) &&
		RowColumns(level, var, names, values) &&
		!CouldComeFromIndex(level->query, var->varno, *values);
}
