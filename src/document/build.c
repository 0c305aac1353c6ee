/*-------------------------------------------------------------------------
 *
 * build.c
 *		A document put together from its members, as jsonb.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/build.h"
#include "miscadmin.h"

/*
 * Begin a document, with its varlena header, in an empty buffer.  Its header
 * and its rows or vectors are written next, each followed by EndMember.  types
 * has no data, or is NULL, in a document without that member.
 */
void
BeginDocument(Output *out, DocumentBuilder *doc, bool by_column, const JsonbElement *types)
{
	bool		has_types = types && types->data;
	uint32		npairs = has_types ? 3 : 2;

	Assert(out->len == 0);
	OutReserve(out, VARHDRSZ);
	out->len = VARHDRSZ;
	doc->root = BeginContainer(out, JB_FOBJECT | npairs, npairs * 2);
	AddString(out, &doc->root, "cols", 4);
	AddString(out, &doc->root, by_column ? "vals" : "rows", 4);
	if (has_types)
		AddString(out, &doc->root, "types", 5);
	doc->types = has_types ? types : NULL;
	doc->start = out->len;
}

/* A member is complete except for this many bytes, which will follow. */
void
EndPendingMember(Output *out, DocumentBuilder *doc, Size pending)
{
	CHECK_FOR_INTERRUPTS();		/* it may have been large */
	OutCheckValue(out, out->len + pending);
	AddEntryOfLength(out, &doc->root, JENTRY_ISCONTAINER, out->len - doc->start + pending);
	doc->start = out->len;
}

void
EndMember(Output *out, DocumentBuilder *doc)
{
	EndPendingMember(out, doc, 0);
}

/* A member that is a container already */
void
AppendMember(Output *out, DocumentBuilder *doc, const JsonbElement *container)
{
	AppendElement(out, container);
	EndMember(out, doc);
}

/* Append the reserved member, if there is one, unchanged, after the others. */
void
EndTypes(Output *out, DocumentBuilder *doc)
{
	if (doc->types)
		AddElement(out, &doc->root, doc->types);
}

/* The same if this many bytes will follow first; it is appended after them. */
void
EndPendingTypes(Output *out, DocumentBuilder *doc, Size pending)
{
	Size		end = out->len + pending;
	Size		start = end;

	if (doc->types == NULL)
		return;
	if (JsonbElementIsAligned(doc->types))
		start = INTALIGN(end);
	OutCheckValue(out, start + doc->types->len);
	AddEntryOfLength(out, &doc->root, doc->types->type, start + doc->types->len - end);
}

/* The finished document, once its members have been written */
Jsonb *
EndDocument(Output *out, DocumentBuilder *doc)
{
	EndTypes(out, doc);
	return OutFinishJsonb(out);
}
