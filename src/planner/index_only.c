/*-------------------------------------------------------------------------
 *
 * index_only.c
 *		Tables of which an index has all columns.
 *
 * They could be read by an index-only scan.  So could a table that inherits the columns, or a
 * partition, by an index of its own; but these are not locked before the planner knows which of
 * them it needs, and to look at the indexes of all would take long.  So a table that has any counts
 * as if one of them had such an index.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_index.h"
#include "optimizer/cost.h"
#include "planner/index_only.h"
#include "planner/query_parts.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

/* Has it all columns of its table with these numbers? */
static bool
HasColumns(Oid index, const Bitmapset *wanted)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	Form_pg_index form;
	Bitmapset  *columns = NULL;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_index) GETSTRUCT(tuple);
	for (int i = 0; i < form->indnatts; i++)
		columns = bms_add_member(columns, form->indkey.values[i]);
	ReleaseSysCache(tuple);
	return bms_is_subset(wanted, columns);
}

static bool
AnyHasColumns(List *indexes, const Bitmapset *wanted)
{
	ListCell   *cell;

	foreach(cell, indexes)
	{
		if (HasColumns(lfirst_oid(cell), wanted))
			return true;
	}
	return false;
}

/* The numbers of a table's columns */
static Bitmapset *
ColumnNumbers(TupleDesc tupdesc)
{
	Bitmapset  *columns = NULL;

	for (int i = 0; i < tupdesc->natts; i++)
		if (!TupleDescAttr(tupdesc, i)->attisdropped)
			columns = bms_add_member(columns, i + 1);
	return columns;
}

/*
 * Could all columns of a table be read by an index-only scan, or be joined partition by partition?  Its whole row
 * could not, so the plan would be different, and with it the order of rows.
 */
bool
CouldComeFromIndex(RangeTblEntry *rte)
{
	Relation	relation;
	Bitmapset  *columns;
	bool		result = false;

	if (rte->rtekind != RTE_RELATION)
		return false;
	relation = table_open(rte->relid, NoLock);
	columns = ColumnNumbers(RelationGetDescr(relation));
	if (bms_num_members(columns) <= INDEX_MAX_KEYS || enable_partitionwise_join)
		result = HasHeirs(rte) ||
			(relation->rd_rel->relhasindex && AnyHasColumns(RelationGetIndexList(relation), columns));
	table_close(relation, NoLock);
	return result;
}
