/*-------------------------------------------------------------------------
 *
 * index_only.h
 *		Tables of which an index has all columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_INDEX_ONLY_H
#define JSONROW_INDEX_ONLY_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"

extern bool CouldComeFromIndex(RangeTblEntry *rte);

#endif							/* JSONROW_INDEX_ONLY_H */
