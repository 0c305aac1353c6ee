/*-------------------------------------------------------------------------
 *
 * page.h
 *		Which parts of a query are computed for its rows afterwards.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PAGE_H
#define JSONROW_PAGE_H

#include "jsonrow.h"

#include "nodes/bitmapset.h"
#include "nodes/primnodes.h"
#include "planner/query_parts.h"
#include "planner/rewrite.h"
#include "planner/survey.h"

/* A reason */
#define COMES_BY_INDEX	"PostgreSQL reads it in the order of an index, and stops when it has the rows"

/* A reason why it is none */
#define PAGE_AGGREGATES	"the query with LIMIT aggregates"

/* A page of at most so many rows is small. */
#define SMALL_PAGE		1000

/* What a query may contain that is a page */
#define PARTS_OF_PAGE	(PART_WHERE | PART_ORDER | PART_LIMIT | PART_OFFSET | PART_CTES)

/* After which of a query's clauses it is divided */
typedef enum PageCut
{
	AFTER_LIMIT,				/* a page */
	AFTER_WHERE,				/* rows that are read once */
	AFTER_GROUPS,				/* the same of groups, and of rows that have
								 * window functions */
	BEFORE_GROUPS,				/* a page whose rows are grouped with what is
								 * joined to them (grouped_page.c) */
} PageCut;

/* A query with LIMIT or OFFSET, and what is computed after that */
typedef struct RowPage
{
	Level	   *level;
	PageCut		cut;
	List	   *late;			/* nodes of FROM: items that are listed, and
								 * joins of which one is the right side; one
								 * that refers to another follows it */
	Bitmapset  *items;			/* these, as numbers of the range table */
	Query	  **groups;			/* subqueries that take the place of some, by
								 * number */
	Bitmapset  *entries;		/* of the select list, by resno */
	bool		is_small;		/* there are few rows, whatever they are */
	bool		for_batches;	/* what is late may be computed for all of
								 * them at once */
	Query	   *parents;		/* what has its rows, once it is divided, */
	int			varno;			/* and the number of that in its FROM */
} RowPage;

/* Which pages to look for, and what was found */
typedef struct Paging
{
	Rewrite    *rewrite;
	Query	   *query;
	Survey	   *survey;			/* NULL until it is needed */
	bool		all;			/* not only those that gain in any case */
	bool		for_batches;	/* and those that gain only if what is late is
								 * computed for all of them at once */
	int			nlarge;			/* how many others there are: large ones, */
	int			nfiltered;		/* and those in the order of an index with a
								 * filter */
	List	   *notes;			/* of these */
} Paging;

/* The number of a late item */
static inline int
VarnoOfLate(const Node *node)
{
	return VarnoOf(IsA(node, JoinExpr) ? ((const JoinExpr *) node)->rarg : node);
}

extern int	ColumnsOfParents(const RowPage *page);
extern bool CanBeLate(const RowPage *page, Node *expr);
extern FromExpr *PageParents(const RowPage *page);

extern RowPage PageOf(Level *level, bool for_batches);
extern bool MayBeGroupedPage(const Query *query);
extern bool MayBeSortedGroups(const Query *query);
extern const char *WhyNoPage(Level *level, bool for_batches);
extern const char *FindPage(Surveyed *surveyed, bool for_batches, RowPage *page);
extern bool MayReadOnce(Level *level);
extern bool FindRowsOnce(Surveyed *surveyed, RowPage *page);

/* grouped_page.c */
extern const char *FindGroupedPage(Surveyed *surveyed, bool for_batches, RowPage *page);

/* parents_first.c */
extern void PutParentsFirst(Query *query, Paging *paging);

#endif							/* JSONROW_PAGE_H */
