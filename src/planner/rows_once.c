/*-------------------------------------------------------------------------
 *
 * rows_once.c
 *		Rows that are read once, and what belongs to them.
 *
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
 * Here, they become a subquery with OFFSET 0, as those of a page do (parents_first.c); parents.c makes a CTE of it.
 * What groups, or has window functions, is divided after that, if its collections belong to the groups:
 *
 *		SELECT p.id, count(*), (SELECT              SELECT p.id, p.count, (SELECT json_agg(c.x)
 *			json_agg(c.x) FROM c                        FROM c WHERE c.pid = p.id)
 *			WHERE c.pid = p.id)                     FROM (SELECT p.id, count(*) FROM p JOIN q ON ...
 *		FROM p JOIN q ON ... GROUP BY p.id              GROUP BY p.id OFFSET 0) p
 *
 * Why nothing changes: the subquery has the same FROM and WHERE, and gives all its rows, once.  PostgreSQL may carry it
 * out in another way, for what is computed from its rows no longer belongs to it; so it must be one whose way is not
 * seen (ways.c), and nobody may have asked for the order of what it reads.  Nor may it leave out a join that nobody needs,
 * if that could raise an error, as PostgreSQL does.  What is late is computed from columns that have the same values, for the
 * same rows, under the same conditions: groups keep conditions from above out, and are not pulled up, and so does OFFSET 0.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/order.h"
#include "planner/page.h"
#include "planner/parents.h"
#include "planner/query_parts.h"
#include "planner/stopping.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"

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
	return !ShowsWay(&rows) && !OtherWayMayRaise(&rows) && !OuterJoinsMayRaise(&rows);
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
