/*-------------------------------------------------------------------------
 *
 * members.h
 *		The members of a finished document: its header and its cells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_MEMBERS_H
#define JSONROW_MEMBERS_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/jsonb_walk.h"
#include "format/output.h"

typedef struct DocumentMembers
{
	DocumentFormat format;

	/*
	 * Both are arrays: elements of the root object, or JSON text, which has
	 * only data and len.
	 */
	JsonbElement cols;
	JsonbElement cells;			/* the member rows or vals */
	bool		by_column;		/* it was vals */
	JsonbElement types;			/* jsonb: the reserved member; data is NULL if
								 * there is none */
	bool		spaced;			/* there is white space in the JSON text */
} DocumentMembers;

extern const char *MembersFind(DocumentMembers *members, JsonbWalk *root);
extern const char *MembersFindIn(DocumentMembers *members, const Jsonb *doc);
extern const char *MembersFindInJson(DocumentMembers *members, const char *doc, Size len,
									 const JsonbElement *known);
extern Header *MembersHeader(const DocumentMembers *members);
extern Header *HeaderRequire(const JsonbElement *cols, DocumentFormat format);
extern bool MembersSayNothing(const DocumentMembers *members, const Header *header);

/* What may be wrong with a header, as an errdetail */
#define NOT_NAMES	"Member \"cols\" is not a list of names."

pg_noreturn pg_noinline extern void ReportNotDocument(DocumentFormat format, const char *problem);

#endif							/* JSONROW_MEMBERS_H */
