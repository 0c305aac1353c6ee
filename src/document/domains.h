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

extern DocumentDomains DocumentDomainsLookup(void);
extern bool ArgumentIsDocument(FunctionCallInfo fcinfo, int arg);

#endif							/* JSONROW_DOMAINS_H */
