/*-------------------------------------------------------------------------
 *
 * objects.h
 *		The rows of a document as objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OBJECTS_H
#define JSONROW_OBJECTS_H

#include "jsonrow.h"

#include "document/document.h"

typedef struct ObjectLayout ObjectLayout;

extern ObjectLayout *ObjectLayoutCreate(const Header *header);
extern Jsonb *CellAsObjects(ObjectLayout *layout, ColumnShape shape, const JsonbElement *cell);
extern void AppendObjects(Output *out, ObjectLayout *layout, const Document *doc);
extern Jsonb *DocumentToObjects(const Document *doc);

/* objects_json.c */
extern void AppendObjectsOfJson(Output *out, const char *doc, Size len);

#endif							/* JSONROW_OBJECTS_H */
