/*-------------------------------------------------------------------------
 *
 * levels.h
 *		Queries within queries: what a reference to one refers to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_LEVELS_H
#define JSONROW_LEVELS_H

#include "jsonrow.h"

#include "planner/rewrite.h"

/* What FindInLevels does after a node */
typedef enum Visit
{
	VISIT_CHILDREN,
	VISIT_NEXT,					/* without its children */
	VISIT_FOUND,				/* the search is over */
} Visit;

/* depth tells how many queries deep below the start the node is */
typedef Visit (*Visitor) (Node *node, int depth, void *context);

/* What takes the place of a Var at this depth; NULL if it stays */
typedef Node *(*Replacer) (Var *var, int depth, void *context);

typedef void (*QueryVisitor) (Query *query, int depth, void *context);

typedef bool (*QueryProperty) (const Query *query);

/* Is it an item to be left out?  join is NULL, or the join on whose right side it is. */
typedef bool (*ItemTest) (const JoinExpr *join, Node *item, void *context);

extern bool FindInLevels(Node *node, Visitor visitor, void *context);
extern Visit VisitOuterColumn(Node *node, int depth, void *context);
extern Node *ReplaceVars(Node *node, Replacer replacer, void *context);
extern bool VisitsTooMany(Level *level);
extern Level *LevelUp(Level *level, Index up);
extern bool IsMaterialized(const CommonTableExpr *cte);
extern CommonTableExpr *FindCte(Level *level, RangeTblEntry *rte, Level **owner);
extern Query *QueryOfEntry(Level *level, RangeTblEntry *rte, Level *inner);
extern bool IsCorrelated(const Query *query);
extern bool RefersTo(Node *node, int varno);
extern bool IsUsedAgain(Node *node, int varno, AttrNumber attno);
extern bool RefersToColumn(Node *node, int varno, AttrNumber attno);
extern bool RefersToRow(Query *query, int varno);
extern bool IsOneValue(Node *expr);
extern bool IsOneValueIn(Query *query, Node *expr);
extern int	ItemOf(const Query *query, const Query *subquery);
extern bool FromRefersTo(const Query *query, const Bitmapset *but, int varno);
extern bool FindPlace(Node *node, int varno, JoinExpr **place);
extern bool IsOneItem(const FromExpr *from, List *rtable);
extern Node *WithoutItems(Node *node, ItemTest is_out, void *context);
extern bool HasColumnsOfJoins(Query *query);
extern void VisitCtes(Query *query, QueryVisitor visitor, void *context);
extern void VisitItems(Query *query, QueryVisitor visitor, void *context);
extern void VisitBelow(Query *query, QueryVisitor visitor, void *context);
extern void VisitQueries(Query *query, QueryVisitor visitor, void *context);
extern int	CountQueries(Query *query, QueryProperty is_so);
extern bool IsSoOutside(Query *query, Query *within, QueryProperty is_so);
extern List *TablesIn(Node *node);
extern void MoveDown(Query *query);

#endif							/* JSONROW_LEVELS_H */
