/*-------------------------------------------------------------------------
 *
 * receiver.h
 *		Rows from the executor, as JSON in pieces that end between rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_RECEIVER_H
#define JSONROW_RECEIVER_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/output.h"
#include "nodes/params.h"
#include "nodes/plannodes.h"
#include "tcop/dest.h"
#include "write/row_plan.h"

/* A piece is handed on once it has this many bytes. */
#define PIECE_SIZE	(64 * 1024)

/* What the pieces of a stream make, put together */
typedef enum StreamForm
{
	STREAM_ROWS,				/* {"cols":HEADER,"rows":[ROW,...]} */
	STREAM_LINES,				/* {"cols":HEADER}, each row, {"rows":n}: one
								 * line each */
	STREAM_OBJECTS,				/* [OBJECT,...] */
	STREAM_OBJECT_LINES,		/* each object on a line */
} StreamForm;

static inline bool
StreamHasHeader(StreamForm form)
{
	return form == STREAM_ROWS || form == STREAM_LINES;
}

static inline bool
StreamHasLines(StreamForm form)
{
	return form == STREAM_LINES || form == STREAM_OBJECT_LINES;
}

typedef struct RowReceiver
{
	DestReceiver pub;
	StreamForm	form;
	MemoryContext context;		/* of everything that is kept */
	MemoryContext row_context;	/* of what one row needs */
	PlanContext *shared;
	TupleDesc	tupdesc;		/* of the rows; NULL before the first */
	RowPlan    *rows;
	Header	   *header;			/* NULL if the form has none */
	Header	   *by_query;		/* what the query tells about it, or NULL */
	Output		piece;			/* with room for a varlena header in front */
	bool		begun;			/* what precedes the rows has been written */
	bool		ended;			/* so has what follows them */
	uint64		nrows;

	/*
	 * What to do with a full piece; returns whether more rows may come now.
	 */
	bool		(*full) (struct RowReceiver *receiver);
	void	   *owner;			/* for full */
} RowReceiver;

extern RowReceiver *RowReceiverCreate(StreamForm form, MemoryContext context);
extern void RowReceiverTell(RowReceiver *receiver, PlannedStmt *stmt, ParamListInfo params);
extern bool RowReceiverEnd(RowReceiver *receiver);
extern struct varlena *RowReceiverPiece(RowReceiver *receiver);
extern void RowReceiverNextPiece(RowReceiver *receiver);

static inline bool
RowReceiverIsFull(const RowReceiver *receiver)
{
	return receiver->piece.len >= VARHDRSZ + PIECE_SIZE;
}

#endif							/* JSONROW_RECEIVER_H */
