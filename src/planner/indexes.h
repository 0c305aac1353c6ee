/*-------------------------------------------------------------------------
 *
 * indexes.h
 *		What the indexes of a table have to do with a query's conditions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_INDEXES_H
#define JSONROW_INDEXES_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"
#include "utils/rel.h"

/* PostgreSQL takes a table that was never analyzed to have as many blocks at least. */
#define GUESSED_PAGES	10

/* A column of an index, and its table in a query */
typedef struct KeyColumn
{
	int			varno;
	AttrNumber	attno;
	Oid			opfamily;
	Oid			opcintype;
	Oid			collation;
} KeyColumn;

/* Is an index of an item of FROM the one that is looked for? */
typedef bool (*IndexTest) (Relation index, int varno, void *context);

extern BlockNumber PagesOfRelation(Relation relation);
extern bool FindIndex(const Query *query, int varno, IndexTest test, void *context);
extern bool IsBtreeOfColumns(Relation index);
extern bool IsWholeBtree(Relation index);
extern KeyColumn KeyColumnOf(Relation index, int i, int varno);
extern bool IsKeyColumn(Node *expr, const KeyColumn *column);
extern Node *ComparedTo(Node *condition, const KeyColumn *column, Oid *operator);

#endif							/* JSONROW_INDEXES_H */
