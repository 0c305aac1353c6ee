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

typedef struct ObjectPlan ObjectPlan;

extern ObjectPlan *PlanObjects(const Header *header);
extern Jsonb *CellAsObjects(ObjectPlan *plan, ColumnShape shape, const JsonbElement *cell);

#endif							/* JSONROW_OBJECTS_H */
