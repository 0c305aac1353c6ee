/*-------------------------------------------------------------------------
 *
 * build.h
 *		A document put together from its members, as jsonb.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_BUILD_H
#define JSONROW_BUILD_H

#include "jsonrow.h"

#include "format/jsonb_write.h"

/* A document that is not complete yet */
typedef struct DocumentBuilder
{
	ContainerBuilder root;
	Size		start;			/* of the member that is being written */
	const JsonbElement *types;	/* the reserved member, or NULL */
} DocumentBuilder;

/* What precedes its members, at most, including alignment */
#define DOCUMENT_HEAD_MAXSIZE	64

extern void BeginDocument(Output *out, DocumentBuilder *doc, bool by_column,
						  const JsonbElement *types);
extern void EndMember(Output *out, DocumentBuilder *doc);
extern void EndPendingMember(Output *out, DocumentBuilder *doc, Size pending);
extern void EndTypes(Output *out, DocumentBuilder *doc);
extern void EndPendingTypes(Output *out, DocumentBuilder *doc, Size pending);
extern void AppendMember(Output *out, DocumentBuilder *doc, const JsonbElement *container);
extern Jsonb *EndDocument(Output *out, DocumentBuilder *doc);

#endif							/* JSONROW_BUILD_H */
