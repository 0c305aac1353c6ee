/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Differences between PostgreSQL 15 and the newest release.
 *
 * Everything else is written against the newest PostgreSQL; what an older
 * one lacks is supplied here, so that no other file asks for a version.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COMPAT_H
#define JSONROW_COMPAT_H

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/plannodes.h"
#include "parser/parse_relation.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#if PG_VERSION_NUM < 150000
#error "jsonrow needs PostgreSQL 15 or later"
#endif

#if PG_VERSION_NUM < 160000

/*
 * We are built with hidden visibility, as PGXS does by itself since 16;
 * symbols that the server looks up must be exempt.
 */
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))

extern PGDLLEXPORT void _PG_init(void);

#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(funcname) \
extern PGDLLEXPORT Datum funcname(PG_FUNCTION_ARGS); \
extern PGDLLEXPORT const Pg_finfo_record * CppConcat(pg_finfo_,funcname)(void); \
const Pg_finfo_record * \
CppConcat(pg_finfo_,funcname) (void) \
{ \
	static const Pg_finfo_record my_finfo = { 1 }; \
	return &my_finfo; \
} \
extern int no_such_variable

#endif

/* varatt.h became a header of its own in 16, and is no longer implied. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/*
 * The memory context an aggregate's finished document should be allocated
 * in, so that handing it over costs no copy.
 *
 * Since 16 the executor takes the final function's result from any context.
 * Before 16, it copies any result that isn't in the context the final function
 * runs in.  An ungrouped aggregate's input is consumed between two resets of
 * that context, so its document can be grown there.
 */
static inline MemoryContext
AggregateResultContext(FunctionCallInfo fcinfo, MemoryContext aggcontext)
{
#if PG_VERSION_NUM < 160000
	if (IsA(fcinfo->context, AggState))
	{
		AggState   *aggstate = (AggState *) fcinfo->context;

		if (aggstate->aggstrategy == AGG_PLAIN && aggstate->maxsets == 1)
			return aggstate->ss.ps.ps_ExprContext->ecxt_per_tuple_memory;
	}
#endif
	return aggcontext;
}

/*
 * The minor releases of November 2026 (15.20, 17.12 and their like) note in a
 * composite which version of its row type it was made for, and code that takes
 * it apart asks heap_datum_check whether it can still be read.  In earlier
 * releases there is no way to tell.
 */
#ifndef HEAP_IS_DATUM
#define HeapTupleHeaderIsVersionedDatum(tuple)	false
#define heap_datum_check(tuple, tupdesc)		((void) 0)
#define ERRCODE_DATUM_VERSION_MISMATCH			ERRCODE_DATATYPE_MISMATCH
#endif

#if PG_VERSION_NUM < 160000
#define SysCacheGetAttrNotNull(cache, tuple, attribute) \
	SysCacheGetAttr(cache, tuple, attribute, &(bool) {false})
#endif

/*
 * The server's bytes for a Unicode character; false if there are none.  Before
 * 16 that is an error, as it is in JSON text.
 */
#if PG_VERSION_NUM >= 160000
#define UnicodeToServer(code, dst)	pg_unicode_to_server_noerror(code, dst)
#else
#define UnicodeToServer(code, dst)	(pg_unicode_to_server(code, dst), true)
#endif

/* PostgreSQL's JSON parser: raise what it finds wrong with a text. */
#if PG_VERSION_NUM >= 170000
#define ParseJsonOrRaise(json, decode, actions) \
	pg_parse_json_or_ereport(makeJsonLexContext(NULL, json, decode), actions)
#else
#define ParseJsonOrRaise(json, decode, actions) \
	pg_parse_json_or_ereport(makeJsonLexContext(json, decode), actions)
#endif

/* What chunks of values in TOAST tables are read by */
#if PG_VERSION_NUM >= 180000
#define ToastSnapshot(room)		((void) (room), get_toast_snapshot())
#else
#define ToastSnapshot(room)		(init_toast_snapshot(room), (Snapshot) (room))
#endif

#if PG_VERSION_NUM >= 190000
#define BeginIndexScan(table, index, snapshot, nkeys) \
	index_beginscan(table, index, snapshot, NULL, nkeys, 0, SO_NONE)
#elif PG_VERSION_NUM >= 180000
#define BeginIndexScan(table, index, snapshot, nkeys) \
	index_beginscan(table, index, snapshot, NULL, nkeys, 0)
#else
#define BeginIndexScan(table, index, snapshot, nkeys) \
	index_beginscan(table, index, snapshot, nkeys, 0)
#endif

/* Since 18 a library tells its name and version: see pg_get_loaded_modules. */
#ifndef PG_MODULE_MAGIC_EXT
#define PG_MODULE_MAGIC_EXT(...)	PG_MODULE_MAGIC
#endif

/* In 18 the attribute moved to the front of the declaration. */
#if PG_VERSION_NUM < 180000
#define pg_noreturn pg_attribute_noreturn()
#endif

/* Since 19 the planner is told about EXPLAIN. */
#if PG_VERSION_NUM >= 190000
#define PLANNER_PARAMETERS \
	Query *query, const char *query_string, int cursor_options, ParamListInfo params, \
	struct ExplainState *explain
#define PLANNER_ARGUMENTS	query, query_string, cursor_options, params, explain
#else
#define PLANNER_PARAMETERS \
	Query *query, const char *query_string, int cursor_options, ParamListInfo params
#define PLANNER_ARGUMENTS	query, query_string, cursor_options, params
#endif

/*
 * Since 19 the planner is told about EXPLAIN; until 17 the executor is told
 * whether it runs only once.
 */
#if PG_VERSION_NUM >= 190000
#define PlanQuery(query, string, options, params) \
	pg_plan_query(query, string, options, params, NULL)
#else
#define PlanQuery(query, string, options, params) \
	pg_plan_query(query, string, options, params)
#endif

/* Raise the executor's error if the user may not read, or change, what a plan does. */
#if PG_VERSION_NUM >= 160000
#define CheckPermissions(plan)	((void) ExecCheckPermissions((plan)->rtable, (plan)->permInfos, true))
#else
#define CheckPermissions(plan)	((void) ExecCheckRTPerms((plan)->rtable, true))
#endif

#if PG_VERSION_NUM >= 180000
#define RunExecutor(query, count)	ExecutorRun(query, ForwardScanDirection, count)
#define EXECUTOR_RUN_PARAMETERS		QueryDesc *query, ScanDirection direction, uint64 count
#define EXECUTOR_RUN_ARGUMENTS		query, direction, count
#else
#define RunExecutor(query, count)	ExecutorRun(query, ForwardScanDirection, count, (count) == 0)
#define EXECUTOR_RUN_PARAMETERS		QueryDesc *query, ScanDirection direction, uint64 count, bool once
#define EXECUTOR_RUN_ARGUMENTS		query, direction, count, once
#endif

/* COPY's rows can be handed to a function since 16. */
#if PG_VERSION_NUM >= 160000
#define CheckCopyTo(pstate, rel, columns, options) \
	EndCopyTo(BeginCopyTo(pstate, rel, NULL, InvalidOid, NULL, false, NULL, columns, options))
#else
#define CheckCopyTo(pstate, rel, columns, options) \
	EndCopyTo(BeginCopyTo(pstate, rel, NULL, InvalidOid, NULL, false, columns, options))
#endif

/* Does COPY read the rows of a partitioned table? */
#define COPIES_PARTITIONED	(PG_VERSION_NUM >= 190000)

/* An error unless the user may read these columns of a table */
static inline void
CheckMayRead(Relation table, List *attnums)
{
	ParseState *pstate = make_parsestate(NULL);
	ParseNamespaceItem *item = addRangeTableEntryForRelation(pstate, table, AccessShareLock, NULL, false, false);
	Bitmapset  *columns = NULL;
	ListCell   *cell;

	foreach(cell, attnums)
	{
		columns = bms_add_member(columns, lfirst_int(cell) - FirstLowInvalidHeapAttributeNumber);
	}
#if PG_VERSION_NUM >= 160000
	item->p_perminfo->selectedCols = columns;
	item->p_perminfo->requiredPerms = ACL_SELECT;
	ExecCheckPermissions(pstate->p_rtable, list_make1(item->p_perminfo), true);
#else
	item->p_rte->selectedCols = columns;
	item->p_rte->requiredPerms = ACL_SELECT;
	ExecCheckRTPerms(pstate->p_rtable, true);
#endif
	free_parsestate(pstate);
}

/* Does MERGE have a RETURNING clause? */
#define MERGE_RETURNS_ROWS	(PG_VERSION_NUM >= 170000)

/* COPY's refusal of files and programs; the wording changed in 16 */
#if PG_VERSION_NUM >= 160000
#define ReportMayNotCopy(where, role) \
	ereport(ERROR, \
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), \
			 errmsg("permission denied to COPY %s", where), \
			 errdetail("Only roles with privileges of the \"%s\" role may COPY %s.", role, where), \
			 errhint("Anyone can COPY to stdout or from stdin. " \
					 "psql's \\copy command also works for anyone.")))
#else
#define ReportMayNotCopy(where, role) \
	ereport(ERROR, \
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), \
			 errmsg("must be superuser or have privileges of the %s role to COPY %s", role, where), \
			 errhint("Anyone can COPY to stdout or from stdin. " \
					 "psql's \\copy command also works for anyone.")))
#endif

/*
 * May queries have clauses that planner/query_parts.c does not know?  Look at
 * what a new release adds to Query.
 */
#define QUERIES_ARE_UNKNOWN			(PG_VERSION_NUM >= 200000)

/* Extensions may add options to EXPLAIN since 18. */
#define EXPLAIN_HAS_EXTENSIONS		(PG_VERSION_NUM >= 180000)

/* Since 19, an option may be one of auto_explain's, too, if somebody checks it. */
#if PG_VERSION_NUM >= 190000
#define AddExplainOption(name, handler)	RegisterExtensionExplainOption(name, handler, NULL)
#else
#define AddExplainOption(name, handler)	RegisterExtensionExplainOption(name, handler)
#endif

/* May rows be sorted below an aggregate, for its ORDER BY? */
#define AGGREGATES_ARE_PRESORTED	(PG_VERSION_NUM >= 160000)

/* Aggregates that came with SQL/JSON; here, OIDs that no function has. */
#if PG_VERSION_NUM < 160000
#define F_JSON_AGG_STRICT	((Oid) 0xFFFFFFFE)
#define F_JSONB_AGG_STRICT	((Oid) 0xFFFFFFFD)
#endif

/* ... and a function that came with 17 */
#if PG_VERSION_NUM < 170000
#define F_PG_COLUMN_TOAST_CHUNK_ID	((Oid) 0xFFFFFFFC)
#endif

/* Are JSON_OBJECT and its kind nodes of their own? */
#define CONSTRUCTORS_ARE_NODES		(PG_VERSION_NUM >= 160000)

static inline bool
IsJsonConstructor(Node *node)
{
#if CONSTRUCTORS_ARE_NODES
	return IsA(node, JsonConstructorExpr);
#else
	return false;
#endif
}

/* Does a Var stand for what its range table entry gives, and for nothing else? */
static inline bool
VarIsPlain(const Var *var)
{
#if PG_VERSION_NUM >= 180000
	if (var->varreturningtype != VAR_RETURNING_DEFAULT)
		return false;
#endif
#if PG_VERSION_NUM >= 160000
	if (var->varnullingrels != NULL)
		return false;
#endif
	return var->varlevelsup == 0;
}

/*
 * Record that a join may make the value NULL, as the planner wants since 16.
 */
static inline void
MarkNullable(Var *var, int join)
{
#if PG_VERSION_NUM >= 160000
	var->varnullingrels = bms_add_member(var->varnullingrels, join);
#endif
}

/* A join that could make something in an expression NULL is gone. */
static inline Node *
ForgetNullable(Node *expr, int join)
{
#if PG_VERSION_NUM >= 160000
	return remove_nulling_relids(expr, bms_make_singleton(join), NULL);
#else
	return expr;
#endif
}

/*
 * Everything that is joined below a node of a join tree, including the joins
 */
#if PG_VERSION_NUM >= 160000
#define RelidsInJointree(node)	get_relids_in_jointree(node, true, true)
#else
#define RelidsInJointree(node)	get_relids_in_jointree(node, true)
#endif

/* Since 18 EXCEPT and INTERSECT may stop before they have read all of their right sides. */
#define EXCEPT_READS_ALL	(PG_VERSION_NUM < 180000)

/* The entries of a query's range table refer to its permissions since 16. */
static inline void
CopyPermissions(Query *to, const Query *from)
{
#if PG_VERSION_NUM >= 160000
	to->rteperminfos = copyObject(from->rteperminfos);
#endif
}

/* The same of one entry that is copied to another query */
static inline void
CopyEntryPermissions(Query *to, RangeTblEntry *rte, const Query *from)
{
#if PG_VERSION_NUM >= 160000
	to->rteperminfos = lappend(to->rteperminfos, copyObject(getRTEPermissionInfo(from->rteperminfos, rte)));
	rte->perminfoindex = list_length(to->rteperminfos);
#endif
}

/* Entries of a query that is pulled up follow those of the one around it, in which order permissions are checked. */
static inline void
CombineEntries(Query *query, const Query *pulled_up)
{
#if PG_VERSION_NUM >= 160000
	CombineRangeTables(&query->rtable, &query->rteperminfos, pulled_up->rtable, pulled_up->rteperminfos);
#else
	query->rtable = list_concat(query->rtable, pulled_up->rtable);
#endif
}

/* What a query asks for is in a list of its own since 16, before with each entry of its range table. */
#if PG_VERSION_NUM >= 160000
typedef RTEPermissionInfo Permissions;
#define PermissionsOf(query)	((query)->rteperminfos)
#define UserMayCall(function)	(object_aclcheck(ProcedureRelationId, function, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK)
#else
typedef RangeTblEntry Permissions;
#define PermissionsOf(query)	((query)->rtable)
#define UserMayCall(function)	(pg_proc_aclcheck(function, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK)
#endif

/* Does the planner know that GROUP BY one column makes it unique? */
#define GROUPS_ARE_UNIQUE	(PG_VERSION_NUM >= 180000)

/* PostgreSQL 19 aggregates some rows before they are joined. */
#define AGGREGATES_BELOW_JOINS	(PG_VERSION_NUM >= 190000)

/* Does COALESCE stop at a column that is NOT NULL while the planner simplifies it? */
#define COALESCE_IS_SIMPLIFIED	(PG_VERSION_NUM >= 190000)

/* Foreign keys that are not enforced exist since 18. */
#if PG_VERSION_NUM >= 180000
#define ForeignKeyIsEnforced(key)	((key)->conenforced)
#else
#define ForeignKeyIsEnforced(key)	true
#endif

/*
 * A copy of the row of a catalog that tells that no value of a column is NULL; or NULL.
 * Since 18, NOT NULL may be NOT VALID: for rows that are there, nobody has looked.
 */
static inline HeapTuple
NotNullRow(Oid relation, AttrNumber attno)
{
	HeapTuple	row = SearchSysCacheCopy2(ATTNUM, ObjectIdGetDatum(relation), Int16GetDatum(attno));

	if (!HeapTupleIsValid(row) || !((Form_pg_attribute) GETSTRUCT(row))->attnotnull)
		return NULL;
#if PG_VERSION_NUM >= 180000
	row = findNotNullConstraintAttnum(relation, attno);
	if (!HeapTupleIsValid(row) || !((Form_pg_constraint) GETSTRUCT(row))->convalidated)
		return NULL;
#endif
	return row;
}

/* The columns of a range table entry, including dropped ones */
static inline void
ExpandRangeTableEntry(RangeTblEntry *rte, int rtindex, bool dropped, List **names, List **vars)
{
#if PG_VERSION_NUM >= 180000
	expandRTE(rte, rtindex, 0, VAR_RETURNING_DEFAULT, -1, dropped, names, vars);
#else
	expandRTE(rte, rtindex, 0, -1, dropped, names, vars);
#endif
}

/* There is more than one function reverse since 18. */
#if PG_VERSION_NUM >= 180000
#define F_REVERSE	F_REVERSE_TEXT
#endif

#ifndef pg_fallthrough
#define pg_fallthrough	__attribute__((fallthrough))
#endif

/* The name changed in 19. */
#if PG_VERSION_NUM >= 190000
#define inline_set_returning_function	inline_function_in_from
#endif

/* The expressions of GROUP BY, which Vars stand for since 18 */
static inline List *
GroupExpressions(RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 180000
	if (rte->rtekind == RTE_GROUP)
		return rte->groupexprs;
#endif
	return NIL;
}

/* Those of a query; NIL before 18, where they are in its select list */
static inline List *
GroupingOf(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		List	   *exprs = GroupExpressions(lfirst(cell));

		if (exprs != NIL)
			return exprs;
	}
	return NIL;
}

/* A query no longer groups by anything; the entry is no longer read. */
static inline void
ForgetGroupEntry(Query *query)
{
#if PG_VERSION_NUM >= 180000
	query->hasGroupRTE = false;
#endif
}

/* Another query groups by what this one grouped by, and has the entry. */
static inline void
TakeGroupEntry(Query *query, Query *other)
{
#if PG_VERSION_NUM >= 180000
	other->hasGroupRTE = query->hasGroupRTE;
#endif
	ForgetGroupEntry(query);
}

/* Is it the range table entry that stands for GROUP BY?  It exists since 18. */
static inline bool
RteIsGroup(const RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 180000
	return rte->rtekind == RTE_GROUP;
#else
	return false;
#endif
}

/*
 * Is a column virtual, that is, computed when it is read?  0 asks about any
 * column of the table.  Virtual generated columns exist since 18.
 */
static inline bool
ColumnIsVirtual(Oid relation, AttrNumber attno)
{
#if PG_VERSION_NUM >= 180000
	Relation	table;
	const TupleConstr *constr;
	bool		result;

	if (attno != 0)
		return get_attgenerated(relation, attno) == ATTRIBUTE_GENERATED_VIRTUAL;
	table = RelationIdGetRelation(relation);
	if (table == NULL)
		return false;
	constr = RelationGetDescr(table)->constr;
	result = constr != NULL && constr->has_generated_virtual;
	RelationClose(table);
	return result;
#else
	return false;
#endif
}

/*
 * The conditions by which MERGE joins, one for each table, if it must know which
 * rows of a table have no match; it may since 17.
 */
#if PG_VERSION_NUM >= 170000
#define MergeJoinConditions(modify)	(&(modify)->mergeJoinConditions)
#else
#define MergeJoinConditions(modify)	(&(List *) {NIL})
#endif

#endif							/* JSONROW_COMPAT_H */
