/*-------------------------------------------------------------------------
 *
 * unreached.c
 *		Whether a collection may be computed for rows that nobody asked for.
 *
 * As written, a collection only looks at the rows that belong to a row of the
 * outer query.  Grouped, it looks at all rows; and what it computes for the
 * others must not raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/as_jsonb.h"
#include "planner/collection.h"
#include "planner/early.h"
#include "planner/twins.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

static bool QueryMayRaise(Level *outer, Query *query);
static bool MayRaise(Node *node, void *context);
static bool ColumnsMayRaise(Node *node, void *context);

/* Functions that raise no error about their arguments, though they aren't leakproof */
static bool
RaisesNothing(Oid function)
{
	switch (function)
	{
		case F_JSON_BUILD_ARRAY_:
		case F_JSON_BUILD_OBJECT_:
		case F_JSONB_BUILD_ARRAY_:
		case F_JSONB_BUILD_OBJECT_:
		case F_PG_IS_OTHER_TEMP_SCHEMA: /* see Never in unnest.c */
		case F_NUMERIC_EQ:
		case F_NUMERIC_NE:
		case F_NUMERIC_LT:
		case F_NUMERIC_LE:
		case F_NUMERIC_GT:
		case F_NUMERIC_GE:
		case F_JSONB_CONCAT:
		case F_ENUM_EQ:
		case F_ENUM_NE:
			return true;
		default:
			return FunctionIsSafe(function);
	}
}

/* Is it a string whose collation is not known?  To compare it is an error. */
static bool
LacksCollation(Node *expr)
{
	return type_is_collatable(exprType(expr)) && !OidIsValid(exprCollation(expr));
}

/* Does a function or operator that needs a collation have none? */
static bool
CollationIsMissing(Oid collation, List *args)
{
	ListCell   *cell;

	if (!OidIsValid(collation))
		foreach(cell, args)
			if (type_is_collatable(exprType(lfirst(cell))))
			return true;
	return false;
}

/* Is a constructor of JSON one of PostgreSQL's, or its twin? */
static Twin
ConstructorOf(Oid function)
{
	Twin		twin = TwinOf(function);

	return twin != NO_TWIN ? twin : TwinOfFunction(function);
}

/* Is it a constant, or a parameter with a value, and not NULL? */
static bool
IsKnown(Level *level, Node *key)
{
	return (IsA(key, Const) && !((Const *) key)->constisnull) || ConstantKey(level, key) != NULL;
}

/* A constructor of JSON is safe if its keys are constants, and its values are. */
static bool
ConstructorMayRaise(Level *level, FuncExpr *call)
{
	Twin		twin = ConstructorOf(call->funcid);
	bool		by_turns = twin == TWIN_JSON_BUILD_OBJECT || twin == TWIN_JSONB_BUILD_OBJECT;
	bool		named = twin == TWIN_ROW_TO_JSON_NAMED || twin == TWIN_TO_JSONB_NAMED;
	ListCell   *cell;

	if (twin > TWIN_TO_JSONB_NAMED || call->funcvariadic ||
		(by_turns && list_length(call->args) % 2 != 0))
		return true;
	foreach(cell, call->args)
	{
		int			i = foreach_current_index(cell);
		bool		is_key = by_turns ? i % 2 == 0 : named && i == 0;

		if (is_key ? !IsKnown(level, lfirst(cell)) :
			!PartIsSafe(level, lfirst(cell), call->funcresulttype == JSONOID))
			return true;
	}
	return false;
}

/* The expression of a subquery's column, and its level; NULL if it isn't such a column */
static Node *
ColumnBelow(Level *level, Var *var, Level *below)
{
	RangeTblEntry *rte;
	TargetEntry *entry;

	if (var->varlevelsup > 0)
		return NULL;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (rte->rtekind != RTE_SUBQUERY || rte->subquery->setOperations != NULL)
		return NULL;
	entry = get_tle_by_resno(rte->subquery->targetList, var->varattno);
	*below = (Level)
	{
		.query = rte->subquery,.outer = level,.rewrite = level->rewrite
	};
	return entry != NULL ? (Node *) entry->expr : NULL;
}

/*
 * Stored documents may have different headers, which is not allowed within one
 * document; those that the query itself makes have the same one.
 */
static bool
IsStoredDocument(Level *level, Node *expr)
{
	Level		below = {.outer = level,.rewrite = level->rewrite};
	ListCell   *cell;

	check_stack_depth();
	switch (nodeTag(expr))
	{
		case T_Aggref:
			return false;
		case T_CoalesceExpr:
			foreach(cell, ((CoalesceExpr *) expr)->args)
				if (IsStoredDocument(level, lfirst(cell)))
				return true;
			return false;
		case T_SubLink:
			below.query = castNode(Query, ((SubLink *) expr)->subselect);
			return IsStoredDocument(&below, (Node *) linitial_node(TargetEntry, below.query->targetList)->expr);
		case T_Var:
			expr = ColumnBelow(level, (Var *) expr, &below);
			return expr == NULL || IsStoredDocument(&below, expr);
		default:
			return true;
	}
}

/* May values of a type contain a document? */
static bool
TypeHoldsDocument(Oid typid)
{
	DocumentDomains domains = DocumentDomainsLookup();
	TupleDesc	tupdesc;
	bool		result = false;

	check_stack_depth();
	if (DocumentKindOf(typid, &domains) != NO_DOCUMENT)
		return true;
	typid = getBaseType(typid);
	if (get_typtype(typid) != TYPTYPE_COMPOSITE)
		return false;
	tupdesc = lookup_rowtype_tupdesc(typid, -1);
	for (int i = 0; i < tupdesc->natts && !result; i++)
		result = !TupleDescAttr(tupdesc, i)->attisdropped &&
			TypeHoldsDocument(TupleDescAttr(tupdesc, i)->atttypid);
	ReleaseTupleDesc(tupdesc);
	return result;
}

/* The expressions of a row's values; NIL if it is not a row, or they are not known */
static List *
ValuesOfRow(Level *level, Node *expr)
{
	List	   *names;
	List	   *values;

	if (IsA(expr, RowExpr))
		return ((RowExpr *) expr)->args;
	return IsA(expr, Var) && type_is_rowtype(getBaseType(exprType(expr))) &&
		RowColumns(level, (Var *) expr, &names, &values) ? values : NIL;
}

/* May nested headers differ within one document made of such values? */
static bool
HeadersMayDiffer(Level *level, Node *expr)
{
	DocumentDomains domains = DocumentDomainsLookup();
	List	   *values = ValuesOfRow(level, expr);
	ListCell   *cell;

	check_stack_depth();
	if (DocumentKindOf(exprType(expr), &domains) != NO_DOCUMENT)
		return IsStoredDocument(level, expr);
	foreach(cell, values)
		if (HeadersMayDiffer(level, lfirst(cell)))
		return true;
	return values == NIL && TypeHoldsDocument(exprType(expr));
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
 * ORDER BY and DISTINCT compare values; a record may contain some that cannot
 * be compared, and a user's functions may do anything.
 */
static bool
SortingMayRaise(List *targets)
{
	ListCell   *cell;

	foreach(cell, targets)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		Oid			typid = getBaseType(exprType((Node *) entry->expr));

		if (entry->ressortgroupref != 0 && get_typtype(typid) != TYPTYPE_ENUM &&
			(typid >= FirstNormalObjectId || get_typtype(typid) != TYPTYPE_BASE ||
			 OidIsValid(get_element_type(typid)) || LacksCollation((Node *) entry->expr)))
			return true;
	}
	return false;
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
		if (!PartIsSafe(level, value, in_text) || (is_document && HeadersMayDiffer(level, value)))
			return true;
	}
	return false;
}

/* A sum of numerics may overflow, unless each of them has few digits. */
static bool
SumMayRaise(Aggref *aggref)
{
	return (aggref->aggfnoid == F_SUM_NUMERIC || aggref->aggfnoid == F_AVG_NUMERIC) &&
		exprTypmod((Node *) linitial_node(TargetEntry, aggref->args)->expr) < 0;
}

static bool
AggregateMayRaise(Level *level, Aggref *aggref)
{
	Twin		own = TwinOfFunction(aggref->aggfnoid);
	bool		ordered;
	EmptyValue	empty = EmptyValueOf(aggref, &ordered);

	if (empty == EMPTY_UNKNOWN || SortingMayRaise(aggref->args) || SumMayRaise(aggref))
		return true;
	if (own == NO_TWIN && TwinOf(aggref->aggfnoid) == NO_TWIN)
		return false;
	return JsonMayRaise(level, aggref, empty == EMPTY_DOCUMENT) ||
		(own >= TWIN_JSONROW_AGG && own != NO_TWIN && NamesMayRaise(aggref));
}

/* A scalar subquery may return more than one row. */
static bool
SubLinkMayRaise(Level *level, SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	RowShape	shape = {0};

	if (FindBareSelect(sublink, &shape))
		return MayRaise((Node *) shape.values, level);
	switch (sublink->subLinkType)
	{
		case EXISTS_SUBLINK:
		case ANY_SUBLINK:
			break;
		case ARRAY_SUBLINK:
			/* Arrays that become one must be of the same size. */
			if (OidIsValid(get_element_type(getBaseType(exprType((Node *) linitial_node(TargetEntry, query->targetList)->expr)))))
				return true;
			break;
		case EXPR_SUBLINK:
			if (!query->hasAggs || query->groupClause != NIL || query->groupingSets != NIL ||
				query->hasTargetSRFs)
				return true;
			break;
		default:
			return true;
	}
	return MayRaise(sublink->testexpr, level) || QueryMayRaise(level, query);
}

/* Is it JSON text that the query makes, from values that jsonb can hold? */
static bool
JsonParses(Level *level, Node *expr)
{
	Level		below;
	ListCell   *cell;

	check_stack_depth();
	switch (nodeTag(expr))
	{
		case T_CoalesceExpr:
			foreach(cell, ((CoalesceExpr *) expr)->args)
				if (!JsonParses(level, lfirst(cell)))
				return false;
			return true;
		case T_Var:
			expr = ColumnBelow(level, (Var *) expr, &below);
			return expr != NULL && JsonParses(&below, expr);
		default:
			return exprType(expr) == JSONOID && AsJsonb(level, expr) != NULL;
	}
}

/* The same for a node without its children */
static bool
NodeMayRaise(Level *level, Node *node)
{
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			return ((FuncExpr *) node)->funcretset ||
				CollationIsMissing(((FuncExpr *) node)->inputcollid, ((FuncExpr *) node)->args) ||
				(!RaisesNothing(((FuncExpr *) node)->funcid) &&
				 ConstructorMayRaise(level, (FuncExpr *) node));
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			return CollationIsMissing(((OpExpr *) node)->inputcollid, ((OpExpr *) node)->args) ||
				!RaisesNothing(get_opcode(((OpExpr *) node)->opno));
		case T_ScalarArrayOpExpr:
			return CollationIsMissing(((ScalarArrayOpExpr *) node)->inputcollid,
									  ((ScalarArrayOpExpr *) node)->args) ||
				!RaisesNothing(get_opcode(((ScalarArrayOpExpr *) node)->opno));
		case T_CoerceViaIO:
			return !CastIsSafe((CoerceViaIO *) node) &&
				(((CoerceViaIO *) node)->resulttype != JSONBOID ||
				 !JsonParses(level, (Node *) ((CoerceViaIO *) node)->arg));
		case T_Aggref:
			return AggregateMayRaise(level, (Aggref *) node);
		case T_RelabelType:
		case T_CollateExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_CoalesceExpr:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_ArrayExpr:
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
	RangeTblEntry *rte;

	if (node == NULL)
		return false;
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	switch (nodeTag(node))
	{
		case T_Var:
			for (Index up = ((Var *) node)->varlevelsup; up > 0 && level != NULL; up--)
				level = level->outer;
			if (level == NULL)
				return true;
			rte = rt_fetch(((Var *) node)->varno, level->query->rtable);
			return rte->rtekind == RTE_RELATION && ((Var *) node)->varattno >= 0 &&
				ColumnIsVirtual(rte->relid, ((Var *) node)->varattno);
		case T_Const:
		case T_Param:
		case T_CaseTestExpr:
		case T_RangeTblRef:
			return false;
		case T_SubLink:
			return SubLinkMayRaise(level, (SubLink *) node);
		default:
			return NodeMayRaise(level, node) || expression_tree_walker(node, MayRaise, level);
	}
}

/* May an expression raise an error for any row? */
bool
ExpressionMayRaise(Level *level, Node *expr)
{
	return MayRaise(expr, level);
}

/* May reading an entry of FROM raise an error? */
static bool
ReadingMayRaise(Level *level, RangeTblEntry *rte)
{
	if (rte->securityQuals != NIL || rte->security_barrier)
		return true;
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return rte->tablesample != NULL ||
				(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW &&
				 rte->relkind != RELKIND_PARTITIONED_TABLE);
		case RTE_SUBQUERY:
			return QueryMayRaise(level, rte->subquery);
		case RTE_VALUES:
			return MayRaise((Node *) rte->values_lists, level);
		case RTE_JOIN:
		case RTE_RESULT:
			return false;
		default:
			return !RteIsGroup(rte);
	}
}

/* May anything that a query computes to find its rows raise an error, for any row? */
bool
RowsMayRaise(Level *outer, Query *query)
{
	Level		level = {.query = query,.outer = outer,.rewrite = outer->rewrite};
	Relids		from;

	check_stack_depth();
	if (query->commandType != CMD_SELECT || query->rowMarks != NIL || query->hasWindowFuncs ||
		query->hasTargetSRFs || query->setOperations != NULL || query->cteList != NIL)
		return true;
	from = RelidsInJointree((Node *) query->jointree);	/* a view has other
														 * entries, too */
	for (int i = -1; (i = bms_next_member(from, i)) >= 0;)
		if (ReadingMayRaise(&level, rt_fetch(i, query->rtable)))
			return true;
	return MayRaise((Node *) query->jointree, &level) || MayRaise(query->havingQual, &level) ||
		MayRaise(query->limitCount, &level) || MayRaise(query->limitOffset, &level);
}

/* The same, including the values that it computes from those rows */
static bool
QueryMayRaise(Level *outer, Query *query)
{
	Level		level = {.query = query,.outer = outer,.rewrite = outer->rewrite};

	return RowsMayRaise(outer, query) || SortingMayRaise(query->targetList) ||
		MayRaise((Node *) query->targetList, &level);
}

/*
 * Columns, as they are computed below
 */

/* The query that a range table entry stands for, and its level; NULL for any other */
static Query *
QueryOfEntry(Level *level, RangeTblEntry *rte, Level *inner)
{
	ListCell   *cell;

	memset(inner, 0, sizeof(*inner));
	inner->rewrite = level->rewrite;
	inner->outer = level;
	if (rte->rtekind == RTE_SUBQUERY)
		return inner->query = rte->subquery;
	for (Index up = rte->ctelevelsup; up > 0 && inner->outer != NULL; up--)
		inner->outer = inner->outer->outer;
	if (inner->outer == NULL)
		return NULL;
	foreach(cell, inner->outer->query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		if (strcmp(cte->ctename, rte->ctename) == 0 && !cte->cterecursive)
			return inner->query = castNode(Query, cte->ctequery);
	}
	return NULL;
}

/* May what a query's select list gives in a column, or (0) in any? */
static bool
TargetMayRaise(Level *level, AttrNumber attno)
{
	Query	   *query = level->query;
	ListCell   *cell;

	check_stack_depth();
	if (query->commandType != CMD_SELECT)
		return true;
	if (query->setOperations != NULL)
	{
		foreach(cell, query->rtable)
		{
			Level		inner;

			if (QueryOfEntry(level, lfirst(cell), &inner) == NULL || TargetMayRaise(&inner, attno))
				return true;
		}
		return false;
	}
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if ((attno == 0 || entry->resno == attno) &&
			(MayRaise((Node *) entry->expr, level) || ColumnsMayRaise((Node *) entry->expr, level)))
			return true;
	}
	return false;
}

static bool
ColumnMayRaise(Level *level, Var *var)
{
	RangeTblEntry *rte;
	Level		inner;

	for (Index up = var->varlevelsup; up > 0 && level != NULL; up--)
		level = level->outer;
	if (level == NULL)
		return true;
	rte = rt_fetch(var->varno, level->query->rtable);
	switch (rte->rtekind)
	{
		case RTE_SUBQUERY:
		case RTE_CTE:
			return QueryOfEntry(level, rte, &inner) == NULL ||
				TargetMayRaise(&inner, var->varattno);
		case RTE_JOIN:
			return ColumnsMayRaise(var->varattno > 0 ?
								   list_nth(rte->joinaliasvars, var->varattno - 1) :
								   (Node *) rte->joinaliasvars, level);
		case RTE_VALUES:
			return MayRaise((Node *) rte->values_lists, level);
		case RTE_RELATION:
			return var->varattno >= 0 && ColumnIsVirtual(rte->relid, var->varattno);
		case RTE_FUNCTION:
		case RTE_TABLEFUNC:
			return false;
		default:
			return !RteIsGroup(rte) || MayRaise((Node *) GroupExpressions(rte), level) ||
				ColumnsMayRaise((Node *) GroupExpressions(rte), level);
	}
}

static bool
ColumnsMayRaise(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, Var))
		return ColumnMayRaise(context, (Var *) node);
	return expression_tree_walker(node, ColumnsMayRaise, context);
}

/*
 * May an expression, or what subqueries compute for the columns in it?  The
 * planner computes such where they are used, if it pulls the subqueries up.
 */
bool
PulledUpMayRaise(Level *level, Node *expr)
{
	return MayRaise(expr, level) || ColumnsMayRaise(expr, level);
}
