/*-------------------------------------------------------------------------
 *
 * parents.c
 *		A query's rows, read once more.
 *
 * A collection that is grouped is restricted to the keys of the parents:
 *
 *		WHERE pid IN (SELECT p.id FROM <the query's FROM> WHERE <its WHERE>)
 *
 * which PostgreSQL makes a semijoin.  Without it, rows of which no parent is wanted
 * would be grouped, too: the 300,000 whose key is -1, for example.  A CTE that the
 * query and the restriction share would do as well, but PostgreSQL 15 and 16 know
 * nothing of the values in a CTE, and choose nested loops.
 *
 * Reading the rows twice must give the same keys.  It does for tables, and for
 * what joins, filters and projects them without volatile functions; not for what
 * LIMIT, DISTINCT ON or a window takes of rows that come in no particular order,
 * wherever that stands, be it in a table's policies.  An item of FROM may also be a
 * CTE that is materialized, and so gives the same rows in any case; one that is not is
 * a subquery (see TakeCtes).  A subquery of FROM with LIMIT, such as those of a page,
 * becomes one:
 *
 *		FROM (SELECT ... LIMIT 20) p            WITH parents AS MATERIALIZED (SELECT ... LIMIT 20)
 *		LEFT JOIN LATERAL (SELECT               FROM parents p LEFT JOIN (SELECT pid, json_agg(...) d
 *			json_agg(...) d FROM c                  FROM c WHERE pid IN (SELECT p.id FROM parents p)
 *			WHERE pid = p.id) q ON true             GROUP BY pid) q ON q.pid = p.id
 *
 * Nothing changes: it refers to nothing beside it, it is computed once, and all of its
 * rows are read.  LIMIT and OFFSET already keep PostgreSQL from pulling it up, and
 * conditions from being evaluated in it; its order has been asked for above.
 *
 * PostgreSQL may join the copy in another order, from the children to the parents, and
 * evaluate conditions for other rows.  So nothing in it may raise an error, or reveal
 * what it sees.
 *
 * Left out is what neither adds a key nor removes one, and what nothing that is
 * left refers to:
 *
 *		FROM film f                             WHERE fid IN (SELECT f.id FROM film f)
 *		LEFT JOIN LATERAL (SELECT name
 *			FROM director WHERE id = f.did
 *			LIMIT 1) d ON true
 *		LEFT JOIN LATERAL (SELECT count(*)
 *			FROM award WHERE fid = f.id) n ON true
 *		LEFT JOIN LATERAL (SELECT json_agg(name)
 *			FROM actor WHERE fid = f.id) a ON true
 *
 * These are other collections, which give one row for each of them; and whatever is
 * on the right of a left join, for that keeps each row of its left side once at
 * least.  It does not matter how often: a key that is there twice is among the keys
 * as one is that is there once.  What is left out need not give the same twice, for it
 * is not read twice.  It may raise errors if it has LIMIT or the like and is joined to
 * one item only, such as the rows of a page: then PostgreSQL computes it for the rows of that in any case.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/parents.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

/*
 * Which items of FROM are left out
 */

/* The query, whose select list is the columns that are keys, and what is left out of its rows so far */
typedef struct Needed
{
	Query	   *query;
	Relids		left_out;
} Needed;

/*
 * Has the rest the same keys, and rows if it has any, without an item?  A left join keeps each row of its left side; its condition may
 * be computed of that.
 */
bool
LeavesKeys(const Query *query, const JoinExpr *join, const Node *item)
{
	if (join != NULL && join->jointype == JOIN_LEFT)
		return IsA(item, RangeTblRef) && IsTrue(join->quals);
	return (join == NULL || (join->jointype == JOIN_INNER && IsTrue(join->quals))) && IsOneRowItem(query, item);
}

/* Is it an item without which the keys are the same, and to which nothing that is read, and no key, refers? */
static bool
IsLeftOut(const JoinExpr *join, Node *item, void *context)
{
	Needed	   *needed = context;
	Query	   *query = needed->query;
	int			varno = VarnoOf(item);

	if (!LeavesKeys(query, join, item) || FromRefersTo(query, needed->left_out, varno) ||
		RefersTo((Node *) list_make2(query->targetList, query->jointree), varno))
		return false;
	needed->left_out = bms_add_member(needed->left_out, varno);
	return true;
}

/*
 * The item on the left of all others, which are joined to it by left joins; 0 if there is none, or if PostgreSQL may
 * read a subquery in WHERE before it, by a join or for all rows at once.
 */
static int
LeadingOf(const FromExpr *from)
{
	Node	   *node = list_length(from->fromlist) == 1 && !checkExprHasSubLink(from->quals) ? linitial(from->fromlist) : NULL;

	while (node != NULL && IsA(node, JoinExpr) && ((JoinExpr *) node)->jointype == JOIN_LEFT)
		node = ((JoinExpr *) node)->larg;
	return node != NULL && IsA(node, RangeTblRef) ? VarnoOf(node) : 0;
}

/*
 * FROM and WHERE without what is left out, which may be told.  What one of that refers to may be left out after it.
 * Nothing is if anything that is read, or a key of the collection (NULL stands for any), refers to a join: a row of
 * one with a name is made of all items within.
 */
static FromExpr *
FromOfParents(const Query *query, const Collection *collection, Relids *left_out)
{
	Needed		needed = {.query = MakeReader(query)};
	Node	   *from = copyObject((Node *) query->jointree);
	int			nleft;
	ListCell   *cell;

	foreach(cell, collection != NULL ? collection->keys : NIL)
	{
		needed.query->targetList = lappend(needed.query->targetList, OuterColumn(lfirst(cell)));
	}
	nleft = HasColumnsOfJoins(needed.query) ? 0 : -1;
	while (bms_num_members(needed.left_out) > nleft)
	{
		nleft = bms_num_members(needed.left_out);
		from = WithoutItems(from, IsLeftOut, &needed);
	}
	if (left_out != NULL)
		*left_out = needed.left_out;
	/* A row without rows in the collection restricts nothing. */
	if (collection != NULL)
		(void) TakeExists(castNode(FromExpr, from), collection->varno);
	return castNode(FromExpr, from);
}

/*
 * Whether the restriction is needed
 */

/* Is it a validated foreign key from this column to that? */
static bool
IsForeignKey(ForeignKeyCacheInfo *key, AttrNumber from, Oid to_table, AttrNumber to, Oid equality)
{
	HeapTuple	tuple;
	Form_pg_constraint constraint;
	bool		result;

	if (key->nkeys != 1 || key->conkey[0] != from || key->confrelid != to_table ||
		key->confkey[0] != to || !ForeignKeyIsEnforced(key) ||
		(key->conpfeqop[0] != equality && key->conpfeqop[0] != get_commutator(equality)))
		return false;
	tuple = SearchSysCache1(CONSTROID, ObjectIdGetDatum(key->conoid));
	if (!HeapTupleIsValid(tuple))
		return false;
	constraint = (Form_pg_constraint) GETSTRUCT(tuple);

	/*
	 * One with a parent may be a piece of one that refers to other
	 * partitions, too.
	 */
	result = constraint->convalidated && !constraint->condeferrable && !OidIsValid(constraint->conparentid) &&
		IsOlderThanSnapshot(tuple->t_data);
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Does a foreign key lead from each row of a collection's table to one of the parents, or are these its own rows?  The
 * parents must be all rows of one table.  ONLY leaves out all of a partitioned one.
 */
static bool
AllHaveParents(const Query *parents, const Collection *collection)
{
	Key		   *key = linitial(collection->keys);
	AttrNumber	from;
	AttrNumber	to = OuterColumn(key)->varattno;
	RangeTblEntry *child = TableOfKey(key, &from);
	RangeTblEntry *parent;
	FromExpr   *rows;
	Relation	relation;
	bool		result;
	ListCell   *cell;

	if (list_length(collection->keys) != 1 || child == NULL || !IsSeenWhole(child))
		return false;
	rows = FromOfParents(parents, collection, NULL);
	if (OnlyItem(rows) == 0 || !IsTrue(rows->quals))
		return false;
	parent = rt_fetch(OnlyItem(rows), parents->rtable);
	if (parent->rtekind != RTE_RELATION || parent->securityQuals != NIL || parent->tablesample != NULL ||
		(!parent->inh && parent->relkind == RELKIND_PARTITIONED_TABLE))
		return false;
	result = parent->relid == child->relid && parent->inh && to == from;
	relation = table_open(child->relid, NoLock);
	/* Looking for a constraint may make the relation's list anew. */
	foreach(cell, copyObject(RelationGetFKeyList(relation)))
	{
		result = result || IsForeignKey(lfirst(cell), from, parent->relid, to, key->clause->opno);
	}
	table_close(relation, NoLock);
	return result;
}

/* Must a collection be restricted to the keys of the parents?  Not if its groups do not grow with its rows. */
bool
NeedsParents(const Query *parents, const Collection *collection)
{
	const Query *query = collection->query;
	Source	   *source = ((Key *) linitial(collection->keys))->source;

	if (!query->hasSubLinks && !MayHoldCollections(query) && !QueryGathers(query) && !ReadsOuterRow(source->query))
		return false;
	/* Do the queries within gather rows, from that with the key? */
	for (; source->above != NULL; source = source->above)
		if (QueryGathers(source->query))
			return true;
	return !AllHaveParents(parents, collection);
}

/*
 * Items that are computed once
 */

/* Clauses with which PostgreSQL computes all columns of a subquery */
#define PARTS_OF_ALL_COLUMNS	(PART_DISTINCT | PART_DISTINCT_ON | PART_SET_OPERATION | PART_SETS)

/*
 * What nobody uses of a subquery in FROM becomes NULL, as PostgreSQL makes it itself: of a CTE that is materialized,
 * it computes all.  False if another column may raise an error: PostgreSQL does not compute one that is used only
 * where it finds out that nobody needs it, but a CTE has it.
 */
static bool
ForgetColumns(Level *level, int varno)
{
	Query	   *query = level->query;
	Level		inner = LevelBelow(level, rt_fetch(varno, query->rtable)->subquery);
	bool		needs_all = HasAny(inner.query, PARTS_OF_ALL_COLUMNS) || HasColumnsOfJoins(query);
	bool		may_raise = false;
	ListCell   *cell;

	foreach(cell, inner.query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->ressortgroupref != 0)
			continue;
		if (!needs_all && !entry->resjunk && !RefersToColumn((Node *) query, varno, entry->resno))
			entry->expr = (Expr *) NullOf((Node *) entry->expr);
		else
			may_raise |= ExpressionMayRaise(&inner, (Node *) entry->expr);
	}
	return !may_raise;
}

/*
 * Is it a subquery that could be?  A view that is read is in the range table with its permissions.  Of its
 * ways (ways.c), what is around it chooses one; a CTE takes the cheapest, and leaves out no join that nobody needs.
 */
static bool
CanBeOnce(Level *level, int varno)
{
	RangeTblEntry *rte = rt_fetch(varno, level->query->rtable);
	Level		inner = LevelBelow(level, rte->subquery);

	return rte->rtekind == RTE_SUBQUERY && !rte->lateral && !rte->security_barrier && !OidIsValid(rte->relid) &&
		(IsNumbered(level->rewrite->cut, inner.query) ||
		 (HasAny(inner.query, PART_LIMIT | PART_OFFSET) &&
		  !ShowsWay(&inner) && !OtherWayMayRaise(&inner, NULL) && !OuterJoinsMayRaise(&inner)));
}

/* Materialize those of a query's items that cannot be read twice otherwise.  Are there any? */
bool
ComputeOnce(Level *level)
{
	Query	   *query = level->query;
	bool		found = false;
	Relids		from = RelidsInJointree((Node *) query->jointree);
	int			leading = LeadingOf(FromOfParents(query, NULL, NULL));

	for (int i = -1; (i = bms_next_member(from, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, query->rtable);
		CommonTableExpr *cte;

		if (!CanBeOnce(level, i) || !ForgetColumns(level, i))
			continue;
		cte = MakeCte(query, rte);
		if (i == leading)
			level->rewrite->computed = bms_add_member(level->rewrite->computed,
													  (int) castNode(Query, cte->ctequery)->queryId);
		found = true;
	}
	return found;
}

/*
 * Whether reading them twice gives the same keys
 */

/* A level, where something is looked for in queries within, too */
typedef struct LevelSearch
{
	Level	   *level;
	bool		found;
} LevelSearch;

/* The CTE of that level, or of those around, to which an entry refers so many queries further in; NULL if it is none of these */
static CommonTableExpr *
CteOutside(Level *level, const RangeTblEntry *rte, int depth)
{
	RangeTblEntry here = *rte;
	Level	   *owner;

	here.ctelevelsup -= depth;
	return (int) rte->ctelevelsup < depth ? NULL : FindCte(level, &here, &owner);
}

/*
 * May a query, or what it reads, give something else the second time?  What gathers rows may read them in another
 * order.  A CTE that is not materialized, but would be if it were read twice, would compute more than it does.
 */
static void
FindDifferent(Query *query, int depth, void *context)
{
	LevelSearch *search = context;
	ListCell   *cell;

	search->found |= depth > 0 && !HasOnly(query, PARTS_OF_ROWS | PART_SETS) && !(IsOneRow(query) && !QueryGathers(query));
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);
		CommonTableExpr *cte;

		switch (rte->rtekind)
		{
			case RTE_RELATION:
				search->found |= rte->tablesample != NULL;
				break;
			case RTE_CTE:
				cte = CteOutside(search->level, rte, depth);
				search->found |= cte == NULL || !IsMaterialized(cte);
				break;
			case RTE_SUBQUERY:
			case RTE_JOIN:
			case RTE_RESULT:
			case RTE_FUNCTION:
			case RTE_VALUES:
				break;
			default:
				search->found = true;
		}
	}
}

/* The order of an array's elements need not be the same. */
static Visit
VisitArray(Node *node, int depth, void *context)
{
	return IsA(node, SubLink) && ((SubLink *) node)->subLinkType == ARRAY_SUBLINK ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Does a query at this level, which only joins and filters, read the same rows each time? */
bool
RowsRepeat(Level *level, Query *query)
{
	LevelSearch search = {.level = level};

	VisitQueries(query, FindDifferent, &search);
	return !search.found && !FindInLevels((Node *) query, VisitArray, NULL);
}

/*
 * May something that is left out of these rows raise an error if PostgreSQL joins it in another order?  Not what is
 * computed for each row of one item, and nothing else: LIMIT and the like, or an aggregate, keep PostgreSQL from
 * joining it.  The collection is looked at by itself.
 */
static bool
LeftOutMayRaise(Level *level, const Query *parents, const FromExpr *rows, Relids left_out, int collection)
{
	FromExpr   *from = makeFromExpr(NIL, NULL);
	bool		is_one = IsOneItem(rows, parents->rtable);

	for (int i = -1; (i = bms_next_member(left_out, i)) >= 0;)
	{
		const RangeTblEntry *rte = rt_fetch(i, parents->rtable);

		if (i != collection && !(is_one && rte->rtekind == RTE_SUBQUERY && rte->lateral && IsFenced(rte->subquery) &&
								 StaysForEachRow(level, rte->subquery)))
			from->fromlist = lappend(from->fromlist, MakeRef(i));
	}
	return FromMayRaise(level, from, parents->rtable, 0);
}

/* Do these parts of FROM and WHERE give the same rows each time, and raise no error if they are joined otherwise? */
static bool
CanBeRepeated(Level *level, const Query *parents, FromExpr *from)
{
	Query	   *rows = MakeReader(parents);

	rows->jointree = from;
	RemoveEntries(rows);
	return RowsRepeat(level, rows) && !FromMayRaise(level, from, parents->rtable, LeadingOf(from));
}

/*
 * Can a collection be restricted to the rows of the query around it, which has this
 * level, and read these parents before joins were added to it?
 */
bool
CanRepeatParents(Level *level, const Query *parents, const Collection *collection)
{
	Relids		left_out;
	FromExpr   *from = FromOfParents(parents, collection, &left_out);
	Key		   *first = linitial(collection->keys);
	ListCell   *cell;

	/* The restriction goes where all keys are. */
	foreach(cell, collection->keys)
	{
		if (((Key *) lfirst(cell))->source->query != first->source->query)
			return false;
	}
	return from->fromlist != NIL && CanBeRepeated(level, parents, from) &&
		!LeftOutMayRaise(level, parents, from, left_out, collection->varno);
}

/* Would a query's rows have to be read once only, for collections to be joined to them? */
bool
NeedsRowsOnce(Level *level)
{
	Level		copy = *level;
	FromExpr   *from;

	copy.query = copyObject(level->query);
	(void) ComputeOnce(&copy);
	from = FromOfParents(copy.query, NULL, NULL);
	return !CanBeRepeated(&copy, copy.query, from) || OtherRowsMayRaise(&copy, from);
}

/*
 * Without the restriction, these parents are read once.  But beside joins, PostgreSQL may read them
 * in another way: all of a table that it found by an index, for one, to have its rows in the order
 * of the keys.  May that raise an error?
 */
bool
ParentsMayRaise(Level *level, const Query *parents, const Collection *collection)
{
	Relids		left_out;
	FromExpr   *from = FromOfParents(parents, collection, &left_out);

	return OtherRowsMayRaise(level, from) || LeftOutMayRaise(level, parents, from, left_out, collection->varno);
}

/*
 * What may be computed before the restriction
 */

static bool FindGrowing(Node *node, void *context);

/* Is there anything in FROM, WHERE and WITH of a query that gathers rows? */
static bool
FindGrowingIn(Query *query, const Survey *survey)
{
	return FindGrowing((Node *) query->jointree, (void *) survey) || FindGrowing((Node *) query->cteList, (void *) survey) ||
		range_table_walker(query->rtable, FindGrowing, (void *) survey, QTW_IGNORE_JOINALIASES);
}

/*
 * Is there anything that gathers rows?  Collections that have become joins are
 * looked at by themselves.
 */
static bool
FindGrowing(Node *node, void *context)
{
	const Survey *survey = context;
	Query	   *query = (Query *) node;
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query))
	{
		Surveyed   *surveyed = FindSurveyed(survey, query);

		if (surveyed != NULL && surveyed->is_joined)
			return false;

		/*
		 * It may group, and gather, only the rows that the restriction
		 * leaves.  PostgreSQL 19 may make parts of groups before.
		 */
		if (GroupsRows(query) && ReadsRestricted(query) &&
			!(AGGREGATES_BELOW_JOINS && MayBeInParts(AggregatesIn((Node *) query->targetList))))
			return FindGrowingIn(query, survey);
		return query_tree_walker(query, FindGrowing, context, 0);
	}
	if (IsAsWritten(node))
		return false;

	/*
	 * What refers to no row is computed once.  That of IN may become a join,
	 * which looks for the same keys.
	 */
	if (IsA(node, SubLink) && sublink->subLinkType != ANY_SUBLINK && sublink->subLinkType != ALL_SUBLINK &&
		!IsCorrelated(castNode(Query, sublink->subselect)))
		return FindGrowing(sublink->testexpr, context);
	if ((IsA(node, Aggref) && GathersRows((Aggref *) node)) ||
		(IsA(node, SubLink) && sublink->subLinkType == ARRAY_SUBLINK))
		return true;
	return expression_tree_walker(node, FindGrowing, context);
}

/* Is there a CTE that PostgreSQL may make a subquery?  Those that are read once are subqueries already (see TakeCtes). */
static void
FindInlinedCte(Query *query, int depth, void *context)
{
	LevelSearch *search = context;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);
		CommonTableExpr *cte;

		if (rte->rtekind != RTE_CTE || (int) rte->ctelevelsup < depth)
			continue;
		cte = CteOutside(search->level, rte, depth);
		search->found |= cte == NULL || !(cte->cterecursive || IsMaterialized(cte));
	}
}

/*
 * PostgreSQL may compute what is in a collection's FROM and WHERE for rows that the
 * restriction, or a join, will remove.  Is there anything that could take much memory, as what a CTE computes might?
 */
bool
GrowsBelow(const Survey *survey, Level *level)
{
	LevelSearch ctes = {.level = level};

	VisitQueries(level->query, FindInlinedCte, &ctes);
	return ctes.found || FindGrowingIn(level->query, survey);
}

/*
 * The query for them
 */

static void
ForgetNumber(Query *query, int depth, void *context)
{
	query->queryId = 0;
}

/* Nothing is known about copies of surveyed queries. */
void
ForgetNumbers(Query *query)
{
	VisitQueries(query, ForgetNumber, NULL);
}

/* A query that is moved some levels down, with the level that it comes from */
typedef struct Move
{
	Level	   *level;
	int			levels;
} Move;

/* The CTEs of queries around it are read once more; read twice, they are materialized. */
static void
MoveCtes(Query *query, int depth, void *context)
{
	const Move *move = context;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		CommonTableExpr *cte;

		if (rte->rtekind != RTE_CTE || (int) rte->ctelevelsup < depth)
			continue;
		cte = CteOutside(move->level, rte, depth);
		if (cte == NULL)
			elog(ERROR, "could not find CTE \"%s\"", rte->ctename);
		cte->cterefcount++;
		rte->ctelevelsup += move->levels;
	}
}

/*
 * The query of a collection's parents, without a select list.  It is to stand in an
 * IN of the source that has the collection's keys.
 */
Query *
RepeatParents(Level *level, const Query *parents, const Collection *collection)
{
	Query	   *result = copyObject((Query *) parents);
	Source	   *source = ((Key *) linitial(collection->keys))->source;
	Move		move = {.level = level,.levels = source->depth + 2};

	result->jointree = FromOfParents(result, collection, NULL);
	RemoveEntries(result);
	ForgetNumbers(result);
	VisitQueries(result, MoveCtes, &move);
	return result;
}
