/*-------------------------------------------------------------------------
 *
 * readers.h
 *		In the finished plan, calls that read members of JSON columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_READERS_H
#define JSONROW_READERS_H

#include "jsonrow.h"

#include "nodes/plannodes.h"

extern bool ReadsColumn(Node *node);
extern List *ReplaceReaders(PlannedStmt *stmt);

#endif							/* JSONROW_READERS_H */
