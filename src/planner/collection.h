/*-------------------------------------------------------------------------
 *
 * collection.h
 *		Subqueries that aggregate what belongs to one row of the outer query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COLLECTION_H
#define JSONROW_COLLECTION_H

#include "jsonrow.h"

#include "planner/aggregates.h"
#include "planner/levels.h"
#include "planner/source.h"

/* A reason */
#define COLLECTION_MAY_RAISE	"something in it could raise an error, or reveal what it sees, for rows that belong to no row around it"

/* One equality by which a collection belongs to a row of the outer query */
typedef struct Key
{
	OpExpr	   *clause;
	Node	  **place;			/* what points to it */
	int			inner;			/* which argument is the collection's own */
	Source	   *source;			/* where the clause is */
	Oid			eqop;			/* equality for grouping, as the clause has */
	Oid			sortop;
	bool		hashable;
} Key;

typedef struct Collection
{
	Query	   *query;
	int			varno;			/* as an item of FROM; 0 in an expression */
	List	   *keys;
	List	   *aggregates;		/* Aggrefs, each once */
	bool		uses_again;		/* aggregates are used in several places */
	bool		may_raise;		/* something computed of a row may raise */
	bool		is_cut_otherwise;	/* LIMIT cannot be taken of each group */
	List	   *cut;			/* Sources whose LIMIT is that of each group */
	AttrNumber	complete;		/* LIMIT is dropped, because no group has more
								 * rows, and this column tells whether one
								 * has; 0 if it is not */
} Collection;

extern Var *OuterColumn(const Key *key);
extern RangeTblEntry *TableOfKey(const Key *key, AttrNumber *attno);
extern Node *ClauseWith(const Key *key, Node *inner, Node *outer_column);
extern Visit VisitOuterReference(Node *node, int depth, void *context);
extern bool RefersInOtherWays(Level *outer, Query *query);
extern const char *FindCollection(Level *outer, Query *query, Collection *collection);
extern List *GroupCollection(Level *outer, Collection *collection, Query *parents);
extern Query *OneAggregate(Level *outer, Query *query, int place, bool for_all);

/* first_rows.c */
extern bool CanCutGroups(Level *level);
extern bool DropEmptyLimit(Level *level, Query *query);
extern int64 UnreachedLimit(Level *level, const Source *source);
extern void CutGroups(Level *level, Source *source);

#endif							/* JSONROW_COLLECTION_H */
