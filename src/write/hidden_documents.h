/*-------------------------------------------------------------------------
 *
 * hidden_documents.h
 *		Documents that cannot be recognized by their type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_HIDDEN_DOCUMENTS_H
#define JSONROW_HIDDEN_DOCUMENTS_H

#include "jsonrow.h"

#include "document/header.h"
#include "write/query_origin.h"

/* The header of a document that an expression computes, or NULL */
typedef Header *(*DocumentHeader) (QueryPlace place, Node *expr);

extern bool IsHiddenDocument(QueryPlace place, Node *expr, DocumentHeader header_of);
extern List *Alternatives(QueryPlace place, Node *expr);

#endif							/* JSONROW_HIDDEN_DOCUMENTS_H */
