/*-------------------------------------------------------------------------
 *
 * folding.h
 *		Values that PostgreSQL may know while it plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_FOLDING_H
#define JSONROW_FOLDING_H

#include "jsonrow.h"

#include "planner/rewrite.h"

/* To be asked of an expression of a query */
typedef bool (*TargetTest) (Level *level, Node *expr);

extern bool FunctionIsSql(Oid function);
extern bool MayDropArguments(Oid function);
extern bool DependsOnArguments(const Query *query, Oid function, List *args);
extern bool FunctionIsCompiled(Oid function);
extern void FoldList(ScalarArrayOpExpr *condition);
extern bool StaysUnknown(Node *expr);
extern bool IsSoOfTarget(Level *level, AttrNumber attno, TargetTest is_so);
extern bool ColumnMayBeKnown(Level *level, const Var *var);
extern bool HasKnownColumns(Level *level, Node *expr);

#endif							/* JSONROW_FOLDING_H */
