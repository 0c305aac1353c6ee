/*-------------------------------------------------------------------------
 *
 * by_index.c
 *		What PostgreSQL finds by an index, so that nothing is to be gained.
 *
 * Most pages of an API are small and fast: looking for gains would take longer than
 * they are worth.  So two questions come first, which the catalogs answer without
 * planning.  Only time depends on the answers.
 *
 * - Does an index have the rows of a page in their order?  Then PostgreSQL computes what
 *   is beside them row by row, and stops when it has the page:
 *
 *		SELECT ... FROM film f LEFT JOIN LATERAL (...) a ON true
 *		WHERE lang = 3 AND rating > 5 ORDER BY rating, id LIMIT 20
 *
 *   with an index on (lang, rating, id).  There must be nothing else in WHERE: PostgreSQL
 *   might read many rows to find twenty that meet it, or be better off with another index.
 *   If there is, its plan tells (unnest_choice.c).
 *
 * - Are few rows wanted, and is each of their collections found by an index?  Then index
 *   scans take no longer than the joins that could replace them: about as long for some
 *   hundred rows, and less for twenty (bench/workloads/pages.py).  Few are those of a
 *   small LIMIT, or the one of a unique key.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/stratnum.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/by_index.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* Up to so many rows, joins gain nothing if collections are found by an index */
#define FEW_ROWS	100

/*
 * Pages in the order of an index
 */

/* The item of FROM that all others are computed for, row by row; 0 if there is none */
static int
LeadingItem(const Query *query)
{
	List	   *nodes = NodesOfJoinTree((Node *) query->jointree);
	ListCell   *cell;

	for_each_from(cell, nodes, 1)
	{
		Node	   *node = lfirst(cell);
		int			varno = VarnoOf(node);

		if ((varno > 0 && !rt_fetch(varno, query->rtable)->lateral) ||
			(IsA(node, JoinExpr) && !IsTrue(((JoinExpr *) node)->quals)))
			return 0;
	}
	return VarnoOf(linitial(nodes));
}

/* How many of a query's conditions bound a column of an index?  Is one that it has one value? */
static int
BoundsOf(List *conditions, const KeyColumn *column, bool *is_one_value)
{
	int			n = 0;
	ListCell   *cell;

	*is_one_value = false;
	foreach(cell, conditions)
	{
		Oid			operator;
		Node	   *value = ComparedTo(lfirst(cell), column, &operator);

		if (value == NULL || !IsOneValue(value))
			continue;
		n++;
		*is_one_value |= get_op_opfamily_strategy(operator, column->opfamily) == BTEqualStrategyNumber;
	}
	return n;
}

/* In which direction an index is read for an order of a column; NoMovement if it does not have that */
static ScanDirection
DirectionFor(const SortGroupClause *clause, const KeyColumn *column, int16 option)
{
	int			strategy = get_op_opfamily_strategy(clause->sortop, column->opfamily);
	bool		backwards = (strategy == BTGreaterStrategyNumber) != ((option & INDOPTION_DESC) != 0);
	bool		nulls_first = ((option & INDOPTION_NULLS_FIRST) != 0) != backwards;

	if ((strategy != BTLessStrategyNumber && strategy != BTGreaterStrategyNumber) || clause->nulls_first != nulls_first)
		return NoMovementScanDirection;
	return backwards ? BackwardScanDirection : ForwardScanDirection;
}

/* A page in the order of an index */
typedef struct IndexedPage
{
	Query	   *query;
	bool		is_filtered;	/* there are indexes in this order, or that of
								 * its first columns, but not with all rows,
								 * or with others, too */
} IndexedPage;

/*
 * Does an index have the rows in the order that is asked for, with nothing between them that does not
 * meet all conditions?  A column of one value does not matter for the order.
 */
static bool
GivesPage(Relation index, int varno, void *context)
{
	IndexedPage *page = context;
	Query	   *query = page->query;
	List	   *conditions = make_ands_implicit((Expr *) query->jointree->quals);
	ListCell   *key = list_head(query->sortClause);
	ScanDirection direction = NoMovementScanDirection;
	bool		is_bound = true;	/* the columns so far have one value each */
	int			nmet = 0;

	if (!IsBtreeOfColumns(index))
		return false;
	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
	{
		KeyColumn	column = KeyColumnOf(index, i, varno);
		bool		is_one_value;
		int			nbounds = BoundsOf(conditions, &column, &is_one_value);
		bool		is_key = key != NULL && IsClauseOfKey(query, lfirst(key), &column);

		if (is_bound)
			nmet += nbounds;
		if (!is_one_value)
		{
			ScanDirection wanted = is_key ?
				DirectionFor(lfirst(key), &column, index->rd_indoption[i]) : NoMovementScanDirection;

			if (wanted == NoMovementScanDirection || (direction != NoMovementScanDirection && wanted != direction))
				break;
			direction = wanted;
			is_bound = false;
		}
		if (is_key)
			key = lnext(query->sortClause, key);
	}
	page->is_filtered |= key != list_head(query->sortClause);
	return key == NULL && nmet == list_length(conditions) && IsWholeBtree(index);
}

/*
 * Does PostgreSQL read the rows of a query in their order by an index, and compute the rest row by row?  If
 * it may do so, but would have to filter them, or the index has only some, is_filtered is set.
 */
bool
ComesByIndex(Query *query, bool *is_filtered)
{
	IndexedPage page = {.query = query};
	int			varno = LeadingItem(query);
	RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, query->rtable) : NULL;
	bool		result = rte != NULL && rte->rtekind == RTE_RELATION && enable_indexscan &&
		(rte->relkind == RELKIND_RELATION || rte->relkind == RELKIND_MATVIEW) &&
		!HasHeirs(rte) && rte->tablesample == NULL && rte->securityQuals == NIL &&
		FindIndex(query, varno, GivesPage, &page);

	*is_filtered = page.is_filtered && !result;
	return result;
}

/*
 * Collections that are found by an index
 */

/* Has it one row for each value of its first column, or did ANALYZE see how many? */
static bool
FrequencyIsKnown(Relation index)
{
	Form_pg_index form = index->rd_index;

	return (form->indisunique && form->indnkeyatts == 1) ||
		SearchSysCacheExists3(STATRELATTINH, ObjectIdGetDatum(form->indrelid), Int16GetDatum(form->indkey.values[0]),
							  BoolGetDatum(index->rd_rel->relkind == RELKIND_PARTITIONED_INDEX));
}

/* A query, while its tables are examined: which of them are found by an index? */
typedef struct Finding
{
	List	   *conditions;
	Relids		found;
	bool	   *is_guess;		/* set if nobody knows how many rows are; NULL
								 * if nobody asks */
} Finding;

/* Is a column of an index compared with one of a query around, or of a table that has been found? */
static bool
FindsRows(Relation index, int varno, void *context)
{
	Finding    *finding = context;
	KeyColumn	column = KeyColumnOf(index, 0, varno);
	ListCell   *cell;

	if (!IsWholeBtree(index))
		return false;
	foreach(cell, finding->conditions)
	{
		Oid			operator;
		Var		   *value = (Var *) StripRelabels(ComparedTo(lfirst(cell), &column, &operator));

		if (value != NULL && IsA(value, Var) &&
			(value->varlevelsup > 0 || bms_is_member(value->varno, finding->found)) &&
			get_op_opfamily_strategy(operator, column.opfamily) == BTEqualStrategyNumber)
		{
			if (finding->is_guess != NULL)
				*finding->is_guess |= !FrequencyIsKnown(index);
			return true;
		}
	}
	return false;
}

/*
 * Is a table so small that PostgreSQL reads all of it?  By an index, two blocks are read for each row, as a
 * rule: one of the index, and one of the table.
 */
static bool
IsReadAtOnce(const RangeTblEntry *rte)
{
	TableSize	size = {0};

	if (rte->relkind != RELKIND_PARTITIONED_TABLE)
		size = SizeOfTable(rte->relid);
	return size.pages > 0 &&
		size.pages * seq_page_cost + size.rows * (cpu_tuple_cost + cpu_operator_cost) < 2 * random_page_cost;
}

/* If guesses are asked for: is a table small, and nobody knows how small? */
static bool
IsSmallGuess(const Query *query, int varno, bool *is_guess)
{
	if (is_guess == NULL || !IsNeverAnalyzed(rt_fetch(varno, query->rtable)->relid, true))
		return false;
	*is_guess = true;
	return true;
}

/* Is each table of a query found by an index, from a row of a query around it? */
static bool
TablesAreFound(Query *query, bool *is_guess)
{
	/* A left join's condition is true of its right side. */
	Finding		finding = {ConditionsIn((Node *) query->jointree), NULL, is_guess};
	Relids		items = RelidsInJointree((Node *) query->jointree);
	Relids		tables = NULL;
	int			nfound;

	for (int i = -1; (i = bms_next_member(items, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, query->rtable);

		if ((rte->rtekind == RTE_CTE && IsCorrelated(query)) ||
			(rte->rtekind == RTE_RELATION && (!IsSeenWhole(rte) || IsReadAtOnce(rte))))
			return false;
		if (rte->rtekind == RTE_RELATION)
			tables = bms_add_member(tables, i);
	}
	do
	{
		nfound = bms_num_members(finding.found);
		for (int i = -1; (i = bms_next_member(tables, i)) >= 0;)
			if (!bms_is_member(i, finding.found) &&
				(FindIndex(query, i, FindsRows, &finding) || IsSmallGuess(query, i, is_guess)))
				finding.found = bms_add_member(finding.found, i);
	} while (bms_num_members(finding.found) > nfound);
	return bms_equal(tables, finding.found);
}

/* Of a query that is computed for each row, or an expression: is there a table, at any depth, that is not found so? */
static bool
FindReadThrough(Node *node, void *context)
{
	if (node == NULL)
		return false;
	check_stack_depth();
	if (!IsA(node, Query))
		return expression_tree_walker(node, FindReadThrough, context);
	if (!TablesAreFound((Query *) node, context))
		return true;
	/* Most have subqueries only in FROM. */
	return ((Query *) node)->hasSubLinks ? query_tree_walker((Query *) node, FindReadThrough, context, 0) :
		range_table_walker(((Query *) node)->rtable, FindReadThrough, context, QTW_IGNORE_JOINALIASES) ||
		FindReadThrough((Node *) ((Query *) node)->cteList, context);
}

/* Does an index find all that a query reads for a row of the query around it? */
bool
IndexesFind(Query *query)
{
	return (enable_indexscan || enable_bitmapscan) && !FindReadThrough((Node *) query, NULL);
}

/* The table of which a query reads rows (or all of them), and what belongs to each; InvalidOid if there is none */
Oid
LeadingTable(Level *level, bool all_rows)
{
	Query	   *query = level->query;
	int			varno = LeadingItem(query);
	RangeTblEntry *rte;
	Level		inner;

	check_stack_depth();
	if (varno == 0 || (all_rows && !IsTrue(query->jointree->quals)))
		return InvalidOid;
	rte = rt_fetch(varno, query->rtable);
	if (rte->rtekind == RTE_RELATION)
		return rte->relid;
	if (QueryOfEntry(level, rte, &inner) == NULL || (all_rows && !HasOnly(inner.query, PARTS_OF_ROWS | PART_CTES)))
		return InvalidOid;
	return LeadingTable(&inner, all_rows);
}

/* Is there a LIMIT of few rows, or of a number that is not known?  That is, as a rule, the size of a page, too. */
static bool
HasSmallLimit(Level *level)
{
	int64		count = CountOf(level, level->query->limitCount);

	return count != NO_COUNT && count <= FEW_ROWS;
}

/* Are few rows of a query wanted, which may read more? */
bool
WantsFewRows(Level *level)
{
	return HasSmallLimit(level) || ReadsFewRows(level);
}

/* Does a query read few rows, and only what belongs to each of them? */
bool
ReadsFewRows(Level *level)
{
	int			varno = LeadingItem(level->query);
	Level		inner;

	check_stack_depth();
	if (varno == 0)
		return false;
	if (HasUniqueKey(level->query, varno))
		return true;
	return QueryOfEntry(level, rt_fetch(varno, level->query->rtable), &inner) != NULL && WantsFewRows(&inner);
}

/* Is the number of a query's rows a guess, because they are those of a table that was never analyzed?  Not if they are few for certain. */
bool
RowsAreGuessed(Level *level)
{
	Oid			table = LeadingTable(level, false);

	return OidIsValid(table) && !WantsFewRows(level) && IsNeverAnalyzed(table, false);
}

/* Are all rows of a table wanted, and it is known how many these are? */
static bool
SizeIsKnown(Level *level)
{
	Oid			whole = LeadingTable(level, true);

	return OidIsValid(whole) && !IsNeverAnalyzed(whole, true);
}

/*
 * Is all that a query computes for its rows, or for those of what it reads, found by an index?  If anything
 * is, there must be few rows; or, if guesses are asked for, so many that nobody knows, or (of_all) any number.
 */
static bool
IsFoundIn(Level *level, bool of_all, bool *is_guess)
{
	Query	   *query = level->query;
	Relids		items = RelidsInJointree((Node *) query->jointree);
	List	   *of_each = list_make1(query->targetList);
	List	   *sorts = get_sortgrouplist_exprs(query->sortClause, query->targetList);
	bool		is_tested = query->hasSubLinks && checkExprHasSubLink((Node *) sorts);
	Level		inner;

	if (VisitsTooMany(level) || HasAny(query, PART_SET_OPERATION))
		return false;
	for (int i = -1; (i = bms_next_member(items, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, query->rtable);

		if (rte->lateral)
		{
			of_each = lappend(of_each, rte->subquery);

			/*
			 * What is sorted by, or asked (exists.c), is computed for all
			 * rows.
			 */
			is_tested |= rte->rtekind == RTE_SUBQUERY && IsOneRow(rte->subquery) &&
				(RefersTo((Node *) query->jointree, i) || RefersTo((Node *) sorts, i));
		}
		else if ((rte->rtekind == RTE_SUBQUERY || rte->rtekind == RTE_CTE) &&
				 (QueryOfEntry(level, rte, &inner) == NULL || !IsFoundIn(&inner, of_all, is_guess)))
			return false;
	}
	if (list_length(of_each) == 1 && !(query->hasSubLinks && checkExprHasSubLink((Node *) of_each)))
		return true;
	return ((HasSmallLimit(level) && !is_tested) || ReadsFewRows(level) ||
			(is_guess != NULL && (of_all || !SizeIsKnown(level)))) &&
		!FindReadThrough((Node *) of_each, is_guess);
}

/* Are few rows of a query wanted, and an index finds what belongs to each? */
bool
IsFoundByIndex(Level *level)
{
	return (enable_indexscan || enable_bitmapscan) && IsFoundIn(level, false, NULL);
}

/*
 * Are its costs a guess, though an index finds what belongs to each row, or its table is small?  Of a table that was
 * never analyzed, PostgreSQL takes each 200th row for one of each parent's.  That does not matter, unless of_all is set,
 * where all parents are wanted, if it is known how many they are.
 */
bool
CostIsGuess(Level *level, bool of_all)
{
	bool		is_guess = false;

	return IsFoundIn(level, of_all, &is_guess) && is_guess;
}
