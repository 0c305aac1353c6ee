/*-------------------------------------------------------------------------
 *
 * index_only.c
 *		Tables of which an index has all columns.
 *
 * They could be read by an index-only scan.  So could a table that inherits the
 * columns, or a partition, by an index of its own.  These are not locked before the
 * planner knows which of them it needs, so only catalogs are looked at.  To look at
 * 31 partitions takes longer than to plan a query that reads one of them; so it is
 * kept how wide their widest index is, which hardly any row of a table fits in.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "planner/index_only.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

/* More tables that inherit from one are not looked at. */
#define MAX_CHILDREN	32

/*
 * Indexes
 */

/* The number of columns in an index; all is false if these are not all of its table's with these numbers */
static int
ColumnsOfIndex(Oid index, const Bitmapset *wanted, bool *all)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	Form_pg_index form;
	Bitmapset  *columns = NULL;
	int			result;

	*all = false;
	if (!HeapTupleIsValid(tuple))
		return 0;
	form = (Form_pg_index) GETSTRUCT(tuple);
	result = form->indnatts;
	if (result >= bms_num_members(wanted))
	{
		for (int i = 0; i < result; i++)
			columns = bms_add_member(columns, form->indkey.values[i]);
		*all = bms_is_subset(wanted, columns);
	}
	ReleaseSysCache(tuple);
	return result;
}

/* Has one of them all these columns?  Also tells how many the widest has. */
static bool
HaveColumns(List *indexes, const Bitmapset *wanted, int *widest)
{
	bool		result = false;
	ListCell   *cell;

	*widest = 0;
	foreach(cell, indexes)
	{
		bool		all;

		*widest = Max(*widest, ColumnsOfIndex(lfirst_oid(cell), wanted, &all));
		result |= all;
	}
	return result;
}

/* The indexes of a table that is not locked, so that it may have gone */
static List *
IndexesOf(Oid table)
{
	Relation	catalog = table_open(IndexRelationId, AccessShareLock);
	List	   *indexes = NIL;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_index_indrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(table));
	scan = systable_beginscan(catalog, IndexIndrelidIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		indexes = lappend_oid(indexes, ((Form_pg_index) GETSTRUCT(tuple))->indexrelid);
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return indexes;
}

/*
 * The widest index of a table, as it is known
 */

typedef struct KnownTable
{
	Oid			table;
	int			widest;			/* how many columns its widest index has */
} KnownTable;

static HTAB *known_tables = NULL;

/* How often tables have changed, as far as this session knows */
static uint64 table_changes = 0;

static void
ForgetTable(Datum arg, Oid table)
{
	HASH_SEQ_STATUS all;
	KnownTable *known;

	table_changes++;
	if (OidIsValid(table))
	{
		(void) hash_search(known_tables, &table, HASH_REMOVE, NULL);
		return;
	}
	hash_seq_init(&all, known_tables);
	while ((known = hash_seq_search(&all)) != NULL)
		(void) hash_search(known_tables, &known->table, HASH_REMOVE, NULL);
}

static void
InitKnownTables(void)
{
	HASHCTL		layout = {.keysize = sizeof(Oid),.entrysize = sizeof(KnownTable)};

	if (known_tables != NULL)
		return;
	known_tables = hash_create("jsonrow tables with indexes", 64, &layout, HASH_ELEM | HASH_BLOBS);
	CacheRegisterRelcacheCallback(ForgetTable, (Datum) 0);
}

/*
 * Tables that inherit
 */

/* The numbers that a table's columns have in it, or in one that inherits them */
static Bitmapset *
ColumnNumbers(TupleDesc tupdesc, Oid table)
{
	Bitmapset  *columns = NULL;

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		AttrNumber	attno = att->attrelid == table ? att->attnum : get_attnum(table, NameStr(att->attname));

		if (!att->attisdropped && attno > 0)
			columns = bms_add_member(columns, attno);
	}
	return columns;
}

/* Has it an index with these columns of another? */
static bool
ChildHasIndex(Oid child, TupleDesc tupdesc, int ncolumns)
{
	uint64		now = table_changes;
	KnownTable *known = hash_search(known_tables, &child, HASH_FIND, NULL);
	bool		result;
	int			widest;

	if (known != NULL && known->widest < ncolumns)
		return false;
	result = HaveColumns(IndexesOf(child), ColumnNumbers(tupdesc, child), &widest);
	if (table_changes == now)
	{
		known = hash_search(known_tables, &child, HASH_ENTER, NULL);
		known->widest = widest;
	}
	return result;
}

static bool
ChildrenHaveIndex(Oid table, TupleDesc tupdesc, int ncolumns)
{
	List	   *children;
	ListCell   *cell;

	if (!has_subclass(table))
		return false;
	children = find_all_inheritors(table, NoLock, NULL);
	if (list_length(children) > MAX_CHILDREN)
		return true;
	InitKnownTables();
	foreach(cell, children)
	{
		if (lfirst_oid(cell) != table && ChildHasIndex(lfirst_oid(cell), tupdesc, ncolumns))
			return true;
	}
	return false;
}

/*
 * Could all columns of a table be read by an index-only scan?  Its whole row
 * could not, so the plan would be different, and with it the order of rows.
 */
bool
CouldComeFromIndex(RangeTblEntry *rte)
{
	Relation	relation;
	Bitmapset  *columns;
	int			ncolumns,
				widest;
	bool		result = false;

	if (rte->rtekind != RTE_RELATION)
		return false;
	relation = table_open(rte->relid, NoLock);
	columns = ColumnNumbers(RelationGetDescr(relation), rte->relid);
	ncolumns = bms_num_members(columns);
	if (ncolumns <= INDEX_MAX_KEYS)
		result = (relation->rd_rel->relhasindex && HaveColumns(RelationGetIndexList(relation), columns, &widest)) ||
			(rte->inh && ChildrenHaveIndex(rte->relid, RelationGetDescr(relation), ncolumns));
	table_close(relation, NoLock);
	return result;
}
