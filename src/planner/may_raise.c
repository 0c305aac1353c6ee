/*-------------------------------------------------------------------------
 *
 * may_raise.c
 *		Whether an expression may be computed for more rows than before.
 *
 * A rewrite may cause something to be computed for rows for which the query as
 * written does not compute it.  Then it must neither raise an error nor reveal
 * what it sees.  Here is the list of what is known to do neither;
 * everything else is taken to do both (functions and operators: calls.c).  The list serves both settings:
 *
 * What a collection computes may, once it is grouped, be computed for rows that belong
 * to no row of the outer query.
 *
 * If not all rows of a query will be wanted, PostgreSQL sorts first and computes
 * expensive expressions of the select list afterwards (make_sort_input_target), also
 * those of a subquery that it pulls up.  A constructor's arguments may be cheap by
 * themselves; so without the constructor, they may be computed for rows that LIMIT
 * cuts off (MayPrecedeSort).
 *
 * What has been computed for some rows without an error, as the conditions of a page have
 * for those that are on it: may it be computed for others (PassedMayRaise)?  What is the
 * same for all rows may.
 *
 * If finding out takes too long (VisitsTooMany), the answer is that it may raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/calls.h"
#include "planner/folding.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/survey.h"
#include "planner/twins.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

static bool PassedMayRaise(Node *node, void *context);
static bool PassedQueryMayRaise(Level *outer, Query *query);
static bool NodeMayRaise(Level *level, Node *node);

/*
 * Constructors of JSON
 */

/*
 * Can all values of a constructor become a part of JSON without an error?  In JSON text, other
 * JSON text is not parsed.  A row becomes JSON later in any case.
 */
bool
PartsAreSafe(Level *level, const RowShape *shape)
{
	bool		in_text = shape->kind == SHAPE_ROW_TO_JSON ||
		shape->kind == SHAPE_JSON_OBJECT || shape->kind == SHAPE_JSON_ARRAY;
	ListCell   *cell;

	foreach(cell, shape->kind != SHAPE_ROW ? shape->values : NIL)
	{
		if (!ConvertsAlike(level, lfirst(cell), in_text))
			return false;
	}
	return true;
}

/* A constructor is safe if its keys are constants, and its values are. */
static bool
ConstructorIsSafe(Level *level, FuncExpr *call)
{
	Twin		twin = TwinOfEither(call->funcid);
	bool		by_turns = twin == TWIN_JSON_BUILD_OBJECT || twin == TWIN_JSONB_BUILD_OBJECT;
	bool		named = twin == TWIN_ROW_TO_JSON_NAMED || twin == TWIN_TO_JSONB_NAMED ||
		twin == TWIN_TO_JSONB_TEXT_NAMED;
	ListCell   *cell;

	if (!(TwinIsScalar(twin) || named) || call->funcvariadic ||
		(by_turns && list_length(call->args) % 2 != 0))
		return false;
	foreach(cell, call->args)
	{
		Node	   *arg = lfirst(cell);
		int			i = foreach_current_index(cell);
		bool		is_key = by_turns && i % 2 == 0;
		bool		is_names = named && i == 0;

		if (is_key ? KnownText(level, arg) == NULL : is_names ? !IsA(arg, Const) || ((Const *) arg)->constisnull :
			!ConvertsAlike(level, arg, call->funcresulttype == JSONOID))
			return false;
	}
	return true;
}

/* What a column is in the query of FROM or WITH that it comes from, whose level is below; NULL if that is not known */
static TargetEntry *
EntryOfColumn(Level *level, Var *var, Level *below)
{
	Query	   *query = var->varlevelsup > 0 ? NULL :
		QueryOfEntry(level, rt_fetch(var->varno, level->query->rtable), below);

	return query == NULL || HasAny(query, PART_NO_SELECT | PART_SET_OPERATION) ? NULL :
		get_tle_by_resno(query->targetList, var->varattno);
}

/* May it be something else than JSON text that the query makes, from values that jsonb can hold? */
static bool
ParsingMayRaise(Node *node, void *context)
{
	Level	   *level = context;
	Level		below;
	TargetEntry *entry;

	if (VisitsTooMany(level))
		return true;
	switch (nodeTag(node))
	{
		case T_List:
		case T_CoalesceExpr:
			return expression_tree_walker(node, ParsingMayRaise, context);
		case T_Var:
			entry = EntryOfColumn(level, (Var *) node, &below);
			return entry == NULL || ParsingMayRaise((Node *) entry->expr, &below);
		default:
			return exprType(node) != JSONOID || AsJsonb(level, node) == NULL;
	}
}

/*
 * Columns
 */

/* May the planner replace functions in FROM by a subquery? */
bool
FunctionsBecomeQueries(List *functions)
{
	ListCell   *cell;

	foreach(cell, functions)
	{
		FuncExpr   *call = (FuncExpr *) lfirst_node(RangeTblFunction, cell)->funcexpr;

		if (!IsA(call, FuncExpr) || FunctionIsSql(call->funcid))
			return true;
	}
	return false;
}

/*
 * A column may stand for the expression of a subquery that the planner will
 * pull up into the query.
 */
static bool
VarMayRaise(Level *below, Var *var)
{
	Level	   *level = LevelUp(below, var->varlevelsup);
	RangeTblEntry *rte;
	Level		inner;

	if (level == NULL || level->query == NULL || var->varno <= 0)
		return true;
	rte = rt_fetch(var->varno, level->query->rtable);
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return var->varattno >= 0 && ColumnIsVirtual(rte->relid, var->varattno);
		case RTE_SUBQUERY:
		case RTE_CTE:
			return QueryOfEntry(level, rte, &inner) == NULL ||
				IsSoOfTarget(&inner, var->varattno, ExpressionMayRaise);
		case RTE_JOIN:
			return ExpressionMayRaise(level, var->varattno > 0 ? list_nth(rte->joinaliasvars, var->varattno - 1) :
									  (Node *) rte->joinaliasvars);
		case RTE_VALUES:
			return ExpressionMayRaise(level, (Node *) rte->values_lists);
		case RTE_FUNCTION:
			return FunctionsBecomeQueries(rte->functions);
		case RTE_TABLEFUNC:
		case RTE_NAMEDTUPLESTORE:
			return false;
		default:
			return !RteIsGroup(rte) || ExpressionMayRaise(level, (Node *) GroupExpressions(rte));
	}
}

/*
 * Aggregates
 */

/*
 * Stored documents may have different headers, which is not allowed within one
 * document; those that the query itself makes have the same one.
 */
static bool
IsStoredDocument(Node *node, void *context)
{
	Level		below;
	TargetEntry *entry;

	if (VisitsTooMany(context))
		return true;
	switch (nodeTag(node))
	{
		case T_Aggref:
			return false;
		case T_List:
		case T_CoalesceExpr:
			return expression_tree_walker(node, IsStoredDocument, context);
		case T_SubLink:
			below = LevelBelow(context, castNode(Query, ((SubLink *) node)->subselect));
			return IsStoredDocument((Node *) linitial_node(TargetEntry, below.query->targetList)->expr, &below);
		case T_Var:
			entry = EntryOfColumn(context, (Var *) node, &below);
			return entry == NULL || IsStoredDocument((Node *) entry->expr, &below);
		default:
			return true;
	}
}

/* May values of a type contain a document? */
static bool
TypeHoldsDocument(Level *level, Oid typid)
{
	DocumentDomains domains = DocumentDomainsLookup();
	TupleDesc	tupdesc = lookup_rowtype_tupdesc_domain(typid, -1, true);
	bool		result = DocumentKindOf(typid, &domains) != NO_DOCUMENT || VisitsTooMany(level);

	for (int i = 0; tupdesc != NULL && i < tupdesc->natts && !result; i++)
		result = !TupleDescAttr(tupdesc, i)->attisdropped &&
			TypeHoldsDocument(level, TupleDescAttr(tupdesc, i)->atttypid);
	if (tupdesc != NULL)
		ReleaseTupleDesc(tupdesc);
	return result;
}

/* May nested headers differ within one document made of such values? */
static bool
HeadersMayDiffer(Node *expr, void *context)
{
	DocumentDomains domains = DocumentDomainsLookup();
	List	   *values;

	check_stack_depth();
	if (DocumentKindOf(exprType(expr), &domains) != NO_DOCUMENT)
		return IsStoredDocument(expr, context);
	values = ValuesOfRow(context, expr);
	return values == NIL ? TypeHoldsDocument(context, exprType(expr)) :
		expression_tree_walker((Node *) values, HeadersMayDiffer, context);
}

/* One of our functions may be given too many names, or NULL. */
static bool
NamesMayRaise(Aggref *aggref)
{
	Const	   *names = (Const *) linitial_node(TargetEntry, aggref->args)->expr;
	ArrayType  *array;

	if (linitial_oid(aggref->aggargtypes) != TEXTARRAYOID)
		return false;
	if (!IsA(names, Const) || names->constisnull || aggref->aggvariadic)
		return true;
	array = DatumGetArrayTypeP(names->constvalue);
	return array_contains_nulls(array) ||
		ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) != list_length(aggref->aggargtypes) - 1;
}

/*
 * Operators that sort, or remove duplicates: a record may contain values that cannot be compared, and a user's functions may
 * do anything.  ORDER BY ... USING names any operator, and a user may have told how values of PostgreSQL's types compare.
 */
bool
SortingMayRaise(List *clauses, List *targets)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		Node	   *expr = get_sortgroupclause_expr(clause, targets);
		Oid			typid = getBaseType(exprType(expr));

		if (clause->eqop >= FirstNormalObjectId || !FamiliesAreBuiltIn(clause->eqop) || !FamiliesAreBuiltIn(clause->sortop))
			return true;
		if (get_typtype(typid) != TYPTYPE_ENUM &&
			(typid >= FirstNormalObjectId || get_typtype(typid) != TYPTYPE_BASE ||
			 OidIsValid(get_element_type(typid)) || LacksCollation(expr)))
			return true;
	}
	return false;
}

static Visit
VisitUncallable(Node *node, int depth, void *context)
{
	Oid			commutator = IsA(node, OpExpr) ? get_commutator(((OpExpr *) node)->opno) : InvalidOid;
	ListCell   *cell;

	if (OidIsValid(commutator) && !MayReplace(context, get_opcode(commutator)))
		return VISIT_FOUND;
	foreach(cell, IsA(node, OpExpr) ? ((OpExpr *) node)->args : NIL)
	{
		Oid			equality = lookup_type_cache(exprType(lfirst(cell)), TYPECACHE_EQ_OPR)->eq_opr;

		if (OidIsValid(equality) && !MayReplace(context, get_opcode(equality)))
			return VISIT_FOUND;
	}
	return VISIT_CHILDREN;
}

/*
 * Is there a function that not everybody may call, with which PostgreSQL finds equal values if it joins, or joins in another way?  It keeps
 * results by them, removes duplicates, or compares the sides the other way round.
 */
bool
FindingEqualMayRaise(Level *level, Node *joined)
{
	return FindInLevels(joined, VisitUncallable, level);
}

/* Values that become a part of JSON must be safe to convert. */
static bool
JsonMayRaise(Level *level, Aggref *aggref, bool is_document)
{
	bool		in_text = getBaseType(aggref->aggtype) == JSONOID;
	ListCell   *cell;

	foreach(cell, aggref->args)
	{
		Node	   *value = (Node *) lfirst_node(TargetEntry, cell)->expr;

		if (lfirst_node(TargetEntry, cell)->resjunk)
			continue;
		if (!ConvertsAlike(level, value, in_text) || (is_document && HeadersMayDiffer(value, level)))
			return true;
	}
	return false;
}

static bool
AggregateMayRaise(Level *level, Aggref *aggref)
{
	Twin		own = TwinOfFunction(aggref->aggfnoid);
	EmptyValue	empty = EmptyValueOf(aggref);
	Node	   *first = aggref->args != NIL ? (Node *) linitial_node(TargetEntry, aggref->args)->expr : NULL;

	if (empty == EMPTY_UNKNOWN || SortingMayRaise(aggref->aggorder, aggref->args) ||
		SortingMayRaise(aggref->aggdistinct, aggref->args))
		return true;
	/* A sum of numerics may be too large. */
	if ((aggref->aggfnoid == F_SUM_NUMERIC || aggref->aggfnoid == F_AVG_NUMERIC) && !HasFewDigits(first, MANY_DIGITS))
		return true;
	if (TwinOfEither(aggref->aggfnoid) == NO_TWIN)
		return false;
	/* A key of an object must not be NULL, nor an array, a row or JSON. */
	return (MakesObject(aggref) && !(EqualIsSame(first) && IsA(first, Var) && IsNeverNull(level, (Var *) first))) ||
		JsonMayRaise(level, aggref, empty == EMPTY_DOCUMENT) ||
		(own >= TWIN_JSONROW_AGG && own != NO_TWIN && NamesMayRaise(aggref));
}

/*
 * Subqueries
 */

/* Is it a column, here or further out, of whose values PostgreSQL knows nothing while it plans? */
bool
IsUnknown(Level *level, Node *expr)
{
	Var		   *var = (Var *) StripRelabels(expr);
	Level	   *owner = IsA(var, Var) ? LevelUp(level, var->varlevelsup) : NULL;

	return owner != NULL && owner->query != NULL && var->varno > 0 && !ColumnMayBeKnown(owner, var);
}

/* Is it a comparison of such a column with another one, or with a constant? */
static bool
StaysCondition(Level *level, Node *condition)
{
	OpExpr	   *op = (OpExpr *) condition;
	ListCell   *cell;

	if (!IsA(condition, OpExpr) || !FunctionIsCompiled(get_opcode(op->opno)) || !contain_var_clause((Node *) op->args))
		return false;
	foreach(cell, op->args)
	{
		Node	   *side = StripRelabels(lfirst(cell));

		if (!IsUnknown(level, side) && !(IsA(side, Const) && !((Const *) side)->constisnull))
			return false;
	}
	return true;
}

/*
 * Is each condition of a query one, and of the only one that it reads?  refers tells whether one is on a column of the query
 * so many levels up.
 */
static bool
ConditionsStay(Level *level, int levelsup, bool *refers)
{
	FromExpr   *from = level->query->jointree;
	int			varno = OnlyItem(from);
	Query	   *subquery = varno != 0 ? rt_fetch(varno, level->query->rtable)->subquery : NULL;
	Level		below = LevelBelow(level, subquery);
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, make_ands_implicit((Expr *) from->quals))
	{
		if (!StaysCondition(level, lfirst(cell)))
			return false;
		*refers |= contain_vars_of_level(lfirst(cell), levelsup);
	}
	return subquery == NULL || ConditionsStay(&below, levelsup + 1, refers);
}

/*
 * Is a subquery run for each row, whatever PostgreSQL finds?  It runs one only once that refers to none of its columns, or
 * no more, because no row can meet the conditions.
 */
bool
StaysForEachRow(Level *outer, Query *query)
{
	Level		level = LevelBelow(outer, query);
	bool		refers = false;

	return ConditionsStay(&level, 1, &refers) && refers;
}

typedef bool (*QueryTest) (Level *outer, Query *query);

/* A scalar subquery may return more than one row; arrays in one must be of the same size. */
static bool
SubLinkMayRaise(Level *level, SubLink *sublink, QueryTest query_may_raise)
{
	Query	   *query = castNode(Query, sublink->subselect);
	Level		below = LevelBelow(level, query);
	Oid			type;

	switch (sublink->subLinkType)
	{
		case EXISTS_SUBLINK:
			return query_may_raise(level, query);
		case ANY_SUBLINK:
			return ExpressionMayRaise(level, sublink->testexpr) || query_may_raise(level, query);
		case ARRAY_SUBLINK:
			type = getBaseType(exprType((Node *) linitial_node(TargetEntry, query->targetList)->expr));
			return OidIsValid(get_element_type(type)) || query_may_raise(level, query);
		case EXPR_SUBLINK:
			return !GivesNoMoreThanOneRow(&below) || query_may_raise(level, query);
		default:
			return true;
	}
}

/* A materialized view that has not been populated cannot be read. */
static bool
IsPopulated(Oid relid)
{
	Relation	relation = table_open(relid, NoLock);
	bool		result = RelationIsPopulated(relation);

	table_close(relation, NoLock);
	return result;
}

static bool
ReadingTableMayRaise(RangeTblEntry *rte)
{
	if (rte->tablesample != NULL)
		return true;
	switch (rte->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
			return HasForeignChild(rte);
		case RELKIND_MATVIEW:
			return !IsPopulated(rte->relid);
		default:
			return true;
	}
}

/* May reading a CTE raise an error that is new? */
static bool
CteMayRaise(Level *level, RangeTblEntry *rte)
{
	Level		inner;
	Query	   *query = QueryOfEntry(level, rte, &inner);

	return query == NULL || (!IsNumbered(level->rewrite->computed, query) && QueryMayRaise(inner.outer, query));
}

/* So many values are hashed in any case: work_mem is never less than 64 kB. */
#define MAX_HASHED_ROWS		1000
#define MAX_HASHED_WIDTH	32

/*
 * Is it a condition IN (SELECT f()), as policies ask which teams a user belongs to, and is the set the same whatever
 * row asks for it, of as few rows as are hashed?  PostgreSQL makes a hash table of it when it comes to the first row.
 */
static bool
AsksSmallSet(Level *level, SubLink *sublink)
{
	OpExpr	   *test = (OpExpr *) sublink->testexpr;
	Query	   *query = castNode(Query, sublink->subselect);
	FuncExpr   *call;

	if (sublink->subLinkType != ANY_SUBLINK || !IsA(test, OpExpr) || list_length(test->args) != 2 ||
		PassedMayRaise((Node *) test, level) || !op_strict(test->opno) ||
		!op_hashjoinable(test->opno, exprType(linitial(test->args))))
		return false;
	call = (FuncExpr *) linitial_node(TargetEntry, query->targetList)->expr;
	return query->rtable == NIL && HasOnly(query, PART_NO_FROM | PART_SETS) && IsA(call, FuncExpr) && call->funcretset &&
		!expression_returns_set((Node *) call->args) && IsOneValueIn(level->query, (Node *) list_make1(query)) &&
		!OidIsValid(get_func_support(call->funcid)) &&
		get_function_rows(NULL, call->funcid, (Node *) call) <= MAX_HASHED_ROWS &&
		get_typavgwidth(call->funcresulttype, -1) <= MAX_HASHED_WIDTH;
}

/* No join takes the place of what a policy asks. */
static bool
PolicyMayRaise(Node *node, void *context)
{
	if (node == NULL || (IsA(node, SubLink) && AsksSmallSet(context, (SubLink *) node)))
		return false;
	if (IsA(node, List) || is_andclause(node) || is_orclause(node))
		return expression_tree_walker(node, PolicyMayRaise, context);
	return PassedMayRaise(node, context);
}

/* May policies raise an error for other rows than those that have passed them? */
bool
PoliciesMayRaise(Level *level, List *policies)
{
	return PolicyMayRaise((Node *) policies, level);
}

/*
 * May reading an entry of FROM raise an error?  A table's policies come first in any order, if they do
 * not raise any.  What they compare rows with is often the same for all of them, as who the user is.
 */
bool
ReadingMayRaise(Level *level, RangeTblEntry *rte)
{
	if (rte->security_barrier || (rte->securityQuals != NIL && rte->rtekind != RTE_RELATION))
		return true;
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return ReadingTableMayRaise(rte) || PoliciesMayRaise(level, rte->securityQuals);
		case RTE_SUBQUERY:
			return QueryMayRaise(level, rte->subquery);
		case RTE_VALUES:
			return ExpressionMayRaise(level, (Node *) rte->values_lists);
		case RTE_CTE:
			return CteMayRaise(level, rte);
		case RTE_JOIN:
		case RTE_RESULT:
			return false;
		default:
			return !RteIsGroup(rte);
	}
}

/*
 * Has a table in a join tree a column that is computed when it is read?  If an outer join makes it NULL, PostgreSQL
 * computes it where it reads the table, for rows that are joined to nothing, too.
 */
static bool
ComputesColumns(Node *join, List *rtable)
{
	Relids		items = RelidsInJointree(join);

	for (int i = -1; (i = bms_next_member(items, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, rtable);

		if (rte->rtekind == RTE_RELATION && ColumnIsVirtual(rte->relid, 0))
			return true;
	}
	return false;
}

/* May reading what is in FROM, but for one item (0: none), raise an error? */
static bool
ReadingItemsMayRaise(Level *level, FromExpr *from, List *rtable, int but)
{
	Relids		items = RelidsInJointree((Node *) from);

	for (int i = -1; (i = bms_next_member(items, i)) >= 0;)
		if (i != but && ReadingMayRaise(level, rt_fetch(i, rtable)))
			return true;
	return false;
}

/*
 * May anything that a query of this level reads and joins raise an error, if that is
 * done in another order?  A CTE that is the leading item is read in any case; nothing can keep PostgreSQL from it.
 */
bool
FromMayRaise(Level *level, FromExpr *from, List *rtable, int leading)
{
	bool		is_joined = leading == 0 || OnlyItem(from) == 0;
	int			but = leading != 0 && rt_fetch(leading, rtable)->rtekind == RTE_CTE ? leading : 0;

	return (is_joined && ComputesColumns((Node *) from, rtable)) || ReadingItemsMayRaise(level, from, rtable, but) ||
		ConditionsMayRaise(level, from);
}

/* Is it an outer join that PostgreSQL may leave out, with what may raise an error: its condition, or reading what is joined? */
static bool
OuterJoinMayRaise(Node *node, void *context)
{
	Level	   *level = context;
	JoinExpr   *join = (JoinExpr *) node;

	if (!IsA(node, JoinExpr) || (join->jointype != JOIN_LEFT && join->jointype != JOIN_RIGHT))
		return false;
	return ExpressionMayRaise(level, join->quals) ||
		ReadingItemsMayRaise(level, makeFromExpr(list_make1(join->jointype == JOIN_LEFT ? join->rarg : join->larg), NULL),
							 level->query->rtable, 0);
}

/* Does a query have one, or what it reads?  PostgreSQL leaves it out if it finds out, all the way up, that nobody needs its columns. */
bool
OuterJoinsMayRaise(Level *level)
{
	ListCell   *cell;
	Level		inner;

	check_stack_depth();
	if (VisitsTooMany(level) ||
		expression_tree_walker((Node *) NodesOfJoinTree((Node *) level->query->jointree), OuterJoinMayRaise, level))
		return true;
	foreach(cell, level->query->rtable)
	{
		if (QueryOfEntry(level, lfirst(cell), &inner) != NULL && OuterJoinsMayRaise(&inner))
			return true;
	}
	return false;
}

/*
 * The rows of a page
 */

/*
 * Are all arguments of an expression computed whenever it is?  That is another question than
 * whether it may raise an error by itself (NodeMayRaise).
 */
bool
ComputesItsArguments(Node *node)
{
	List	   *subscripts;

	switch (nodeTag(node))
	{
		case T_FuncExpr:
			return !MayDropArguments(((FuncExpr *) node)->funcid);
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			return !MayDropArguments(get_opcode(((OpExpr *) node)->opno));
		case T_ScalarArrayOpExpr:
		case T_RelabelType:
		case T_CoerceViaIO:
		case T_CollateExpr:
		case T_BooleanTest:
		case T_ArrayExpr:
		case T_RowExpr:
			return true;
		case T_BoolExpr:
			return ((BoolExpr *) node)->boolop == NOT_EXPR;
		case T_NullTest:
			return !((NullTest *) node)->argisrow;	/* a row may be taken
													 * apart */
		case T_SubscriptingRef:
			subscripts = ((SubscriptingRef *) node)->refupperindexpr;
			return IsElementOfArray((SubscriptingRef *) node) && list_length(subscripts) == 1 && IsA(linitial(subscripts), Const);
		default:
			return false;
	}
}

/*
 * May what was computed for the rows of a page raise an error for others?  What is the same for all rows would have raised it
 * for those already.
 */
static bool
ComputedMayRaise(Node *node, void *context)
{
	Level	   *level = context;

	if (node == NULL || IsOneValueIn(level->query, node))
		return false;
	check_stack_depth();
	if (IsA(node, List))
		return expression_tree_walker(node, ComputedMayRaise, context);
	if (IsA(node, SubLink) && !SubLinkMayRaise(level, (SubLink *) node, PassedQueryMayRaise))
		return false;
	if (!ComputesItsArguments(node))
		return ExpressionMayRaise(level, node);
	return NodeMayRaise(level, node) || expression_tree_walker(node, ComputedMayRaise, context);
}

/* The same of a condition that they have passed: then each part of it was computed. */
static bool
PassedMayRaise(Node *node, void *context)
{
	return node != NULL && (IsA(node, List) || is_andclause(node)) ? expression_tree_walker(node, PassedMayRaise, context) :
		ComputedMayRaise(node, context);
}

/* May a value in the select list raise an error for other rows? */
bool
ValueMayRaise(Level *level, Node *expr)
{
	return ComputedMayRaise(expr, level);
}

/* May HAVING, for other groups? */
bool
HavingMayRaise(Level *level)
{
	return PassedMayRaise(level->query->havingQual, level);
}

/* The conditions in a join tree, and what its joins compute of tables */
bool
ConditionsMayRaise(Level *level, FromExpr *from)
{
	ListCell   *cell;

	foreach(cell, NodesOfJoinTree((Node *) from))
	{
		Node	   *node = lfirst(cell);
		bool		is_outer = IsA(node, JoinExpr) && ((JoinExpr *) node)->jointype != JOIN_INNER;

		if (is_outer ? ComputesColumns(node, level->query->rtable) || ExpressionMayRaise(level, QualsOf(node)) :
			PassedMayRaise(QualsOf(node), level))
			return true;
	}
	return false;
}

/*
 * May PostgreSQL meet an error if it reads a query's FROM and WHERE in another way?  To find the
 * first rows in some order, it may read a few, by an index, or sort them all.
 */
bool
OtherRowsMayRaise(Level *level, FromExpr *from)
{
	List	   *rtable = level->query->rtable;
	int			only = OnlyItem(from);
	RangeTblEntry *rte = only != 0 ? rt_fetch(only, rtable) : NULL;

	return (rte != NULL && rte->rtekind == RTE_FUNCTION ? FunctionsBecomeQueries(rte->functions) :
			ReadingItemsMayRaise(level, from, rtable, 0)) || ConditionsMayRaise(level, from);
}

/* What RowsMayRaise knows a query to contain */
#define PARTS_OF_SOURCE	(PARTS_OF_ROWS | PART_AGGREGATES | PART_GROUPS | PART_GROUPING_SETS | PART_HAVING | \
						 PART_COUNTS | PART_DISTINCT | PART_DISTINCT_ON | PART_LIMIT | PART_OFFSET | PART_CTES)

/* May anything that a query computes to find its rows raise an error, except conditions? */
static bool
SourceMayRaise(Level *level)
{
	Query	   *query = level->query;
	ListCell   *cell;

	check_stack_depth();
	if (!HasOnly(query, PARTS_OF_SOURCE))
		return true;
	foreach(cell, query->cteList)
	{
		if (QueryMayRaise(level, castNode(Query, lfirst_node(CommonTableExpr, cell)->ctequery)))
			return true;
	}
	/* A view has other entries, too. */
	return ReadingItemsMayRaise(level, query->jointree, query->rtable, 0) ||
		ExpressionMayRaise(level, query->havingQual) ||
		CountOf(level, query->limitCount) == UNKNOWN_COUNT || CountOf(level, query->limitOffset) == UNKNOWN_COUNT;
}

/* May anything that a query computes to find its rows raise an error, for any row? */
bool
RowsMayRaise(Level *outer, Query *query)
{
	Level		level = LevelBelow(outer, query);

	return SourceMayRaise(&level) || ExpressionMayRaise(&level, (Node *) query->jointree);
}

/* What a query computes from its rows, and all that it sorts or groups by */
static bool
ResultMayRaise(Level *level)
{
	Query	   *query = level->query;
	List	   *clauses = list_concat(list_concat_copy(query->sortClause, query->groupClause), query->distinctClause);
	ListCell   *cell;

	foreach(cell, query->windowClause)
	{
		WindowClause *window = lfirst_node(WindowClause, cell);

		clauses = list_concat(list_concat(clauses, window->partitionClause), window->orderClause);
	}
	return SortingMayRaise(clauses, query->targetList) || ExpressionMayRaise(level, (Node *) query->targetList);
}

bool
QueryMayRaise(Level *outer, Query *query)
{
	Level		level = LevelBelow(outer, query);

	return RowsMayRaise(outer, query) || ResultMayRaise(&level);
}

/* The same of a subquery in a condition that rows have passed, which computed for them what is the same for all rows */
static bool
PassedQueryMayRaise(Level *outer, Query *query)
{
	Level		level = LevelBelow(outer, query);

	return SourceMayRaise(&level) || ConditionsMayRaise(&level, query->jointree) || ResultMayRaise(&level);
}

/*
 * Expressions
 */

/* A node without its children */
static bool
NodeMayRaise(Level *level, Node *node)
{
	switch (nodeTag(node))
	{
		case T_FuncExpr:

			/*
			 * A constructor compares nothing, so it needs no collation; and
			 * one that is ours was given none.
			 */
			return ((FuncExpr *) node)->funcretset ||
				(!ConstructorIsSafe(level, (FuncExpr *) node) && CallMayRaise(level, (FuncExpr *) node));
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			return OperatorMayRaise(level, (OpExpr *) node);
		case T_ScalarArrayOpExpr:
			return ArrayOperatorMayRaise((ScalarArrayOpExpr *) node);
		case T_RowCompareExpr:
			return RowComparisonMayRaise((RowCompareExpr *) node);
		case T_SQLValueFunction:
			return !IsNow(node);
		case T_MinMaxExpr:
			return MinMaxMayRaise((MinMaxExpr *) node);
		case T_CoerceViaIO:
			return !CastToTextIsSafe((CoerceViaIO *) node) && !IsTextOfType(level, (CoerceViaIO *) node) &&
				(((CoerceViaIO *) node)->resulttype != JSONBOID ||
				 ParsingMayRaise((Node *) ((CoerceViaIO *) node)->arg, level));
		case T_ArrayExpr:
			return ((ArrayExpr *) node)->multidims; /* of the same size? */
		case T_SubscriptingRef:
			return !IsElementOfArray((SubscriptingRef *) node);
		case T_RelabelType:
		case T_CollateExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_CoalesceExpr:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_RowExpr:
		case T_List:
		case T_SortGroupClause:
		case T_TargetEntry:
		case T_FromExpr:
		case T_JoinExpr:
			return false;
		default:
			return true;
	}
}

static bool
MayRaise(Node *node, void *context)
{
	Level	   *level = context;
	RowShape	shape = {0};

	if (node == NULL)
		return false;
	if (VisitsTooMany(level))
		return true;
	switch (nodeTag(node))
	{
		case T_Var:
			return VarMayRaise(level, (Var *) node);
		case T_Const:
		case T_Param:
		case T_CaseTestExpr:
		case T_RangeTblRef:
			return false;
		case T_Aggref:
			return AggregateMayRaise(level, (Aggref *) node) || expression_tree_walker(node, MayRaise, level);
		case T_WindowFunc:
			return !CountsInWindow((WindowFunc *) node) || expression_tree_walker(node, MayRaise, level);
		case T_SubLink:
			if (FindBareSelect((SubLink *) node, &shape))
				return MayRaise((Node *) shape.values, level);
			return SubLinkMayRaise(level, (SubLink *) node, QueryMayRaise);
		default:
			return NodeMayRaise(level, node) || expression_tree_walker(node, MayRaise, level);
	}
}

/* May an expression, or a list of them, raise an error for any row? */
bool
ExpressionMayRaise(Level *level, Node *expr)
{
	return MayRaise(expr, level);
}

/* May it be computed before rows are sorted, for those that a LIMIT will cut off? */
bool
MayPrecedeSort(Level *level, Node *expr)
{
	return level->rewrite->may_precede_sort || !ExpressionMayRaise(level, expr);
}
