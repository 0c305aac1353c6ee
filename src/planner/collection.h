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

#include "planner/rewrite.h"

/*
 * A query that supplies the collection's rows, except for some that conditions
 * and joins remove: the collection itself, or a subquery in its FROM.
 */
typedef struct Source
{
	Query	   *query;
	struct Source *above;		/* the query with it in FROM, or NULL */
	int			varno;			/* its range table index there */
	int			depth;			/* 0 for the collection itself */
} Source;

/* One equality by which a collection belongs to a row of the outer query */
typedef struct Key
{
	OpExpr	   *clause;
	Node	  **place;			/* what points to it */
	int			inner;			/* which argument is the collection's own */
	Source	   *source;			/* where the clause is */
	Oid			eqop;			/* equality for grouping that agrees with the
								 * clause */
	Oid			sortop;
	bool		hashable;
} Key;

/* What an aggregate returns for no rows */
typedef enum EmptyValue
{
	EMPTY_UNKNOWN,				/* an aggregate that we don't know */
	EMPTY_NULL,
	EMPTY_ZERO,
	EMPTY_ARRAY,				/* of JSON */
	EMPTY_DOCUMENT,				/* with a header that only the query can tell */
} EmptyValue;

typedef struct Collection
{
	Query	   *query;
	List	   *keys;
	List	   *aggregates;		/* Aggrefs, each once */
} Collection;

extern bool FindCollection(Level *outer, Query *query, Collection *collection);
extern void PreserveOrder(Query *query);
extern void PrepareCollection(Collection *collection);
extern void GroupCollection(Collection *collection);
extern Query *CollectionForAll(Query *query, int aggregate);
extern EmptyValue EmptyValueOf(Aggref *aggref, bool *ordered);

/* unreached.c */
extern bool RowsMayRaise(Level *outer, Query *query);
extern bool ExpressionMayRaise(Level *level, Node *expr);
extern bool PulledUpMayRaise(Level *level, Node *expr);

#endif							/* JSONROW_COLLECTION_H */
