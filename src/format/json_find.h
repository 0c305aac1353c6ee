/*-------------------------------------------------------------------------
 *
 * json_find.h
 *		Members and elements of JSON text, found by one pass over it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSON_FIND_H
#define JSONROW_JSON_FIND_H

#include "jsonrow.h"

#include "format/json_parse.h"

typedef enum JsonFound
{
	JSON_FOUND,
	JSON_FOUND_AGAIN,			/* the last one of several with the same key */
	JSON_NOT_FOUND,
	JSON_NOT_VALID,				/* the text, or something in it */
} JsonFound;

extern JsonFound JsonFindKey(const char *json, Size size, const char *key, Size len, JsonItem *item);
extern JsonFound JsonFindPosition(const char *json, Size size, int position, JsonItem *item);

#endif							/* JSONROW_JSON_FIND_H */
