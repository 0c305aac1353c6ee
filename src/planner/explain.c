/*-------------------------------------------------------------------------
 *
 * explain.c
 *		Tells what becomes of a query's parts, and why the others stay.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#if EXPLAIN_HAS_EXTENSIONS
#include "commands/defrem.h"
#include "commands/explain.h"
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif
#include "funcapi.h"
#include "planner/accelerate.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

/*
 * Plan each query of a statement, whose parameters have the types that it implies, and return the notes that were
 * taken.  Costs tell what is in tables, so these must be the user's to read, as for EXPLAIN.
 */
static List *
NotesOf(const char *text)
{
	Notes		notes = {.context = CurrentMemoryContext};
	List	   *statements = pg_parse_query(text);
	Oid		   *types = NULL;
	int			ntypes = 0;
	List	   *queries;
	ListCell   *cell;

	if (list_length(statements) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("cannot explain %s", statements ? "more than one statement" : "an empty statement")));
	queries = pg_analyze_and_rewrite_varparams(linitial_node(RawStmt, statements), text, &types, &ntypes, NULL);
	PG_TRY();
	{
		foreach(cell, queries)
		{
			Query	   *query = lfirst_node(Query, cell);
			PlannedStmt *plan;

			if (query->commandType == CMD_UTILITY)
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("cannot explain %s", GetCommandTagName(CreateCommandTag(query->utilityStmt))),
						 errhint("Pass the query itself, without EXPLAIN, CREATE TABLE AS, DECLARE or PREPARE.")));
			WantNotes(&notes);
			plan = PlanQuery(query, text, CURSOR_OPT_PARALLEL_OK, NULL);
			CheckPermissions(plan);
		}
	}
	PG_FINALLY();
	{
		WantNotes(NULL);
	}
	PG_END_TRY();
	return notes.list;
}

PG_FUNCTION_INFO_V1(jsonrow_explain);

/*
 * jsonrow_explain(query text)
 *		returns setof (place text, what text, outcome text, reason text)
 *
 * One row for each call of a function that makes JSON, each page (a query with LIMIT or
 * OFFSET), each look-up (a subquery that finds one row by a unique key) and each
 * collection (a subquery that aggregates what belongs to a row) of a query that is
 * planned, but not run, with the settings of the session.  place tells in which query
 * within the query it is, reason why it stays as it is; NULL if it does not.
 * Parameters ($1) are unknown values.  NULL for NULL.  Errors are those of parsing and
 * planning, insufficient_privilege as running it would raise, and syntax_error and
 * feature_not_supported for what is not one query.
 */
Datum
jsonrow_explain(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *list = NotesOf(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, list)
	{
		Note	   *note = lfirst(cell);
		Datum		values[] = {CStringGetTextDatum(note->place), CStringGetTextDatum(note->what),
		CStringGetTextDatum(note->outcome), note->reason != NULL ? CStringGetTextDatum(note->reason) : (Datum) 0};
		bool		nulls[] = {false, false, false, note->reason == NULL};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * EXPLAIN (JSONROW)
 */

#if EXPLAIN_HAS_EXTENSIONS

static explain_per_plan_hook_type next_explain = NULL;
static int	extension_id;

/* Notes that nobody has taken are no longer wanted when their memory goes. */
static void
ForgetNotes(void *arg)
{
	WantNotes(NULL);
}

static void
ApplyOption(ExplainState *es, DefElem *option, ParseState *pstate)
{
	Notes	   *notes;
	MemoryContextCallback *callback;

	if (!defGetBoolean(option))
		return;
	notes = palloc0(sizeof(Notes));
	notes->context = CurrentMemoryContext;
	callback = palloc0(sizeof(MemoryContextCallback));
	callback->func = ForgetNotes;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	SetExplainExtensionState(es, extension_id, notes);
	WantNotes(notes);
}

static char *
TextOf(const Note *note)
{
	return note->reason == NULL ? psprintf("%s: %s: %s", note->place, note->what, note->outcome) :
		psprintf("%s: %s: %s, because %s", note->place, note->what, note->outcome, note->reason);
}

static void
ExplainNotes(PlannedStmt *stmt, IntoClause *into, ExplainState *es, const char *query_string,
			 ParamListInfo params, QueryEnvironment *environment)
{
	Notes	   *notes = GetExplainExtensionState(es, extension_id);
	List	   *texts = NIL;
	ListCell   *cell;

	if (next_explain)
		next_explain(stmt, into, es, query_string, params, environment);
	if (notes == NULL)
		return;
	foreach(cell, notes->list)
	{
		if (es->format == EXPLAIN_FORMAT_TEXT)
			ExplainPropertyText("jsonrow", TextOf(lfirst(cell)), es);
		else
			texts = lappend(texts, TextOf(lfirst(cell)));
	}
	if (texts != NIL)
		ExplainPropertyList("jsonrow", texts, es);
	notes->list = NIL;
}

/* Let EXPLAIN have an option that shows what jsonrow_explain gives. */
void
InitExplain(void)
{
	extension_id = GetExplainExtensionId("jsonrow");
	AddExplainOption("jsonrow", ApplyOption);
	next_explain = explain_per_plan_hook;
	explain_per_plan_hook = ExplainNotes;
}

#else

void
InitExplain(void)
{
}

#endif							/* EXPLAIN_HAS_EXTENSIONS */
