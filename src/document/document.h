/*-------------------------------------------------------------------------
 *
 * document.h
 *		A finished jsonb document, opened for whoever reads all of it or
 *		makes another of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_DOCUMENT_H
#define JSONROW_DOCUMENT_H

#include "jsonrow.h"

#include "document/header.h"
#include "document/members.h"
#include "format/jsonb_walk.h"

typedef struct Document
{
	DocumentParts parts;
	Header	   *header;			/* its names are in the document */
	uint32		nrows;

	/* The array of rows; or by column, a vector each.  At their beginning. */
	int			narrays;
	JsonbWalk  *arrays;

	/* If the document is nobody else's, so that it may be changed: its bytes */
	char	   *buffer;
	Size		capacity;
} Document;

extern void DocumentOpen(Document *doc, const Jsonb *jsonb);
extern void DocumentOpenWhole(Document *doc, FunctionCallInfo fcinfo, int arg, const Jsonb *jsonb);
extern void DocumentOpenEditable(Document *doc, FunctionCallInfo fcinfo, Size growth);
extern void DocumentCheckNested(const Document *doc, FunctionCallInfo fcinfo, int arg,
						uint32 from, uint32 to);
extern JsonbWalk *OpenArrays(const DocumentParts *parts, const Header *header,
							 uint32 *nrows);
extern JsonbWalk *OpenVectors(const char *vals, Size len, uint32 *ncols, uint32 *nrows);
extern bool HeaderSaysNothing(const Header *header, const DocumentParts *parts);
extern void TakeCells(const JsonbElement *row, uint32 ncols, JsonbElement *cells);
extern bool RowFits(const JsonbElement *row, uint32 ncols);
pg_noreturn pg_noinline extern void ReportNotRows(void);
pg_noreturn pg_noinline extern void ReportVectorNotArray(const char *type, uint32 vector);
pg_noreturn pg_noinline extern void ReportBadRow(uint32 row, uint32 ncols);
pg_noreturn pg_noinline extern void ReportVectorCount(uint32 vectors, uint32 ncols);
pg_noreturn pg_noinline extern void ReportVectorsDiffer(const char *type);

#endif							/* JSONROW_DOCUMENT_H */
