/*-------------------------------------------------------------------------
 *
 * one_row.c
 *		Queries that give at most one row, or exactly one.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_opfamily.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

/*
 * Unique keys
 */

/*
 * Is a value equal to one value of the column at most, and to no NULL?  That goes without saying if both
 * are of the type that the index compares, and the operator is strict.  A timestamp with time zone, though,
 * equals two without, if clocks are put forward in between.
 */
static bool
IsExactFor(Oid operator, const KeyColumn *column)
{
	Oid			left,
				right;

	op_input_types(operator, &left, &right);
	return (op_strict(operator) && left == right && left == column->opcintype) ||
		column->opfamily == INTEGER_BTREE_FAM_OID || column->opfamily == TEXT_BTREE_FAM_OID;
}

/* Does a condition say that the column equals one value, as the index compares them? */
static bool
IsEqualToOneValue(Node *condition, void *context)
{
	const KeyColumn *column = context;
	Oid			operator;
	Node	   *value = ComparedTo(condition, column, &operator);

	return value != NULL && IsOneValue(value) &&
		get_op_opfamily_strategy(operator, column->opfamily) == BTEqualStrategyNumber &&
		IsExactFor(operator, column);
}

/* An item of FROM, and the one further out that its query is */
typedef struct Given
{
	const Query *query;
	int			varno;
	const struct Given *outer;	/* NULL if there are no conditions further out */
} Given;

/* Does every row have to meet a condition that says so, here or on a column further out that hands this one on? */
static bool
IsGiven(const Given *given, KeyColumn column)
{
	ListCell   *cell;

	if (HasCondition(given->query->jointree->quals, IsEqualToOneValue, &column))
		return true;
	foreach(cell, given->outer != NULL ? given->query->targetList : NIL)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		KeyColumn	handed_on = column;

		handed_on.varno = given->outer->varno;
		handed_on.attno = entry->resno;
		if (IsKeyColumn((Node *) entry->expr, &column) && IsGiven(given->outer, handed_on))
			return true;
	}
	return false;
}

/*
 * Does what a row of a catalog says of all rows of a table hold for all that the snapshot
 * sees?  An older one still sees what was deleted before: that of a transaction with one
 * snapshot, or of a query that calls a stable function.
 */
bool
IsOlderThanSnapshot(HeapTupleHeader row)
{
	Snapshot	snapshot = GetActiveSnapshot();

	if (TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(row)))
		return HeapTupleHeaderGetCmin(row) < snapshot->curcid;
	return !XidInMVCCSnapshot(HeapTupleHeaderGetXmin(row), snapshot);
}

/*
 * Is there at most one row for each value of an index's columns, at any time?  Values that are equal for the
 * index might be in two partitions.
 */
static bool
IsUnique(Relation index)
{
	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
		if (index->rd_rel->relkind == RELKIND_PARTITIONED_INDEX && OidIsValid(index->rd_indcollation[i]) &&
			!get_collation_isdeterministic(index->rd_indcollation[i]))
			return false;
	return index->rd_index->indisunique && index->rd_index->indimmediate && IsWholeBtree(index) &&
		IsOlderThanSnapshot(index->rd_indextuple->t_data);
}

/* Have a table's partitions all been attached before the snapshot?  It may see rows that have been deleted before that. */
static bool
PartitionsAreOlder(Oid table)
{
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	bool		result = true;

	check_stack_depth();
	ScanKeyInit(&key, Anum_pg_inherits_inhparent, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(table));
	scan = systable_beginscan(inherits, InheritsParentIndexId, true, NULL, 1, &key);
	while (result && HeapTupleIsValid(row = systable_getnext(scan)))
	{
		Oid			partition = ((Form_pg_inherits) GETSTRUCT(row))->inhrelid;

		result = IsOlderThanSnapshot(row->t_data) &&
			(get_rel_relkind(partition) != RELKIND_PARTITIONED_TABLE || PartitionsAreOlder(partition));
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return result;
}

/* Is it a table whose rows are all in it, or in partitions that its indexes and rules cover?  Those on a foreign server they do not cover. */
static bool
HasItsRows(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION &&
		((rte->relkind == RELKIND_PARTITIONED_TABLE && !HasForeignChild(rte) && PartitionsAreOlder(rte->relid)) ||
		 (rte->relkind == RELKIND_RELATION && !HasHeirs(rte)));
}

/* Has a column of a table a value in each row?  Tables that inherit have their own rules. */
bool
ColumnIsNeverNull(const RangeTblEntry *rte, AttrNumber attno)
{
	HeapTuple	row;

	if (!HasItsRows(rte))
		return false;
	row = NotNullRow(rte->relid, attno);
	return row != NULL && IsOlderThanSnapshot(row->t_data);
}

static bool
IndexIsGiven(Relation index, int varno, void *context)
{
	if (!IsUnique(index))
		return false;
	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
		if (!IsGiven(context, KeyColumnOf(index, i, varno)))
			return false;
	return true;
}

/* The unique keys of a table: Lists of KeyColumns, none of which can be NULL */
typedef struct UniqueKeys
{
	const RangeTblEntry *rte;
	List	   *keys;
} UniqueKeys;

static bool
AddKey(Relation index, int varno, void *context)
{
	UniqueKeys *unique = context;
	List	   *columns = NIL;

	if (!IsUnique(index))
		return false;
	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
	{
		KeyColumn  *column = palloc(sizeof(KeyColumn));

		*column = KeyColumnOf(index, i, varno);
		if (!ColumnIsNeverNull(unique->rte, column->attno))
			return false;
		columns = lappend(columns, column);
	}
	unique->keys = lappend(unique->keys, columns);
	return false;
}

/* The unique keys that each row of a table has, each as the columns of an index */
List *
UniqueKeysOf(const Query *query, int varno)
{
	UniqueKeys	unique = {.rte = rt_fetch(varno, query->rtable)};

	(void) FindIndex(query, varno, AddKey, &unique);
	return unique.keys;
}

static bool
IsGivenByKey(const Query *query, int varno, const Given *outer)
{
	RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	Query	   *subquery = rte->subquery;
	Given		given = {.query = query,.varno = varno,.outer = outer};
	bool		has_conditions = outer != NULL || query->jointree->quals != NULL;
	int			item;

	check_stack_depth();
	if (has_conditions && HasItsRows(rte))
		return FindIndex(query, varno, IndexIsGiven, &given);
	if (rte->rtekind != RTE_SUBQUERY || !HasOnly(subquery, PARTS_OF_ROWS))
		return false;
	item = OnlyItem(subquery->jointree);
	return item != 0 && IsGivenByKey(subquery, item, has_conditions ? &given : NULL);
}

/*
 * Do the conditions of WHERE, or those within a view or a subquery that only projects, say that all columns of a unique
 * key of this table equal something that is the same for all rows?
 */
bool
HasUniqueKey(Query *query, int varno)
{
	return IsGivenByKey(query, varno, NULL);
}

/* What is not of an item, as something that is the same for all of its rows */
static Node *
LookFrom(Var *var, int depth, void *context)
{
	if ((int) var->varlevelsup != depth || var->varno == *(int *) context)
		return NULL;
	var = copyObject(var);
	var->varlevelsup++;
	return (Node *) var;
}

/* Does a join find one row at most on its right side for each of its left side, by a unique key? */
bool
JoinFindsOne(const Query *query, const JoinExpr *join)
{
	int			varno = VarnoOf(join->rarg);
	Query		right = *query;

	right.jointree = makeFromExpr(list_make1(join->rarg), ReplaceVars(join->quals, LookFrom, &varno));
	return varno > 0 && HasUniqueKey(&right, varno);
}

/*
 * Rows of a query
 */

/* Does it aggregate without GROUP BY, and nothing else decide whether its row is there? */
static bool
IsAggregated(Query *query)
{
	return HasAny(query, PART_AGGREGATES) &&
		HasOnly(query, PART_AGGREGATES | PART_NO_FROM | PART_WHERE | PART_HAVING | PART_ORDER | PART_CTES);
}

/* Does an item of FROM, or all of it, give no more than one row; or exactly one? */
static bool
ItemGivesOneRow(Level *level, Node *item, bool exactly)
{
	JoinExpr   *join = (JoinExpr *) item;
	RangeTblEntry *rte;
	Level		inner;
	ListCell   *cell;

	check_stack_depth();
	if (IsA(item, JoinExpr))
		return (join->jointype == JOIN_LEFT || (join->jointype == JOIN_INNER && (!exactly || IsTrue(join->quals)))) &&
			ItemGivesOneRow(level, join->larg, exactly) &&
			ItemGivesOneRow(level, join->rarg, exactly && join->jointype == JOIN_INNER);
	if (IsA(item, FromExpr))
	{
		foreach(cell, ((FromExpr *) item)->fromlist)
		{
			if (!ItemGivesOneRow(level, lfirst(cell), exactly))
				return false;
		}
		return !exactly || IsTrue(((FromExpr *) item)->quals);
	}
	if (!IsA(item, RangeTblRef))
		return false;
	rte = rt_fetch(((RangeTblRef *) item)->rtindex, level->query->rtable);
	if (!exactly && HasUniqueKey(level->query, ((RangeTblRef *) item)->rtindex))
		return true;
	if (rte->rtekind != RTE_SUBQUERY || rte->securityQuals != NIL)
		return false;
	inner = LevelBelow(level, rte->subquery);
	return exactly ? GivesOneRow(&inner) : GivesNoMoreThanOneRow(&inner);
}

/* Clauses of a query that gives no more rows than its FROM */
#define PARTS_OF_FEWER	(PARTS_OF_ROWS | PART_CTES | PART_LIMIT | PART_OFFSET | PART_DISTINCT | PART_DISTINCT_ON)

/* Is there always exactly one row? */
bool
GivesOneRow(Level *level)
{
	if (IsAggregated(level->query))
		return HasOnly(level->query, ~PART_HAVING);
	return HasOnly(level->query, PART_NO_FROM | PART_ORDER | PART_CTES) &&
		ItemGivesOneRow(level, (Node *) level->query->jointree, true);
}

/* Is there never more than one row? */
bool
GivesNoMoreThanOneRow(Level *level)
{
	Query	   *query = level->query;
	int64		limit = CountOf(level, query->limitCount);

	if (HasAny(query, PART_TIES | PART_SETS | PART_NO_SELECT | PART_UNKNOWN))
		return false;
	if (limit == 0 || limit == 1 || IsAggregated(query))
		return true;
	return HasOnly(query, PARTS_OF_FEWER) && ItemGivesOneRow(level, (Node *) query->jointree, false);
}

/* Is there no more than one row for each value of an expression, of those that a query aggregates? */
bool
IsOneRowByValue(Level *level, Node *expr)
{
	Level		rows = *level;
	Query		query = *level->query;
	FromExpr	from = *query.jointree;
	Oid			type = exprType(expr);
	Oid			equality = lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr;
	Node	   *clause = (Node *) make_opclause(equality, BOOLOID, false, (Expr *) expr,
												(Expr *) makeNullConst(type, -1, exprCollation(expr)), InvalidOid,
												exprCollation(expr));

	/* A copy to be looked at, not to be changed any further. */
	from.quals = make_and_qual(from.quals, clause);
	query.jointree = &from;
	query.hasAggs = false;
	query.targetList = NIL;
	rows.query = &query;
	return OidIsValid(equality) && GivesNoMoreThanOneRow(&rows);
}
