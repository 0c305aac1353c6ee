/*-------------------------------------------------------------------------
 *
 * statement.c
 *		Statements given as text, planned and run a piece at a time.
 *
 * As in SQL functions that return sets (functions.c), there is an executor
 * within that of the calling query, which owns its resources: there is no
 * portal that an error could leave open.  Only statements that change nothing
 * are run, so no triggers wait for their end.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "executor/executor.h"
#include "nodes/parsenodes.h"
#include "stream/statement.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/snapmgr.h"

/* As many rows as there are.  With a count, no parallel workers are used. */
#define ALL_ROWS	((uint64) PG_INT64_MAX)

pg_noreturn static void
ReportNotStreamable(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
			 errmsg("cannot stream %s", what),
			 errdetail("A stream takes one SELECT, VALUES or TABLE statement that changes nothing.")));
}

/* Errors of the statement, and their positions, say that they belong to it. */
static void
AddStatement(void *text)
{
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(text);
	}
	else
		errcontext("SQL statement \"%s\"", (char *) text);
}

static void
PushErrorContext(ErrorContextCallback *callback, const char *text)
{
	callback->callback = AddStatement;
	callback->arg = unconstify(char *, text);
	callback->previous = error_context_stack;
	error_context_stack = callback;
}

static void
PopErrorContext(ErrorContextCallback *callback)
{
	error_context_stack = callback->previous;
}

/* Parse and analyze the text of a single SELECT. */
static Query *
AnalyzeStatement(const char *text, ParamListInfo params)
{
	int			nparams = params ? params->numParams : 0;
	Oid		   *types = palloc(nparams * sizeof(Oid));
	List	   *statements = pg_parse_query(text);
	Query	   *query;

	if (list_length(statements) != 1)
		ReportNotStreamable(statements ? "more than one statement" : "an empty statement");
	for (int i = 0; i < nparams; i++)
		types[i] = params->params[i].ptype;
	statements = pg_analyze_and_rewrite_fixedparams(linitial_node(RawStmt, statements), text,
													types, nparams, NULL);
	if (list_length(statements) != 1)
		ReportNotStreamable("a statement that a rule rewrites");
	query = linitial_node(Query, statements);
	if (query->commandType != CMD_SELECT)
		ReportNotStreamable(GetCommandTagName(CreateCommandTag((Node *) query)));
	return query;
}

/*
 * Make a statement ready to run, in the current memory context and with the
 * snapshot of the calling query.
 */
QueryDesc *
StatementStart(const char *text, ParamListInfo params, DestReceiver *dest)
{
	ErrorContextCallback callback;
	Query	   *query;
	PlannedStmt *plan;
	QueryDesc  *result;

	PushErrorContext(&callback, text);
	query = AnalyzeStatement(text, params);
	plan = PlanQuery(query, text, 0, params);
	if (!CommandIsReadOnly(plan))
		ReportNotStreamable(plan->hasModifyingCTE ? "a statement that changes data" :
							"SELECT FOR UPDATE or SHARE");
	result = CreateQueryDesc(plan, text, GetActiveSnapshot(), InvalidSnapshot, dest, params,
							 NULL, 0);
	ExecutorStart(result, EXEC_FLAG_SKIP_TRIGGERS);
	PopErrorContext(&callback);
	return result;
}

/* Continue until the receiver has enough or there are no more rows. */
void
StatementRun(QueryDesc *query)
{
	ErrorContextCallback callback;

	PushErrorContext(&callback, query->sourceText);
	PushActiveSnapshot(query->snapshot);
	RunExecutor(query, ALL_ROWS);
	PopActiveSnapshot();
	PopErrorContext(&callback);
}

/* No more rows are wanted. */
void
StatementEnd(QueryDesc *query)
{
	PushActiveSnapshot(query->snapshot);
	ExecutorFinish(query);
	ExecutorEnd(query);
	PopActiveSnapshot();
	FreeQueryDesc(query);
}
