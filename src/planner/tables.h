/*-------------------------------------------------------------------------
 *
 * tables.h
 *		What the catalogs tell of a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TABLES_H
#define JSONROW_TABLES_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"
#include "utils/rel.h"

/* PostgreSQL takes a table that was never analyzed to have as many blocks at least. */
#define GUESSED_PAGES	10

typedef struct TableSize
{
	double		pages;
	double		rows;
} TableSize;

/* A column of an index, and its table in a query */
typedef struct KeyColumn
{
	int			varno;
	AttrNumber	attno;
	Oid			opfamily;
	Oid			opcintype;
	Oid			collation;
} KeyColumn;

/* What statistics tell of a column */
typedef struct Frequency
{
	double		rows;			/* of its table */
	double		width;			/* of a value, in bytes */
	double		nulls;			/* their share that is NULL */
	double		values;			/* different ones; 0 if that is not known */
	double		commonest;		/* rows with the commonest one */
} Frequency;

/* Is an index of an item of FROM the one that is looked for? */
typedef bool (*IndexTest) (Relation index, int varno, void *context);

extern BlockNumber PagesOfRelation(Relation relation);
extern TableSize SizeOfTable(Oid relid);
extern bool IsNeverAnalyzed(Oid relid, bool is_small);
extern bool IsSeenWhole(const RangeTblEntry *table);
extern bool FindIndex(const Query *query, int varno, IndexTest test, void *context);
extern bool IsBtreeOfColumns(Relation index);
extern bool IsWholeBtree(Relation index);
extern KeyColumn KeyColumnOf(Relation index, int i, int varno);
extern bool IsKeyColumn(Node *expr, const KeyColumn *column);
extern bool IsClauseOfKey(const Query *query, SortGroupClause *clause, const KeyColumn *column);
extern Node *ComparedTo(Node *condition, const KeyColumn *column, Oid *operator);
extern bool FindFrequency(const RangeTblEntry *table, AttrNumber attno, Frequency *frequency);
extern double MostRowsOfKey(const Query *query, Node *key);

#endif							/* JSONROW_TABLES_H */
