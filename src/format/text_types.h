/*-------------------------------------------------------------------------
 *
 * text_types.h
 *		Types whose values are short strings in JSON.
 *
 * Their values are printed directly to their destination, without a palloc'd
 * string in between, and read in place.  To add a type, add a row to the table
 * in text_types.c.  Both writers and the recordsets use it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TEXT_TYPES_H
#define JSONROW_TEXT_TYPES_H

#include "jsonrow.h"

typedef struct TextType
{
	Oid			typid;
	Size		maxsize;		/* of the text; nothing in it needs escaping */

	/*
	 * Print a value as to_json does, but without quotes; returns the end of
	 * the text, which is not zero-terminated.  cache has cachesize bytes,
	 * zeroed at first, and is shared by all values of a column.
	 */
	char	   *(*print) (char *dst, Datum value, void *cache);
	Size		cachesize;

	/*
	 * Read a value from a text as print writes it; false for any other text,
	 * which is then left to the input function.  If NULL, everything is left
	 * to it.
	 */
	bool		(*parse) (const char *text, Size len, Datum *value);
} TextType;

extern const TextType *FindTextType(Oid typid);

#endif							/* JSONROW_TEXT_TYPES_H */
