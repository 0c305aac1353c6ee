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
extern Jsonb *DocumentToObjects(const Document *doc);

#endif							/* JSONROW_OBJECTS_H */
