/*-------------------------------------------------------------------------
 *
 * rows_once.h
 *		Rows that are read once, and what belongs to them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ROWS_ONCE_H
#define JSONROW_ROWS_ONCE_H

#include "jsonrow.h"

#include "planner/page.h"

extern bool MayReadOnce(Level *level);
extern bool FindRowsOnce(Surveyed *surveyed, RowPage *page);

#endif							/* JSONROW_ROWS_ONCE_H */
