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

/* Where an aggregate's rows come from, and what is known of them */
typedef struct RowSource
{
	PlanContext *shared;
	RowPlan    *rows;			/* the row types seen, the latest first */

	int			first;			/* the first argument that is a value */
	bool		direct;			/* arguments are cells, and nothing changes */
	bool		composite;		/* that argument is a whole row */
	const Header *told;			/* ... and what the query tells of it */

	bool		variadic;		/* that argument is a VARIADIC array of values */
	Oid			variadic_type;	/* the type of its elements */
	int			capacity;		/* for how many of them rows->cells has room */

	/* The names form only: cols as it was when rows was planned */
	bool		named;
	bool		cols_const;		/* it cannot change during the query */
	ArrayType  *cols;
	MemoryContext names;		/* of it, and of the header made from it */
} RowSource;

extern RowSource *RowSourceCreate(FunctionCallInfo fcinfo, const Writer *writer,
								  bool has_header);
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
