/*-------------------------------------------------------------------------
 *
 * early.h
 *		Whether an expression may be computed earlier, and so for more rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_EARLY_H
#define JSONROW_EARLY_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool MayBeEarly(Level *level, Node *expr);

#endif							/* JSONROW_EARLY_H */
