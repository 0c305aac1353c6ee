/*-------------------------------------------------------------------------
 *
 * extension.h
 *		What belongs to the extension, in this database.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_EXTENSION_H
#define JSONROW_EXTENSION_H

#include "jsonrow.h"

#include "nodes/pg_list.h"

extern List *ExtensionFunctions(void);
extern char *SymbolOfFunction(HeapTuple function);

#endif							/* JSONROW_EXTENSION_H */
