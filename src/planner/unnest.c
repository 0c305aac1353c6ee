/*-------------------------------------------------------------------------
 *
 * unnest.c
 *		Nested collections as joins.
 *
 *		SELECT p.name, (SELECT coalesce(json_agg(c.x), '[]') FROM c WHERE c.pid = p.id)
 *		FROM p WHERE p.year > 2000
 *
 * becomes
 *
 *		SELECT p.name, coalesce(q.value, '[]')
 *		FROM p LEFT JOIN (SELECT c.pid AS key, json_agg(c.x) AS value
 *						  FROM c WHERE c.pid IN (SELECT p.id FROM p WHERE p.year > 2000)
 *						  GROUP BY c.pid) q ON q.key = p.id
 *		WHERE p.year > 2000
 *
 * and so does a subquery after LATERAL.  Each row of p is wanted, so the collection is computed for those rows for
 * which it was; grouped by its keys, it gives at most one row for each; where there is none, each aggregate is
 * replaced by what it returns for no rows.  Expressions over it are computed where they always were.  doc/internals.md
 * has the claims, one by one, and where each is examined.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/collection.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/parents.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "planner/unnest.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/jsonb.h"

static void UnnestLevel(Query *query, Level *outer, Unnesting *unnesting);
static Node *UnnestLookUps(Node *node, void *context);
static Node *UnnestSubLinks(Node *node, void *context);

/* A collection that has been joined, while what refers to it is replaced */
typedef struct Joined
{
	Level	   *level;			/* of the query that it is joined to */
	Collection	collection;
	Query	   *written;		/* as it was before it was grouped */
	int			varno;			/* of the grouped subquery */
	int			join;			/* of the join that may make it NULL */
	List	   *targets;		/* what it gave, over its aggregates */
	List	   *names;			/* of these, in FROM */
} Joined;

/* A query while its collections are looked for */
typedef struct Search
{
	Level	   *level;
	Unnesting  *unnesting;
	Surveyed   *surveyed;
	Query	   *before;			/* what it read before it got joins */
	bool		once;			/* is some of that materialized? */
	TargetEntry *sorted;		/* what a page is sorted by first: only of
								 * this are collections joined */
	List	   *computed;		/* SubLinks that are computed for each row */
	bool		is_looked_at;	/* is the current entry of the select list? */
	bool		is_late;		/* is it needed for the rows of a page only? */
	bool		in_aggregate;
	int			njoins;			/* that the query has got */
	int			ncolumns;		/* no fewer than the rows that are joined have */
	const char *reason;			/* why all of them stay; NULL if some may not */
} Search;

/*
 * Where joins may be put
 */

/* A reason */
#define NOT_SORTED_BY	"the query around it has a LIMIT, and its page stays"

/* What a query may contain that gets joins */
#define PARTS_OF_JOINED	(PART_WHERE | PART_ORDER | PART_AGGREGATES | PART_GROUPS | PART_CTES | PART_LIMIT | PART_OFFSET)

/* What a page is sorted by first, so that it is computed for all rows; NULL if there is nothing */
static TargetEntry *
SortedByFirst(Query *query)
{
	return HasAny(query, PART_ORDER) && !HasAny(query, PART_AGGREGATES | PART_GROUPS) ?
		get_sortgroupclause_tle(linitial(query->sortClause), query->targetList) : NULL;
}

/*
 * Why may no joins be added to a query?  NULL if they may.  Each of its rows must be wanted, once, for a collection is
 * computed for all of them; and neither the order of its rows, nor one that it reads them in, may be lost.
 */
static const char *
WhyNoJoins(Level *level, Surveyed *surveyed)
{
	if (!HasOnly(level->query, PARTS_OF_JOINED))
		return "the query around it has DISTINCT, HAVING, window functions, set operations or the like";
	if (surveyed == NULL || !RunsOnceForAll(surveyed))
		return "the query around it may run more than once, or not all of its rows may be wanted";
	if (CutsRows(level) && SortedByFirst(level->query) == NULL)
		return NOT_SORTED_BY;
	/* Of rows that are equal in what they are sorted by, it may take others. */
	if (CutsRows(level) && OtherRowsRaise(surveyed))
		return OTHER_ROWS_MAY_RAISE;
	if (ValuesDependOnOrder(level->query))
		return "what the query around it gives depends on the order in which it reads rows";
	if (OrderIsSeen(surveyed) || !CanKeepOrder(level))
		return "an order that was asked for could be lost";
	if (GroupsMayRaise(level))
		return OTHER_ROWS_MAY_RAISE;

	/* The order would be asked for above what it computes row by row. */
	if (HasInputOrder(level) && !HidesInputOrder(level->query) && SendsRows(surveyed) && ValuesMayRaise(level))
		return "the query around it would be sorted, and an expression could raise an error for rows that nobody fetches";
	return NULL;
}

/*
 * What stands for an aggregate
 */

static Node *
ColumnOf(const Joined *joined, AttrNumber attno, Node *expr)
{
	Var		   *var = makeVar(joined->varno, attno, exprType(expr), exprTypmod(expr),
							  exprCollation(expr), 0);

	MarkNullable(var, joined->join);
	return (Node *) var;
}

/* An empty array of JSON, in the aggregate's type */
static Node *
EmptyArray(Aggref *aggref)
{
	Datum		value = aggref->aggtype == JSONBOID ?
		DirectFunctionCall1(jsonb_in, CStringGetDatum("[]")) : CStringGetTextDatum("[]");

	return (Node *) makeConst(aggref->aggtype, -1, InvalidOid, -1, value, false, false);
}

/*
 * The aggregate by itself, over the rows of a collection, or of all of them, that meet one more condition.  As it is written it
 * is found by its place: it may differ there from one that it equals once whole rows are taken apart.
 */
static Node *
ByItself(const Joined *joined, int aggregate, bool of_all, Node *condition)
{
	List	   *all = AggregatesIn((Node *) joined->targets);
	int			place = 0;
	SubLink    *sublink;
	Query	   *query;

	while (!equal(list_nth(all, place), list_nth(joined->collection.aggregates, aggregate)))
		place++;
	query = OneAggregate(joined->level, joined->written, place, of_all);
	ForgetNumbers(query);
	query->jointree->quals = make_and_qual(query->jointree->quals, condition);
	sublink = MakeSubLink(EXPR_SUBLINK, query);
	sublink->subLinkId = AS_WRITTEN;
	return (Node *) sublink;
}

/*
 * What stands for an aggregate of a collection without its LIMIT (see first_rows.c): the same with it, where a group has more
 * rows.  That is not expected, and does not count in the costs, because of the condition that all rows meet.
 */
static Node *
WithLimit(const Joined *joined, int aggregate, Node *value)
{
	const Collection *collection = &joined->collection;
	Node	   *complete;
	Node	   *written;

	if (collection->complete == 0)
		return value;
	written = ByItself(joined, aggregate, false, (Node *) make_notclause((Expr *) Never()));
	complete = ColumnOf(joined, collection->complete, makeBoolConst(true, false));
	return ValueIf((Node *) make_notclause((Expr *) complete), written, value);
}

/* What stands for the aggregates in an expression over them */
static Node *
ReplaceAggregates(Node *node, void *context)
{
	const Joined *joined = context;
	Aggref	   *aggref;
	Node	   *value;
	int			i = 0;

	if (node == NULL)
		return NULL;
	if (IsA(node, Query) || IsA(node, Var))
	{
		/* It is beside the aggregates: now it stands one level further out. */
		node = copyObject(node);
		IncrementVarSublevelsUp(node, -1, IsA(node, Query) ? 2 : 1);
		return node;
	}
	if (IsJsonConstructor(node))
		node = WithoutConstructor(node);
	if (!IsA(node, Aggref))
		return expression_tree_mutator(node, ReplaceAggregates, context);
	aggref = (Aggref *) node;
	while (!equal(list_nth(joined->collection.aggregates, i), aggref))
		i++;
	value = ColumnOf(joined, list_length(joined->collection.keys) + i + 1, node);
	switch (EmptyValueOf(aggref))
	{
		case EMPTY_ZERO:
			value = Coalesced(value, (Node *) Int8Const(0));
			break;
		case EMPTY_ARRAY:
			value = Coalesced(value, EmptyArray(aggref));
			break;
		case EMPTY_DOCUMENT:
			/* Its plan has the header: so it must not be known to be empty. */
			value = Coalesced(value, ByItself(joined, i, true, Never()));
			break;
		default:
			break;
	}
	return WithLimit(joined, i, value);
}

/* Is the value of an aggregate for no rows a document, whose header only the query can tell? */
static bool
GivesEmptyDocument(const Collection *collection)
{
	ListCell   *cell;

	foreach(cell, collection->aggregates)
	{
		if (EmptyValueOf(lfirst(cell)) == EMPTY_DOCUMENT)
			return true;
	}
	return false;
}

/*
 * Joins
 */

/* The clauses of the keys, between columns of the grouped subquery and those of the query */
static Node *
JoinClauses(const Joined *joined)
{
	List	   *clauses = NIL;
	ListCell   *cell;

	foreach(cell, joined->collection.keys)
	{
		Key		   *key = lfirst(cell);
		Node	   *inner = list_nth(key->clause->args, key->inner);
		Var		   *column = makeVar(joined->varno, foreach_current_index(cell) + 1, exprType(inner), exprTypmod(inner),
									 exprCollation(inner), 0);

		clauses = lappend(clauses, ClauseWith(key, (Node *) column, (Node *) OuterColumn(key)));
	}
	return (Node *) make_ands_explicit(clauses);
}

/* All that is in FROM becomes the left side of a new join. */
static JoinExpr *
JoinToAll(Query *query, int varno)
{
	FromExpr   *jointree = query->jointree;
	JoinExpr   *join = makeNode(JoinExpr);

	join->jointype = JOIN_LEFT;
	join->larg = list_length(jointree->fromlist) == 1 ? linitial(jointree->fromlist) :
		(Node *) makeFromExpr(jointree->fromlist, NULL);
	join->rarg = (Node *) MakeRef(varno);
	query->rtable = lappend(query->rtable, MakeJoinEntry(JOIN_LEFT));
	join->rtindex = list_length(query->rtable);
	jointree->fromlist = list_make1(join);
	return join;
}

/* Are only the rows of the parents grouped?  If these are materialized, in any case: then they are few; and if others could fail. */
static bool
IsRestricted(Search *search, const Collection *collection)
{
	return search->once || collection->may_raise || NeedsParents(search->before, collection);
}

/* A collection becomes a join: group it, and take note of what it gives. */
static void
TakeCollection(Search *search, Joined *joined)
{
	Collection *collection = &joined->collection;
	Rewrite    *rewrite = search->level->rewrite;
	double		share = 1;
	ListCell   *cell;

	foreach(cell, collection->keys)
	{
		share = Min(share, ShareWithKey(search->level, lfirst(cell)));
	}
	rewrite->share = Min(rewrite->share, share);
	rewrite->shares += share;
	rewrite->ncollections++;
	search->njoins++;
	FindSurveyed(search->unnesting->survey, collection->query)->is_joined = true;
	joined->written = copyObject(collection->query);
	joined->targets = GroupCollection(search->level, collection, IsRestricted(search, collection) ?
									  RepeatParents(search->level, search->before, collection) : NULL);
	search->ncolumns += list_length(collection->query->targetList);
}

/* Join the collection in a subquery of the target list; returns what stands for it. */
static Node *
JoinSubLink(Search *search, Collection *collection)
{
	Query	   *query = search->level->query;
	Joined		joined = {.level = search->level,.collection = *collection};
	JoinExpr   *join;

	TakeCollection(search, &joined);
	query->rtable = lappend(query->rtable, MakeSubqueryEntry(joined.collection.query, "collection"));
	joined.varno = list_length(query->rtable);
	join = JoinToAll(query, joined.varno);
	joined.join = join->rtindex;
	join->quals = JoinClauses(&joined);
	return ReplaceAggregates(linitial(joined.targets), &joined);
}

/* A look-up, while what it selects is put above its join */
typedef struct LookedUp
{
	Joined	   *joined;
	Query	   *query;			/* its target list gets the columns */
	Source	   *table;			/* the query that reads the table */
} LookedUp;

/* What stands for a Var of the look-up, in its value or in a query within: a column above the join */
static Node *
VarAbove(Var *var, int depth, void *context)
{
	LookedUp   *lookup = context;
	Expr	   *column;
	TargetEntry *entry;
	Node	   *result;

	if ((int) var->varlevelsup != depth)
		return NULL;
	var = copyObject(var);
	var->varlevelsup = 0;
	column = BringUp(lookup->table, (Expr *) var);
	entry = tlist_member(column, lookup->query->targetList);
	if (entry == NULL)
		entry = AddEntry(lookup->query, column, "column");
	result = ColumnOf(lookup->joined, entry->resno, (Node *) column);
	IncrementVarSublevelsUp(result, depth + 1, 0);
	return result;
}

/*
 * Join what a subquery of the target list looks up; returns what stands for it.  Its value is computed above the join,
 * as before for the rows that look something up, not for all rows of the table.
 */
static Node *
JoinLookUp(Search *search, Query *query)
{
	Query	   *outer = search->level->query;
	Joined		joined = {.level = search->level};
	LookedUp	lookup = {.joined = &joined,.query = query};
	Expr	   *found = (Expr *) makeBoolConst(true, false);
	RangeTblEntry *rte;
	Node	   *value;

	search->njoins++;
	joined.varno = list_length(outer->rtable) + 1;
	joined.join = joined.varno + 1;
	lookup.table = TableOfLookUp(query, &value);
	(void) AddEntry(query, found, "found");
	value = ReplaceVars(value, VarAbove, &lookup);
	IncrementVarSublevelsUp(value, -1, 1);
	search->ncolumns += list_length(query->targetList);
	rte = MakeSubqueryEntry(query, "look_up");
	rte->lateral = true;
	outer->rtable = lappend(outer->rtable, rte);
	(void) JoinToAll(outer, joined.varno);
	/* A column of it is NULL if there is no such row. */
	if (IsA(value, Var) && ((Var *) value)->varno == joined.varno)
		return value;
	return ValueIf(ColumnOf(&joined, 1, (Node *) found), UnnestLookUps(value, search), NULL);
}

/*
 * Which collections
 */

/* What is nested in a document is planned again for the header of an empty one, at each level: so not too often. */
#define MAX_QUERIES_OF_DOCUMENT	32

/* The planner tries the orders of joins, if its settings allow for it. */
#define MAX_JOINS	8

/* NULL if it can become a join, or else the reason why not */
static const char *
FindFitCollection(Search *search, Query *query, Collection *collection)
{
	int			id = IdOf(search->unnesting->survey, query);
	const char *reason;

	if (id == 0 || bms_is_member(id, search->unnesting->refused))
		return "something in it that gathers rows would be computed for other rows, too";
	if (search->njoins >= MAX_JOINS)
		return "there are too many beside it";
	reason = FindCollection(search->level, query, collection);
	if (reason != NULL)
		return reason;
	if (collection->may_raise && (search->sorted != NULL || IsSent(search->surveyed)))
		return COLLECTION_MAY_RAISE;
	if (ReadersMayRaise(search->surveyed) || ItsSubqueriesMayRaise(search->surveyed))
		return READERS_MAY_RAISE;
	if (!IsRestricted(search, collection))
	{
		if (ParentsMayRaise(search->level, search->before, collection))
			return OTHER_ROWS_MAY_RAISE;
	}
	else if (!CanRepeatParents(search->level, search->before, collection))
		return "the rows around it cannot be read twice: they are grouped or distinct, those of a WITH query that is "
			"read once, or something in FROM or WHERE could raise an error";
	/* Can what stands for an empty document be planned? */
	if (GivesEmptyDocument(collection) && (CountQueries(query, NULL) > MAX_QUERIES_OF_DOCUMENT ||
										   !MayReplace(search->level, F_PG_IS_OTHER_TEMP_SCHEMA)))
		return "too many documents are nested";
	/* It has keys, aggregates, and perhaps whether its LIMIT was reached. */
	return search->ncolumns + list_length(collection->keys) + list_length(collection->aggregates) + 1 > MAX_COLUMNS ?
		TOO_MANY_COLUMNS : NULL;
}

/* Note what becomes of a subquery. */
static void
NoteSubquery(Search *search, Query *query, const char *what, const char *reason)
{
	Surveyed   *surveyed = FindSurveyed(search->unnesting->survey, query);
	Note	   *note;

	if (search->level->rewrite->notes == NULL || surveyed == NULL)
		return;
	note = TakeNote(search->level->rewrite, surveyed->place, what, "joined", reason);
	if (reason == NULL)
		search->unnesting->notes = lappend(search->unnesting->notes, note);
}

/* Of what does not look like a collection, nobody asks it. */
static void
NoteCollection(Search *search, Query *query, const char *reason)
{
	if (MayBeCollection(query))
		NoteSubquery(search, query, "collection", reason);
}

/*
 * Subqueries in target lists
 */

/* Why a subquery at this place stays, whatever it is; NULL if it may be joined */
static const char *
WhySubLinkStays(Search *search, SubLink *sublink)
{
	if (search->is_late)
		return NOT_SORTED_BY;
	if (search->is_looked_at)
		return "a condition looks at its value";
	if (!list_member_ptr(search->computed, sublink))
		return "it is computed only under a condition, such as that of CASE or FILTER";
	if (!search->in_aggregate && HasAny(search->level->query, PART_AGGREGATES | PART_GROUPS))
		return "the query around it aggregates, and it is in no argument of an aggregate";
	return NULL;
}

/* Does a subquery of the target list only look up something that can be joined? */
static bool
IsFitLookUp(Search *search, Query *query)
{
	const char *reason;
	bool		result;

	/* A column tells whether there is such a row. */
	if (search->njoins >= MAX_JOINS || search->ncolumns + CountColumns(query) + 1 > MAX_COLUMNS)
		return false;
	result = TakeScalarLookUp(search->surveyed, search->level, search->before, query, &reason);
	if (result || reason != NULL)
		NoteSubquery(search, query, "look-up", reason);
	return result;
}

/* Look-ups in what is looked up find nothing for what was not found. */
static Node *
UnnestLookUps(Node *node, void *context)
{
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, SubLink) && sublink->subLinkType == EXPR_SUBLINK && IsFitLookUp(context, castNode(Query, sublink->subselect)))
		return JoinLookUp(context, castNode(Query, sublink->subselect));
	return expression_tree_mutator(node, UnnestLookUps, context);
}

/* What stands for a subquery that is joined; the subquery itself if it stays */
static Node *
UnnestSubLink(Search *search, SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	Query		written = *query;
	Collection	collection;
	bool		has_having;
	const char *reason;
	Node	   *value;
	List	   *beside;

	if (sublink->subLinkType != EXPR_SUBLINK || sublink->subLinkId == AS_WRITTEN)
		return (Node *) sublink;
	reason = WhySubLinkStays(search, sublink);
	if (reason == NULL && IsFitLookUp(search, query))
		return JoinLookUp(search, query);
	has_having = TakeHaving(query);
	if (reason == NULL)
		reason = FindFitCollection(search, query, &collection);
	if (reason == NULL && has_having && collection.may_raise)
		reason = COLLECTION_MAY_RAISE;
	NoteCollection(search, query, reason);
	if (reason != NULL)
	{
		*query = written;
		return (Node *) sublink;
	}
	value = JoinSubLink(search, &collection);
	/* What stands beside its aggregates belongs to the query now. */
	beside = AlwaysComputed(list_make1(value));
	search->computed = list_concat(search->computed, beside);
	return beside != NIL ? UnnestSubLinks(value, search) : value;
}

static Node *
UnnestSubLinks(Node *node, void *context)
{
	Search	   *search = context;
	Node	   *result;
	bool		in_aggregate = search->in_aggregate;

	if (node == NULL || IsA(node, Query) || IsA(node, WindowFunc))
		return node;
	if (IsA(node, SubLink))
		return UnnestSubLink(search, (SubLink *) node);
	search->in_aggregate |= IsA(node, Aggref);
	result = expression_tree_mutator(node, UnnestSubLinks, context);
	search->in_aggregate = in_aggregate;
	return result;
}

static void
UnnestTargets(Search *search)
{
	ListCell   *cell;

	foreach(cell, search->level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		search->computed = AlwaysComputed(list_make1(entry));
		search->is_late = search->sorted != NULL && search->sorted->resno != entry->resno;
		search->is_looked_at = TargetIsLookedAt(search->surveyed, entry->resno);
		entry->expr = (Expr *) UnnestSubLinks((Node *) entry->expr, search);
	}
}

/*
 * LATERAL
 */

static bool
IsItem(const JoinExpr *join, Node *item, void *context)
{
	return VarnoOf(item) == *(int *) context;
}

/* Are the columns by which the collection is joined on the left of it? */
static bool
KeysAreOn(Relids left, List *keys)
{
	ListCell   *cell;

	foreach(cell, keys)
	{
		if (!bms_is_member(OuterColumn(lfirst(cell))->varno, left))
			return false;
	}
	return true;
}

/* What stands for a column of the collection, or for its row, in some query within */
static Node *
ReplacementOf(Var *var, int depth, void *context)
{
	Joined	   *joined = context;
	Node	   *result;

	if (var->varno != joined->varno || (int) var->varlevelsup != depth)
		return NULL;
	if (var->varattno > 0)
		result = ReplaceAggregates(copyObject(list_nth(joined->targets, var->varattno - 1)), joined);
	else
		result = RowOf((List *) ReplaceAggregates((Node *) copyObject(joined->targets), joined), var, joined->names);
	IncrementVarSublevelsUp(result, depth, 0);
	return result;
}

/* Join a collection that is in FROM already, and replace what refers to it. */
static void
JoinLateral(Search *search, int varno, Collection *collection, JoinExpr *place)
{
	Query	   *query = search->level->query;
	Joined		joined = {.level = search->level,.collection = *collection,.varno = varno,.join = place->rtindex};
	RangeTblEntry *rte;

	TakeCollection(search, &joined);
	joined.names = rt_fetch(varno, query->rtable)->eref->colnames;
	/* What an inner join asks for, the query does as well. */
	query->jointree->quals = make_and_qual(place->quals, query->jointree->quals);
	place->jointype = rt_fetch(joined.join, query->rtable)->jointype = JOIN_LEFT;
	place->quals = NULL;
	(void) ReplaceVars((Node *) query, ReplacementOf, &joined);
	rte = rt_fetch(varno, query->rtable);
	rte->subquery = joined.collection.query;
	rte->eref = NamesOf(rte->eref->aliasname, rte->subquery);
	if (rte->alias != NULL)
		rte->alias = makeAlias(rte->alias->aliasname, NIL);
	rte->lateral = false;
	if (!FindPlace((Node *) query->jointree, varno, &place) || place == NULL)
		elog(ERROR, "join of a collection is lost");
	place->quals = JoinClauses(&joined);
	/* There is a group if there are rows, and its keys are never NULL. */
	if (TakeExists(query->jointree, varno))
		query->jointree->quals =
			make_and_qual(query->jointree->quals,
						  IsNotNull(ColumnOf(&joined, 1, (Node *) linitial_node(TargetEntry, rte->subquery->targetList)->expr)));
}

/* Can the collection be the right side of a join?  If it must, it is joined to all the rest of FROM. */
static bool
MakeJoinPlace(Query *query, int varno, List *keys, JoinExpr **place)
{
	FromExpr   *jointree = query->jointree;
	JoinExpr   *join;

	if (HasColumnsOfJoins(query) || !FindPlace((Node *) jointree, varno, &join) ||
		(join != NULL && (join->usingClause != NIL || join->alias != NULL)))
		return false;
	*place = join;
	if (join != NULL && (join->jointype == JOIN_INNER || IsTrue(join->quals)) && join->rtindex != 0 &&
		KeysAreOn(RelidsInJointree(join->larg), keys))
		return true;
	/* What something else in FROM refers to cannot be moved to the end. */
	if ((join != NULL && !IsTrue(join->quals)) || FromRefersTo(query, NULL, varno) ||
		RefersTo((Node *) jointree, varno))
		return false;
	(void) WithoutItems((Node *) jointree, IsItem, &varno);
	*place = JoinToAll(query, varno);
	return true;
}

/* Is anything computed of aggregates, in an expression, that may take long, or whose result may be large? */
static bool
FindDear(Node *node, void *context)
{
	if (node == NULL || IsA(node, Aggref))
		return false;
	switch (nodeTag(node))
	{
		case T_FuncExpr:
		case T_OpExpr:
		case T_CoerceViaIO:
		case T_RowExpr:
		case T_ArrayExpr:
		case T_SubLink:
			if (check_functions_in_node(node, IsUsersFunction, NULL) ||
				(!get_typbyval(exprType(node)) && exprType(node) != NUMERICOID))
				return true;
			break;
		default:
			break;
	}
	return expression_tree_walker(node, FindDear, context);
}

/* Is a column of an item of FROM used again, of all, or of those for which something dear is computed? */
static bool
HasColumnUsedAgain(Query *query, int varno, bool dear)
{
	ListCell   *cell;

	foreach(cell, rt_fetch(varno, query->rtable)->subquery->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if ((!dear || FindDear((Node *) entry->expr, NULL)) && IsUsedAgain((Node *) query, varno, entry->resno))
			return true;
	}
	return false;
}

static const char *
FindFitLateral(Search *search, int varno, Collection *collection, JoinExpr **place)
{
	Query	   *query = search->level->query;
	const char *reason;

	if (search->sorted != NULL && !RefersTo((Node *) search->sorted->expr, varno))
		return NOT_SORTED_BY;
	if (ItemIsLookedAt(search->surveyed, varno))
		return "a condition looks at its value";

	/* What it computes once would be computed for each use of its column. */
	if (HasColumnUsedAgain(query, varno, true))
		return COMPUTED_AGAIN;
	reason = FindFitCollection(search, rt_fetch(varno, query->rtable)->subquery, collection);
	if (reason != NULL)
		return reason;
	collection->uses_again |= HasColumnUsedAgain(query, varno, false);
	if (!MakeJoinPlace(query, varno, collection->keys, place))
		return "it is on the nullable side of a join, or among columns of joins with USING or names of their own";
	return NULL;
}

static void
UnnestLaterals(Search *search)
{
	Query	   *query = search->level->query;
	int			n = list_length(query->rtable);

	for (int varno = 1; varno <= n; varno++)
	{
		RangeTblEntry *rte = rt_fetch(varno, query->rtable);
		JoinExpr   *place;
		Collection	collection;
		const char *reason;

		if (rte->rtekind != RTE_SUBQUERY || !rte->lateral || rte->security_barrier)
			continue;
		reason = FindFitLateral(search, varno, &collection, &place);
		NoteCollection(search, rte->subquery, reason);
		if (reason == NULL)
			JoinLateral(search, varno, &collection, place);
	}
}

/*
 * The query
 */

static void
NoteThatItStays(Query *query, int depth, void *context)
{
	Search	   *search = context;

	NoteCollection(search, query, search->reason);
}

/*
 * Look-ups of a query that has become a join, or is read by one, are joins, too: it runs once now.  What is so
 * as it is written, has been looked at before (see parents_first.c).
 */
static void
FindLookUpsOfMany(Survey *survey)
{
	ListCell   *cell;

	if (!survey->rewrite->limits)
		return;
	foreach(cell, survey->queries)
	{
		Surveyed   *surveyed = lfirst(cell);

		if (!RunsOnceForAll(surveyed) && !CutsRows(&surveyed->level))
			FindLookUps(surveyed);
	}
}

/* Queries within a query, wherever they are */
static bool
UnnestSubqueries(Node *node, void *context)
{
	Search	   *search = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		UnnestLevel((Query *) node, search->level, search->unnesting);
		return false;
	}
	return expression_tree_walker(node, UnnestSubqueries, context);
}

/* A query, and then those within: a collection that is joined is computed once, so its own may become joins, too. */
static void
UnnestLevel(Query *query, Level *outer, Unnesting *unnesting)
{
	Level		level = {.query = query,.outer = outer,.rewrite = unnesting->rewrite};
	Search		search = {.level = &level,.unnesting = unnesting};
	bool		worth_a_look = HasLaterals(query) || AlwaysComputed(query->targetList) != NIL ||
		unnesting->rewrite->notes != NULL;

	check_stack_depth();
	search.surveyed = FindSurveyed(unnesting->survey, query);
	if (search.surveyed != NULL)
		DropLimits(search.surveyed, &level, unnesting->lookups);
	if (worth_a_look)
		search.reason = WhyNoJoins(&level, search.surveyed);
	if (search.reason != NULL)
		VisitBelow(query, NoteThatItStays, &search);
	else if (worth_a_look)
	{
		Query	   *written = copyObject(query);

		/* Ask for the order that FROM has, which joins lose. */
		ExpandRowsOfSources(query);
		KeepOrder(&level, AggregatesIn((Node *) query->targetList));
		search.once = ComputeOnce(&level);
		search.sorted = CutsRows(&level) ? SortedByFirst(query) : NULL;
		search.before = copyObject(MakeReader(query));
		search.ncolumns = CountColumns(query);
		UnnestLaterals(&search);
		UnnestTargets(&search);
		unnesting->njoins += search.njoins;
		if (search.njoins == 0)
			*query = *written;
	}
	query_tree_walker(query, UnnestSubqueries, &search, 0);
	if (search.surveyed == NULL || !search.surveyed->is_joined)
		return;
	if (GrowsBelow(unnesting->survey, &level))
		unnesting->refused = bms_add_member(unnesting->refused, IdOf(unnesting->survey, query));
	else
		RestrictLargeGroups(&level);
}

/*
 * Make joins of the collections in a query, which is changed where it is, but of those that are refused.  If more of
 * them turn out to be such that they must not be joined, these are refused, too, and the query is lost: false.
 */
bool
UnnestQuery(Query *query, Unnesting *unnesting)
{
	int			before = bms_num_members(unnesting->refused);

	unnesting->njoins = 0;
	unnesting->notes = NIL;
	unnesting->rewrite->visits = 0;
	unnesting->rewrite->computed = unnesting->rewrite->cut = NULL;
	unnesting->rewrite->reads_more = false;
	unnesting->rewrite->share = 1;
	unnesting->rewrite->shares = unnesting->rewrite->ncollections = 0;
	unnesting->survey = MakeSurvey(query, unnesting->rewrite);
	AskReaders(unnesting->survey);
	FindLookUpsOfMany(unnesting->survey);
	UnnestLevel(query, NULL, unnesting);
	return bms_num_members(unnesting->refused) == before;
}
