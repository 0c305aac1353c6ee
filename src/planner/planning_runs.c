/*-------------------------------------------------------------------------
 *
 * planning_runs.c
 *		Which functions of users planning runs.
 *
 * A user's function may tell how often it is run, as by a notice.  So a query with one that
 * planning runs is planned once, like any other query.  Planning runs
 *
 * - an immutable function whose arguments are known, to replace it by its value;
 * - a stable one whose arguments are known, to estimate how many rows meet a condition; the
 *   select list of a scalar subquery without FROM is none;
 * - the function of an operator, to estimate the same by values that are common.
 *
 * A SQL function may be replaced by its body.  If that calls functions of PostgreSQL only, nothing
 * tells whether it is, or is run: the policies of a service often ask such a one, which reads a
 * setting, who the user is.
 *
 * What is not in the query is not looked at: constraints, statistics and partition keys.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "executor/functions.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/analyze.h"
#include "parser/parse_node.h"
#include "planner/folding.h"
#include "planner/may_raise.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/resowner.h"
#include "utils/syscache.h"

/* Where something is searched */
typedef struct Search
{
	Level	   *level;
	bool		is_selected;	/* in what a scalar subquery selects? */
} Search;

/* Is what a node calls computed of something that the planner does not know? */
static bool
IsLate(Level *level, Node *node)
{
	ListCell   *cell;

	foreach(cell, IsA(node, FuncExpr) ? ((FuncExpr *) node)->args : NIL)
	{
		if (IsUnknown(level, lfirst(cell)))
			return true;
	}
	return IsA(node, Aggref) || IsA(node, WindowFunc);
}

static bool
IsSql(Oid function, void *context)
{
	return IsUsersFunction(function, context) && FunctionIsSql(function);
}

/* One in C has nothing to tell; there are operators in C for many types. */
static bool
IsInterpreted(Oid function, void *context)
{
	return IsUsersFunction(function, context) && !FunctionIsCompiled(function);
}

/* Is it a user's function that is run as soon as its arguments are known? */
static bool
IsRun(Oid function, void *context)
{
	const Search *search = context;

	return IsUsersFunction(function, NULL) &&
		(!search->is_selected || func_volatile(function) == PROVOLATILE_IMMUTABLE);
}

/* Is it an operator?  How many rows meet it is estimated by asking it about values that are common. */
static bool
IsOperator(Node *node)
{
	return IsA(node, OpExpr) || IsA(node, DistinctExpr) || IsA(node, NullIfExpr) || IsA(node, ScalarArrayOpExpr) ||
		IsA(node, RowCompareExpr);
}

static bool
FindRawSubLink(Node *node, void *context)
{
	return node != NULL && (IsA(node, SubLink) || raw_expression_tree_walker(node, FindRawSubLink, context));
}

/* The query of a SELECT without FROM or subqueries in the text of a SQL function; NULL for another */
static Query *
AnalyzeText(HeapTuple tuple, FuncExpr *call)
{
	char	   *source = TextDatumGetCString(SysCacheGetAttrNotNull(PROCOID, tuple, Anum_pg_proc_prosrc));
	List	   *statements = pg_parse_query(source);
	SelectStmt *parsed = list_length(statements) == 1 ? (SelectStmt *) linitial_node(RawStmt, statements)->stmt : NULL;
	ParseState *state = make_parsestate(NULL);

	/* Subqueries would lock their tables, and are refused in any case. */
	if (parsed == NULL || !IsA(parsed, SelectStmt) || parsed->fromClause != NIL || FindRawSubLink((Node *) parsed, NULL))
		return NULL;
	state->p_sourcetext = source;
	sql_fn_parser_setup(state, prepare_sql_fn_parse_info(tuple, (Node *) call, call->inputcollid));
	return transformTopLevelStmt(state, linitial_node(RawStmt, statements));
}

/*
 * The same, or NULL for a text that has become wrong: in a place that PostgreSQL does not look at, as after CASE WHEN
 * false, that is no error.
 */
static Query *
TryAnalyzeText(HeapTuple tuple, FuncExpr *call)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	Query	   *volatile query = NULL;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		query = AnalyzeText(tuple, call);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (error != NULL && ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_OPERATOR_INTERVENTION)
		ReThrowError(error);
	return query;
}

/* The only statement of a SQL function, if that may be called and is a query without FROM; NULL otherwise */
static Query *
ReadBody(HeapTuple tuple, FuncExpr *call)
{
	bool		is_text;
	Datum		body = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosqlbody, &is_text);
	Node	   *parsed;

	if (is_text)
		return TryAnalyzeText(tuple, call);
	parsed = stringToNode(TextDatumGetCString(body));
	if (IsA(parsed, List))		/* of lists: BEGIN ATOMIC ... END */
	{
		List	   *statements = linitial_node(List, (List *) parsed);

		return list_length(statements) == 1 ? linitial_node(Query, statements) : NULL;
	}
	return castNode(Query, parsed);
}

/* May a call be replaced by the body of its function?  One with settings or rights of its own is not even read. */
static bool
MayBeReplaced(HeapTuple tuple, FuncExpr *call)
{
	Form_pg_proc function = (Form_pg_proc) GETSTRUCT(tuple);

	return function->prokind == PROKIND_FUNCTION && !function->prosecdef && function->prorettype != RECORDOID &&
		heap_attisnull(tuple, Anum_pg_proc_proconfig, NULL) && UserMayCall(call->funcid);
}

/* The expression that takes the place of a call of a SQL function; NULL if none does */
static Node *
ExpressionOf(FuncExpr *call)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
	Query	   *query;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	query = MayBeReplaced(tuple, call) ? ReadBody(tuple, call) : NULL;
	ReleaseSysCache(tuple);
	return query != NULL && IsBare(query) && !query->hasSubLinks && list_length(query->targetList) == 1 ?
		(Node *) linitial_node(TargetEntry, query->targetList)->expr : NULL;
}

/* Is it a call, with all arguments in their order, of a function that gives one value? */
static bool
IsPlainCall(Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	ListCell   *cell;

	if (!IsA(node, FuncExpr) || call->funcretset || list_length(call->args) != get_func_nargs(call->funcid))
		return false;
	foreach(cell, call->args)
	{
		if (IsA(lfirst(cell), NamedArgExpr))
			return false;
	}
	return true;
}

/*
 * More bodies are not looked at for one call.  Functions may call themselves, or each other so often that looking takes
 * longer than planning.
 */
#define MAX_BODIES	20

static bool CallsUser(Node *node, void *context);

/*
 * Is all that a function's body does done by PostgreSQL?  Then nothing tells whether it is run, or takes the call's
 * place.  A user may have made the cast to the type that the function gives.  nbodies have been looked at before.
 */
static bool
IsSilent(FuncExpr *call, Node *body, int *nbodies)
{
	return (*nbodies)++ < MAX_BODIES && exprType(body) == call->funcresulttype && !CallsVolatile(body) &&
		!CallsUser(body, nbodies);
}

/* Does a body call a user's function, be it to check the values of a domain? */
static bool
CallsUser(Node *node, void *context)
{
	if (node == NULL)
		return false;
	check_stack_depth();
	if (check_functions_in_node(node, IsUsersFunction, NULL))
	{
		FuncExpr   *call = (FuncExpr *) node;
		Node	   *body = check_functions_in_node(node, IsSql, NULL) && IsPlainCall(node) ? ExpressionOf(call) : NULL;

		if (body == NULL || !IsSilent(call, body, context))
			return true;
	}
	return IsA(node, CoerceToDomain) || CallsUser(DefaultsOf(node), context) ||
		expression_tree_walker(node, CallsUser, context);
}

/* Is a call run, or what takes its place?  No value takes that of a set. */
static bool
CallIsRun(Node *node, Search *search)
{
	int			nbodies = 0;
	Node	   *body;

	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcretset)
		return false;
	if (check_functions_in_node(node, IsSql, NULL))
	{
		if (!IsPlainCall(node) || IsInParallelMode())
			return true;
		body = ExpressionOf((FuncExpr *) node);
		if (body != NULL)
			return !IsSilent((FuncExpr *) node, body, &nbodies);
	}
	return check_functions_in_node(node, IsRun, search) && !IsLate(search->level, node);
}

/* Does a scalar subquery select values, and nothing else? */
static bool
OnlySelects(Node *node)
{
	SubLink    *sublink = (SubLink *) node;

	return IsA(node, SubLink) && sublink->subLinkType == EXPR_SUBLINK && IsBare(castNode(Query, sublink->subselect));
}

static bool
SearchRun(Node *node, void *context)
{
	Search	   *search = context;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query) || OnlySelects(node))
	{
		Query	   *query = (Query *) (IsA(node, Query) ? node : ((SubLink *) node)->subselect);
		Level		level = LevelBelow(search->level, query);
		Search		below = {.level = &level,.is_selected = !IsA(node, Query)};

		return query_tree_walker(query, SearchRun, &below, 0);
	}
	/* In FROM, a query may take the place of a set. */
	if (IsA(node, RangeTblFunction) && check_functions_in_node(((RangeTblFunction *) node)->funcexpr, IsSql, NULL))
		return true;
	return CallIsRun(node, search) || (IsOperator(node) && check_functions_in_node(node, IsInterpreted, NULL)) ||
		SearchRun(DefaultsOf(node), context) || expression_tree_walker(node, SearchRun, context);
}

/* Does planning run a function of a user's? */
bool
PlanningIsSeen(Rewrite *rewrite, Query *query)
{
	Level		outside = {.rewrite = rewrite};
	Search		search = {.level = &outside};

	return SearchRun((Node *) query, &search);
}
