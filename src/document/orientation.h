/*-------------------------------------------------------------------------
 *
 * orientation.h
 *		Vectors written as rows, and rows as vectors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ORIENTATION_H
#define JSONROW_ORIENTATION_H

#include "jsonrow.h"

#include "document/members.h"
#include "format/output.h"

/* Rows to vectors, in jsonb; each row has ncols cells, or is null */
extern void WriteVectors(Output *out, JsonbWalk rows, uint32 ncols);

/* Vectors to rows, in jsonb or JSON text; the format stays the same */
extern void WriteTransposed(Output *out, const DocumentMembers *members);

#endif							/* JSONROW_ORIENTATION_H */
