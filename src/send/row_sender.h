/*-------------------------------------------------------------------------
 *
 * row_sender.h
 *		Rows to the client, their JSON printed by us.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROW_SENDER_H
#define JSONROW_ROW_SENDER_H

#include "jsonrow.h"

#include "executor/tuptable.h"
#include "format/output.h"
#include "tcop/dest.h"

/* Who prints a column */
typedef enum ColumnPrinter
{
	PRINT_JSONB,
	PRINT_JSON,
	PRINT_BY_TYPE,				/* the type's own function */
} ColumnPrinter;

typedef struct SentColumn SentColumn;

/* It stands before PostgreSQL's receiver for one run of the executor. */
typedef struct RowSender
{
	DestReceiver pub;
	DestReceiver *next;			/* PostgreSQL's */
	const int16 *formats;		/* that the client asked for; NULL: text */
	TupleDesc	tupdesc;		/* for which the columns were planned, or NULL */
	SentColumn *columns;
	TupleTableSlot *slot;		/* the row that is being sent */
	Output		message;
	MemoryContext row_context;	/* of what one row needs */
} RowSender;

extern ColumnPrinter PrinterOfType(Oid type);
extern void RowSenderInit(RowSender *sender, DestReceiver *next, const int16 *formats);

#endif							/* JSONROW_ROW_SENDER_H */
