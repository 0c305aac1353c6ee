/*-------------------------------------------------------------------------
 *
 * key_text.h
 *		Values as the keys of objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_KEY_TEXT_H
#define JSONROW_KEY_TEXT_H

#include "jsonrow.h"

#include "write/column_plan.h"

/* How the values of one type become keys */
typedef struct KeyPlan
{
	ColumnPlan	column;
	FmgrInfo	output;
} KeyPlan;

extern bool KeyPlanInit(KeyPlan *plan, PlanContext *shared, Oid typid);
extern const char *KeyText(KeyPlan *plan, Datum value, Size *len);

#endif							/* JSONROW_KEY_TEXT_H */
