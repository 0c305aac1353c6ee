/*-------------------------------------------------------------------------
 *
 * whole_row.c
 *		The columns that a whole row of the range table stands for, and the
 *		values of other rows.
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
#include "planner/levels.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/tables.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Is it a node of the join tree, or below it, in a place where no join makes its row NULL? */
static bool
IsThere(Node *node, void *context)
{
	JoinExpr   *join = (JoinExpr *) node;
	int			varno = *(int *) context;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, FromExpr))
		return expression_tree_walker((Node *) ((FromExpr *) node)->fromlist, IsThere, context);
	if (!IsA(node, JoinExpr))
		return VarnoOf(node) == varno;
	return join->rtindex == varno ||
		((join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT) && IsThere(join->larg, context)) ||
		((join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT) && IsThere(join->rarg, context));
}

/* Does the row of this range table entry exist whenever an expression is evaluated? */
bool
RowIsThere(Level *level, int varno)
{
	return level->query->commandType == CMD_SELECT && IsThere((Node *) level->query->jointree, &varno);
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
static bool
RowColumns(Level *level, Var *var, List **names, List **values)
{
	RangeTblEntry *rte;
	List	   *columns;
	ListCell   *cell;

	*names = *values = NIL;
	if (var->varattno != 0 || var->varlevelsup != 0)
		return false;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (!IsExpandable(rte))
		return false;
	if (var->vartype != RECORDOID)
	{
		if (rte->rtekind == RTE_RELATION && get_rel_type_id(rte->relid) != var->vartype)
			return false;
		ExpandRangeTableEntry(rte, var->varno, true, NULL, &columns);
		return TypedRow(level, var->vartype, columns, names, values);
	}
	/* Without a type of its own, it has the names of the alias. */
	ExpandRangeTableEntry(rte, var->varno, false, names, values);
	foreach(cell, *names)
	{
		size_t		len = strlen(strVal(lfirst(cell)));

		if (len == 0 || len >= NAMEDATALEN)
			return false;
	}
	return list_length(*names) == list_length(*values);
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

/*
 * Rows that are written as subqueries: (SELECT e FROM (SELECT t.a AS x, t.b AS y) AS e) gives names
 * to the columns of a row, which ROW() cannot do.  (SELECT x) is x.
 */

/* An aggregate of this query, or of one around it */
static Visit
VisitAggregate(Node *node, int depth, void *context)
{
	return (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup >= depth) ||
		(IsA(node, GroupingFunc) && ((GroupingFunc *) node)->agglevelsup >= depth) ? VISIT_FOUND : VISIT_CHILDREN;
}

/*
 * May expressions be evaluated so many levels further out?  If they
 * don't depend on the row there, PostgreSQL evaluates them only once.
 */
static bool
MayComeUp(Node *exprs, int up)
{
	for (int i = 0; i < up; i++)
		if (contain_vars_of_level(exprs, i))
			return false;
	return contain_vars_of_level(exprs, up) && !CallsVolatile(exprs) && !FindInLevels(exprs, VisitAggregate, NULL);
}

/* The names and values of a row that is written as a subquery */
bool
FindBareSelect(SubLink *sublink, RowShape *shape)
{
	Query	   *query = castNode(Query, sublink->subselect);
	RangeTblEntry *rte;
	Var		   *row;
	ListCell   *cell;

	if (sublink->subLinkType != EXPR_SUBLINK || !HasOnly(query, PART_NO_FROM) ||
		list_length(query->targetList) != 1 || list_length(query->rtable) != 1)
		return false;
	rte = linitial_node(RangeTblEntry, query->rtable);
	row = (Var *) linitial_node(TargetEntry, query->targetList)->expr;
	if (rte->rtekind != RTE_SUBQUERY || !IsBare(rte->subquery) || !IsA(row, Var) || row->varattno != 0 ||
		row->vartype != RECORDOID || !VarIsPlain(row) || !MayComeUp((Node *) rte->subquery->targetList, 2))
		return false;
	foreach(cell, rte->subquery->targetList)
	{
		shape->values = lappend(shape->values, copyObject(lfirst_node(TargetEntry, cell)->expr));
	}
	IncrementVarSublevelsUp((Node *) shape->values, -2, 2);
	shape->names = rte->eref->colnames;
	return list_length(shape->names) == list_length(shape->values);
}

/* What a subquery without FROM computes of the row around it, to stand in its place; NULL if it is another one */
Node *
ValueOfBareSelect(const SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	Node	   *value;

	if (sublink->subLinkType != EXPR_SUBLINK || !IsBare(query) || list_length(query->targetList) != 1)
		return NULL;
	value = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	if (!MayComeUp(value, 1))
		return NULL;
	value = copyObject(value);
	IncrementVarSublevelsUp(value, -1, 1);
	return value;
}

/* The expressions of a row's values; NIL if it is not a row, or they are not known */
List *
ValuesOfRow(Level *level, Node *expr)
{
	RowShape	shape = {0};
	List	   *names;
	List	   *values;

	if (IsA(expr, RowExpr))
		return ((RowExpr *) expr)->args;
	if (IsA(expr, SubLink) && FindBareSelect((SubLink *) expr, &shape))
		return shape.values;
	return IsA(expr, Var) && RowColumns(level, (Var *) expr, &names, &values) ? values : NIL;
}
