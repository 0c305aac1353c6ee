/*-------------------------------------------------------------------------
 *
 * float_text.h
 *		Floats printed as float4out and float8out print them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FLOAT_TEXT_H
#define JSONROW_FLOAT_TEXT_H

#include "jsonrow.h"

/* How much room there must be; not all of it is for text */
#define FLOAT_TEXT_MAXSIZE	64

extern char *Float4ToText(char *dst, float4 value);
extern char *Float8ToText(char *dst, float8 value);

#endif							/* JSONROW_FLOAT_TEXT_H */
