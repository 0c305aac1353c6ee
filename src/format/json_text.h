/*-------------------------------------------------------------------------
 *
 * json_text.h
 *		The tokens of JSON text: strings, numbers, whole jsonb values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSON_TEXT_H
#define JSONROW_JSON_TEXT_H

#include "jsonrow.h"

#include "format/jsonb_walk.h"
#include "format/output.h"

/* How the members of a container are separated */
typedef enum JsonSpacing
{
	JSON_COMPACT,				/* as in the rest of a document */
	JSON_SPACED,				/* a blank after comma and colon, as in
								 * jsonb_out */
} JsonSpacing;

extern void InitJsonEscapes(void);
extern void JsonAppendString(Output *out, const char *str, Size len);
extern void JsonAppendNumeric(Output *out, const NumericView *view);
extern void JsonAppendElement(Output *out, const JsonbElement *element,
							  JsonSpacing spacing);
extern void JsonAppendContainer(Output *out, const char *container, Size len,
								JsonSpacing spacing);
extern text *ElementToText(const JsonbElement *element);
extern void JsonEndLine(Output *out, Size start);

#endif							/* JSONROW_JSON_TEXT_H */
