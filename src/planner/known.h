/*-------------------------------------------------------------------------
 *
 * known.h
 *		Values that are known before anything is computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_KNOWN_H
#define JSONROW_KNOWN_H

#include "jsonrow.h"

#include "planner/rewrite.h"

/* What CountOf says of a LIMIT or OFFSET that is no number of rows */
#define NO_COUNT		(-1)	/* there is none, or it is NULL */
#define UNKNOWN_COUNT	(-2)	/* it is not known, or an error */

extern Const *KnownValue(Level *level, Node *expr);
extern char *KnownText(Level *level, Node *expr);
extern bool IsTextOfType(Level *level, CoerceViaIO *cast);
extern int64 CountOf(Level *level, Node *expr);
extern bool SkipsRows(Level *level);
extern bool CutsRows(Level *level);

#endif							/* JSONROW_KNOWN_H */
