/*-------------------------------------------------------------------------
 *
 * float_text.h
 *		Floats printed as float4out and float8out print them, and read.
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
extern bool Float4FromText(const char *text, Size len, float4 *value);
extern bool Float8FromText(const char *text, Size len, float8 *value);

/* Powers of ten that a float8 holds exactly */
#define MAX_EXACT_POWER		22

extern const float8 ExactPowersOfTen[MAX_EXACT_POWER + 1];

#endif							/* JSONROW_FLOAT_TEXT_H */
