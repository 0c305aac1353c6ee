/*-------------------------------------------------------------------------
 *
 * rewrite.h
 *		Replaces PostgreSQL's functions by ours.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_REWRITE_H
#define JSONROW_REWRITE_H

#include "jsonrow.h"

#include "nodes/params.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"

typedef struct Notes Notes;

/* What applies to a whole query, and what its plan will depend on */
typedef struct Rewrite
{
	ParamListInfo params;
	bool		accelerates;	/* jsonrow.accelerate is on */
	bool		may_precede_sort;	/* nothing that is sorted is cut
									 * afterwards */
	bool		may_stop;		/* not all rows of something may be read */
	bool		inlines;		/* whether a function's body takes the place
								 * of a call depends on what it is given */
	bool		compares;		/* a condition has a constructor, which others
								 * may be the same as */
	bool		may_follow;		/* values may be printed later, for no
								 * function that is called could change a
								 * setting, such as DateStyle, before */
	bool		carries_rows;	/* rows are locked, updated or deleted, for
								 * which PostgreSQL carries those of other
								 * items to the end */
	bool		limits;			/* there is LIMIT or OFFSET */
	bool		is_cursor;		/* not all rows may be fetched; WHERE CURRENT
								 * OF may refer to one */
	bool		always;			/* what can be unnested is, whether it gains
								 * or not */
	bool		is_settled;		/* it is known whether anything may change its
								 * place */
	const char *places_stay;	/* why nothing may; NULL if it may */
	int			visits;			/* how much has been examined */
	int			walked;			/* the same to find references (pull_up.c) */
	Bitmapset  *computed;		/* queries in WITH that are computed in any
								 * case, by their numbers (see survey.h) */
	Bitmapset  *cut;			/* queries of the first rows of each group */
	bool		reads_more;		/* their groups may have many more rows */
	double		share;			/* of parents that have rows in each
								 * collection that became a join, */
	double		shares;			/* and the sum of those of each, */
	int			ncollections;	/* of so many */
	List	   *functions;		/* PostgreSQL's, which ours have replaced */
	List	   *relations;		/* of row types whose columns were used */
	Notes	   *notes;			/* NULL if nobody asks for them */
} Rewrite;

/* One SELECT, INSERT, ... of a query, while its expressions are processed */
typedef struct Level
{
	Query	   *query;
	struct Level *outer;		/* the outer query, or NULL */
	Rewrite    *rewrite;
	bool		scalars;		/* may constructors of one value be replaced? */
	bool		may_merge;		/* there is an outer query, and the planner
								 * may pull it up into that */
	TargetEntry *entry;			/* where the current place is; NULL if it is
								 * not in the select list */
	bool		costs_are_asked;	/* it is known whether */
	bool		costs_decide;	/* what something costs decides which rows are
								 * read, of which some might raise an error */
	bool		joins_are_asked;	/* the same of what an item costs: whether */
	bool		joins_decide;	/* it decides how this query joins */
	int			aggregates;		/* how many surround the current place */
	int			columns;		/* of rows that have been taken apart */
	bool		is_asked;		/* a CTE: is_filtered is known */
	bool		is_filtered;	/* there are conditions outside of it */
	bool		grouped;		/* rows of the range table are not available */
	List	   *texts;			/* aggregates that must stay JSON text */
} Level;

/* That of a query in this one, to be looked at */
static inline Level
LevelBelow(Level *outer, Query *query)
{
	return (Level)
	{
		.query = query,.outer = outer,.rewrite = outer->rewrite
	};
}

/* Must an item of FROM keep its columns?  The row that is carried of a view has the view's own type. */
static inline bool
ColumnsStay(const Rewrite *rewrite, const RangeTblEntry *rte)
{
	return rewrite->carries_rows && rte->rtekind == RTE_SUBQUERY && OidIsValid(rte->relid);
}

extern void RewriteQuery(Query *query, Rewrite *rewrite);

/* as_jsonb.c */
extern bool TypeConvertsAlike(Level *level, Oid typid, bool in_text);
extern bool ConvertsAlike(Level *level, Node *expr, bool in_text);
extern Node *AsJsonb(Level *level, Node *expr);

/* as_text.c */
extern void EmbedAsText(Query *query, Rewrite *rewrite);

/* privileges.c */
extern bool UserMayRun(Query *query);

/* readers.c */
extern bool ReadsColumn(Node *node);
extern List *ReplaceReaders(PlannedStmt *stmt);

/* sql_functions.c */
extern List *InlineFunctions(Query *query, ParamListInfo params, int *cursor_options, bool *depends_on_role);

/* twins.c */
extern bool MayDependOn(List **functions, Oid function);
extern bool MayReplace(Level *level, Oid function);

/* whole_row.c */
extern void DependOnType(Level *level, Oid typid);

/* fences.c */
extern bool DependsOnFences(Query *query, Rewrite *rewrite);

/* planning_runs.c */
extern bool PlanningIsSeen(Rewrite *rewrite, Query *query);

#endif							/* JSONROW_REWRITE_H */
