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

extern bool HasStatistics(const Query *query, Node *expr);
extern double MostRowsOfKey(const Query *query, Node *key);

#endif							/* JSONROW_FREQUENCY_H */
