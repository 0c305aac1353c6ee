/*-------------------------------------------------------------------------
 *
 * parts.h
 *		The parts of a finished document: its header and its cells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PARTS_H
#define JSONROW_PARTS_H

#include "jsonrow.h"

#include "container.h"
#include "header.h"

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

extern const char *JsonbDocumentParts(const Jsonb *doc, DocumentParts *parts);
extern const char *JsonDocumentParts(const char *doc, Size len, DocumentParts *parts);
extern Header *ReadHeader(const char *type, const char *cols, Size len);
extern Jsonb *JsonbFromJson(const char *json, Size len);
pg_noreturn pg_noinline extern void ReportNotDocument(const char *type, const char *missing);

#endif							/* JSONROW_PARTS_H */
