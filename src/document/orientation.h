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

#include "format/jsonb_walk.h"
#include "format/output.h"

/* Rows to vectors, in jsonb */
extern void WriteVectors(Output *out, JsonbWalk rows, uint32 ncols);

/* Vectors to rows: jsonb to jsonb, jsonb to JSON text, JSON text to JSON text */
extern void WriteTransposed(Output *out, const char *vals, Size len);
extern void WriteTransposedAsJson(Output *out, const char *vals, Size len);
extern void WriteTransposedJson(Output *out, const char *vals, Size len);

#endif							/* JSONROW_ORIENTATION_H */
