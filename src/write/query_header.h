/*-------------------------------------------------------------------------
 *
 * query_header.h
 *		What the query tells about a document's columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_QUERY_HEADER_H
#define JSONROW_QUERY_HEADER_H

#include "jsonrow.h"

#include "document/header.h"
#include "nodes/params.h"
#include "nodes/plannodes.h"

extern Header *QueryHeader(FunctionCallInfo fcinfo);
extern Header *HeaderOfResult(PlannedStmt *stmt, ParamListInfo params);
extern int32 ArgumentTypmod(FunctionCallInfo fcinfo, int arg);

#endif							/* JSONROW_QUERY_HEADER_H */
