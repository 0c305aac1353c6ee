/*-------------------------------------------------------------------------
 *
 * entries.h
 *		What rewrites make: entries of range tables and select lists, and
 *		expressions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ENTRIES_H
#define JSONROW_ENTRIES_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"

/* As many columns as can be sorted, if fewer keys than this are among them, and the number of a row */
#define MAX_KEYS	99
#define MAX_COLUMNS	(MaxTupleAttributeNumber - MAX_KEYS - 1)
#define TOO_MANY_COLUMNS	"there are too many columns"

extern int	CountColumns(const Query *query);
extern RangeTblEntry *MakeJoinEntry(JoinType jointype);
extern RangeTblEntry *MakeNoEntry(void);
extern void ExpandGroups(Query *query);
extern void RemoveEntries(Query *query);
extern Alias *NamesOf(const char *name, const Query *query);
extern RangeTblEntry *MakeSubqueryEntry(Query *subquery, const char *name);
extern RangeTblRef *MakeRef(int varno);
extern TargetEntry *AddEntry(Query *query, Expr *expr, char *name);
extern TargetEntry *AddColumn(RangeTblEntry *rte, Expr *expr, const char *name);
extern Query *MakeReader(const Query *query);
extern Query *PutInFrom(Query *query, const char *name);
extern CommonTableExpr *MakeCte(Query *query, RangeTblEntry *rte);
extern void UnmakeCte(Query *query, CommonTableExpr *cte, RangeTblEntry *rte);

/* The number of a subquery that stands for a collection as it is written, where that is empty or its LIMIT matters */
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

#endif							/* JSONROW_ENTRIES_H */
