/*-------------------------------------------------------------------------
 *
 * lazy_scan.c
 *		Elements of JSON in FROM, one at a time.
 *
 * PostgreSQL's scan of a function collects all rows in a tuplestore, which may
 * go to disk, before it gives the first.  Elements, members and keys of JSON
 * can be given as they are asked for:
 *
 *		SELECT * FROM jsonb_array_elements(doc) LIMIT 10
 *
 * No difference can be seen, because nothing can fail after the first row (see
 * core_elements.c).  So once an execution has started, those scans over our
 * functions that will only go forward are given another function that fetches
 * the next row.  The plan and what EXPLAIN shows of it stay.
 *
 * A tuplestore is better if the same rows are read again.  A scan that is
 * restarted with the same argument goes back to PostgreSQL's way.  The argument is
 * computed again to find out: so it is a constant, a parameter, or what immutable
 * functions of PostgreSQL's make of these.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "planner/accelerate.h"
#include "planner/twins.h"
#include "read/parts.h"
#include "utils/memutils.h"

static ExecutorStart_hook_type next_executor_start = NULL;

/* What such a scan keeps, as its ss_currentScanDesc, which is for tables only */
typedef struct LazyScan
{
	ExecProcNodeMtd original;
	const PartsCall *call;
	ExprState  *argument;
	PartsCursor *cursor;		/* NULL if there are no more rows */
	uint64		fingerprint;	/* of the argument, or 0 */
} LazyScan;

/* How many bytes of an argument are looked at, at either end */
#define FINGERPRINT_BYTES	64

/*
 * A number that two different arguments will hardly share.  If they do, they
 * are taken for the same, which only costs time.  One that is out of line is
 * its pointer.
 */
static uint64
FingerprintOf(Datum json)
{
	const unsigned char *bytes = (const unsigned char *) DatumGetPointer(json);
	Size		size = VARSIZE_ANY(bytes);
	Size		n = Min(size, FINGERPRINT_BYTES);

	return hash_bytes_extended(bytes + size - n, n, hash_bytes_extended(bytes, n, size)) | 1;
}

/*
 * Start a scan, or start it again.  False if it would read what it has read
 * before.
 */
static bool
StartScan(FunctionScanState *node, LazyScan *scan)
{
	ExprContext *econtext = node->ss.ps.ps_ExprContext;
	MemoryContext old;
	uint64		before = scan->fingerprint;
	bool		isnull;
	Datum		json;

	MemoryContextReset(node->argcontext);
	ResetExprContext(econtext);
	scan->cursor = NULL;
	old = MemoryContextSwitchTo(node->argcontext);
	json = ExecEvalExpr(scan->argument, econtext, &isnull);
	if (!isnull)
	{
		scan->fingerprint = FingerprintOf(json);
		if (scan->fingerprint != before)
			scan->cursor = PartsOpen(scan->call, json);
	}
	MemoryContextSwitchTo(old);
	return isnull || scan->fingerprint != before;
}

/* Give the next row, as FunctionNext does. */
static TupleTableSlot *
NextRow(ScanState *ss)
{
	LazyScan   *scan = (LazyScan *) ss->ss_currentScanDesc;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;
	MemoryContext old;
	bool		found;
	Part		part;

	ExecClearTuple(slot);
	if (scan->cursor == NULL)
		return slot;
	old = MemoryContextSwitchTo(ss->ps.ps_ExprContext->ecxt_per_tuple_memory);
	found = PartsNext(scan->cursor, &part);
	MemoryContextSwitchTo(old);
	if (!found)
	{
		scan->cursor = NULL;
		return slot;
	}
	for (int i = 0; i < slot->tts_tupleDescriptor->natts; i++)
	{
		slot->tts_values[i] = part.values[i];
		slot->tts_isnull[i] = part.nulls[i];
	}
	return ExecStoreVirtualTuple(slot);
}

static bool
RecheckRow(ScanState *ss, TupleTableSlot *slot)
{
	return true;
}

/*
 * Takes the place of ExecFunctionScan.  The ordinal, which only scans WITH
 * ORDINALITY use, is set to 0 when a scan is to start again.
 */
static TupleTableSlot *
ExecLazyScan(PlanState *pstate)
{
	FunctionScanState *node = castNode(FunctionScanState, pstate);
	LazyScan   *scan = (LazyScan *) node->ss.ss_currentScanDesc;

	if (node->ordinal == 0)
	{
		if (!StartScan(node, scan))
		{
			ExecSetExecProcNode(pstate, scan->original);
			return scan->original(pstate);
		}
		node->ordinal = 1;
	}
	return ExecScan(&node->ss, NextRow, RecheckRow);
}

/*
 * Make a scan lazy, if it is of one of our functions that can be.  Its argument is computed anew when it starts again,
 * which PostgreSQL does only if a parameter of the function has changed, so nobody must be able to tell.
 */
static void
MakeLazy(FunctionScanState *node)
{
	FunctionScan *plan = (FunctionScan *) node->ss.ps.plan;
	FuncExpr   *call;
	FmgrInfo	function;
	const PartsCall *parts;
	LazyScan   *scan;

	if (!node->simple || (node->eflags & EXEC_FLAG_BACKWARD) != 0)
		return;
	call = (FuncExpr *) linitial_node(RangeTblFunction, plan->functions)->funcexpr;
	if (!IsA(call, FuncExpr) || call->funcid < FirstNormalObjectId || list_length(call->args) != 1 ||
		contain_subplans((Node *) call->args) || contain_mutable_functions((Node *) call->args) ||
		HasUsersFunction((Node *) call->args, NULL))
		return;
	fmgr_info(call->funcid, &function);
	parts = PartsCallOf(function.fn_addr);
	if (parts == NULL || node->ss.ss_ScanTupleSlot->tts_tupleDescriptor->natts != PartsWidth(parts))
		return;
	scan = palloc0(sizeof(LazyScan));
	scan->original = node->ss.ps.ExecProcNodeReal;
	scan->call = parts;
	scan->argument = ExecInitExpr(linitial(call->args), &node->ss.ps);
	node->ss.ss_currentScanDesc = (struct TableScanDescData *) scan;
	ExecSetExecProcNode(&node->ss.ps, ExecLazyScan);
}

static bool
FindScans(PlanState *node, void *context)
{
	if (IsA(node, FunctionScanState))
		MakeLazy((FunctionScanState *) node);
	return planstate_tree_walker(node, FindScans, context);
}

/*
 * A plan that depends on no function but PostgreSQL's has none of ours; so most
 * plans are not searched.
 */
static void
StartExecutor(QueryDesc *query, int eflags)
{
	MemoryContext old;

	if (next_executor_start)
		next_executor_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	if (query->plannedstmt->invalItems == NIL || (eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0 ||
		query->planstate == NULL)
		return;
	old = MemoryContextSwitchTo(query->estate->es_query_cxt);
	FindScans(query->planstate, NULL);
	MemoryContextSwitchTo(old);
}

void
InitLazyScans(void)
{
	next_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = StartExecutor;
}
