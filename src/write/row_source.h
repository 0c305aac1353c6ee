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
#include "write/column_plan.h"

/* Where an aggregate's rows come from, and what is known of them */
typedef struct RowSource
{
	PlanContext *shared;
	RowPlan    *rows;			/* the row types seen, the latest first */

	int			first;			/* the first argument that is a value */
	bool		direct;			/* arguments are cells, and nothing changes */
	bool		composite;		/* that argument is a whole row */
	bool		variadic;		/* or an array of values: VARIADIC array */
	Oid			variadic_type;	/* of its elements */
	int			capacity;		/* of them that rows has room for */

	/* The names form only: cols as it was when rows was planned */
	bool		named;
	bool		cols_const;		/* it cannot change during the query */
	ArrayType  *cols;
	MemoryContext names;		/* of it, and of the header made from it */
} RowSource;

extern RowSource *RowSourceCreate(FunctionCallInfo fcinfo, const Writer *writer,
								  bool has_header);
extern const NullableDatum *FindRow(RowSource *source, FunctionCallInfo fcinfo);

/*
 * The values of the row that the aggregate is called with, for the plan
 * source->rows; NULL if the row itself is NULL.
 */
static inline const NullableDatum *
RowSourceNext(RowSource *source, FunctionCallInfo fcinfo)
{
	if (likely(source->direct))
		return &fcinfo->args[source->first];
	return FindRow(source, fcinfo);
}

#endif							/* JSONROW_ROW_SOURCE_H */
