/*-------------------------------------------------------------------------
 *
 * value_items.h
 *		Items of FROM that are values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_VALUE_ITEMS_H
#define JSONROW_VALUE_ITEMS_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern void TakeOutValues(Level *level);

#endif							/* JSONROW_VALUE_ITEMS_H */
