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
#include "write/query_origin.h"

extern Header *QueryHeader(FunctionCallInfo fcinfo);
extern Header *HeaderOfResult(PlannedStmt *stmt, ParamListInfo params);
extern int32 ArgumentTypmod(FunctionCallInfo fcinfo, int arg);
extern Header *HeaderOfDocument(QueryPlace place, Node *expr);

/* hidden_documents.c */
extern bool IsHiddenDocument(QueryPlace place, Node *expr);
extern List *Alternatives(QueryPlace place, Node *expr);

#endif							/* JSONROW_QUERY_HEADER_H */
