/*-------------------------------------------------------------------------
 *
 * found_value.h
 *		What a look-up makes of the row that it finds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FOUND_VALUE_H
#define JSONROW_FOUND_VALUE_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern void ComputeAboveJoin(Level *level, int varno);

#endif							/* JSONROW_FOUND_VALUE_H */
