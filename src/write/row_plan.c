/*-------------------------------------------------------------------------
 *
 * row_plan.c
 *		How the rows of one type are written: a plan for each column.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "write/describe.h"
#include "write/row_plan.h"
#include "write/type_names.h"
#include "write/writer.h"

/*
 * The query may tell that all values of a column of type json or jsonb are
 * documents: see hidden_documents.c.
 */
static void
EnterByQuery(Header *header, const Header *by_query)
{
	check_stack_depth();
	if (by_query == NULL || by_query->ncols != header->ncols)
		return;
	for (int i = 0; i < header->ncols; i++)
	{
		HeaderColumn *column = &header->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (IsDocumentByQuery(&by_query->cols[i], column->typid))
			column->shape = COLUMN_ROWS;
		else if (column->shape == COLUMN_ROW && column->nested != NULL)
			EnterByQuery(column->nested, by_query->cols[i].nested);
	}
	HeaderUpdateAll(header);
}

/*
 * Number the header of planned rows, and name its types if documents are to
 * include them.  If no row can add to it, make its bytes once for all
 * documents.
 */
void
RegisterHeader(PlanContext *shared, Header *header, const Header *by_query)
{
	EnterByQuery(header, by_query);
	if (shared->typed)
		HeaderNameTypes(header);
	header->id = ++shared->last_header_id;
	if (!header->incomplete)
		HeaderEncodeOnce(header, shared->writer->format);
	AssertCheckHeader(header);
}

/* A named row type as it is now, shared by all plans */
static RowType *
RowTypeNamed(PlanContext *shared, Oid typid)
{
	MemoryContext old;
	RowType    *type;
	ListCell   *cell;

	foreach(cell, shared->row_types)
	{
		type = lfirst(cell);
		if (type->typid == typid)
		{
			if (!RowTypeIsAltered(type))
				return type;
			shared->row_types = foreach_delete_current(shared->row_types, cell);
			break;
		}
	}
	old = MemoryContextSwitchTo(shared->context);
	type = palloc(sizeof(RowType));
	RowTypeLoad(type, typid, -1);
	shared->row_types = lappend(shared->row_types, type);
	MemoryContextSwitchTo(old);
	return type;
}

/* Add the row types from which a column's header is made to a list. */
List *
AddRowTypes(List *types, PlanContext *shared, Oid typid)
{
	MemoryContext old;
	RowType    *type;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	typid = getBaseType(typid);
	if (shared->nested != NESTED_HOISTED || typid == RECORDOID || !type_is_rowtype(typid))
		return types;
	type = RowTypeNamed(shared, typid);
	if (list_member_ptr(types, type))
		return types;
	old = MemoryContextSwitchTo(shared->context);
	types = lappend(types, type);
	MemoryContextSwitchTo(old);
	for (int i = 0; i < type->tupdesc->natts; i++)
		if (!TupleDescAttr(type->tupdesc, i)->attisdropped)
			types = AddRowTypes(types, shared, TupleDescAttr(type->tupdesc, i)->atttypid);
	return types;
}

/* How an attribute lies in a composite; a dropped one has no column. */
static void
PlanAttribute(AttributePlan *attribute, Form_pg_attribute att, int column)
{
	attribute->typlen = att->attlen;
	attribute->typbyval = att->attbyval;
	attribute->alignment = AlignmentInBytes(att->attalign);
	attribute->cell = column;
}

/*
 * Put the keys of objects into jsonb's order, and decide whether values must
 * nevertheless be written in the order of the columns: if several may raise
 * errors, PostgreSQL would report the first of them, and a value is computed even
 * if its name comes again.
 */
void
RowPlanSortKeys(RowPlan *row, const Header *names)
{
	bool		sorted = true;
	bool		distinct;
	int			may_raise = 0;

	ObjectKeysInit(&row->keys, names);
	distinct = row->keys.nkeys == row->ncols;
	for (int i = 0; i < row->keys.nkeys; i++)
		sorted &= row->keys.columns[i] == i;
	if (sorted && distinct)
		return;
	for (int i = 0; i < row->ncols; i++)
		may_raise += WritingMayRaise(row->cols[i * row->step].typid);
	row->in_order = may_raise > (distinct ? 1 : 0);
}

/*
 * Set what planned rows are written as.  If it is an object, names are its
 * keys; what is made from them is allocated in the current memory context.
 */
void
RowPlanSetForm(RowPlan *row, const PlanContext *shared, RowForm form, const Header *names)
{
	const Writer *writer = shared->writer;

	row->form = form;
	row->write = RowFormIsObject(form) ? writer->object : writer->array;
	if (RowFormIsObject(form))
		writer->name_values(row, names);
}

/*
 * Plan the rows of a descriptor, which is kept; by_query is what the query tells
 * about them, or NULL.
 */
RowPlan *
RowPlanOfDescriptor(PlanContext *shared, RowForm form, TupleDesc tupdesc, const Header *by_query)
{
	MemoryContext old = MemoryContextSwitchTo(shared->context);
	RowPlan    *row = palloc0(sizeof(RowPlan));
	Header	   *names;

	names = shared->nested == NESTED_HOISTED ? DescribeTupleDesc(tupdesc, &shared->domains) :
		NamesOfTupleDesc(tupdesc);
	if (by_query != NULL && by_query->ncols != names->ncols)
		by_query = NULL;
	if (shared->nested == NESTED_HOISTED)
	{
		row->header = names;
		RegisterHeader(shared, row->header, by_query);
	}
	row->step = 1;
	row->cols = palloc0(tupdesc->natts * sizeof(ColumnPlan));
	row->cells = palloc((tupdesc->natts + 1) * sizeof(NullableDatum));
	row->attributes = palloc(tupdesc->natts * sizeof(AttributePlan));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		PlanAttribute(&row->attributes[i], att, att->attisdropped ? tupdesc->natts : row->ncols);
		if (att->attisdropped)
			continue;
		PlanColumn(&row->cols[row->ncols], shared, att->atttypid, ColumnByQuery(by_query, row->ncols));
		row->nested = AddRowTypes(row->nested, shared, att->atttypid);
		row->ncols++;
	}
	RowPlanSetForm(row, shared, form, names);
	MemoryContextSwitchTo(old);
	return row;
}

/* Plan the rows of a composite type. */
static RowPlan *
PlanRowType(PlanContext *shared, RowForm form, Oid typid, int32 typmod, const Header *by_query)
{
	RowType    *type;
	RowPlan    *row;

	check_stack_depth();
	if (typid != RECORDOID)
		type = RowTypeNamed(shared, typid);
	else
	{
		MemoryContext old = MemoryContextSwitchTo(shared->context);

		type = palloc(sizeof(RowType));
		RowTypeLoad(type, typid, typmod);
		MemoryContextSwitchTo(old);
	}
	row = RowPlanOfDescriptor(shared, form, type->tupdesc, by_query);
	row->type = type;
	return row;
}

/* Has one of the row types that a plan was made from been altered? */
bool
RowPlanIsOutdated(const RowPlan *row)
{
	ListCell   *cell;

	if (row->type != NULL && RowTypeIsAltered(row->type))
		return true;
	foreach(cell, row->nested)
	{
		if (RowTypeIsAltered(lfirst(cell)))
			return true;
	}
	return false;
}

/* Remove the plan of a row type from those known; NULL if it isn't there. */
static RowPlan *
TakeRowPlan(RowPlan **known, Oid typid, int32 typmod)
{
	RowPlan    *row;

	for (RowPlan **link = known; (row = *link) != NULL; link = &row->next)
	{
		CHECK_FOR_INTERRUPTS();
		if (row->type->typid == typid && row->type->typmod == typmod)
		{
			*link = row->next;
			return row;
		}
	}
	return NULL;
}

/*
 * The plan of a row type among those known, or a new one.  A record may change
 * its type from row to row; the session knows a limited number of them.  by_query
 * is what the query tells about the rows, or NULL.
 */
RowPlan *
RowPlanFor(RowPlan **known, PlanContext *shared, RowForm form,
		   Oid typid, int32 typmod, const Header *by_query)
{
	RowPlan    *row = *known;

	if (likely(row != NULL && row->type->typid == typid && row->type->typmod == typmod &&
			   !RowPlanIsOutdated(row)))
		return row;
	row = TakeRowPlan(known, typid, typmod);
	if (row == NULL || RowPlanIsOutdated(row))
		row = PlanRowType(shared, form, typid, typmod, by_query);
	row->next = *known;
	*known = row;
	return row;
}
