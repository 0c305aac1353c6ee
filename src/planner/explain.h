/*-------------------------------------------------------------------------
 *
 * explain.h
 *		Tells what becomes of a query, and why not more.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_EXPLAIN_H
#define JSONROW_EXPLAIN_H

#include "jsonrow.h"

extern void InitExplain(void);

#endif							/* JSONROW_EXPLAIN_H */
