/*-------------------------------------------------------------------------
 *
 * as_text.h
 *		jsonb that is only embedded in JSON text, as text from the start.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_AS_TEXT_H
#define JSONROW_AS_TEXT_H

#include "jsonrow.h"

#include "planner/rewrite.h"

extern void EmbedAsText(Query *query, Rewrite *rewrite);

#endif							/* JSONROW_AS_TEXT_H */
