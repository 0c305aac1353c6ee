/*-------------------------------------------------------------------------
 *
 * collection.c
 *		Subqueries that aggregate what belongs to one row of the outer query.
 *
 * If one refers to the outer query only by equalities such as child.parent_id = parent.id, its result depends only on
 * the value of its own side: it aggregates the rows that have that value.  So it can be grouped by that side, once for
 * all rows of the outer query, and be joined to them.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_clause.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "planner/calls.h"
#include "planner/collection.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

static bool
IsColumnOf(Node *expr, int levelsup)
{
	Var		   *var = (Var *) StripRelabels(expr);

	return IsA(var, Var) && var->varlevelsup == levelsup && var->varattno > 0;
}

/*
 * Keys
 */

/* The column of the outer query that a key is compared with, as it is called there */
Var *
OuterColumn(const Key *key)
{
	Var		   *var = copyObject(castNode(Var, StripRelabels(list_nth(key->clause->args, 1 - key->inner))));

	var->varlevelsup = 0;
	return var;
}

/* The clause of a key, over these two instead; no-op casts of the outer column stay */
Node *
ClauseWith(const Key *key, Node *inner, Node *outer_column)
{
	OpExpr	   *clause = copyObject(key->clause);
	Node	  **outer = (Node **) &lfirst(list_nth_cell(clause->args, 1 - key->inner));

	lfirst(list_nth_cell(clause->args, key->inner)) = inner;
	while (IsA(*outer, RelabelType))
		outer = (Node **) &((RelabelType *) *outer)->arg;
	*outer = outer_column;
	return (Node *) clause;
}

/* Can rows be grouped by the key's own side so that the rows of a group are those that the clause finds equal? */
static bool
GroupsAsItCompares(Key *key)
{
	Node	   *inner = list_nth(key->clause->args, key->inner);
	Oid			typid = exprType(inner);

	if (type_is_rowtype(getBaseType(typid)) ||
		key->clause->inputcollid != exprCollation(inner))
		return false;
	get_sort_group_operators(typid, false, false, false, &key->sortop, &key->eqop, NULL,
							 &key->hashable);
	/* Several keys, or aggregates that sort, want rows grouped by sorting. */
	return OidIsValid(key->eqop) && OidIsValid(key->sortop) &&
		equality_ops_are_compatible(key->clause->opno, key->eqop);
}

/* Is it an equality of a column at depth and one of the outer query? */
static bool
IsKey(Node *clause, int depth, Key *key)
{
	OpExpr	   *equality = (OpExpr *) clause;

	/* One that depends on the time zone groups otherwise than it compares. */
	if (!IsA(clause, OpExpr) || list_length(equality->args) != 2 || !op_strict(equality->opno) ||
		op_volatile(equality->opno) != PROVOLATILE_IMMUTABLE)
		return false;
	key->clause = equality;
	key->inner = IsColumnOf(linitial(equality->args), 0) ? 0 : 1;
	if (!IsColumnOf(list_nth(equality->args, key->inner), 0) ||
		!IsColumnOf(list_nth(equality->args, 1 - key->inner), depth + 1) ||
		!(op_mergejoinable(equality->opno, exprType(linitial(equality->args))) ||
		  op_hashjoinable(equality->opno, exprType(linitial(equality->args)))))
		return false;
	return GroupsAsItCompares(key);
}

/* Find the keys among conditions that must all be true. */
static void
FindKeys(Collection *collection, Source *source, Node **quals)
{
	Key			key = {.source = source,.place = quals};

	if (*quals == NULL)
		return;
	if (is_andclause(*quals))
	{
		ListCell   *cell;

		foreach(cell, ((BoolExpr *) *quals)->args)
		{
			FindKeys(collection, source, (Node **) &lfirst(cell));
		}
	}
	else if (IsKey(*quals, source->depth, &key))
	{
		Key		   *found = palloc(sizeof(Key));

		*found = key;
		collection->keys = lappend(collection->keys, found);
	}
}

/* Look at all that is joined, except where a join may make rows NULL, or LIMIT cannot be taken of each group. */
static void
FindKeysInJoins(Level *level, Collection *collection, Source *source, Node *node)
{
	check_stack_depth();
	if (IsA(node, FromExpr))
	{
		ListCell   *cell;

		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			FindKeysInJoins(level, collection, source, lfirst(cell));
		}
		FindKeys(collection, source, &((FromExpr *) node)->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT)
			FindKeysInJoins(level, collection, source, join->larg);
		if (join->jointype != JOIN_INNER)
			return;
		FindKeysInJoins(level, collection, source, join->rarg);
		FindKeys(collection, source, &join->quals);
	}
	else
	{
		int			varno = castNode(RangeTblRef, node)->rtindex;
		RangeTblEntry *rte = rt_fetch(varno, source->query->rtable);
		Level		inner = LevelBelow(level, rte->subquery);

		if (IsSource(rte) && !CanCutGroups(&inner))
			collection->is_cut_otherwise = true;
		else if (IsSource(rte))
			FindKeysInJoins(&inner, collection, SourceBelow(source, varno), (Node *) inner.query->jointree);
	}
}

/* All keys of a collection */
static void
FindAllKeys(Level *outer, Collection *collection)
{
	Level		level = LevelBelow(outer, collection->query);
	Source	   *source = palloc0(sizeof(Source));

	source->query = collection->query;
	FindKeysInJoins(&level, collection, source, (Node *) source->query->jointree);
}

/* Those that FindCollection has found must be found again, however much has been visited since. */
static void
FindSameKeys(Level *outer, Collection *collection)
{
	int			visits = outer->rewrite->visits;

	outer->rewrite->visits = 0;
	FindAllKeys(outer, collection);
	outer->rewrite->visits = visits;
}

/* References to outer queries; but not in these conditions */
Visit
VisitOuterReference(Node *node, int depth, void *context)
{
	List	   *clauses = context;

	switch (nodeTag(node))
	{
		case T_OpExpr:
			return list_member_ptr(clauses, node) ? VISIT_NEXT : VISIT_CHILDREN;
		case T_Var:
			return ((Var *) node)->varlevelsup > depth ? VISIT_FOUND : VISIT_NEXT;
		case T_Aggref:
			return ((Aggref *) node)->agglevelsup > depth ? VISIT_FOUND : VISIT_CHILDREN;
		case T_GroupingFunc:
		case T_CurrentOfExpr:
			return VISIT_FOUND;
		default:
			return VISIT_CHILDREN;
	}
}

/* References further out than to the row around a value of the select list */
static Visit
VisitFartherReference(Node *node, int depth, void *context)
{
	if (IsA(node, Var))
		return (int) ((Var *) node)->varlevelsup > depth + 1 ? VISIT_FOUND : VISIT_NEXT;
	return VisitOuterReference(node, depth, NIL);
}

/*
 * Are the keys the query's only references to outer queries?  What it makes of its aggregates, if it stands in an expression, is
 * made above the join: that may refer to the row there.
 */
static bool
RefersByKeysOnly(Collection *collection)
{
	Query		query = *collection->query;
	List	   *clauses = NIL;
	ListCell   *cell;

	foreach(cell, collection->keys)
	{
		clauses = lappend(clauses, ((Key *) lfirst(cell))->clause);
	}
	if (collection->varno == 0)
	{
		if (FindInLevels((Node *) query.targetList, VisitFartherReference, NULL))
			return false;
		query.targetList = AggregatesIn((Node *) query.targetList);
	}
	return !FindInLevels((Node *) &query, VisitOuterReference, clauses);
}

/* Does a collection refer to the row around it in other ways than column = column? */
bool
RefersInOtherWays(Level *outer, Query *query)
{
	Collection	collection = {.query = query,.varno = ItemOf(outer->query, query)};

	FindAllKeys(outer, &collection);
	return !collection.is_cut_otherwise && (collection.keys == NIL || !RefersByKeysOnly(&collection));
}

/* May the collection consist of keys and aggregates, its rows be sorted, and the sources of the keys have these as more columns? */
static bool
HasRoomForColumns(const Collection *collection)
{
	ListCell   *cell;

	foreach(cell, collection->keys)
	{
		if (!HasRoom(((Key *) lfirst(cell))->source, 0))
			return false;
	}
	return list_length(collection->keys) <= MAX_KEYS && list_length(collection->aggregates) <= MAX_COLUMNS &&
		CountColumns(collection->query) <= MAX_COLUMNS;
}

/*
 * Aggregates
 */

/* Find the aggregates; false if we don't know one of them, or if one is in a subquery. */
static bool
FindAggregates(Collection *collection)
{
	ListCell   *cell;

	foreach(cell, AggregatesIn((Node *) collection->query->targetList))
	{
		Aggref	   *aggref = lfirst_node(Aggref, cell);

		if (aggref->aggkind != AGGKIND_NORMAL || aggref->agglevelsup != 0 ||
			aggref->aggdirectargs != NIL || EmptyValueOf(aggref) == EMPTY_UNKNOWN ||
			DistinctDependsOnOrder(aggref))
			return false;
		collection->uses_again |= collection->aggregates != NIL;
		collection->aggregates = list_append_unique(collection->aggregates, aggref);
	}
	return true;
}

/* Is it a column of the only subquery in FROM, which groups by it and nothing else? */
static bool
IsGroupedBy(const Query *query, Node *expr)
{
	Var		   *var = (Var *) StripRelabels(expr);
	Query	   *subquery;

	if (!IsA(var, Var) || var->varlevelsup > 0 || OnlyItem(query->jointree) != var->varno)
		return false;
	subquery = rt_fetch(var->varno, query->rtable)->subquery;
	return subquery != NULL && HasOnly(subquery, PARTS_OF_GROUP_ROWS) && list_length(subquery->groupClause) == 1 &&
		get_sortgroupclause_tle(linitial(subquery->groupClause), subquery->targetList)->resno == var->varattno;
}

/* Could there be an object with a key twice?  In jsonb, that has the value that comes last. */
static bool
ObjectsDependOnOrder(Level *level, List *aggregates)
{
	ListCell   *cell;

	foreach(cell, aggregates)
	{
		Aggref	   *aggref = lfirst_node(Aggref, cell);
		Node	   *key;

		if (!MakesObject(aggref))
			continue;
		key = (Node *) linitial_node(TargetEntry, aggref->args)->expr;
		if (!EqualIsSame(key) || !(IsGroupedBy(level->query, key) || IsOneRowByValue(level, key)))
			return true;
	}
	return false;
}

/*
 * May everybody call what PostgreSQL finds equal values of a key with?  It groups the collection by its own side,
 * and removes duplicates of the other one to make a join of IN, or keeps results by it.
 */
static bool
MayCompareKeys(Level *outer, const Key *key)
{
	bool		is_left = key->inner == 1;	/* the outer side */
	Oid			equalities[3] = {key->eqop};
	Oid			sortop = get_ordering_op_for_equality_op(key->clause->opno, is_left);

	equalities[1] = OidIsValid(sortop) ? get_equality_op_for_ordering_op(sortop, NULL) : InvalidOid;
	(void) get_compatible_hash_operators(key->clause->opno, is_left ? &equalities[2] : NULL, is_left ? NULL : &equalities[2]);
	for (int i = 0; i < lengthof(equalities); i++)
		if (OidIsValid(equalities[i]) && !MayReplace(outer, get_opcode(equalities[i])))
			return false;
	return !FindingEqualMayRaise(outer, (Node *) key->clause);
}

/*
 * The outer side of a key is evaluated for all rows of the outer query, and compared with all rows of the collection;
 * and everybody must be allowed to call what the rows are grouped by.
 */
static bool
KeysAreFit(Level *outer, List *keys)
{
	ListCell   *cell;

	foreach(cell, keys)
	{
		Key		   *key = lfirst(cell);

		if (OperatorMayRaise(outer, key->clause) || !FamiliesAreBuiltIn(key->eqop) || !FamiliesAreBuiltIn(key->sortop) ||
			!MayCompareKeys(outer, key) ||
			ExpressionMayRaise(outer, (Node *) OuterColumn(key)))
			return false;
	}
	return true;
}

/* May what a query, or an aggregate, sorts by raise an error, or to compare it? */
static bool
KeysMayRaise(Level *level, List *clauses, List *targets)
{
	return ExpressionMayRaise(level, (Node *) get_sortgrouplist_exprs(clauses, targets)) ||
		SortingMayRaise(clauses, targets);
}

/*
 * May grouping rows raise an error if it is done below the restriction?  HAVING is evaluated there, if it looks at
 * what the rows are grouped by; PostgreSQL 19 may compute parts of aggregates there.
 */
static bool
GroupingMayRaise(Level *level)
{
	Query	   *query = level->query;

	return GroupsRows(query) &&
		(AGGREGATES_BELOW_JOINS || KeysMayRaise(level, query->groupClause, query->targetList) ||
		 KeysMayRaise(level, query->distinctClause, query->targetList) || ExpressionMayRaise(level, query->havingQual));
}

/*
 * May finding its rows raise an error, for any row?  Above the query where they are restricted to
 * those of the parents, this is only asked of conditions, of sort keys, for parallel workers may sort
 * below the restriction, and of subqueries that may be run for other rows, or before there are any (ways.c).
 */
static bool
FindingMayRaise(Level *outer, Query *query, const Query *restricted)
{
	Level		level = LevelBelow(outer, query);
	int			varno = OnlyItem(query->jointree);

	check_stack_depth();
	if (HasAny(query, PART_LIMIT | PART_OFFSET) || KeysMayRaise(&level, query->sortClause, query->targetList) ||
		GroupingMayRaise(&level) || SubqueriesMayRaise(&level))
		return true;
	if (query == restricted || varno == 0 || !IsSource(rt_fetch(varno, query->rtable)))
		return RowsMayRaise(outer, query) || ConditionsMayRaise(&level, query->jointree);
	return ExpressionMayRaise(&level, query->jointree->quals) ||
		FindingMayRaise(&level, rt_fetch(varno, query->rtable)->subquery, restricted);
}

/* May PostgreSQL 19 compute parts of an aggregate, of what may raise an error, below the restriction? */
static bool
IsComputedBelow(Level *level, bool rows_may_raise, Aggref *aggref)
{
	return AGGREGATES_BELOW_JOINS && MayBePartial(aggref) &&
		((rows_may_raise && (aggref->args != NIL || aggref->aggfilter != NULL)) ||
		 ExpressionMayRaise(level, (Node *) aggref));
}

/*
 * If its values may raise an error, they must be computed for the rows that belong to the parents, as they are as it
 * is written: by aggregates, above the restriction.  What these sort by may be computed below.
 */
static bool
IsComputedAbove(Level *level, const Collection *collection)
{
	Key		   *key = linitial(collection->keys);
	bool		rows_may_raise = RowsMayRaise(level->outer, level->query);
	ListCell   *cell;

	foreach(cell, collection->aggregates)
	{
		Aggref	   *aggref = lfirst(cell);

		if (KeysMayRaise(level, aggref->aggorder, aggref->args) || KeysMayRaise(level, aggref->aggdistinct, aggref->args) ||
			IsComputedBelow(level, rows_may_raise, aggref))
			return false;
	}
	return !FindingMayRaise(level->outer, level->query, key->source->query);
}

/*
 * Does a condition, or a join, above a LIMIT see rows of it by a key whose equal values may differ?  PostgreSQL evaluates a condition
 * on what rows are numbered within before it numbers them.
 */
static bool
TellsCutKeysApart(const Collection *collection)
{
	ListCell   *cell;

	foreach(cell, collection->keys)
	{
		Key		   *key = lfirst(cell);
		bool		is_cut = false;

		if (EqualIsSame(list_nth(key->clause->args, key->inner)))
			continue;
		for (Source *source = key->source; source->above != NULL; source = source->above)
		{
			FromExpr   *above = source->above->query->jointree;

			is_cut |= HasAny(source->query, PART_LIMIT | PART_OFFSET);
			if (is_cut && (OnlyItem(above) == 0 || !IsTrue(above->quals)))
				return true;
		}
	}
	return false;
}

/* A subquery that is in no argument of an aggregate */
static bool
FindSubLinkOutside(Node *node, void *context)
{
	if (node == NULL || IsA(node, Aggref))
		return false;
	return IsA(node, SubLink) || expression_tree_walker(node, FindSubLinkOutside, context);
}

/* Can the query be grouped once instead of being run for each row of the outer one?  NULL if it can, or why not. */
const char *
FindCollection(Level *outer, Query *query, Collection *collection)
{
	Level		level = LevelBelow(outer, query);

	memset(collection, 0, sizeof(*collection));
	collection->query = query;
	collection->varno = ItemOf(outer->query, query);
	if (!IsOneRow(query))
		return "it has GROUP BY, HAVING, LIMIT or the like beside its aggregates";
	FindAllKeys(outer, collection);
	if (collection->is_cut_otherwise && !RefersByKeysOnly(collection))
		return "it has a LIMIT that is negative, NULL or not known, or that takes rows in an order from further within";
	if (collection->keys == NIL || !RefersByKeysOnly(collection))
		return "it refers to the row around it in other ways than column = column";
	if (!KeysAreFit(outer, collection->keys))
		return "the columns that are compared could raise an error, or PUBLIC may not call their operator";
	if (TellsCutKeysApart(collection))
		return "a condition may tell equal keys apart, of rows that its LIMIT leaves";
	if (!FindAggregates(collection) || ObjectsDependOnOrder(&level, collection->aggregates))
		return "it has an aggregate that jsonrow does not know, or DISTINCT in one that depends on the order";
	if (!HasRoomForColumns(collection))
		return TOO_MANY_COLUMNS;
	if (!CanKeepOrder(&level))
		return "an order that was asked for could be lost";

	/* What is made of aggregates is computed above, for the same rows. */
	collection->may_raise = RowsMayRaise(outer, query) || ExpressionMayRaise(&level, (Node *) collection->aggregates);

	/* Nothing can be told of when a subquery is computed. */
	if ((collection->may_raise && !IsComputedAbove(&level, collection)) ||
		(FindSubLinkOutside((Node *) query->targetList, NULL) &&
		 ExpressionMayRaise(&level, (Node *) query->targetList)))
		return COLLECTION_MAY_RAISE;
	return NULL;
}

/*
 * Grouping
 */

/* The table of a key's own side, if that is a column of one, or NULL */
RangeTblEntry *
TableOfKey(const Key *key, AttrNumber *attno)
{
	Var		   *var = list_nth(key->clause->args, key->inner);
	RangeTblEntry *rte;

	if (!IsA(var, Var))
		return NULL;
	rte = rt_fetch(var->varno, key->source->query->rtable);
	*attno = var->varattno;
	return rte->rtekind == RTE_RELATION ? rte : NULL;
}

/* Can a key be NULL, as a column, or by a join? */
static bool
KeyMayBeNull(const Key *key)
{
	Level		level = {.query = key->source->query};
	AttrNumber	attno;
	RangeTblEntry *rte = TableOfKey(key, &attno);

	return rte == NULL || !RowIsThere(&level, ((Var *) list_nth(key->clause->args, key->inner))->varno) ||
		!ColumnIsNeverNull(rte, attno);
}

/* Rows are in one group if their keys are equal.  Of those that gather rows, if they are hashed, all would be in memory at once. */
static SortGroupClause *
MakeGroupClause(const Key *key, Index ref, bool gathers)
{
	SortGroupClause *clause = makeNode(SortGroupClause);

	clause->tleSortGroupRef = ref;
	clause->eqop = key->eqop;
	clause->sortop = key->sortop;
	clause->hashable = key->hashable && !gathers;
	return clause;
}

/* Group the rows of a source by the key, too: those of each parent by themselves. */
static void
GroupByKey(Query *query, const Key *key, TargetEntry *entry)
{
	List	  **clauses = HasAny(query, PART_DISTINCT) ? &query->distinctClause : &query->groupClause;
	SortGroupClause *clause = MakeGroupClause(key, assignSortGroupRef(entry, query->targetList), QueryGathers(query));

	if (get_sortgroupref_clause_noerr(clause->tleSortGroupRef, *clauses) == NULL)
		*clauses = lappend(*clauses, clause);
}

/*
 * Replace the equality by IS NOT NULL on its own side: NULL never matches, and all NULLs would form one large group.
 * That side becomes a column of the collection; where LIMIT is to be taken of each group, rows are numbered by it.
 */
static Expr *
TakeKey(Level *level, Collection *collection, Key *key)
{
	Expr	   *expr = copyObject(list_nth(key->clause->args, key->inner));

	*key->place = KeyMayBeNull(key) ? IsNotNull((Node *) copyObject(expr)) : makeBoolConst(true, false);
	for (Source *source = key->source; source->above != NULL; source = source->above)
	{
		TargetEntry *entry = BringUpOnce(source, &expr);
		Index		ref;

		if (GroupsRows(source->query))
			GroupByKey(source->query, key, entry);
		if (!HasAny(source->query, PART_LIMIT | PART_OFFSET) || DropEmptyLimit(level, source->query))
			continue;
		ref = assignSortGroupRef(entry, source->query->targetList);
		source->partition = lappend(source->partition, MakeGroupClause(key, ref, false));
		collection->cut = list_append_unique_ptr(collection->cut, source);
	}
	return expr;
}

/*
 * Only the rows of the parents are grouped: what nobody asked for costs nothing, and
 * breaks no limit.  The parents' rows are read once more for that (see parents.c).
 */
static void
RestrictTo(Collection *collection, Query *parents)
{
	Key		   *first = linitial(collection->keys);
	SubLink    *among = MakeSubLink(ANY_SUBLINK, parents);
	List	   *clauses = NIL;
	ListCell   *cell;

	foreach(cell, collection->keys)
	{
		Key		   *key = lfirst(cell);
		Var		   *column = OuterColumn(key);
		Param	   *param = makeNode(Param);

		param->paramkind = PARAM_SUBLINK;
		param->paramid = AddEntry(parents, (Expr *) column, pstrdup("key"))->resno;
		param->paramtype = column->vartype;
		param->paramtypmod = column->vartypmod;
		param->paramcollid = column->varcollid;
		param->location = -1;
		clauses = lappend(clauses, ClauseWith(key, copyObject(list_nth(key->clause->args, key->inner)),
											  (Node *) param));
	}

	/* restriction.c may move it, but not above what could raise an error. */
	among->subLinkId = collection->may_raise ? 0 : (int) collection->query->queryId;
	among->testexpr = (Node *) make_ands_explicit(clauses);
	*first->place = (Node *) among;
	first->source->query->hasSubLinks = true;
}

/*
 * PostgreSQL does not know before 18 that there is one group for each key, which matters
 * if it knows nothing of the parents' keys, either, as of those in a CTE: tell it by DISTINCT ON.
 */
static void
TellUnique(Level *outer, Query *query, const Key *key)
{
	List	   *keys = query->groupClause;

	if (GROUPS_ARE_UNIQUE || list_length(keys) != 1 ||
		rt_fetch(OuterColumn(key)->varno, outer->query->rtable)->rtekind != RTE_CTE)
		return;
	(void) PutInFrom(query, "groups");
	linitial_node(TargetEntry, query->targetList)->ressortgroupref =
		linitial_node(SortGroupClause, keys)->tleSortGroupRef;
	query->distinctClause = copyObject(keys);
	query->hasDistinctOn = true;
}

/*
 * The LIMIT of a collection that no group reaches, as far as anybody knows; 0 if it must be taken of each group.  Its rows must be
 * those that are aggregated.  What is used in two places would be computed twice where a group has more rows, and of rows that are
 * equal in the order asked for, LIMIT could take others.
 */
static int64
LimitToBeCounted(Level *outer, Level *level, const Collection *collection)
{
	Source	   *source = list_length(collection->cut) == 1 ? linitial(collection->cut) : NULL;
	Key		   *key = linitial(collection->keys);

	/* A group is told from the next one by the bytes of one key. */
	if (source == NULL || collection->uses_again || list_length(collection->keys) != 1 || key->source->depth < source->depth ||
		!EqualIsSame(list_nth(key->clause->args, key->inner)) || HasAny(outer->query, PART_GROUPS) ||
		!OidIsValid(TwinFunction(TWIN_IS_SMALL_GROUP)) || !MayReplace(outer, F_BOOL_AND) ||
		!MayReplace(outer, F_PG_IS_OTHER_TEMP_SCHEMA))
		return 0;
	for (Source *below = source; below->above != NULL; below = below->above)
	{
		Query	   *query = below->above->query;

		if (LeadingInput(query) != below->varno || !IsTrue(query->jointree->quals) ||
			!HasOnly(query, PART_ORDER | (query == collection->query ? PART_AGGREGATES | PART_GROUPS : 0)))
			return 0;
	}
	return UnreachedLimit(level, source);
}

/* Aggregate no more rows of each group than LIMIT takes, and tell whether these are all.  Rows must come group by group for that. */
static List *
CountGroups(Collection *collection, int64 limit, List *aggregates)
{
	Query	   *query = collection->query;
	Source	   *source = linitial(collection->cut);
	Node	   *key = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	Node	   *is_small = IsInSmallGroup((int32) limit, 1, key, NIL);
	ListCell   *cell;

	source->query->limitCount = source->query->limitOffset = NULL;
	source->query->sortClause = NIL;	/* aggregates ask for it themselves */
	foreach(cell, query->groupClause)
	{
		lfirst_node(SortGroupClause, cell)->hashable = false;
	}
	foreach(cell, aggregates)
	{
		Aggref	   *aggref = lfirst(cell);

		/* It must see each row, so it is asked first. */
		if (GathersRows(aggref))
			aggref->aggfilter = (Expr *) make_and_qual(copyObject(is_small), (Node *) aggref->aggfilter);
	}
	collection->complete = list_length(query->targetList) + list_length(aggregates) + 1;
	return lappend(aggregates, AggregateOf(F_BOOL_AND, (Expr *) is_small, BOOLOID));
}

/*
 * Group the collection by its own side of the keys, for the rows of these parents,
 * or (NULL) for all.  Its columns are then the keys, followed by the aggregates;
 * the clauses of the keys are left for the join.  Returns what it gave, over its aggregates.
 */
List *
GroupCollection(Level *outer, Collection *collection, Query *parents)
{
	Query	   *query = collection->query;
	Level		level = LevelBelow(outer, query);
	bool		gathers = QueryGathers(query);
	List	   *targets;
	List	   *aggregates;
	int64		limit;
	ListCell   *cell;

	/* Take whole rows of its sources apart, before these get more columns. */
	ExpandRowsOfSources(query);
	collection->keys = collection->aggregates = NIL;
	FindSameKeys(outer, collection);
	(void) FindAggregates(collection);
	targets = get_tlist_exprs(query->targetList, true);
	aggregates = copyObject(collection->aggregates);
	KeepOrder(&level, aggregates);
	query->targetList = NIL;
	foreach(cell, collection->keys)
	{
		Key		   *key = lfirst(cell);
		TargetEntry *entry = AddEntry(query, TakeKey(&level, collection, key), pstrdup("key"));

		entry->ressortgroupref = entry->resno;
		query->groupClause = lappend(query->groupClause, MakeGroupClause(key, entry->resno, gathers));
	}
	if (parents != NULL)
		RestrictTo(collection, parents);
	/* Parts of a group are not counted together. */
	limit = MayBeInParts(aggregates) ? 0 : LimitToBeCounted(outer, &level, collection);
	if (limit > 0)
		aggregates = CountGroups(collection, limit, aggregates);
	else
	{
		foreach(cell, collection->cut)
		{
			CutGroups(&level, lfirst(cell));
		}
	}
	foreach(cell, aggregates)
	{
		(void) AddEntry(query, lfirst(cell), pstrdup("value"));
	}
	TellUnique(outer, query, linitial(collection->keys));
	return targets;
}

/*
 * The aggregate in this place of a collection's select list, over the rows that belong to a row of the outer query, or over
 * those of all keys.  The whole rows in it stay whole: a header that is found in its plan has no more names than
 * that of the collection as it was written.
 */
Query *
OneAggregate(Level *outer, Query *query, int place, bool for_all)
{
	Collection	collection = {.query = copyObject(query)};
	ListCell   *cell;

	if (for_all)
		FindSameKeys(outer, &collection);
	foreach(cell, collection.keys)
	{
		*((Key *) lfirst(cell))->place = makeBoolConst(true, false);
	}
	collection.query->targetList = list_make1(makeTargetEntry(list_nth(AggregatesIn((Node *) collection.query->targetList),
																	   place), 1, pstrdup("value"), false));
	return collection.query;
}
