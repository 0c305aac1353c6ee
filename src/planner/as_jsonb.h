/*-------------------------------------------------------------------------
 *
 * as_jsonb.h
 *		JSON text that would be parsed again, as jsonb from the start.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_AS_JSONB_H
#define JSONROW_AS_JSONB_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern bool TypeConvertsAlike(Level *level, Oid typid, bool in_text);
extern bool ConvertsAlike(Level *level, Node *expr, bool in_text);
extern Node *AsJsonb(Level *level, Node *expr);

#endif							/* JSONROW_AS_JSONB_H */
