/*-------------------------------------------------------------------------
 *
 * copy.c
 *		COPY ... TO ... (FORMAT jsonrow).
 *
 *		COPY { table [ ( column [, ...] ) ] | ( query ) }
 *			TO { 'file' | PROGRAM 'command' | STDOUT }
 *			( FORMAT jsonrow [, FORM form ] [, ENCODING 'encoding' ] )
 *
 *		FORM is rows (the default), lines, objects or object_lines: the bytes
 *		are those of jsonrow_stream, jsonrow_stream_lines and so on.
 *		Everything else is as in PostgreSQL's COPY TO: what may be copied, by
 *		whom, and to where; row-level security; errors.
 *
 * PostgreSQL does not know the format, so the statement is caught before it is
 * run.  Any other statement is passed on unchanged.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "commands/copy.h"
#include "commands/defrem.h"
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "parser/parse_node.h"
#include "stream/copy.h"
#include "stream/copy_target.h"
#include "stream/receiver.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

static ProcessUtility_hook_type next_utility = NULL;

/* What the options of a statement say */
typedef struct CopyOptions
{
	StreamForm	form;
	int			encoding;
	List	   *others;			/* all except FORMAT and FORM */
} CopyOptions;

/* A receiver and where its pieces go */
typedef struct CopyReceiver
{
	RowReceiver *rows;
	CopyTarget	target;
} CopyReceiver;

/*
 * Options
 */

static bool
IsFormatJsonrow(const DefElem *option)
{
	return strcmp(option->defname, "format") == 0 && option->arg != NULL &&
		IsA(option->arg, String) && strcmp(strVal(option->arg), "jsonrow") == 0;
}

/* Is it a statement that only we can run? */
static bool
IsCopyJsonrow(Node *statement)
{
	ListCell   *cell;

	if (!IsA(statement, CopyStmt))
		return false;
	foreach(cell, ((CopyStmt *) statement)->options)
	{
		if (IsFormatJsonrow(lfirst(cell)))
			return true;
	}
	return false;
}

static StreamForm
FormOfOption(ParseState *pstate, DefElem *option)
{
	static const char *const names[] = {
		[STREAM_ROWS] = "rows",
		[STREAM_LINES] = "lines",
		[STREAM_OBJECTS] = "objects",
		[STREAM_OBJECT_LINES] = "object_lines",
	};
	char	   *name = defGetString(option);

	for (StreamForm form = 0; form < lengthof(names); form++)
		if (strcmp(name, names[form]) == 0)
			return form;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("COPY form \"%s\" not recognized", name),
			 errhint("Available forms: rows, lines, objects, object_lines."),
			 parser_errposition(pstate, option->location)));
}

/*
 * Refuse options that PostgreSQL accepts only because it takes the format to
 * be text.
 */
static void
CheckOtherOptions(ParseState *pstate, CopyOptions *options)
{
	CopyFormatOptions parsed = {0};
	ListCell   *cell;

	ProcessCopyOptions(pstate, &parsed, false, options->others);
	options->encoding = parsed.file_encoding >= 0 ? parsed.file_encoding : pg_get_client_encoding();
	foreach(cell, options->others)
	{
		DefElem    *option = lfirst(cell);
		bool		is_header = strcmp(option->defname, "header") == 0;
		const char *name = strcmp(option->defname, "delimiter") == 0 ? "DELIMITER" :
			strcmp(option->defname, "null") == 0 ? "NULL" :
			is_header && parsed.header_line ? "HEADER" : NULL;

		if (name != NULL)
			ereport(ERROR,
					(errcode(is_header ? ERRCODE_FEATURE_NOT_SUPPORTED : ERRCODE_SYNTAX_ERROR),
					 errmsg("cannot specify %s in JSONROW mode", name),
					 parser_errposition(pstate, option->location)));
	}
}

static CopyOptions
ReadOptions(ParseState *pstate, List *list)
{
	CopyOptions options = {.form = STREAM_ROWS};
	bool		has_format = false;
	bool		has_form = false;
	ListCell   *cell;

	foreach(cell, list)
	{
		DefElem    *option = lfirst(cell);
		bool		is_format = strcmp(option->defname, "format") == 0;
		bool		is_form = strcmp(option->defname, "form") == 0;

		if ((is_format && has_format) || (is_form && has_form))
			errorConflictingDefElem(option, pstate);
		has_format |= is_format;
		has_form |= is_form;
		if (is_form)
			options.form = FormOfOption(pstate, option);
		else if (!is_format)
			options.others = lappend(options.others, option);
	}
	CheckOtherOptions(pstate, &options);
	return options;
}

/*
 * What is copied
 */

/* A statement with the same position as the COPY */
static RawStmt *
MakeRawStmt(Node *statement, const PlannedStmt *pstmt)
{
	RawStmt    *result = makeNode(RawStmt);

	result->stmt = statement;
	result->stmt_location = pstmt->stmt_location;
	result->stmt_len = pstmt->stmt_len;
	return result;
}

static Node *
ColumnTarget(Node *name)
{
	ColumnRef  *column = makeNode(ColumnRef);
	ResTarget  *target = makeNode(ResTarget);

	column->fields = list_make1(name);
	column->location = -1;
	target->val = (Node *) column;
	target->location = -1;
	return (Node *) target;
}

/*
 * The columns of a table that COPY writes: those asked for, or all that are
 * not generated
 */
static List *
ColumnTargets(Relation table, List *attnums)
{
	List	   *targets = NIL;
	ListCell   *cell;

	foreach(cell, attnums)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(table), lfirst_int(cell) - 1);

		targets = lappend(targets, ColumnTarget((Node *) makeString(NameStr(att->attname))));
	}
	return targets;
}

/*
 * With row-level security, COPY leaves the check of the columns to the query.
 */
static List *
ColumnTargetsAsWritten(List *columns)
{
	List	   *targets = NIL;
	ListCell   *cell;

	if (columns == NIL)
		return list_make1(ColumnTarget((Node *) makeNode(A_Star)));
	foreach(cell, columns)
	{
		targets = lappend(targets, ColumnTarget(lfirst(cell)));
	}
	return targets;
}

/* The table, if the user may read what is asked for; nothing else is told of it before, but whether it has such columns. */
static Relation
OpenTable(const CopyStmt *stmt)
{
	Relation	table = table_openrv(stmt->relation, AccessShareLock);

	CheckMayRead(table, CopyGetAttnums(RelationGetDescr(table), table, stmt->attlist));
	return table;
}

/*
 * The query for a table's rows, without those of child tables, as COPY does.
 * It stays locked.
 */
static RawStmt *
QueryOfTable(ParseState *pstate, const CopyStmt *stmt, const PlannedStmt *pstmt,
			 const CopyOptions *options, Relation table)
{
	List	   *attnums = CopyGetAttnums(RelationGetDescr(table), table, stmt->attlist);
	SelectStmt *select = makeNode(SelectStmt);
	RangeVar   *from = makeRangeVar(get_namespace_name(RelationGetNamespace(table)),
									pstrdup(RelationGetRelationName(table)), -1);

	if (check_enable_rls(RelationGetRelid(table), InvalidOid, false) == RLS_ENABLED)
		select->targetList = ColumnTargetsAsWritten(stmt->attlist);
	else
	{
		CheckCopyTo(pstate, table, stmt->attlist, options->others);
		select->targetList = ColumnTargets(table, attnums);
	}
	from->inh = COPIES_PARTITIONED && table->rd_rel->relkind == RELKIND_PARTITIONED_TABLE;
	select->fromClause = list_make1(from);
	table_close(table, NoLock);
	return MakeRawStmt((Node *) select, pstmt);
}

static RawStmt *
QueryAsWritten(const CopyStmt *stmt, const PlannedStmt *pstmt)
{
	if (!MERGE_RETURNS_ROWS && IsA(stmt->query, MergeStmt))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("MERGE not supported in COPY")));
	return MakeRawStmt(stmt->query, pstmt);
}

/*
 * The result of rules must be one query; the messages are those of
 * BeginCopyTo.
 */
static void
CheckRewritten(List *queries)
{
	ListCell   *cell;

	if (queries == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("DO INSTEAD NOTHING rules are not supported for COPY")));
	if (list_length(queries) == 1)
		return;
	foreach(cell, queries)
	{
		Query	   *query = lfirst_node(Query, cell);

		if (query->querySource == QSRC_QUAL_INSTEAD_RULE)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("conditional DO INSTEAD rules are not supported for COPY")));
		if (query->querySource == QSRC_NON_INSTEAD_RULE)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("DO ALSO rules are not supported for COPY")));
	}
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("multi-statement DO INSTEAD rules are not supported for COPY")));
}

static Query *
AnalyzeQuery(ParseState *pstate, RawStmt *raw)
{
	List	   *queries = pg_analyze_and_rewrite_fixedparams(raw, pstate->p_sourcetext,
															 NULL, 0, NULL);
	Query	   *query;

	CheckRewritten(queries);
	query = linitial_node(Query, queries);
	if (query->utilityStmt != NULL && IsA(query->utilityStmt, CreateTableAsStmt))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("COPY (SELECT INTO) is not supported")));
	if (query->utilityStmt != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("COPY query must not be a utility command")));
	if (query->commandType != CMD_SELECT && query->returningList == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("COPY query must have a RETURNING clause")));
	return query;
}

/*
 * Copying
 */

static void
WritePiece(CopyReceiver *receiver)
{
	struct varlena *piece = RowReceiverPiece(receiver->rows);

	CopyTargetWrite(&receiver->target, VARDATA(piece), VARSIZE(piece) - VARHDRSZ,
					receiver->rows->nrows);
	RowReceiverNextPiece(receiver->rows);
}

static bool
WriteFullPiece(RowReceiver *rows)
{
	WritePiece(rows->owner);
	return true;
}

/* Run the plan, and write its rows to the statement's target; returns their number. */
static uint64
CopyRows(ParseState *pstate, const CopyStmt *stmt, const CopyOptions *options, PlannedStmt *plan,
		 Oid relid)
{
	CopyReceiver receiver;
	QueryDesc  *query;

	receiver.rows = RowReceiverCreate(options->form, CurrentMemoryContext);
	receiver.rows->full = WriteFullPiece;
	receiver.rows->owner = &receiver;
	RowReceiverTell(receiver.rows, plan, NULL);

	/* It sees what the transaction has done so far. */
	PushCopiedSnapshot(GetActiveSnapshot());
	UpdateActiveSnapshotCommandId();
	query = CreateQueryDesc(plan, pstate->p_sourcetext, GetActiveSnapshot(), InvalidSnapshot,
							&receiver.rows->pub, NULL, NULL, 0);
	ExecutorStart(query, 0);
	CopyTargetOpen(&receiver.target, stmt, options->encoding, relid);
	RunExecutor(query, 0);
	if (RowReceiverEnd(receiver.rows))
		WritePiece(&receiver);
	CopyTargetClose(&receiver.target);
	ExecutorFinish(query);
	ExecutorEnd(query);
	FreeQueryDesc(query);
	PopActiveSnapshot();
	return receiver.rows->nrows;
}

static uint64
CopyTo(ParseState *pstate, const CopyStmt *stmt, const PlannedStmt *pstmt)
{
	CopyOptions options;
	RawStmt    *raw;
	PlannedStmt *plan;
	Relation	table;
	Oid			relid = InvalidOid;

	if (stmt->is_from)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("COPY %s is not supported for %s", "FORMAT JSONROW", "COPY FROM")));
	CopyTargetCheckPrivileges(stmt);
	table = stmt->relation ? OpenTable(stmt) : NULL;
	if (table)
		relid = RelationGetRelid(table);
	options = ReadOptions(pstate, stmt->options);
	raw = table ? QueryOfTable(pstate, stmt, pstmt, &options, table) : QueryAsWritten(stmt, pstmt);
	plan = PlanQuery(AnalyzeQuery(pstate, raw), pstate->p_sourcetext, CURSOR_OPT_PARALLEL_OK, NULL);
	if (OidIsValid(relid) && !list_member_oid(plan->relationOids, relid))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation referenced by COPY statement has changed")));
	return CopyRows(pstate, stmt, &options, plan, relid);
}

static void
RunUtility(PlannedStmt *pstmt, const char *string, bool read_only_tree,
		   ProcessUtilityContext context, ParamListInfo params, QueryEnvironment *environment,
		   DestReceiver *dest, QueryCompletion *completion)
{
	ProcessUtility_hook_type next = next_utility ? next_utility : standard_ProcessUtility;
	ParseState *pstate;
	uint64		nrows;

	if (!IsCopyJsonrow(pstmt->utilityStmt))
	{
		next(pstmt, string, read_only_tree, context, params, environment, dest, completion);
		return;
	}
	check_stack_depth();
	if (read_only_tree)
		pstmt = copyObject(pstmt);
	pstate = make_parsestate(NULL);
	pstate->p_sourcetext = string;
	pstate->p_queryEnv = environment;
	nrows = CopyTo(pstate, (CopyStmt *) pstmt->utilityStmt, pstmt);
	if (completion)
		SetQueryCompletion(completion, CMDTAG_COPY, nrows);
	free_parsestate(pstate);
	CommandCounterIncrement();
}

/* Install our hook for utility statements. */
void
InitCopy(void)
{
	next_utility = ProcessUtility_hook;
	ProcessUtility_hook = RunUtility;
}
