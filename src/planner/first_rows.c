/*-------------------------------------------------------------------------
 *
 * first_rows.c
 *		LIMIT and OFFSET of each group.
 *
 *		SELECT p.id, (SELECT json_agg(x)            SELECT p.id, q.value
 *			FROM (SELECT * FROM c                   FROM p LEFT JOIN (SELECT pid AS key, json_agg(x ORDER BY v) value
 *				WHERE pid = p.id                        FROM (SELECT * FROM (SELECT *, row_number() OVER (
 *				ORDER BY v LIMIT 5) x)                              PARTITION BY pid ORDER BY v) n FROM c) y
 *		FROM p                                              WHERE n <= 5) x
 *                                                      GROUP BY pid) q ON q.key = p.id
 *
 * A collection of a parent's first rows reads all rows of its table once, and
 * numbers those of each parent.
 *
 * Why nothing changes: the rows of a parent are those whose key is equal, by the
 * operator that rows are grouped by.  They are numbered in the order that LIMIT takes
 * them in, so they are the same, except where the order leaves ties, or none is asked
 * for.  The numbers are known before planning, or those of this plan's parameters;
 * one that is negative would be an error, and is left where it is.  A LIMIT of rows that
 * another query has sorted stays, too.  What is computed for rows that are left out
 * cannot raise an error, nor can conditions from above, wherever they are evaluated (see
 * collection.c); PostgreSQL passes none of them through the numbering but those on the key.
 *
 * Where statistics tell that no group has as many rows, as of LIMIT 1000 that API servers send always, the numbering is
 * all that the LIMIT costs.  So groups are made without it, and counted:
 *
 *		SELECT p.id, CASE WHEN NOT q.complete THEN (<the subquery as it is written>) ELSE q.value END
 *		FROM p LEFT JOIN (SELECT pid AS key, json_agg(x) FILTER (WHERE small) AS value, bool_and(small) AS complete
 *						  FROM c GROUP BY pid) q ON q.key = p.id
 *
 * small is jsonrow_is_small_group, which is true of the first 1000 rows of a group.  One of no more rows is the same
 * without LIMIT; of another, the value is not used.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "planner/collection.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/order.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Can LIMIT and OFFSET of a query, if it has them, be taken of each group of its rows?  Then they are known now. */
bool
CanCutGroups(Level *level)
{
	Query	   *query = level->query;

	if (!HasAny(query, PART_LIMIT | PART_OFFSET))
		return true;
	return (query->limitCount == NULL || CountOf(level, query->limitCount) >= 0) &&
		(query->limitOffset == NULL || CountOf(level, query->limitOffset) >= 0) &&
		(HasAny(query, PART_ORDER) || !HasInputOrder(level)) &&
		MayReplace(level, F_ROW_NUMBER) && MayReplace(level, F_INT8LE) && MayReplace(level, F_INT8GT) &&
		OrderIsFit(level);
}

/* n > count, or n <= count */
static Node *
Compared(Var *n, bool is_greater, int64 count)
{
	Oid			greater = lookup_type_cache(INT8OID, TYPECACHE_GT_OPR)->gt_opr;

	return (Node *) make_opclause(is_greater ? greater : get_negator(greater), BOOLOID, false, copyObject((Expr *) n),
								  (Expr *) Int8Const(count), InvalidOid, InvalidOid);
}

/* The last row of a group that is wanted, by its number; PG_INT64_MAX if all are that OFFSET does not skip */
static int64
LastWanted(Level *level, const Query *query)
{
	int64		count = CountOf(level, query->limitCount);
	int64		skipped = CountOf(level, query->limitOffset);

	skipped = Max(skipped, 0);
	return count >= 0 && count <= PG_INT64_MAX - skipped ? skipped + count : PG_INT64_MAX;
}

/* May groups of a query have rows after the last that is wanted, as far as statistics tell? */
static bool
ReadsMore(const Query *query, const List *partition, int64 last)
{
	ListCell   *cell;

	foreach(cell, partition)
	{
		if (MostRowsOfKey(query, get_sortgroupclause_expr(lfirst(cell), query->targetList)) <= last)
			return false;
	}
	return true;
}

/* The LIMIT of a source that no group reaches, as far as statistics tell; 0 if there is none, or it is no int */
int64
UnreachedLimit(Level *level, const Source *source)
{
	const Query *query = source->query;
	int64		last = LastWanted(level, query);

	return CountOf(level, query->limitOffset) <= 0 && last <= PG_INT32_MAX &&
		!ReadsMore(query, source->partition, last) ? last : 0;
}

/* Drop LIMIT and OFFSET of a query, and the order that is for them, if they leave nothing out. */
bool
DropEmptyLimit(Level *level, Query *query)
{
	if (query->limitCount != NULL || CountOf(level, query->limitOffset) > 0)
		return false;
	query->limitOffset = NULL;
	query->sortClause = NIL;
	return true;
}

/* Take LIMIT and OFFSET of a query, which is changed where it is, for each group; its order is no longer needed. */
void
CutGroups(Level *level, Source *source)
{
	Query	   *query = source->query;
	int64		skipped = CountOf(level, query->limitOffset);
	int64		last = LastWanted(level, query);
	Query	   *numbered = PutInFrom(query, "numbered");
	List	   *conditions = NIL;
	Var		   *n;

	level->rewrite->reads_more |= ReadsMore(numbered, source->partition, last);
	numbered->limitCount = numbered->limitOffset = NULL;
	n = makeVarFromTargetEntry(1, AddEntry(numbered, NumberRows(numbered, source->partition), pstrdup("n")));
	numbered->sortClause = NIL;
	if (skipped > 0)
		conditions = list_make1(Compared(n, true, skipped));
	if (last < PG_INT64_MAX)
		conditions = lappend(conditions, Compared(n, false, last));
	query->jointree->quals = (Node *) make_ands_explicit(conditions);
	query->queryId = numbered->queryId;
	numbered->queryId = 0;
	level->rewrite->cut = bms_add_member(level->rewrite->cut, (int) query->queryId);
}
