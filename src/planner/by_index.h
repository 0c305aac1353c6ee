/*-------------------------------------------------------------------------
 *
 * by_index.h
 *		What PostgreSQL finds by an index, so that nothing is to be gained.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_BY_INDEX_H
#define JSONROW_BY_INDEX_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool ComesByIndex(Query *query, bool *is_filtered);
extern Oid	LeadingTable(Level *level, bool all_rows);
extern bool RowsAreGuessed(Level *level);
extern bool WantsFewRows(Level *level);
extern bool ReadsFewRows(Level *level);
extern bool IndexesFind(Query *query);
extern bool IsFoundByIndex(Level *level);
extern bool CostIsGuess(Level *level, bool of_all);

#endif							/* JSONROW_BY_INDEX_H */
