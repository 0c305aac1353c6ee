/*-------------------------------------------------------------------------
 *
 * transpose.h
 *		The vectors of a column-oriented document, written as rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TRANSPOSE_H
#define JSONROW_TRANSPOSE_H

#include "jsonrow.h"

#include "output.h"

/* jsonb to jsonb, jsonb to JSON text, JSON text to JSON text */
extern void WriteTransposed(Output *out, const char *vals, Size len);
extern void WriteTransposedAsJson(Output *out, const char *vals, Size len);
extern void WriteTransposedJson(Output *out, const char *vals, Size len);

#endif							/* JSONROW_TRANSPOSE_H */
