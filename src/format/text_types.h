/*-------------------------------------------------------------------------
 *
 * text_types.h
 *		Types whose values are short strings in JSON.
 *
 * Their values are printed where they are wanted, without a palloc'd string
 * in between, and read from there.  To add a type: a row in the table of
 * text_types.c.  Both writers and the recordsets go by it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TEXT_TYPES_H
#define JSONROW_TEXT_TYPES_H

#include "jsonrow.h"

typedef struct TextType
{
	Oid			typid;
	Size		maxsize;		/* of the text; it holds nothing to be escaped */

	/*
	 * Print a value as to_json does, but without quotes; returns the end of
	 * the text, which is not zero-terminated.  cache is cachesize bytes,
	 * zeroed at first, that are the same for all values of a column.
	 */
	char	   *(*print) (char *dst, Datum value, void *cache);
	Size		cachesize;

	/*
	 * Read a value from a text such as print makes; false for any other text,
	 * which is then left to the input function.  NULL: all is left to it.
	 */
	bool		(*parse) (const char *text, Size len, Datum *value);
} TextType;

extern const TextType *FindTextType(Oid typid);

#endif							/* JSONROW_TEXT_TYPES_H */
