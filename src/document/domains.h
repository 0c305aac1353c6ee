/*-------------------------------------------------------------------------
 *
 * domains.h
 *		The two domains, which mark a value as a document.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_DOMAINS_H
#define JSONROW_DOMAINS_H

#include "jsonrow.h"

typedef struct DocumentDomains
{
	Oid			jsonrow;
	Oid			jsonrow_json;
} DocumentDomains;

/* What a type says about its values */
typedef enum DocumentKind
{
	NO_DOCUMENT,
	DOCUMENT_JSONB,				/* jsonrow, or a domain over it */
	DOCUMENT_JSON,				/* jsonrow_json, likewise */
} DocumentKind;

extern DocumentDomains DocumentDomainsLookup(void);
extern DocumentKind DocumentKindOf(Oid typid, const DocumentDomains *domains);
extern Node *StripRelabels(Node *expr);
extern bool ArgumentIsDocument(FunctionCallInfo fcinfo, int arg);

#endif							/* JSONROW_DOMAINS_H */
