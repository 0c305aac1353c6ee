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

#include "document/object_keys.h"
#include "document/row_type.h"
#include "write/column_plan.h"

/*
 * What a row is written as.  In jsonb the forms differ only as array and
 * object; in JSON text also in white space, as PostgreSQL's functions do.
 */
typedef enum RowForm
{
	ROW_ARRAY,					/* [1,2] */
	ROW_ARRAY_SPACED,			/* [1, 2], as json_build_array */
	ROW_OBJECT,					/* {"a":1,"b":2}, as row_to_json */
	ROW_OBJECT_SPACED,			/* {"a" : 1, "b" : 2}, as json_build_object */
	ROW_OBJECT_LINES,			/* a line for each value, as row_to_json(row,
								 * true) */
} RowForm;

static inline bool
RowFormIsObject(RowForm form)
{
	return form >= ROW_OBJECT;
}

/*
 * What is written before a value of an object in JSON text, including the key
 */
typedef struct ValueLead
{
	const char *text;			/* VALUE_LEAD_PADDING more bytes can be read */
	uint32		len;
} ValueLead;

#define VALUE_LEAD_PADDING	16

/*
 * Write one row; header is NULL if there is none.  Returns the same as a
 * CellWriter.
 */
typedef JEntry (*RowWriter) (Output *out, RowPlan *plan, Header *header,
							 const NullableDatum *cells);

struct RowPlan
{
	RowWriter	write;
	RowForm		form;
	int			ncols;
	ColumnPlan *cols;
	int			step;			/* 0 if all columns have the first one's plan */
	Header	   *header;			/* NULL if not by position */

	/* For a row that becomes an object: its names in the format */
	ObjectKeys	keys;			/* jsonb, and its text */
	bool		in_order;		/* jsonb, and its text: values are written in
								 * the order of the columns first, and later
								 * put in that of the keys */
	ValueLead  *leads;			/* JSON text, one for each key */

	List	   *nested;			/* the row types of its columns, at every
								 * depth, each once; the header was made from
								 * them */

	/* For a row that comes as a tuple */
	RowType    *type;			/* of a composite, else NULL */
	AttributePlan *attributes;	/* of the descriptor, one each */
	NullableDatum *cells;		/* room for one row, and one more cell for the
								 * dropped columns */

	RowPlan    *next;			/* another row type of the same column */
};

extern RowPlan *RowPlanOfDescriptor(PlanContext *shared, RowForm form, TupleDesc tupdesc,
									const Header *by_query);
extern RowPlan *RowPlanFor(RowPlan **known, PlanContext *shared, RowForm form,
						   Oid typid, int32 typmod, const Header *by_query);
extern void RowPlanSetForm(RowPlan *row, const PlanContext *shared, RowForm form,
						   const Header *names);
extern void RowPlanSortKeys(RowPlan *row, const Header *names);
extern bool RowPlanIsOutdated(const RowPlan *row);
extern List *AddRowTypes(List *types, PlanContext *shared, Oid typid);
extern void RegisterHeader(PlanContext *shared, Header *header, const Header *by_query);

#endif							/* JSONROW_ROW_PLAN_H */
