/*-------------------------------------------------------------------------
 *
 * row_plan.h
 *		How the rows of one type are written: a plan for each column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROW_PLAN_H
#define JSONROW_ROW_PLAN_H

#include "jsonrow.h"

#include "document/row_type.h"
#include "write/column_plan.h"

struct RowPlan
{
	int			ncols;
	ColumnPlan *cols;
	int			step;			/* 0 if all columns have the first one's plan */
	Header	   *header;			/* NULL if not by position */

	List	   *nested;			/* the row types of its columns, at every
								 * depth, each once: the header was made from
								 * them */

	/* For a row that comes as a composite */
	RowType    *type;
	AttributePlan *attributes;	/* of the type, one each */
	NullableDatum *cells;		/* room for one row, and one cell more for the
								 * dropped columns */

	RowPlan    *next;			/* another row type of the same column */
};

extern RowPlan *RowPlanFor(RowPlan **known, PlanContext *shared,
						   Oid typid, int32 typmod, const Header *told);
extern bool RowPlanIsOutdated(const RowPlan *row);
extern List *AddRowTypes(List *types, PlanContext *shared, Oid typid);
extern void RegisterHeader(PlanContext *shared, Header *header, const Header *told);

#endif							/* JSONROW_ROW_PLAN_H */
