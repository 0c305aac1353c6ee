/*-------------------------------------------------------------------------
 *
 * splice.h
 *		A stored document with some of its rows replaced.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SPLICE_H
#define JSONROW_SPLICE_H

#include "jsonrow.h"

#include "output.h"
#include "stored.h"

#define ALL_ARRAYS	(-1)

/*
 * What becomes of an array: its elements from .. to - 1, then one that is
 * inserted, then its elements from resume to the end.
 */
typedef struct Splice
{
	int			array;			/* of a document's arrays only this one */
	uint32		from;
	uint32		to;
	const JsonbElement *inserted;	/* NULL if none; of all arrays, one each */
	uint32		resume;
} Splice;

extern Size SplicedSize(const JsonbWalk *array, const Splice *splice);
extern void SpliceArray(Output *out, const JsonbWalk *array, const Splice *splice);
extern Jsonb *SpliceDocument(const StoredDocument *doc, const Splice *splice);

#endif							/* JSONROW_SPLICE_H */
