/*-------------------------------------------------------------------------
 *
 * statement.h
 *		Statements given as text, planned and run a piece at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_STATEMENT_H
#define JSONROW_STATEMENT_H

#include "jsonrow.h"

#include "executor/execdesc.h"
#include "nodes/params.h"
#include "tcop/dest.h"

extern QueryDesc *StatementStart(const char *text, ParamListInfo params, DestReceiver *dest);
extern void StatementRun(QueryDesc *query);
extern void StatementEnd(QueryDesc *query);

#endif							/* JSONROW_STATEMENT_H */
