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
 * A SQL function may be replaced by its body, in which all this is looked for, too: the
 * policies of a service often ask such a one, which reads a setting, who the user is.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "executor/functions.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/analyze.h"
#include "parser/parse_node.h"
#include "planner/may_raise.h"
#include "planner/planning_runs.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

typedef struct Search
{
	bool		is_selected;	/* in what a scalar subquery selects? */
	List	   *inlined;		/* the functions in whose bodies it is */
} Search;

/* Does an expression depend on anything that the planner does not know? */
static bool
Varies(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Aggref:
		case T_WindowFunc:
		case T_GroupingFunc:
		case T_SubLink:
		case T_CaseTestExpr:
			return true;
		default:
			return expression_tree_walker(node, Varies, context);
	}
}

static bool
IsInlined(Oid function, void *context)
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

/* Is it a SELECT without FROM? */
static bool
ReadsNothing(RawStmt *statement)
{
	return IsA(statement->stmt, SelectStmt) && ((SelectStmt *) statement->stmt)->fromClause == NIL;
}

typedef struct SourceText
{
	const char *function;		/* whose it is */
	char	   *text;
} SourceText;

/* An error in the text of a SQL function is told as if the planner had read it. */
static void
TellSource(void *arg)
{
	const SourceText *source = arg;
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(source->text);
	}
	errcontext("SQL function \"%s\" during inlining", source->function);
}

/* The query of a SELECT without FROM in the text of a SQL function, as the planner reads it; NULL for another */
static Query *
AnalyzeText(HeapTuple tuple, FuncExpr *call)
{
	SourceText	source = {
		.function = NameStr(((Form_pg_proc) GETSTRUCT(tuple))->proname),
		.text = TextDatumGetCString(SysCacheGetAttrNotNull(PROCOID, tuple, Anum_pg_proc_prosrc)),
	};
	ErrorContextCallback error = {.callback = TellSource,.arg = &source,.previous = error_context_stack};
	List	   *statements;
	Query	   *query = NULL;

	error_context_stack = &error;
	statements = pg_parse_query(source.text);
	if (list_length(statements) == 1 && ReadsNothing(linitial_node(RawStmt, statements)))
	{
		ParseState *state = make_parsestate(NULL);

		state->p_sourcetext = source.text;
		sql_fn_parser_setup(state, prepare_sql_fn_parse_info(tuple, (Node *) call, call->inputcollid));
		query = transformTopLevelStmt(state, linitial_node(RawStmt, statements));
		free_parsestate(state);
	}
	error_context_stack = error.previous;
	return query;
}

/* The only statement of a SQL function, if that may be called and is a query without FROM; NULL otherwise */
static Query *
ReadBody(HeapTuple tuple, FuncExpr *call)
{
	bool		is_text;
	Datum		body = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosqlbody, &is_text);
	Node	   *parsed;

	if (!UserMayCall(call->funcid))
		return NULL;
	if (is_text)
		return AnalyzeText(tuple, call);
	parsed = stringToNode(TextDatumGetCString(body));
	if (IsA(parsed, List))		/* of lists: BEGIN ATOMIC ... END */
	{
		List	   *statements = linitial_node(List, (List *) parsed);

		return list_length(statements) == 1 ? linitial_node(Query, statements) : NULL;
	}
	return castNode(Query, parsed);
}

/* The expression that takes the place of a call of a SQL function; NULL if none does */
static Node *
ExpressionOf(FuncExpr *call)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
	Query	   *query;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	query = ReadBody(tuple, call);
	ReleaseSysCache(tuple);
	return query != NULL && HasOnly(query, PART_NO_FROM) && list_length(query->targetList) == 1 ?
		(Node *) linitial_node(TargetEntry, query->targetList)->expr : NULL;
}

static bool SearchRun(Node *node, void *context);

/* Is a call run, or what takes its place?  One that returns a set may become a subquery. */
static bool
CallIsRun(Node *node, Search *search)
{
	FuncExpr   *call = (FuncExpr *) node;
	Search		below = *search;
	Node	   *body = NULL;

	if (check_functions_in_node(node, IsInlined, NULL))
	{
		if (!IsA(node, FuncExpr) || call->funcretset)
			return true;
		if (!list_member_oid(search->inlined, call->funcid))
			body = ExpressionOf(call);
	}
	if (body == NULL)
		return check_functions_in_node(node, IsRun, search) && !Varies(node, NULL);
	below.inlined = lappend_oid(list_copy(search->inlined), call->funcid);
	return CallsVolatile(body) || SearchRun(body, &below);
}

/* Does a scalar subquery select values, and nothing else? */
static bool
OnlySelects(Node *node)
{
	SubLink    *sublink = (SubLink *) node;

	return IsA(node, SubLink) && sublink->subLinkType == EXPR_SUBLINK &&
		castNode(Query, sublink->subselect)->rtable == NIL && HasOnly(castNode(Query, sublink->subselect), PART_NO_FROM);
}

static bool
SearchRun(Node *node, void *context)
{
	Search	   *search = context;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (OnlySelects(node))
	{
		Search		below = *search;

		below.is_selected = true;
		return SearchRun((Node *) castNode(Query, ((SubLink *) node)->subselect)->targetList, &below);
	}
	if (IsA(node, Query))
	{
		Search		below = *search;

		below.is_selected = false;
		return query_tree_walker((Query *) node, SearchRun, &below, 0);
	}
	if (CallIsRun(node, search))
		return true;
	if (IsOperator(node) && check_functions_in_node(node, IsInterpreted, NULL))
		return true;
	return SearchRun(DefaultsOf(node), context) || expression_tree_walker(node, SearchRun, context);
}

/* Does planning run a function of a user's? */
bool
PlanningIsSeen(Node *node)
{
	Search		search = {0};

	return SearchRun(node, &search);
}
