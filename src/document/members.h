/*-------------------------------------------------------------------------
 *
 * members.h
 *		The parts of a finished document: its header and its cells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_MEMBERS_H
#define JSONROW_MEMBERS_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/jsonb_walk.h"

/* What the members of a document are, by their keys */
typedef enum DocumentMember
{
	MEMBER_COLS,
	MEMBER_ROWS,
	MEMBER_VALS,
	MEMBER_TYPES,
	MEMBER_OTHER,
	NUM_MEMBERS
} DocumentMember;

/* Both parts are arrays: jsonb containers, or JSON text. */
typedef struct DocumentParts
{
	const char *cols;
	Size		colslen;
	const char *cells;			/* the member rows or vals */
	Size		cellslen;
	bool		by_column;		/* it was vals */
	JsonbElement types;			/* jsonb: the reserved member; data is NULL if
								 * there is none */
	bool		spaced;			/* there is white space in the JSON text */
} DocumentParts;

extern DocumentMember MemberOfKey(const char *key, Size len);
extern const char *MissingMember(const bool *found);
extern const char *JsonbDocumentParts(const Jsonb *doc, DocumentParts *parts);
extern const char *JsonDocumentParts(const char *doc, Size len, DocumentParts *parts);
extern Header *HeaderRequire(const char *type, const char *cols, Size len);
pg_noreturn pg_noinline extern void ReportNotDocument(const char *type, const char *missing);

#endif							/* JSONROW_MEMBERS_H */
