/*-------------------------------------------------------------------------
 *
 * state.h
 *		The state of an aggregate: rows, or vectors, collected under a header.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_STATE_H
#define JSONROW_STATE_H

#include "jsonrow.h"

#include "document/document.h"
#include "write/writer.h"

/*
 * The state of one group of an aggregate.  There may be very many of them,
 * so it is small, and has no memory context of its own.
 */
typedef struct DocumentState
{
	const Writer *writer;
	bool		by_column;
	bool		line_feeds;		/* JSON text: all rows except the first begin
								 * a line */
	bool		finished;		/* rows.data is the finished document */
	uint32		header_id;		/* number of the last planned header that
								 * agreed */
	Header	   *header;			/* NULL before the first row that isn't NULL,
								 * and in a bare array of rows */
	JsonbElement types;			/* the member that could not be read into the
								 * header; data is NULL if there is none */
	bool		typed;			/* a document that does not tell its columns
								 * has a member "types", an empty array */

	/* What is collected: see elements.h */
	Output		rows;
	Output	   *columns;		/* column orientation: the vectors, once there
								 * is a header, and nothing in rows */
	uint32		nrows;
	Size		size;			/* of all of this */
	Size		headlen;		/* bytes at the beginning of rows that are the
								 * head */

	MemoryContext context;		/* of this struct and of its header; what a
								 * row adds to the header is in rows.context,
								 * which lives just as long */
} DocumentState;

extern DocumentState *StateCreate(const Writer *writer, bool by_column,
								  MemoryContext context, MemoryContext result_context);
extern void StateSetSpacing(DocumentState *state, bool spaced, bool line_feeds);
extern void StateAddValue(DocumentState *state, ColumnPlan *plan, Datum value);
extern void StateAddRow(DocumentState *state, RowPlan *plan, bool lasting,
						const NullableDatum *cells);
extern void StateAddNullRow(DocumentState *state);
extern void StateAppend(DocumentState *state, const DocumentState *other);
extern JsonbElement StateTypes(const DocumentState *state, const Header *header,
							   DocumentFormat format);
extern void StateAppendDocument(DocumentState *state, const Document *doc);
extern Datum StateFinish(DocumentState *state, const Header *header, bool keep);
pg_noreturn pg_noinline extern void ReportColumnsDiffer(void);
pg_noreturn pg_noinline extern void ReportBadState(void);

/* state_io.c */
extern bytea *StateSerialize(const DocumentState *state);
extern DocumentState *StateDeserialize(bytea *bytes);

/* The number of arrays of elements, and one of them */
static inline int
StateArrayCount(const DocumentState *state)
{
	if (!state->by_column)
		return 1;
	return state->columns ? state->header->ncols : 0;
}

static inline Output *
StateArray(const DocumentState *state, int i)
{
	return state->by_column ? &state->columns[i] : unconstify(Output *, &state->rows);
}

#endif							/* JSONROW_STATE_H */
