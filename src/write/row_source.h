/*-------------------------------------------------------------------------
 *
 * row_source.h
 *		The values of one row, wherever the executor has put them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROW_SOURCE_H
#define JSONROW_ROW_SOURCE_H

#include "jsonrow.h"

#include "utils/array.h"
#include "write/row_plan.h"

/* What an aggregate makes of its rows, apart from the format */
typedef struct RowLayout
{
	RowForm		form;
	NestedForm	nested;
	bool		takes_names;	/* two and more arguments are names and values */
	bool		spreads;		/* a single composite argument is a row */
	bool		by_column;
	bool		spaced;			/* JSON text: a blank between two rows */
	bool		line_feeds;		/* ... and each row on a line of its own */
} RowLayout;

/* Is the result a document, with a header? */
static inline bool
RowLayoutHasHeader(const RowLayout *layout)
{
	return layout->nested == NESTED_HOISTED;
}

/* Where an aggregate's rows come from, and what is known about them */
typedef struct RowSource
{
	PlanContext *shared;
	const RowLayout *layout;
	RowPlan    *rows;			/* the row types seen, the latest first */

	int			first;			/* the first argument that is a value */
	bool		direct;			/* arguments are cells, and nothing changes */
	bool		composite;		/* that argument is a whole row */
	const Header *by_query;		/* ... and what the query tells about it */

	bool		variadic;		/* that argument is a VARIADIC array of values */
	Oid			variadic_type;	/* the type of its elements */
	int			capacity;		/* the number of them for which rows->cells
								 * has room */

	/* The names form only: cols as it was when rows were planned */
	bool		named;
	bool		cols_const;		/* it cannot change during the query */
	ArrayType  *cols;
	int			nnames;
	MemoryContext names;		/* of it, and of what was made from it */
} RowSource;

extern RowSource *RowSourceCreate(FunctionCallInfo fcinfo, const Writer *writer,
								  const RowLayout *layout);
extern const NullableDatum *RowSourceFetch(RowSource *source, FunctionCallInfo fcinfo);

/*
 * The values of the row that the aggregate is called with, for the plan
 * source->rows; NULL if the row itself is NULL.
 */
static inline const NullableDatum *
RowSourceNext(RowSource *source, FunctionCallInfo fcinfo)
{
	if (likely(source->direct))
		return &fcinfo->args[source->first];
	return RowSourceFetch(source, fcinfo);
}

#endif							/* JSONROW_ROW_SOURCE_H */
