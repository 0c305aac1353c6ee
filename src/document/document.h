/*-------------------------------------------------------------------------
 *
 * document.h
 *		A finished jsonb document, opened to read all of it or to make another
 *		one from it.
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
	DocumentMembers members;
	Header	   *header;			/* its names are in the document */
	uint32		nrows;

	/*
	 * The array of rows, or the vectors of a column-oriented document; each
	 * at its first element.
	 */
	int			narrays;
	JsonbWalk  *arrays;

	/* The document's bytes, if it is a private copy that may be changed */
	char	   *buffer;
	Size		capacity;
} Document;

/*
 * The index of one of n rows or columns, where a negative number counts from
 * the end; -1 if it doesn't exist
 */
static inline int64
PositionOf(int64 index, uint32 n)
{
	if (index < 0)
		index += n;
	return index >= 0 && index < n ? index : -1;
}

extern const char *DocumentTryOpen(Document *doc, const Jsonb *jsonb);
extern void DocumentOpen(Document *doc, const Jsonb *jsonb);
extern void DocumentOpenWhole(Document *doc, FunctionCallInfo fcinfo, int arg, const Jsonb *jsonb);
extern void DocumentOpenEditable(Document *doc, FunctionCallInfo fcinfo, Size growth);
extern void DocumentCheckNested(const Document *doc, FunctionCallInfo fcinfo, int arg,
								uint32 from, uint32 to);
extern const char *DocumentNestedProblem(const Document *doc, uint32 from, uint32 to);
extern const char *VectorsOpen(const JsonbElement *vals, JsonbWalk **vectors,
							   uint32 *ncols, uint32 *nrows);
extern void HeaderResolveMembers(Header *header, const DocumentMembers *members);
extern void TakeCells(const JsonbElement *row, uint32 ncols, JsonbElement *cells);
extern bool RowFits(const JsonbElement *row, uint32 ncols);
extern bool JsonbCellIsValid(const JsonbElement *cell, const HeaderColumn *column);

extern void CheckUnknownColumn(const char *name, Size len, uint32 ncols);

/* What may be wrong with a document, as errdetails */
#define VECTORS_DIFFER	"Its vectors differ in length."
#define NESTED_NOT_ROWS	"The cell of a nested document is neither null nor an array."
extern const char *NumberOfCells(uint32 ncols);
extern const char *BadRow(uint32 row, uint32 ncols);
extern const char *BadNestedRow(uint32 ncols);
extern const char *VectorNotArray(uint32 vector);
extern const char *VectorCountDiffers(uint32 vectors, uint32 ncols);

#endif							/* JSONROW_DOCUMENT_H */
