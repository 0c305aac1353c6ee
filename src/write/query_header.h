/*-------------------------------------------------------------------------
 *
 * query_header.h
 *		What the plan of the query says of a document's columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_QUERY_HEADER_H
#define JSONROW_QUERY_HEADER_H

#include "jsonrow.h"

#include "document/header.h"

extern Header *QueryHeader(FunctionCallInfo fcinfo);

#endif							/* JSONROW_QUERY_HEADER_H */
