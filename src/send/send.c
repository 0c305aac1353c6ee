/*-------------------------------------------------------------------------
 *
 * send.c
 *		Results on their way to the client.
 *
 * For one run of the executor, a receiver of ours takes the place of the one
 * that sends rows to the client, if there is JSON among the columns.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/printtup.h"
#include "executor/executor.h"
#include "planner/accelerate.h"
#include "send/row_sender.h"
#include "send/send.h"
#include "tcop/pquery.h"

static ExecutorRun_hook_type next_run = NULL;

/* What PostgreSQL's receiver for clients does with a row: how we know it */
static bool (*print_row) (TupleTableSlot *slot, DestReceiver *self);

/*
 * Does PostgreSQL's own receiver send this to the client, for a portal that
 * runs now?  Queries within it have other receivers, and what comes out of a
 * tuplestore has not been there when the executor ran.  Other receivers for
 * clients are those of other extensions, and theirs to serve.
 */
static bool
IsSentToClient(const QueryDesc *query)
{
	return query->dest->receiveSlot == print_row && query->operation == CMD_SELECT &&
		ActivePortal != NULL && ActivePortal->strategy == PORTAL_ONE_SELECT &&
		ActivePortal->queryDesc == query;
}

/* Is there a column for us, and no format that PostgreSQL would refuse? */
static bool
HasJson(TupleDesc tupdesc, const int16 *formats)
{
	bool		found = false;

	for (int i = 0; i < tupdesc->natts; i++)
	{
		if (formats != NULL && formats[i] != 0 && formats[i] != 1)
			return false;
		found = found || PrinterOfType(TupleDescAttr(tupdesc, i)->atttypid) != PRINT_BY_TYPE;
	}
	return found;
}

static void
RunNext(EXECUTOR_RUN_PARAMETERS)
{
	if (next_run)
		next_run(EXECUTOR_RUN_ARGUMENTS);
	else
		standard_ExecutorRun(EXECUTOR_RUN_ARGUMENTS);
}

static void
RunAndSend(EXECUTOR_RUN_PARAMETERS)
{
	DestReceiver *dest = query->dest;
	RowSender	sender;

	if (!AccelerationIsOn() || !IsSentToClient(query) || !HasJson(query->tupDesc, ActivePortal->formats))
	{
		RunNext(EXECUTOR_RUN_ARGUMENTS);
		return;
	}
	RowSenderInit(&sender, dest, ActivePortal->formats);
	query->dest = &sender.pub;
	PG_TRY();
	{
		RunNext(EXECUTOR_RUN_ARGUMENTS);
	}
	PG_FINALLY();
	{
		query->dest = dest;
	}
	PG_END_TRY();
}

void
InitSending(void)
{
	DestReceiver *example = printtup_create_DR(DestRemote);

	print_row = example->receiveSlot;
	example->rDestroy(example);
	next_run = ExecutorRun_hook;
	ExecutorRun_hook = RunAndSend;
}
