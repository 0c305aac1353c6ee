/*-------------------------------------------------------------------------
 *
 * query_parts.h
 *		What a query contains, in one word.
 *
 * Rewrites say which parts they know; a query that has any other stays as it is.  A clause that a later release adds
 * is one more part here, and until then PART_UNKNOWN keeps all queries of that release as they are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_QUERY_PARTS_H
#define JSONROW_QUERY_PARTS_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"

typedef uint32 QueryParts;

#define PART_NO_SELECT		(1 << 0)	/* INSERT, UPDATE, ... */
#define PART_NO_FROM		(1 << 1)
#define PART_WHERE			(1 << 2)
#define PART_AGGREGATES		(1 << 3)
#define PART_GROUPS			(1 << 4)
#define PART_GROUPING_SETS	(1 << 5)
#define PART_HAVING			(1 << 6)
#define PART_WINDOWS		(1 << 7)
#define PART_DISTINCT		(1 << 8)
#define PART_DISTINCT_ON	(1 << 9)
#define PART_SETS			(1 << 10)	/* sets in the select list */
#define PART_SET_OPERATION	(1 << 11)
#define PART_ORDER			(1 << 12)
#define PART_LIMIT			(1 << 13)
#define PART_OFFSET			(1 << 14)
#define PART_TIES			(1 << 15)
#define PART_LOCKS			(1 << 16)	/* FOR UPDATE and the like */
#define PART_CTES			(1 << 17)
#define PART_CHANGES		(1 << 18)	/* WITH ... INSERT and the like */
#define PART_COUNTS			(1 << 19)	/* only count(*) OVER (), of all rows */
#define PART_UNKNOWN		(1 << 20)

/* A query that joins, filters, sorts and projects */
#define PARTS_OF_ROWS		(PART_NO_FROM | PART_WHERE | PART_ORDER)

/* A query that gives one row for each group */
#define PARTS_OF_GROUP_ROWS	(PART_WHERE | PART_ORDER | PART_AGGREGATES | PART_GROUPS | PART_HAVING)

/* Is a condition one that is looked for? */
typedef bool (*ConditionTest) (Node *condition, void *context);

extern QueryParts PartsOf(const Query *query);
extern bool CountsInWindow(const WindowFunc *call);
extern bool IsFenced(const Query *subquery);
extern bool DoesMoreThanRead(const Query *query);
extern Node *DefaultsOf(Node *node);
extern bool CallsVolatile(Node *node);
extern bool IsTrue(Node *quals);
extern bool IsUnion(Node *node);
extern bool ReadsAllArms(const Query *query);
extern List *NodesOfJoinTree(Node *node);
extern Node *QualsOf(Node *node);
extern List *ConditionsIn(Node *jointree);
extern bool HasCondition(Node *quals, ConditionTest is_wanted, void *context);
extern Node *WithoutConditions(Node *quals, ConditionTest is_unwanted, void *context);
extern bool TakeExists(FromExpr *from, int varno);
extern int	OnlyItem(const FromExpr *from);
extern bool HasLaterals(const Query *query);
extern bool MayBeCollection(const Query *query);
extern bool IsOneRowItem(const Query *query, const Node *item);
extern bool HasHeirs(const RangeTblEntry *table);
extern bool HasForeignChild(const RangeTblEntry *table);

/* The number of an item of FROM, as an entry of the range table; 0 for a join */
static inline int
VarnoOf(const Node *item)
{
	return IsA(item, RangeTblRef) ? ((const RangeTblRef *) item)->rtindex : 0;
}

static inline bool
HasOnly(const Query *query, QueryParts parts)
{
	return (PartsOf(query) & ~parts) == 0;
}

static inline bool
HasAny(const Query *query, QueryParts parts)
{
	return (PartsOf(query) & parts) != 0;
}

/* Does it select values, and nothing else? */
static inline bool
IsBare(const Query *query)
{
	return query->rtable == NIL && HasOnly(query, PART_NO_FROM);
}

/* Does it read one join, and give its rows, aggregates or groups of them, and nothing else?  Such may be of values (value_items.c). */
static inline bool
ReadsOneJoin(const Query *query)
{
	return HasOnly(query, PART_AGGREGATES | PART_GROUPS) && list_length(query->jointree->fromlist) == 1 &&
		IsA(linitial(query->jointree->fromlist), JoinExpr);
}

/* Does it aggregate without GROUP BY, and so give one row for any rows? */
static inline bool
IsOneRow(const Query *query)
{
	return HasAny(query, PART_AGGREGATES) && HasOnly(query, PART_AGGREGATES | PART_WHERE);
}

#endif							/* JSONROW_QUERY_PARTS_H */
