/*-------------------------------------------------------------------------
 *
 * outer_row.c
 *		The row around a collection, as one that it reads itself.
 *
 * A collection that refers to the row around it by more than the equalities of columns that make a join, reads that row
 * once more, by a unique key.  The equality of the key is then all that refers to it:
 *
 *		(SELECT json_agg(r.name)                (SELECT json_agg(r.name)
 *		FROM product r                          FROM product r, product row
 *		WHERE r.category = p.category           WHERE r.category = row.category
 *			AND r.id <> p.id)                       AND r.id <> row.id AND row.id = p.id)
 *
 * Why nothing changes: the key is that of a table, in each row, and no two have the same.  So with the same snapshot there is
 * one row that has it, the same row, and all its columns are the same.  It is one that no join can have made NULL.
 * The user may read it, or the query that surrounds the collection fails before; it has no row-level policies, which would keep
 * conditions from other rows.  Neither a condition nor a value can raise an error, so it does not matter in which order the
 * two tables are joined.
 *
 * Where IN asks for what belongs to the row, it becomes EXISTS, of which PostgreSQL makes a join in all releases:
 *
 *		(SELECT json_agg(t.name)                (SELECT json_agg(t.name)
 *		FROM tag t                              FROM tag t, post row
 *		WHERE t.id IN (SELECT tag FROM          WHERE EXISTS (SELECT FROM post_tag
 *			post_tag WHERE post = p.id))            WHERE post = row.id AND t.id = tag) AND row.id = p.id)
 *
 * A condition that must be true does not tell NULL from false.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/stratnum.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/calls.h"
#include "planner/collection.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/source.h"
#include "planner/tables.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

/*
 * What refers to the row
 */

/* A column of a table in the FROM of a query; 0 is its row */
typedef struct BaseColumn
{
	Query	   *query;			/* NULL if it is not known yet */
	int			varno;
	AttrNumber	attno;
} BaseColumn;

/* The column of a table that a column of an item of FROM is, which no join can have made NULL; false if it is none */
static bool
FindBaseColumn(Level *level, int varno, AttrNumber attno, BaseColumn *column)
{
	RangeTblEntry *rte = rt_fetch(varno, level->query->rtable);
	Level		inner = LevelBelow(level, rte->subquery);
	TargetEntry *entry;
	Var		   *var;

	check_stack_depth();
	if (attno < 0 || !RowIsThere(level, varno))
		return false;
	column->query = level->query;
	column->varno = varno;
	column->attno = attno;
	if (rte->rtekind == RTE_RELATION)
		return rte->tablesample == NULL && rte->securityQuals == NIL;
	if (rte->rtekind != RTE_SUBQUERY || rte->security_barrier ||
		!HasOnly(inner.query, PART_WHERE | PART_ORDER | PART_LIMIT | PART_OFFSET | PART_CTES))
		return false;
	entry = get_tle_by_resno(inner.query->targetList, attno);
	var = entry != NULL ? (Var *) entry->expr : NULL;
	return var != NULL && IsA(var, Var) && var->varlevelsup == 0 && var->varattno > 0 &&
		FindBaseColumn(&inner, var->varno, var->varattno, column);
}

/* The row to which a collection refers, and what reads it once more */
typedef struct OuterRow
{
	Level	   *level;
	int			outer_varno;	/* the row's item of FROM */
	BaseColumn	table;			/* of which it is a row */
	int			varno;			/* the table where it is read once more, */
	int			up;				/* so many queries further in */
} OuterRow;

/* Which column is it of the table to whose row all else refers?  0 is that row; -1 if it is none. */
static int
ColumnOfTable(OuterRow *row, int varno, AttrNumber attno)
{
	BaseColumn	found;

	if ((row->outer_varno != 0 && varno != row->outer_varno) || !FindBaseColumn(row->level, varno, attno, &found) ||
		(row->table.query != NULL && (row->table.query != found.query || row->table.varno != found.varno)))
		return -1;
	row->outer_varno = varno;
	row->table = found;
	return found.attno;
}

/* References to rows further out, or of more than one table */
static Visit
VisitOtherRow(Node *node, int depth, void *context)
{
	Var		   *var = (Var *) node;

	if (!IsA(node, Var))
		return VisitOuterReference(node, depth, NIL);
	return (int) var->varlevelsup <= depth || ((int) var->varlevelsup == depth + 1 &&
											   ColumnOfTable(context, var->varno, var->varattno) >= 0) ?
		VISIT_NEXT : VISIT_FOUND;
}

/* The query within a collection that refers to the row, and how many queries further out that row is */
static Query *
QueryThatRefers(Query *query, int *up)
{
	int			varno;

	for (*up = 1; (varno = OnlyItem(query->jointree)) != 0 && IsSource(rt_fetch(varno, query->rtable)); ++*up)
	{
		if (contain_vars_of_level((Node *) list_make2(query->targetList, query->jointree->quals), *up))
			break;
		query = rt_fetch(varno, query->rtable)->subquery;
	}
	return query;
}

/* Columns of queries around, outside of the query's own aggregates */
static Visit
VisitOutsideAggregates(Node *node, int depth, void *context)
{
	return IsA(node, Aggref) && (int) ((Aggref *) node)->agglevelsup == depth ? VISIT_NEXT :
		VisitOuterColumn(node, depth, context);
}

/*
 * Could what refers to the row refer to one more item of the same FROM?  Not an item, nor the condition of a join; nor what
 * is made of aggregates.
 */
static bool
CanReferToItem(Query *query, int up)
{
	ListCell   *cell;

	if (IsOneRow(query) ? FindInLevels((Node *) query->targetList, VisitOutsideAggregates, NULL) :
		!HasOnly(query, PART_WHERE | PART_ORDER | PART_LIMIT | PART_OFFSET))
		return false;
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (contain_vars_of_level((Node *) rte->subquery, up + 1) || rte->tablesample != NULL ||
			contain_vars_of_level((Node *) list_make3(rte->functions, rte->values_lists, rte->tablefunc), up))
			return false;
	}
	return !contain_vars_of_level((Node *) query->jointree->fromlist, up);
}

/*
 * The same row
 */

/* The number of the row's column that is this one of its table; 0 if it does not have that */
static AttrNumber
ColumnOfRow(OuterRow *row, AttrNumber attno)
{
	int			ncolumns = list_length(rt_fetch(row->outer_varno, row->level->query->rtable)->eref->colnames);

	for (int i = 1; i <= ncolumns; i++)
		if (ColumnOfTable(row, row->outer_varno, i) == attno)
			return i;
	return 0;
}

/* A column of a unique key, as an index compares it */
static Expr *
ColumnOfKey(const OuterRow *row, const KeyColumn *key, int varno, AttrNumber attno, int up)
{
	Oid			type;
	int32		typmod;
	Oid			collation;
	Expr	   *column;

	get_atttypetypmodcoll(rt_fetch(row->table.varno, row->table.query->rtable)->relid, key->attno, &type, &typmod, &collation);
	column = (Expr *) makeVar(varno, attno, type, typmod, collation, up);
	return type == key->opcintype || IsPolymorphicType(key->opcintype) ? column :
		(Expr *) makeRelabelType(column, key->opcintype, -1, collation, COERCE_IMPLICIT_CAST);
}

/* The condition that it is the same row; NULL if the row does not have all of its key, or to compare that could raise an error */
static Node *
IsSameRow(OuterRow *row, List *key)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, key)
	{
		const KeyColumn *column = lfirst(cell);
		AttrNumber	attno = ColumnOfRow(row, column->attno);
		Oid			operator = get_opfamily_member(column->opfamily, column->opcintype, column->opcintype,
												   BTEqualStrategyNumber);
		OpExpr	   *equality;

		if (attno == 0)
			return NULL;
		equality = (OpExpr *) make_opclause(operator, BOOLOID, false,
											ColumnOfKey(row, column, row->varno, column->attno, 0),
											ColumnOfKey(row, column, row->outer_varno, attno, row->up),
											InvalidOid, column->collation);
		set_opfuncid(equality);
		if (OperatorMayRaise(row->level, equality))
			return NULL;
		conditions = lappend(conditions, equality);
	}
	return conditions != NIL ? (Node *) make_ands_explicit(conditions) : NULL;
}

static Node *
ReferToTable(Var *var, int depth, void *context)
{
	OuterRow   *row = context;
	int			attno = -1;

	if ((int) var->varlevelsup == depth + row->up)
		attno = ColumnOfTable(row, var->varno, var->varattno);
	if (attno < 0)
		return NULL;
	var = copyObject(var);
	var->varno = var->varnosyn = row->varno;
	var->varattno = var->varattnosyn = attno;
	var->varlevelsup = depth;
	return (Node *) var;
}

/* Let a query read the same table once more, with the same permissions, on one more condition. */
static void
ReadAgain(Query *query, const OuterRow *row, Node *condition)
{
	RangeTblEntry *again = copyObject(rt_fetch(row->table.varno, row->table.query->rtable));

	again->eref = makeAlias(OUTER_ROW, again->eref->colnames);
	again->alias = makeAlias(OUTER_ROW, NIL);
	again->inFromCl = false;
	CopyEntryPermissions(query, again, row->table.query);
	query->rtable = lappend(query->rtable, again);
	query->jointree->fromlist = lappend(query->jointree->fromlist, MakeRef(row->varno));
	query->jointree->quals = make_and_qual(query->jointree->quals, condition);
}

/*
 * IN
 */

static Node *
ParamToColumn(Node *node, void *context)
{
	Param	   *param = (Param *) node;

	if (node == NULL)
		return NULL;
	if (IsA(node, Param) && param->paramkind == PARAM_SUBLINK)
		return copyObject((Node *) list_nth_node(TargetEntry, context, param->paramid - 1)->expr);
	return expression_tree_mutator(node, ParamToColumn, context);
}

/* Let a condition be EXISTS that is IN with what belongs to a row so many queries further out. */
static void
InToExists(SubLink *sublink, int up)
{
	Query	   *subquery;
	Node	   *test;

	if (!IsA(sublink, SubLink) || sublink->subLinkType != ANY_SUBLINK || checkExprHasSubLink(sublink->testexpr) ||
		!contain_vars_of_level(sublink->subselect, up) ||
		!HasOnly(castNode(Query, sublink->subselect), PART_WHERE | PART_ORDER))
		return;
	subquery = castNode(Query, sublink->subselect);
	test = copyObject(sublink->testexpr);
	IncrementVarSublevelsUp(test, 1, 0);
	subquery->jointree->quals = make_and_qual(subquery->jointree->quals, ParamToColumn(test, subquery->targetList));
	subquery->sortClause = NIL;
	sublink->subLinkType = EXISTS_SUBLINK;
	sublink->testexpr = NULL;
	sublink->operName = NIL;
}

/* Subqueries that refer to a row, so many queries further out than where the search starts, and may then take longer */
static Visit
VisitDearSubLink(Node *node, int depth, void *context)
{
	SubLink    *sublink = (SubLink *) node;
	int			up = *(int *) context + depth + 1;

	if (!IsA(node, SubLink) || !contain_vars_of_level(sublink->subselect, up))
		return VISIT_CHILDREN;
	return sublink->subLinkType == ANY_SUBLINK || sublink->subLinkType == ALL_SUBLINK ||
		(sublink->subLinkType == EXISTS_SUBLINK && OnlyItem(castNode(Query, sublink->subselect)->jointree) == 0) ?
		VISIT_FOUND : VISIT_CHILDREN;
}

/*
 * May it take longer to refer to an item?  A condition about the row alone PostgreSQL asks first, and may be done.
 * NOT IN is answered by a hash table, unless its subquery refers to the query around it; and several tables that
 * EXISTS reads may be joined for all rows.
 */
static bool
IsDear(Query *query, int up)
{
	ListCell   *cell;

	foreach(cell, ConditionsIn((Node *) query->jointree))
	{
		if (contain_vars_of_level(lfirst(cell), up) && !contain_vars_of_level(lfirst(cell), 0))
			return true;
	}
	return FindInLevels((Node *) query, VisitDearSubLink, &up);
}

/* Is a row read once more in a query? */
bool
ReadsOuterRow(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION && !rte->inFromCl && strcmp(rte->eref->aliasname, OUTER_ROW) == 0)
			return true;
	}
	return false;
}

/*
 * Let a collection in this query, which is changed where it is, read the row to which it refers, if it can become a join then, and
 * there is a table in it that could be read for all rows at once.
 */
void
ReadOuterRow(Level *level, Query *query)
{
	Level		outer = {.query = level->query,.outer = level->outer,.rewrite = level->rewrite};
	OuterRow	row = {.level = &outer};
	Query	   *changed;
	Query	   *reader;
	Node	   *is_same = NULL;
	Collection	collection;
	ListCell   *cell;

	if (!IsOneRow(query) || FindInLevels((Node *) query, VisitOtherRow, &row) || row.table.query == NULL ||
		!RefersInOtherWays(level, query) || TablesIn((Node *) query) == NIL)
		return;
	changed = copyObject(query);
	reader = QueryThatRefers(changed, &row.up);
	row.varno = list_length(reader->rtable) + 1;
	foreach(cell, UniqueKeysOf(row.table.query, row.table.varno))
	{
		if (is_same == NULL)
			is_same = IsSameRow(&row, lfirst(cell));
	}
	if (is_same == NULL || !CanReferToItem(reader, row.up) || QueryMayRaise(&outer, query))
		return;
	foreach(cell, ConditionsIn((Node *) reader->jointree))
	{
		InToExists(lfirst(cell), row.up + 1);
	}
	if (IsDear(reader, row.up))
		return;
	(void) ReplaceVars((Node *) reader, ReferToTable, &row);
	ReadAgain(reader, &row, is_same);
	if (FindCollection(&outer, changed, &collection) == NULL)
		*query = *changed;
}
