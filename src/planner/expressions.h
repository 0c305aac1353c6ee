/*-------------------------------------------------------------------------
 *
 * expressions.h
 *		Expressions that rewrites make.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_EXPRESSIONS_H
#define JSONROW_EXPRESSIONS_H

#include "jsonrow.h"

#include "nodes/primnodes.h"

extern Node *IsNotNull(Node *expr);
extern Const *Int8Const(int64 value);
extern Node *Coalesced(Node *value, Node *otherwise);
extern Node *RowOf(List *values, const Var *row, List *names);
extern Node *ValueIf(Node *condition, Node *value);
extern Node *Never(void);
extern bool IsNever(const FuncExpr *call);

#endif							/* JSONROW_EXPRESSIONS_H */
