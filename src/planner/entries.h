/*-------------------------------------------------------------------------
 *
 * entries.h
 *		Entries of range tables and select lists that rewrites make.
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

#endif							/* JSONROW_ENTRIES_H */
