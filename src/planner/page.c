/*-------------------------------------------------------------------------
 *
 * page.c
 *		Which parts of a query are computed for its rows afterwards.
 *
 * A query with LIMIT sorts all of its rows to keep some.  PostgreSQL computes
 * what is in FROM for all of them.  Here nothing is changed: it is found out what
 * could be computed for the rows that are kept (parents_first.c does that).  These are
 *
 * - subqueries of FROM that are joined without a condition and give exactly one
 *   row, or, as the right side of a left join, at most one.  They neither add
 *   rows nor remove any.  None is on the nullable side of another join, where its
 *   row would become NULL.  One that is not in a left join refers to other items,
 *   for else it would be computed even if there are no rows.
 *
 * - expressions of the select list that make JSON or have subqueries, unless they
 *   need a whole row, which is not carried;
 *
 * and only if nothing else refers to them: no condition, no sort key, no other
 * item of FROM that stays.
 *
 * It is worth it if there is such a subquery in FROM, or an expression that makes
 * JSON; for subqueries of the select list, which PostgreSQL itself computes after a
 * sort, if rows are skipped.  For large pages, costs decide: see WithParentsFirst in
 * unnest_choice.c.
 *
 * Above what stays, less is computed than before, and so it costs less.  PostgreSQL may sort all of it where it
 * would have read the first rows by an index, or join it in another way.  So nothing
 * that stays may raise an error, or reveal what it sees, for rows other than those
 * that the query returns; and another order of what it reads must not be seen.  The
 * same goes for queries around it that join its rows to others, for which way is best
 * depends on what the page costs.
 *
 * The other queries that are divided are those whose rows can be read only once.
 * A collection is restricted to its parents by reading these once more (parents.c).  Rows that cannot be read
 * twice, or not in another way, because a condition on them could raise an error, or because they are grouped, are
 * computed once, and then read twice:
 *
 *		SELECT p.id, (SELECT json_agg(c.x)          WITH parents AS MATERIALIZED (
 *			FROM c WHERE c.pid = p.id)                  SELECT p.id FROM p WHERE p.y::date = '2026-11-29')
 *		FROM p WHERE p.y::date = '2026-11-29'       SELECT p.id, (SELECT json_agg(c.x)
 *													    FROM c WHERE c.pid = p.id)
 *													FROM parents p
 *
 * They become a subquery with OFFSET 0, as those of a page do (parents_first.c); parents.c makes a CTE of it.
 * What groups, or has window functions, is divided after that, if its collections belong to the groups:
 *
 *		SELECT p.id, count(*), (SELECT              SELECT p.id, p.count, (SELECT json_agg(c.x)
 *			json_agg(c.x) FROM c                        FROM c WHERE c.pid = p.id)
 *			WHERE c.pid = p.id)                     FROM (SELECT p.id, count(*) FROM p JOIN q ON ...
 *		FROM p JOIN q ON ... GROUP BY p.id              GROUP BY p.id OFFSET 0) p
 *
 * Why nothing changes: the subquery has the same FROM and WHERE, and gives all its rows, once.  PostgreSQL may carry
 * it out in another way, for what is computed from its rows no longer belongs to it; so it must be one whose way is
 * not seen (ways.c), and nobody may have asked for the order of what it reads.  Nor may it leave out a join that
 * nobody needs, if that could raise an error, as PostgreSQL does.  What is late is computed from columns that have the
 * same values, for the same rows, under the same conditions: groups keep conditions from above out, and are not pulled
 * up, and so does OFFSET 0.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/folding.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/page.h"
#include "planner/parents.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"

/*
 * Items of FROM
 */

/*
 * An item may be late if it is a subquery that gives one row for each of the others; or, in a left join, at most one,
 * be it one of its groups (one_group.c).  It stands where no join makes it NULL; the first of all is none, for it
 * refers to no other.  What nothing refers to PostgreSQL may leave out; what refers to none of the others it may
 * compute first, though there are no rows; and what it pulls up may become a hash join, which computes conditions and
 * values for all rows of its tables.
 */
static void
AddIfOneForEach(RowPage *page, Node *item)
{
	Level	   *level = page->level;
	Query	   *query = level->query;
	int			varno = VarnoOf(item);
	RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, query->rtable) : NULL;
	JoinExpr   *join;
	Level		inner;
	bool		is_one;

	if (rte == NULL || rte->rtekind != RTE_SUBQUERY || rte->security_barrier || rte->securityQuals != NIL ||
		!FindPlace((Node *) query->jointree, varno, &join) || !RefersTo((Node *) query, varno))
		return;
	inner = LevelBelow(level, rte->subquery);
	if (join != NULL && !IsTrue(join->quals))
	{
		if (page->cut == AFTER_LIMIT)
			page->groups[varno] = FindJoinedGroup(level, join);
		is_one = page->groups[varno] != NULL;
	}
	else if (join != NULL && join->jointype == JOIN_LEFT)
		is_one = GivesNoMoreThanOneRow(&inner);
	else
		is_one = rte->lateral && contain_vars_of_level((Node *) inner.query, 1) && GivesOneRow(&inner);
	if (!is_one || !(IsFenced(inner.query) || HasAny(inner.query, PART_NO_FROM) || !QueryMayRaise(level, inner.query)))
		return;
	page->late = lappend(page->late, join != NULL ? (Node *) join : item);
	page->items = bms_add_member(page->items, varno);
}

/*
 * What of the parents cannot be one of their columns: a whole row; and what is computed
 * when it is read, and might raise an error where it was not read.
 */
static Visit
VisitUncarried(Node *node, int depth, void *context)
{
	const RowPage *page = context;
	Var		   *var = (Var *) node;

	if (!IsA(node, Var) || (int) var->varlevelsup != depth || bms_is_member(var->varno, page->items))
		return VISIT_CHILDREN;
	var = copyObject(var);
	var->varlevelsup = 0;
	return var->varattno == 0 || ExpressionMayRaise(page->level, (Node *) var) ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Does it need something of the parents that cannot be one of their columns? */
static bool
NeedsMore(const RowPage *page, Node *expr)
{
	return FindInLevels(expr, VisitUncarried, (void *) page);
}

/* Are they late, and subqueries that PostgreSQL does not pull up?  Else their columns are what these stand for. */
static bool
AreFenced(const RowPage *page, const Bitmapset *items)
{
	for (int i = -1; (i = bms_next_member(items, i)) >= 0;)
	{
		const RangeTblEntry *rte = rt_fetch(i, page->level->query->rtable);

		/* A join is one that may make a column NULL. */
		if (rte->rtekind != RTE_JOIN &&
			(!bms_is_member(i, page->items) || (rte->rtekind == RTE_SUBQUERY && !IsFenced(rte->subquery))))
			return false;
	}
	return true;
}

static Visit
VisitKnown(Node *node, int depth, void *context)
{
	const RowPage *page = context;
	Var		   *var = (Var *) node;

	if (IsA(node, NullTest) || IsA(node, BooleanTest) || IsA(node, DistinctExpr) ||
		(COALESCE_IS_SIMPLIFIED && IsA(node, CoalesceExpr)))
		return AreFenced(page, pull_varnos_of_level(NULL, node, depth)) ? VISIT_CHILDREN : VISIT_FOUND;
	return IsA(node, Var) && (int) var->varlevelsup == depth && !bms_is_member(var->varno, page->items) &&
		ColumnMayBeKnown(page->level, var) ? VISIT_FOUND : VISIT_CHILDREN;
}

/*
 * Is it computed from something of the parents that PostgreSQL may know while it plans?  Then it
 * might leave out what raises an error, as in 10 / x + NULL, which it does not of a column.
 * PostgreSQL 19 also knows what tests of columns that are NOT NULL give, and COALESCE of these.
 */
static bool
NeedsKnown(const RowPage *page, Node *expr)
{
	return FindInLevels(expr, VisitKnown, (void *) page);
}

/* Can it be computed from columns of the parents, and what is late?  A count of all rows is not known later. */
bool
CanBeLate(const RowPage *page, Node *expr)
{
	return !contain_windowfuncs(expr) && !NeedsMore(page, expr) &&
		!(NeedsKnown(page, expr) && ExpressionMayRaise(page->level, expr));
}

static bool
EntryMayBeLate(const RowPage *page, TargetEntry *entry)
{
	return !IsSortKey(page->level->query, entry) && CanBeLate(page, (Node *) entry->expr);
}

/* Does anything that is not late refer to this item? */
static bool
IsNeeded(const RowPage *page, int varno)
{
	Query	   *query = page->level->query;
	ListCell   *cell;

	if (RefersTo((Node *) query->jointree, varno) && RefersTo((Node *) PageParents(page), varno))
		return true;
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (RefersTo((Node *) entry->expr, varno) && !EntryMayBeLate(page, entry))
			return true;
	}
	return FromRefersTo(query, page->items, varno);
}

/* What of a query's FROM is late: what cannot be is left out, until all that is left can. */
static void
FindLateItems(RowPage *page)
{
	Query	   *query = page->level->query;
	int			nitems;
	ListCell   *cell;

	page->groups = palloc0((list_length(query->rtable) + 1) * sizeof(Query *));
	foreach(cell, NodesOfJoinTree((Node *) query->jointree))
	{
		AddIfOneForEach(page, lfirst(cell));
	}
	do
	{
		nitems = list_length(page->late);
		/* The last one first: it may refer to those before it. */
		for (int i = nitems - 1; i >= 0; i--)
		{
			int			varno = VarnoOfLate(list_nth(page->late, i));
			Query	   *group = page->groups[varno];
			Query	   *subquery = group != NULL ? group : rt_fetch(varno, query->rtable)->subquery;
			Node	   *list = (Node *) list_make1(subquery);

			if (!IsNeeded(page, varno) && !NeedsMore(page, list) &&
				!(NeedsKnown(page, list) && QueryMayRaise(page->level, subquery)))
				continue;
			page->items = bms_del_member(page->items, varno);
			page->late = list_delete_nth_cell(page->late, i);
		}
	} while (list_length(page->late) < nitems);
}

/*
 * Expressions of the select list
 */

/* Does an expression make JSON, but in a subquery? */
static bool
FindConstructor(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return false;
	return IsA(node, RowExpr) || IsJsonConstructor(node) ||
		(IsA(node, FuncExpr) && TwinOfEither(((FuncExpr *) node)->funcid) != NO_TWIN) ||
		expression_tree_walker(node, FindConstructor, context);
}

/*
 * Which expressions are late: those that must be, that make JSON or have subqueries, and that are computed from what is
 * late, or from no column.  *gains: is there one for which it is worth it?  False if one that stays, or would have to be
 * carried, could raise an error for other rows.
 */
static bool
FindEntries(RowPage *page, bool *gains)
{
	ListCell   *cell;

	*gains = page->late != NIL;
	foreach(cell, page->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		Node	   *expr = (Node *) entry->expr;
		Bitmapset  *items = pull_varnos_of_level(NULL, expr, 0);
		bool		must = EntryMayRaise(page->level, entry);
		bool		makes = FindConstructor(expr, NULL);
		bool		asks = checkExprHasSubLink(expr);

		if (!EntryMayBeLate(page, entry))
		{
			if (must)
				return false;
			continue;
		}
		if (!must && !makes && !asks && items != NULL && !bms_overlap(items, page->items))
			continue;
		page->entries = bms_add_member(page->entries, entry->resno);
		/* If it sorts, PostgreSQL computes subqueries late by itself. */
		*gains |= makes || (asks && (SkipsRows(page->level) || page->for_batches));
	}
	return true;
}

/*
 * Pages
 */

/* Why a query with such a part is no page; others keep a statement as it is written (see DoesMoreThanRead) */
static const struct
{
	QueryParts	parts;
	const char *reason;
}			reasons[] =

{
	{PART_AGGREGATES | PART_GROUPS | PART_GROUPING_SETS | PART_HAVING, PAGE_AGGREGATES},
	{PART_DISTINCT | PART_DISTINCT_ON, "the query with LIMIT has DISTINCT"},
	{PART_WINDOWS, "the query with LIMIT has window functions"},
	{PART_SET_OPERATION, "LIMIT applies to UNION, INTERSECT or EXCEPT"},
	{PART_SETS, "the select list of the query with LIMIT has a function that returns sets"},
	{PART_TIES, "FETCH FIRST ... WITH TIES"},
};

/* No fewer columns than the parents will have: each is in the select list, or something refers to it. */
int
ColumnsOfParents(const RowPage *page)
{
	Query	   *query = page->level->query;

	return list_length(query->targetList) + CountColumns(query);
}

static bool
IsLate(const JoinExpr *join, Node *item, void *context)
{
	const RowPage *page = context;

	return bms_is_member(VarnoOf(item), page->items);
}

/* FROM and WHERE without what is late */
FromExpr *
PageParents(const RowPage *page)
{
	Node	   *from = copyObject((Node *) page->level->query->jointree);

	return castNode(FromExpr, WithoutItems(from, IsLate, (void *) page));
}

/* A reason */
#define NOTHING_IS_LATE	"nothing in it could be computed after LIMIT that PostgreSQL does not compute then"

/* May it be one whose rows are grouped with what is joined to them (grouped_page.c), as far as it is soon known? */
bool
MayBeGroupedPage(const Query *query)
{
	ListCell   *cell;

	if (!HasOnly(query, PARTS_OF_PAGE | PART_AGGREGATES | PART_GROUPS) || !HasAny(query, PART_GROUPS) ||
		!HasAny(query, PART_ORDER))
		return false;
	foreach(cell, query->jointree->fromlist)
	{
		if (IsA(lfirst(cell), JoinExpr))
			return true;
	}
	return false;
}

/* May the groups of such a page come in its order, so that PostgreSQL stops when it has enough of them? */
bool
MayBeSortedGroups(const Query *query)
{
	return MayBeGroupedPage(query) &&
		get_sortgroupref_clause_noerr(linitial_node(SortGroupClause, query->sortClause)->tleSortGroupRef,
									  query->groupClause) != NULL;
}

/* Why a query that cuts its rows is no page, as far as it is soon known; NULL if it may be one */
const char *
WhyNoPage(Level *level, bool for_batches)
{
	const Query *query = level->query;
	ListCell   *cell;

	if (MayBeGroupedPage(query))
		return NULL;
	if (!HasOnly(query, PARTS_OF_PAGE | PART_COUNTS))
	{
		for (int i = 0; i < lengthof(reasons); i++)
			if (HasAny(query, reasons[i].parts))
				return reasons[i].reason;
		return "the query with LIMIT has no FROM";
	}
	if (!for_batches && !HasAny(query, PART_ORDER) && !SkipsRows(level))
		return "without ORDER BY, PostgreSQL stops when it has the rows";
	foreach(cell, query->targetList)
	{
		if (!IsA(lfirst_node(TargetEntry, cell)->expr, Var))
			return NULL;
	}
	return MayHoldCollections(query) ? NULL : NOTHING_IS_LATE;
}

/* A query that cuts its rows, of which nothing is known yet */
RowPage
PageOf(Level *level, bool for_batches)
{
	int64		count = CountOf(level, level->query->limitCount);

	return (RowPage)
	{
		.level = level,.is_small = count >= 0 && count <= SMALL_PAGE,.for_batches = for_batches
	};
}

/*
 * What of a query that cuts its rows can be computed afterwards, for each of them or
 * for all at once; NULL if there is something, or else the reason why not.
 */
const char *
FindPage(Surveyed *surveyed, bool for_batches, RowPage *page)
{
	Level	   *level = &surveyed->level;
	const char *reason = WhyNoPage(level, for_batches);
	bool		gains;

	*page = PageOf(level, for_batches);
	if (reason != NULL)
		return reason;
	if (HasColumnsOfJoins(level->query))
		return "a column is that of a join with USING, or of one with a name of its own";
	FindLateItems(page);
	if (!FindEntries(page, &gains))
		return "an expression of a whole row could raise an error for other rows";
	if (!gains)
		return NOTHING_IS_LATE;
	if (SortKeysMayRaise(page->level))
		return "a sort key, or comparing it, could raise an error for other rows";
	if (ColumnsOfParents(page) > MAX_COLUMNS)
		return TOO_MANY_COLUMNS;
	if (OtherRowsMayRaise(level, PageParents(page)))
		return OTHER_ROWS_MAY_RAISE;
	if (ReadersMayRaise(surveyed))
		return READERS_MAY_RAISE;
	if (PlanIsSeen(surveyed))
		return "the order of an array around it depends on how PostgreSQL joins or groups";
	return NULL;
}

/*
 * Rows that are read once
 */

/* What a query may contain that is divided after WHERE, or after its groups */
#define PARTS_BEFORE_WHERE	(PART_WHERE | PART_ORDER | PART_CTES | PART_AGGREGATES)
#define PARTS_OF_GROUPED	(PARTS_BEFORE_WHERE | PART_GROUPS | PART_HAVING | PART_WINDOWS | PART_COUNTS)

/* May there be a collection in an entry of the select list? */
static bool
HasCollection(TargetEntry *entry)
{
	ListCell   *cell;

	foreach(cell, AlwaysComputed(list_make1(entry)))
	{
		SubLink    *sublink = lfirst(cell);

		if (sublink->subLinkType == EXPR_SUBLINK && MayBeCollection(castNode(Query, sublink->subselect)))
			return true;
	}
	return false;
}

/* All entries with collections that belong to groups, or to rows that have window functions */
static void
FindEntriesAboveGroups(RowPage *page)
{
	ListCell   *cell;

	foreach(cell, page->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->ressortgroupref == 0 && HasCollection(entry) && !contain_aggs_of_level((Node *) entry->expr, 0) &&
			CanBeLate(page, (Node *) entry->expr))
			page->entries = bms_add_member(page->entries, entry->resno);
	}
}

/* Can all that a query computes be computed from columns that are carried?  Then all of it is late. */
static bool
FindAllEntries(RowPage *page)
{
	ListCell   *cell;

	foreach(cell, page->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!CanBeLate(page, (Node *) entry->expr))
			return false;
		page->entries = bms_add_member(page->entries, entry->resno);
	}
	return true;
}

/* May the rows, which have no order, and nothing that is late, be read in another way, which nobody sees? */
static bool
MayBeReadByItself(const RowPage *page)
{
	Level		rows = *page->level;
	ListCell   *cell;

	if (page->cut == AFTER_WHERE)
	{
		rows.query = MakeReader(rows.query);
		rows.query->jointree = PageParents(page);
		RemoveEntries(rows.query);
	}
	else
	{
		rows.query = copyObject(rows.query);
		rows.query->sortClause = NIL;
		foreach(cell, rows.query->targetList)
		{
			if (bms_is_member(lfirst_node(TargetEntry, cell)->resno, page->entries))
				rows.query->targetList = foreach_delete_current(rows.query->targetList, cell);
		}
	}
	return !ShowsWay(&rows) && !OtherWayMayRaise(&rows, NULL) && !OuterJoinsMayRaise(&rows);
}

/* Might it be of use for a query, as far as it is soon known? */
bool
MayReadOnce(Level *level)
{
	Query	   *query = level->query;

	return HasOnly(query, PARTS_OF_GROUPED) && !HasColumnsOfJoins(query) &&
		(HasLaterals(query) || AlwaysComputed(query->targetList) != NIL);
}

/* Divide a query so that its rows are read once, if its collections can be joined only then. */
bool
FindRowsOnce(Surveyed *surveyed, RowPage *page)
{
	Level	   *level = &surveyed->level;
	Query	   *query = level->query;
	bool		is_grouped = !HasOnly(query, PARTS_BEFORE_WHERE) || HasAny(query, PART_AGGREGATES);

	*page = (RowPage)
	{
		.level = level,.for_batches = true
	};
	if (!RunsOnceForAll(surveyed) || OrderIsSeen(surveyed) || HasInputOrder(level) || ReadersMayRaise(surveyed) ||
		PlanIsSeen(surveyed))
		return false;
	if (is_grouped)
		FindEntriesAboveGroups(page);
	if (page->entries != NULL)
		page->cut = AFTER_GROUPS;
	else
	{
		if (!HasOnly(query, PARTS_BEFORE_WHERE) || !NeedsRowsOnce(level))
			return false;
		page->cut = AFTER_WHERE;
		FindLateItems(page);
		if (!FindAllEntries(page))
			return false;
	}
	/* Who gets the rows may stop, unless these are sorted before. */
	if (IsSent(surveyed) && !(HasOrder(query) && !MayComeSorted(level)) &&
		(OtherRowsMayRaise(level, PageParents(page)) || HavingMayRaise(level)))
		return false;
	return ColumnsOfParents(page) <= MAX_COLUMNS && MayBeReadByItself(page);
}
