/*-------------------------------------------------------------------------
 *
 * index_only.c
 *		Tables of which an index has all columns.
 *
 * They could be read by an index-only scan.  So could a table that inherits the
 * columns, or a partition, by an index of its own.  These are not locked before the
 * planner knows which of them it needs, so only catalogs are looked at.  To look at
 * 31 partitions takes longer than to plan a query that reads one of them; so only how
 * wide their widest index is decides, which hardly any row of a table fits in, and that
 * is kept.  If one is as wide, but has other columns, a row stays for nothing.
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
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

/* More tables that inherit from one are not looked at. */
#define MAX_CHILDREN	32

/*
 * Indexes
 */

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

/* How many columns the widest index has of a table that is not locked, so that it may have gone; 0 if it has none */
static int
WidestIndex(Oid table)
{
	Relation	catalog = table_open(IndexRelationId, AccessShareLock);
	int			widest = 0;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_index_indrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(table));
	scan = systable_beginscan(catalog, IndexIndrelidIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		widest = Max(widest, ((Form_pg_index) GETSTRUCT(tuple))->indnatts);
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return widest;
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

/* Has it an index with so many columns? */
static bool
ChildHasIndex(Oid child, int ncolumns)
{
	uint64		now = table_changes;
	KnownTable *known = hash_search(known_tables, &child, HASH_FIND, NULL);
	int			widest = known != NULL ? known->widest : WidestIndex(child);

	if (known == NULL && table_changes == now)
	{
		known = hash_search(known_tables, &child, HASH_ENTER, NULL);
		known->widest = widest;
	}
	return widest >= ncolumns;
}

static bool
ChildrenHaveIndex(Oid table, int ncolumns)
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
		if (lfirst_oid(cell) != table && ChildHasIndex(lfirst_oid(cell), ncolumns))
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
 * Could all columns of a table be read by an index-only scan?  Its whole row
 * could not, so the plan would be different, and with it the order of rows.
 */
bool
CouldComeFromIndex(RangeTblEntry *rte)
{
	Relation	relation;
	Bitmapset  *columns;
	int			ncolumns;
	bool		result = false;

	if (rte->rtekind != RTE_RELATION)
		return false;
	relation = table_open(rte->relid, NoLock);
	columns = ColumnNumbers(RelationGetDescr(relation));
	ncolumns = bms_num_members(columns);
	if (ncolumns <= INDEX_MAX_KEYS)
		result = (relation->rd_rel->relhasindex && AnyHasColumns(RelationGetIndexList(relation), columns)) ||
			(rte->inh && ChildrenHaveIndex(rte->relid, ncolumns));
	table_close(relation, NoLock);
	return result;
}
