/*-------------------------------------------------------------------------
 *
 * stopping.c
 *		What is not computed for all rows, because somebody stops before.
 *
 * LIMIT reads no more rows than it needs.  So do a client that fetches some rows,
 * PL/pgSQL's SELECT INTO and a function in SQL that returns one value, of which the
 * planner knows nothing.  If an index has the rows in the order that is asked for,
 * PostgreSQL computes the values of those that are read; if it sorts, those of all rows,
 * except what it takes for expensive under a LIMIT.  So where a rewrite may change which
 * of them it does, no value may raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/amapi.h"
#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/calls.h"
#include "planner/folding.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "planner/ways.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/*
 * Values
 */

bool
IsSortKey(const Query *query, const TargetEntry *entry)
{
	return get_sortgroupref_clause_noerr(entry->ressortgroupref, query->sortClause) != NULL;
}

/* What PostgreSQL takes for so expensive that it computes it after sorting, in its units */
#define EXPENSIVE	10

/*
 * Does a call cost as much, and is it run for each row?  A SQL function may be replaced by what it consists of; and a
 * call is not run if PostgreSQL knows its result while it plans.
 */
static bool
IsExpensive(Level *level, FuncExpr *call)
{
	HeapTuple	tuple;
	Form_pg_proc form;
	bool		result;
	ListCell   *cell;

	foreach(cell, call->args)
	{
		if (!IsUnknown(level, lfirst(cell)) &&
			!(IsA(lfirst(cell), Const) && !lfirst_node(Const, cell)->constisnull))
			return false;
	}
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	result = form->procost > EXPENSIVE && form->prolang != SQLlanguageId && !OidIsValid(form->prosupport);
	ReleaseSysCache(tuple);
	return result && !IsOneValue((Node *) call);
}

/*
 * Might a value raise a new error if it were computed for other rows than those of the page?  PostgreSQL computes
 * one that it takes for expensive after sorting, for the rows of the page alone (make_sort_input_target), and so it
 * will: but not one that rows are sorted or told apart by, and none of groups.  Only a call by itself counts as one.
 */
bool
EntryMayRaise(Level *level, const TargetEntry *entry)
{
	Query	   *query = level->query;
	FuncExpr   *call = (FuncExpr *) StripRelabels((Node *) entry->expr);
	bool		is_late_if_expensive = query->limitCount != NULL && entry->ressortgroupref == 0 &&
		HasAny(query, PART_ORDER) && HasOnly(query, PARTS_OF_ROWS | PART_CTES | PART_LIMIT | PART_OFFSET);

	return !IsSortKey(query, entry) && ValueMayRaise(level, (Node *) entry->expr) &&
		!(is_late_if_expensive && cpu_operator_cost > 0 && IsA(call, FuncExpr) && IsExpensive(level, call));
}

/* Has an index values of expressions, or the order of an operator's results, as for ORDER BY at <-> point '(0,0)'? */
static bool
OrdersExpressions(Relation index, int varno, void *context)
{
	const bool *is_operator = context;

	return RelationGetIndexExpressions(index) != NIL || (*is_operator && index->rd_indam->amcanorderbyop);
}

/*
 * Might an index have the order of an expression over what an item of FROM becomes?  It may be an operator, or
 * PostgreSQL make one of it.
 */
static bool
ItemOrders(const Query *query, int varno, Node *expr)
{
	RangeTblEntry *rte = rt_fetch(varno, query->rtable);
	FuncExpr   *call = (FuncExpr *) StripRelabels(expr);
	bool		is_operator = !IsA(call, FuncExpr) || !FunctionIsCompiled(call->funcid) ||
		OidIsValid(get_func_support(call->funcid));

	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return HasHeirs(rte) || FindIndex(query, varno, OrdersExpressions, &is_operator);
		case RTE_FUNCTION:
			return FunctionsBecomeQueries(rte->functions);
		case RTE_VALUES:
		case RTE_TABLEFUNC:
		case RTE_NAMEDTUPLESTORE:
			return false;
		default:
			return true;
	}
}

/*
 * Might an index have the order of an expression?  It has that of one table, as which several items may turn out: what is
 * pulled up, or a table that is joined to itself (PostgreSQL 18).  And an outer join may turn out to be none.
 */
static bool
MayBeIndexed(const Query *query, Node *expr)
{
	Relids		varnos = pull_varnos(NULL, expr);
	List	   *items = NIL;
	List	   *tables = NIL;

	for (int i = -1; (i = bms_next_member(varnos, i)) >= 0;)
	{
		const RangeTblEntry *rte = rt_fetch(i, query->rtable);

		if (rte->rtekind == RTE_JOIN)
			continue;
		items = lappend_int(items, i);
		tables = list_append_unique_oid(tables, rte->rtekind == RTE_RELATION ? rte->relid : InvalidOid);
	}
	if (list_length(items) == 1)
		return ItemOrders(query, linitial_int(items), expr);
	return !bms_is_empty(varnos) && (list_length(tables) < 2 || list_member_oid(tables, InvalidOid));
}

/*
 * May comparing values of a sort key raise an error?  Those of a record may have no order.  An order that a user has made may
 * do anything, unless it is one in C, for a type of its own, as for citext.
 */
static bool
ComparisonMayRaise(const SortGroupClause *clause, Node *expr)
{
	TypeCacheEntry *type = lookup_type_cache(getBaseType(exprType(expr)), TYPECACHE_CMP_PROC | TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);
	Oid			element = get_element_type(type->type_id);

	if ((clause->sortop != type->lt_opr && clause->sortop != type->gt_opr) || LacksCollation(expr))
		return true;
	if (OidIsValid(element))
		type = lookup_type_cache(getBaseType(element), TYPECACHE_CMP_PROC);
	return (get_typtype(type->type_id) != TYPTYPE_BASE && get_typtype(type->type_id) != TYPTYPE_ENUM) ||
		!OidIsValid(type->cmp_proc) || !FunctionIsCompiled(type->cmp_proc);
}

/*
 * All rows are sorted by the first key; by the others those that are equal so far.  If an
 * index gives them in the order of the first one, PostgreSQL may stop before it has
 * computed the others for all (Incremental Sort), and that one need not be computed.  Nor are they compared then.
 */
bool
SortKeysMayRaise(Level *level)
{
	Query	   *query = level->query;
	bool		comparing = false;
	ListCell   *cell;

	foreach(cell, query->sortClause)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(cell), query->targetList);

		if (ValueMayRaise(level, expr) && (foreach_current_index(cell) > 0 || MayBeIndexed(query, expr)))
			return true;
		comparing |= ComparisonMayRaise(lfirst(cell), expr);
	}
	return comparing && MayComeSorted(level);
}

/*
 * Orders
 */

/* Has an index a column, be it in an expression that PostgreSQL may take for the column? */
static bool
HasColumn(Relation index, int varno, void *context)
{
	const Var  *column = context;
	Bitmapset  *in_expressions = NULL;

	pull_varattnos((Node *) RelationGetIndexExpressions(index), 1, &in_expressions);
	if (bms_is_member(column->varattno - FirstLowInvalidHeapAttributeNumber, in_expressions))
		return true;
	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
		if (index->rd_index->indkey.values[i] == column->varattno)
			return true;
	return false;
}

static bool
IsLarge(Relation index, int varno, void *context)
{
	return PagesOfRelation(index) >= (BlockNumber) min_parallel_index_scan_size;
}

/*
 * May parallel workers read a table?  They sort, and what they may not compute is computed afterwards, as
 * their rows arrive.
 */
static bool
MayBeParallel(const Query *query, int varno)
{
	Relation	relation;
	bool		is_large;

	if (max_parallel_workers_per_gather == 0)
		return false;
	relation = table_open(rt_fetch(varno, query->rtable)->relid, NoLock);
	is_large = RelationGetParallelWorkers(relation, -1) > 0 ||
		Max(PagesOfRelation(relation), GUESSED_PAGES) >= (BlockNumber) min_parallel_table_scan_size;
	table_close(relation, NoLock);
	return is_large || FindIndex(query, varno, IsLarge, NULL);
}

/* Do all items of FROM leave the order of others to a sort?  What is pulled up has conditions of its own. */
static bool
ItemsLeaveSorting(Level *level)
{
	Query	   *query = level->query;
	Relids		from = RelidsInJointree((Node *) query->jointree);
	bool		result = !VisitsTooMany(level) && !HasAny(query, PART_SET_OPERATION);

	for (int i = -1; result && (i = bms_next_member(from, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, query->rtable);
		Level		inner;

		switch (rte->rtekind)
		{
			case RTE_RELATION:
				result = (rte->relkind == RELKIND_RELATION || rte->relkind == RELKIND_MATVIEW) &&
					!HasHeirs(rte) && !MayBeParallel(query, i);
				break;
			case RTE_SUBQUERY:
			case RTE_CTE:
				result = QueryOfEntry(level, rte, &inner) != NULL &&
					(!rte->lateral || IsOneRow(inner.query) || IsFenced(inner.query)) && ItemsLeaveSorting(&inner);
				break;
			case RTE_FUNCTION:
				result = !rte->lateral && !FunctionsBecomeQueries(rte->functions);
				break;
			default:
				result = !rte->lateral;
		}
	}
	return result;
}

/*
 * Might PostgreSQL have a query's rows, in the order that it asks for, or its groups, without sorting all
 * that it reads?  Not if it sorts first by a column of a table that no index has, and no condition, not even
 * of a policy: then no join sorts by it, either.  What sorts may be a set operation, of which it is an arm.
 */
bool
MayComeSorted(Level *level)
{
	Query	   *query = level->query;
	Var		   *column;
	RangeTblEntry *rte;

	if (!HasOnly(query, PARTS_OF_ROWS | PART_CTES | PART_LIMIT | PART_OFFSET) ||
		!HasAny(query, PART_ORDER) || (level->outer != NULL && HasAny(level->outer->query, PART_SET_OPERATION)))
		return true;
	column = (Var *) StripRelabels(get_sortgroupclause_expr(linitial(query->sortClause), query->targetList));
	if (!ItemsLeaveSorting(level) || !IsA(column, Var) || column->varlevelsup > 0)
		return true;
	rte = rt_fetch(column->varno, query->rtable);
	return rte->rtekind != RTE_RELATION || column->varattno <= 0 || ColumnIsVirtual(rte->relid, column->varattno) ||
		FindIndex(query, column->varno, HasColumn, column) ||
		RefersToColumn((Node *) query->jointree, column->varno, column->varattno) ||
		RefersToColumn((Node *) rte->securityQuals, column->varno, column->varattno);
}

/* Do a query's aggregates read all of its rows?  The first or the last one is found by an index. */
bool
AggregatesReadAll(Query *query)
{
	ListCell   *cell;

	foreach(cell, AggregatesIn((Node *) list_make2(query->targetList, query->havingQual)))
	{
		HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(lfirst_node(Aggref, cell)->aggfnoid));
		bool		finds = HeapTupleIsValid(tuple) && OidIsValid(((Form_pg_aggregate) GETSTRUCT(tuple))->aggsortop);

		if (HeapTupleIsValid(tuple))
			ReleaseSysCache(tuple);
		if (finds)
			return false;
	}
	return true;
}

/* May a value raise an error if PostgreSQL sorts rows instead of reading some in order? */
bool
ValuesMayRaise(Level *level)
{
	ListCell   *cell;

	foreach(cell, level->query->targetList)
	{
		if (EntryMayRaise(level, lfirst_node(TargetEntry, cell)))
			return true;
	}
	return SortKeysMayRaise(level) || HavingMayRaise(level);
}
