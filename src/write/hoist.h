/*-------------------------------------------------------------------------
 *
 * hoist.h
 *		Nested documents: their header moves to the outer one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_HOIST_H
#define JSONROW_HOIST_H

#include "jsonrow.h"

#include "document/members.h"
#include "write/column_plan.h"

extern void HoistJsonb(ColumnPlan *plan, HeaderColumn *column, const Jsonb *doc,
					   MemoryContext context, DocumentMembers *members);
extern void HoistJson(ColumnPlan *plan, HeaderColumn *column, const char *doc, Size len,
					  MemoryContext context, DocumentMembers *members);

#endif							/* JSONROW_HOIST_H */
