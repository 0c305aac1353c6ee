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
#include "planner/row_shape.h"

extern bool FunctionIsSafe(Oid function);
extern bool CastIsSafe(CoerceViaIO *cast);
extern bool PartIsSafe(Level *level, Node *expr, bool in_text);
extern bool PartsAreSafe(Level *level, const RowShape *shape);
extern bool MayBeEarly(Level *level, Node *expr);

#endif							/* JSONROW_EARLY_H */
