/*-------------------------------------------------------------------------
 *
 * frequency.h
 *		How many rows have the same key, as statistics tell.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FREQUENCY_H
#define JSONROW_FREQUENCY_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"

typedef struct TableSize
{
	double		pages;
	double		rows;
} TableSize;

/* What statistics tell of a column */
typedef struct Frequency
{
	double		rows;			/* of its table */
	double		width;			/* of a value, in bytes */
	double		nulls;			/* their share that is NULL */
	double		values;			/* different ones; 0 if that is not known */
	double		commonest;		/* rows with the commonest one */
} Frequency;

extern TableSize SizeOfTable(Oid relid);
extern bool IsNeverAnalyzed(Oid relid, bool is_small);
extern bool IsSeenWhole(const RangeTblEntry *table);
extern bool FindFrequency(const RangeTblEntry *table, AttrNumber attno, Frequency *frequency);
extern double MostRowsOfKey(const Query *query, Node *key);

#endif							/* JSONROW_FREQUENCY_H */
