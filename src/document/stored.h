/*-------------------------------------------------------------------------
 *
 * stored.h
 *		A finished jsonb document, opened for whoever reads all of it or
 *		makes another of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_STORED_H
#define JSONROW_STORED_H

#include "jsonrow.h"

#include "format/container.h"
#include "document/header.h"
#include "document/parts.h"

typedef struct StoredDocument
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
} StoredDocument;

extern void OpenStored(StoredDocument *doc, const Jsonb *jsonb);
extern void OpenWhole(StoredDocument *doc, FunctionCallInfo fcinfo, int arg, const Jsonb *jsonb);
extern void OpenEditable(StoredDocument *doc, FunctionCallInfo fcinfo, Size growth);
extern void CheckNested(const StoredDocument *doc, FunctionCallInfo fcinfo, int arg,
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

#endif							/* JSONROW_STORED_H */
