/*-------------------------------------------------------------------------
 *
 * objects.h
 *		Rows written as objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_OBJECTS_H
#define JSONROW_OBJECTS_H

#include "jsonrow.h"

#include "document/header.h"

typedef struct ObjectLayout ObjectLayout;

extern ObjectLayout *ObjectLayoutCreate(const Header *header);
extern Jsonb *CellAsObjects(ObjectLayout *plan, ColumnShape shape, const JsonbElement *cell);

#endif							/* JSONROW_OBJECTS_H */
