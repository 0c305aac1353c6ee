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

/*
 * The number of a subquery that stands for a collection as it is written, where it has no rows, or where its LIMIT takes effect
 * after all (see unnest.c)
 */
#define AS_WRITTEN	(-1)

static inline bool
IsAsWritten(const Node *node)
{
	return IsA(node, SubLink) && ((const SubLink *) node)->subLinkId == AS_WRITTEN;
}

extern Node *IsNotNull(Node *expr);
extern Const *Int8Const(int64 value);
extern Const *NullOf(const Node *expr);
extern Node *Coalesced(Node *value, Node *otherwise);
extern Aggref *AggregateOf(Oid aggregate, Expr *argument, Oid type);
extern SubLink *MakeSubLink(SubLinkType type, Query *query);
extern Node *RowOf(List *values, const Var *row, List *names);
extern Node *ValueIf(Node *condition, Node *value, Node *otherwise);
extern Node *IsInSmallGroup(int32 most, int32 size, Node *key, List *values);
extern bool OnlyAsksSmallGroup(const Node *condition);
extern Node *Never(void);
extern bool IsNever(const FuncExpr *call);
extern Expr *NumberRows(Query *query, List *partition);

#endif							/* JSONROW_EXPRESSIONS_H */
