/*-------------------------------------------------------------------------
 *
 * collection.c
 *		Subqueries that aggregate what belongs to one row of the outer query.
 *
 * If one refers to the outer query only by equalities such as child.parent_id
 * = parent.id, its result depends only on the value of its own side: it
 * aggregates the rows that have that value.  So it can be grouped by that
 * side, once for all rows of the outer query, and be joined to them.
 *
 * This is the simplest case of Neumann and Kemper, Unnesting Arbitrary Queries
 * (2015).
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_clause.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "planner/collection.h"
#include "planner/pull_up.h"
#include "planner/row_shape.h"
#include "planner/twins.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/* An expression without no-op casts */
static Node *
StripRelabels(Node *expr)
{
	while (IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	return expr;
}

static bool
IsColumnOf(Node *expr, int levelsup)
{
	Var		   *var = (Var *) StripRelabels(expr);

	return IsA(var, Var) && var->varlevelsup == levelsup && var->varattno > 0;
}

/*
 * Keys
 */

/*
 * Can rows be grouped by the key's own side so that the rows of a group are
 * those that the clause finds equal?
 */
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
			FindKeys(collection, source, (Node **) &lfirst(cell));
	}
	else if (IsKey(*quals, source->depth, &key))
	{
		Key		   *found = palloc(sizeof(Key));

		*found = key;
		collection->keys = lappend(collection->keys, found);
	}
}

/* Does a query only join, filter, sort and project? */
static bool
IsTransparent(RangeTblEntry *rte)
{
	Query	   *query = rte->subquery;

	return rte->rtekind == RTE_SUBQUERY && !rte->lateral && query->commandType == CMD_SELECT &&
		!query->hasAggs && !query->hasWindowFuncs && !query->hasTargetSRFs &&
		query->groupClause == NIL && query->groupingSets == NIL && query->havingQual == NULL &&
		query->distinctClause == NIL && query->setOperations == NULL &&
		query->limitCount == NULL && query->limitOffset == NULL && query->rowMarks == NIL &&
		query->cteList == NIL;
}

/*
 * Look at everything that is joined, except where a join may make rows NULL.
 */
static void
FindKeysInJoins(Collection *collection, Source *source, Node *node)
{
	check_stack_depth();
	if (IsA(node, FromExpr))
	{
		ListCell   *cell;

		foreach(cell, ((FromExpr *) node)->fromlist)
			FindKeysInJoins(collection, source, lfirst(cell));
		FindKeys(collection, source, &((FromExpr *) node)->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (join->jointype != JOIN_INNER && join->jointype != JOIN_LEFT)
			return;
		FindKeysInJoins(collection, source, join->larg);
		if (join->jointype == JOIN_LEFT)
			return;
		FindKeysInJoins(collection, source, join->rarg);
		FindKeys(collection, source, &join->quals);
	}
	else
	{
		int			varno = castNode(RangeTblRef, node)->rtindex;
		RangeTblEntry *rte = rt_fetch(varno, source->query->rtable);
		Source	   *below;

		if (!IsTransparent(rte))
			return;
		below = palloc0(sizeof(Source));
		below->query = rte->subquery;
		below->above = source;
		below->varno = varno;
		below->depth = source->depth + 1;
		FindKeysInJoins(collection, below, (Node *) below->query->jointree);
	}
}

/* How often a query refers to outer queries, except in the given conditions */
typedef struct OuterReferences
{
	List	   *clauses;
	int			depth;
	bool		found;
} OuterReferences;

static bool
FindOuterReference(Node *node, void *context)
{
	OuterReferences *references = context;
	bool		result;

	if (node == NULL)
		return false;
	if (IsA(node, OpExpr) && list_member_ptr(references->clauses, node))
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup > references->depth;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup > references->depth)
		return true;
	if (IsA(node, GroupingFunc) || IsA(node, CurrentOfExpr))
		return true;
	if (!IsA(node, Query))
		return expression_tree_walker(node, FindOuterReference, context);
	check_stack_depth();
	references->depth++;
	result = query_tree_walker((Query *) node, FindOuterReference, context, 0);
	references->depth--;
	return result;
}

/* Are the keys the query's only references to outer queries? */
static bool
RefersByKeysOnly(Collection *collection)
{
	OuterReferences references = {0};
	ListCell   *cell;

	foreach(cell, collection->keys)
		references.clauses = lappend(references.clauses, ((Key *) lfirst(cell))->clause);
	return !query_tree_walker(collection->query, FindOuterReference, &references, 0);
}

/*
 * Aggregates
 */

/* PostgreSQL's own aggregates; min and max have an OID for each type. */
static const struct
{
	const char *name;
	EmptyValue	empty;
	bool		ordered;		/* depends on the order of the rows */
}			known_aggregates[] = {
	{"array_agg", EMPTY_NULL, true},
	{"avg", EMPTY_NULL, false},
	{"bool_and", EMPTY_NULL, false},
	{"bool_or", EMPTY_NULL, false},
	{"count", EMPTY_ZERO, false},
	{"every", EMPTY_NULL, false},
	{"json_agg", EMPTY_NULL, true},
	{"json_agg_strict", EMPTY_NULL, true},
	{"jsonb_agg", EMPTY_NULL, true},
	{"jsonb_agg_strict", EMPTY_NULL, true},
	{"max", EMPTY_NULL, false},
	{"min", EMPTY_NULL, false},
	{"string_agg", EMPTY_NULL, true},
	{"sum", EMPTY_NULL, false},
};

/* Are sums of the type exact, in any order? */
static bool
IsExact(Oid typid)
{
	return typid == INT2OID || typid == INT4OID || typid == INT8OID || typid == NUMERICOID;
}

/* Are values that compare as equal the same?  1.0 and 1.00 are not, nor 0 and -0. */
static bool
EqualIsSame(Oid typid, Oid collation)
{
	switch (typid)
	{
		case TEXTOID:
			return OidIsValid(collation) && get_collation_isdeterministic(collation);
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case UUIDOID:
			return true;
		default:
			return get_typtype(typid) == TYPTYPE_ENUM;
	}
}

/*
 * May one of PostgreSQL's own aggregates be computed for rows that nobody
 * asked for, in any order?  Sums of floats depend on the order, and so does
 * which of several equal values is the least.  Sums of intervals may overflow,
 * and arrays to be aggregated must have the same size.
 */
static bool
TypeIsFit(const char *name, Oid typid, Oid collation)
{
	if (strcmp(name, "sum") == 0 || strcmp(name, "avg") == 0)
		return IsExact(typid);
	if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
		return EqualIsSame(typid, collation);
	return strcmp(name, "array_agg") != 0 || !OidIsValid(get_element_type(typid));
}

/*
 * What an aggregate returns for no rows, and whether their order matters to it
 */
EmptyValue
EmptyValueOf(Aggref *aggref, bool *ordered)
{
	Twin		twin = TwinOfFunction(aggref->aggfnoid);
	char	   *name;

	*ordered = true;
	if (twin >= TWIN_JSONROW_OBJECTS_AGG && twin != NO_TWIN)
		return EMPTY_ARRAY;
	if (twin >= TWIN_JSONROW_AGG && twin != NO_TWIN)
		return EMPTY_DOCUMENT;
	if (twin == TWIN_JSONROW_ARRAY_AGG || twin == TWIN_JSONROW_ARRAY_AGG_JSON)
		return EMPTY_ARRAY;
	if (twin == TWIN_JSON_OBJECT_AGG || twin == TWIN_JSONB_OBJECT_AGG)
		return EMPTY_UNKNOWN;	/* a key may be NULL, which is an error */
	if (twin != NO_TWIN)
		return EMPTY_NULL;
	if (aggref->aggfnoid >= FirstUnpinnedObjectId)
		return EMPTY_UNKNOWN;
	name = get_func_name(aggref->aggfnoid);
	for (int i = 0; i < lengthof(known_aggregates); i++)
	{
		if (strcmp(name, known_aggregates[i].name) != 0)
			continue;
		*ordered = known_aggregates[i].ordered;
		return aggref->aggargtypes == NIL || TypeIsFit(name, linitial_oid(aggref->aggargtypes),
													   aggref->inputcollid) ?
			known_aggregates[i].empty : EMPTY_UNKNOWN;
	}
	return EMPTY_UNKNOWN;
}

/* Does the order of the rows decide which of equal values DISTINCT leaves? */
static bool
DistinctDependsOnOrder(Aggref *aggref)
{
	ListCell   *cell;
	bool		ordered;

	if (aggref->aggdistinct == NIL || EmptyValueOf(aggref, &ordered) == EMPTY_ZERO)
		return false;
	foreach(cell, aggref->args)
		if (!EqualIsSame(exprType((Node *) lfirst_node(TargetEntry, cell)->expr),
						 exprCollation((Node *) lfirst_node(TargetEntry, cell)->expr)))
		return true;
	return false;
}

/*
 * Find the aggregates in an expression; true if we don't know one of them, or
 * if one is in a subquery.
 */
static bool
FindAggregates(Node *node, void *context)
{
	Collection *collection = context;
	Aggref	   *aggref = (Aggref *) node;
	bool		ordered;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return contain_aggs_of_level(node, 1);
	if (!IsA(node, Aggref))
		return expression_tree_walker(node, FindAggregates, context);
	if (aggref->aggkind != AGGKIND_NORMAL || aggref->agglevelsup != 0 ||
		aggref->aggdirectargs != NIL || EmptyValueOf(aggref, &ordered) == EMPTY_UNKNOWN ||
		DistinctDependsOnOrder(aggref))
		return true;
	if (!list_member(collection->aggregates, aggref))
		collection->aggregates = lappend(collection->aggregates, aggref);
	return false;
}

/* Does the query always return one row, by aggregating without GROUP BY? */
static bool
GivesOneRow(Query *query)
{
	return query->commandType == CMD_SELECT && query->hasAggs && !query->hasWindowFuncs &&
		!query->hasTargetSRFs && query->groupClause == NIL && query->groupingSets == NIL &&
		query->havingQual == NULL && query->distinctClause == NIL &&
		query->sortClause == NIL && query->setOperations == NULL &&
		query->limitCount == NULL && query->limitOffset == NULL && query->rowMarks == NIL &&
		query->cteList == NIL && query->jointree->fromlist != NIL;
}

/*
 * The outer side of a key is evaluated for all rows of the outer query; and
 * everybody must be allowed to call what the rows are grouped by.
 */
static bool
KeysAreFit(Level *outer, List *keys)
{
	ListCell   *cell;

	foreach(cell, keys)
	{
		Key		   *key = lfirst(cell);
		Var		   *var = copyObject((Var *) StripRelabels(list_nth(key->clause->args, 1 - key->inner)));

		var->varlevelsup = 0;
		if (PulledUpMayRaise(outer, (Node *) var) || !MayReplace(outer, get_opcode(key->eqop)))
			return false;
	}
	return true;
}

/*
 * Can the query be grouped once instead of being run for each row of the outer
 * one?  lateral says that expressions over its aggregates are computed in
 * FROM; they would then be computed where they are used.
 */
bool
FindCollection(Level *outer, Query *query, Collection *collection)
{
	Source	   *source = palloc0(sizeof(Source));
	Level		level = {.query = query,.outer = outer,.rewrite = outer->rewrite};

	memset(collection, 0, sizeof(*collection));
	collection->query = source->query = query;
	if (!GivesOneRow(query))
		return false;
	FindKeysInJoins(collection, source, (Node *) query->jointree);
	return collection->keys != NIL && RefersByKeysOnly(collection) &&
		KeysAreFit(outer, collection->keys) &&
		!contain_volatile_functions((Node *) query) &&
		!FindAggregates((Node *) query->targetList, collection) &&
		!RowsMayRaise(outer, query) &&
		!ExpressionMayRaise(&level, (Node *) query->targetList);
}

/*
 * Grouping
 */

/* Which subqueries of a query get columns that their rows must not show? */
typedef struct Rows
{
	Level		level;
	int			depth;
} Rows;

/*
 * The row of a subquery as the columns that it has now.  If a join may make it
 * NULL, it is not a source of rows, and gets no more columns.
 */
static Node *
ExpandRow(Rows *rows, Var *var)
{
	RangeTblEntry *rte = rt_fetch(var->varno, rows->level.query->rtable);
	RowExpr    *row;
	List	   *names;

	if (!IsTransparent(rte) || !RowIsThere(&rows->level, var->varno))
		return (Node *) var;
	row = makeNode(RowExpr);
	ExpandRangeTableEntry(rte, var->varno, false, &names, &row->args);
	IncrementVarSublevelsUp((Node *) row->args, rows->depth, 0);
	row->row_typeid = var->vartype;
	row->row_format = COERCE_IMPLICIT_CAST;
	row->colnames = copyObject(names);
	row->location = -1;
	return (Node *) row;
}

static Node *
ExpandRows(Node *node, void *context)
{
	Rows	   *rows = context;
	Node	   *result;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
		return ((Var *) node)->varattno == 0 && ((Var *) node)->varlevelsup == rows->depth ?
			ExpandRow(rows, (Var *) node) : node;
	if (!IsA(node, Query))
		return expression_tree_mutator(node, ExpandRows, context);
	rows->depth++;
	result = (Node *) query_tree_mutator((Query *) node, ExpandRows, context, 0);
	rows->depth--;
	return result;
}

static void
ExpandRowsOfSources(Query *query)
{
	Rows		rows = {.level = {.query = query}};
	ListCell   *cell;

	query_tree_mutator(query, ExpandRows, &rows, QTW_DONT_COPY_QUERY);
	foreach(cell, query->rtable)
		if (IsTransparent(lfirst(cell)))
		ExpandRowsOfSources(lfirst_node(RangeTblEntry, cell)->subquery);
}

/*
 * Take whole rows of its sources apart, before the sources get more columns.
 */
void
PrepareCollection(Collection *collection)
{
	Query	   *query = collection->query;
	Source	   *source = palloc0(sizeof(Source));

	ExpandRowsOfSources(query);
	memset(collection, 0, sizeof(*collection));
	collection->query = source->query = query;
	FindKeysInJoins(collection, source, (Node *) query->jointree);
	FindAggregates((Node *) query->targetList, collection);
}

/* Make a column of a source one of the collection's, through all levels between. */
static Expr *
BringUp(Source *source, Expr *expr)
{
	while (source->above != NULL)
	{
		RangeTblEntry *rte = rt_fetch(source->varno, source->above->query->rtable);
		TargetEntry *entry = AddEntry(source->query, expr, pstrdup("key"));

		rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("key")));
		expr = (Expr *) makeVarFromTargetEntry(source->varno, entry);
		source = source->above;
	}
	return expr;
}

/*
 * Replace the equality by IS NOT NULL on its own side: NULL never matches, and
 * all NULLs would form one large group.
 */
static Expr *
TakeKey(Key *key)
{
	Expr	   *inner = copyObject(list_nth(key->clause->args, key->inner));
	NullTest   *test = makeNode(NullTest);

	test->arg = copyObject(inner);
	test->nulltesttype = IS_NOT_NULL;
	test->location = -1;
	*key->place = (Node *) test;
	return BringUp(key->source, inner);
}

/* The only entry in FROM apart from LEFT JOINs to it; 0 if there are more */
static int
LeadingInput(FromExpr *jointree)
{
	Node	   *node = (Node *) jointree;

	for (;;)
	{
		if (IsA(node, FromExpr) && list_length(((FromExpr *) node)->fromlist) == 1)
			node = linitial(((FromExpr *) node)->fromlist);
		else if (IsA(node, JoinExpr) && ((JoinExpr *) node)->jointype == JOIN_LEFT)
			node = ((JoinExpr *) node)->larg;
		else
			return IsA(node, RangeTblRef) ? ((RangeTblRef *) node)->rtindex : 0;
	}
}

/* The subquery that determines the order of the rows; NULL if none does */
static Source *
FindOrder(Query *query)
{
	Source	   *source = palloc0(sizeof(Source));

	source->query = query;
	while (source->query->sortClause == NIL || source->query->hasAggs)
	{
		Source	   *below = palloc0(sizeof(Source));
		RangeTblEntry *rte;

		below->varno = LeadingInput(source->query->jointree);
		if (below->varno == 0)
			return NULL;
		rte = rt_fetch(below->varno, source->query->rtable);
		if (!IsTransparent(rte))
			return NULL;
		below->query = rte->subquery;
		below->above = source;
		source = below;
	}
	return source;
}

/* What the subquery sorts by, as columns of the collection */
static List *
BringUpOrder(Source *source)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, source->query->sortClause)
	{
		TargetEntry *entry = get_sortgroupclause_tle(lfirst(cell), source->query->targetList);

		columns = lappend(columns, BringUp(source, copyObject(entry->expr)));
	}
	return columns;
}

/* Let an aggregate sort as the subquery did, because grouping loses that order. */
static void
SortAggregate(Aggref *aggref, List *clauses, List *columns)
{
	ListCell   *cell,
			   *column;
	Index		ref = 0;

	forboth(cell, clauses, column, columns)
	{
		SortGroupClause *clause = copyObject(lfirst_node(SortGroupClause, cell));
		TargetEntry *entry = makeTargetEntry(copyObject(lfirst(column)),
											 list_length(aggref->args) + 1, NULL, true);

		clause->tleSortGroupRef = entry->ressortgroupref = ++ref;
		aggref->args = lappend(aggref->args, entry);
		aggref->aggorder = lappend(aggref->aggorder, clause);
	}
}

/* Let the query itself sort as the subquery did. */
static void
SortQuery(Query *query, List *clauses, List *columns)
{
	ListCell   *cell,
			   *column;

	forboth(cell, clauses, column, columns)
	{
		SortGroupClause *clause = copyObject(lfirst_node(SortGroupClause, cell));
		TargetEntry *entry = makeTargetEntry(lfirst(column), list_length(query->targetList) + 1,
											 NULL, true);

		query->targetList = lappend(query->targetList, entry);
		clause->tleSortGroupRef = assignSortGroupRef(entry, query->targetList);
		query->sortClause = lappend(query->sortClause, clause);
	}
}

/*
 * If a subquery determines the order of a query's rows, let the aggregates
 * over them, or else the query itself, sort in that order.
 */
static void
TakeOrder(Query *query, List *aggregates)
{
	Source	   *source = FindOrder(query);
	List	   *columns;
	ListCell   *cell;
	bool		ordered;

	if (source == NULL || source->above == NULL)
		return;
	columns = BringUpOrder(source);
	foreach(cell, aggregates)
	{
		Aggref	   *aggref = lfirst_node(Aggref, cell);

		EmptyValueOf(aggref, &ordered);
		if (ordered && aggref->aggorder == NIL && aggref->aggdistinct == NIL)
			SortAggregate(aggref, source->query->sortClause, columns);
	}
	if (aggregates == NIL)
		SortQuery(query, source->query->sortClause, columns);
	source->query->sortClause = NIL;
}

/* All aggregates of a query, each as often as it occurs */
static bool
ListAggregates(Node *node, void *context)
{
	List	  **aggregates = context;

	if (node == NULL || IsA(node, Query))
		return false;
	if (!IsA(node, Aggref))
		return expression_tree_walker(node, ListAggregates, context);
	if (((Aggref *) node)->agglevelsup == 0)
		*aggregates = lappend(*aggregates, node);
	return false;
}

/* Joins will be added to a query, which will lose the order of its rows. */
void
PreserveOrder(Query *query)
{
	List	   *aggregates = NIL;

	if (FindOrder(query) == NULL)
		return;
	ExpandRowsOfSources(query);
	ListAggregates((Node *) query->targetList, &aggregates);
	ListAggregates(query->havingQual, &aggregates);
	TakeOrder(query, aggregates);
}

/*
 * Group the collection by its own side of the keys.  Its columns are then the
 * keys, followed by the aggregates; the clauses of the keys are left for the
 * join.
 */
void
GroupCollection(Collection *collection)
{
	Query	   *query = collection->query;
	List	   *aggregates = copyObject(collection->aggregates);
	List	   *targets = NIL;
	ListCell   *cell;

	foreach(cell, collection->keys)
	{
		Key		   *key = lfirst(cell);
		TargetEntry *entry = makeTargetEntry(TakeKey(key), list_length(targets) + 1,
											 pstrdup("key"), false);
		SortGroupClause *clause = makeNode(SortGroupClause);

		clause->tleSortGroupRef = entry->ressortgroupref = entry->resno;
		clause->eqop = key->eqop;
		clause->sortop = key->sortop;
		clause->hashable = key->hashable;
		query->groupClause = lappend(query->groupClause, clause);
		targets = lappend(targets, entry);
	}
	TakeOrder(query, aggregates);
	foreach(cell, aggregates)
		targets = lappend(targets, makeTargetEntry(lfirst(cell), list_length(targets) + 1,
												   pstrdup("value"), false));
	query->targetList = targets;
}

/*
 * One of the aggregates of a collection, over the rows of all keys.  The whole
 * rows in it stay whole: a header that is found in its plan has no more names than
 * that of the collection as it was written.
 */
Query *
CollectionForAll(Query *query, int aggregate)
{
	Source	   *source = palloc0(sizeof(Source));
	Collection	collection = {.query = copyObject(query)};
	ListCell   *cell;

	source->query = collection.query;
	FindKeysInJoins(&collection, source, (Node *) source->query->jointree);
	foreach(cell, collection.keys)
		* ((Key *) lfirst(cell))->place = makeBoolConst(true, false);
	FindAggregates((Node *) source->query->targetList, &collection);
	source->query->targetList = list_make1(makeTargetEntry(list_nth(collection.aggregates, aggregate), 1,
														   pstrdup("value"), false));
	return source->query;
}
