/*-------------------------------------------------------------------------
 *
 * splice.h
 *		Arrays, and so documents, with some of their elements replaced.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SPLICE_H
#define JSONROW_SPLICE_H

#include "jsonrow.h"

#include "document/build.h"
#include "document/document.h"

/*
 * The new contents of an array: its elements from .. to - 1, then one that is
 * inserted, then its elements from resume to the end.
 */
typedef struct Splice
{
	uint32		from;
	uint32		to;
	const JsonbElement *inserted;	/* NULL if none */
	uint32		resume;
} Splice;

extern void BeginLike(Output *out, DocumentBuilder *builder, const Document *doc, bool by_column, Size cellslen);
extern JsonbElement SplicedArray(const JsonbWalk *array, const Splice *splice);
extern Jsonb *SpliceCells(const Document *doc, const Splice *splice);
extern Jsonb *SpliceRows(const Document *doc, const Splice *splice);

#endif							/* JSONROW_SPLICE_H */
