/*-------------------------------------------------------------------------
 *
 * survey.h
 *		How the queries within a query are read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SURVEY_H
#define JSONROW_SURVEY_H

#include "jsonrow.h"

#include "nodes/bitmapset.h"
#include "planner/rewrite.h"

/* Reasons why a query is not carried out in another way */
#define OTHER_ROWS_MAY_RAISE	"FROM or WHERE could raise an error, or reveal what it sees, for rows that are not read as it is written"
#define COMPUTED_AGAIN			"what it computes is used more than once"
#define READERS_MAY_RAISE		"a query around it could raise an error, or reveal what it sees, for rows that are not read as it is written"

/* What the reader of a query sees of the order of its rows */
typedef enum OrderUse
{
	ORDER_HIDDEN,				/* its result is the same in any order */
	ORDER_PASSED,				/* what its own readers see of its rows */
	ORDER_SEEN,
} OrderUse;

/* To a question that is asked once */
typedef enum Answer
{
	ANSWER_UNKNOWN,
	ANSWER_NO,
	ANSWER_YES,
} Answer;

typedef struct Surveyed Surveyed;
typedef struct Survey Survey;

/* One query reads another: it is in its FROM, or a CTE of which an item is */
typedef struct Use
{
	Surveyed   *reader;
	bool		all_rows;		/* no row is dropped, or left unread */
	OrderUse	order;
} Use;

/* What is known of one query */
struct Surveyed
{
	Level		level;			/* while the survey is made */
	Survey	   *survey;
	Surveyed   *outer;
	bool		is_joined;		/* a collection that has become a join */
	bool		may_be_joined;	/* a SubLink that PostgreSQL may join */
	Answer		plan_is_seen;
	Answer		readers_may_raise;
	Answer		raises_otherwise;
	Answer		other_rows_raise;
	Answer		subqueries_may_raise;
	Answer		may_be_stopped;
	Answer		sends_rows;
	bool		runs_once_for_all;	/* as was found out */
	bool		order_is_hidden;	/* the same */
	List	   *uses;
	const Bitmapset *columns;	/* that are looked at; 0 stands for all */
	Bitmapset **items;			/* the same of each item of its FROM */
	Bitmapset **ctes;			/* and of each of its CTEs */
	List	  **cte_uses;
	List	   *once;			/* SubLinks that are run once, for their value */
	List	   *lookups;		/* LookUps in its FROM, once they are found */
	const char *place;			/* where it is, if somebody asks */
};

struct Survey
{
	Query	   *query;
	Rewrite    *rewrite;
	List	   *queries;		/* Surveyed */
};

/* Why nothing in a statement changes its place */
#define CALLS_VOLATILE			"the statement calls a volatile function"
#define LACKS_PRIVILEGE			"the user lacks a privilege that the statement asks for"
#define DEPENDS_ON_FENCES		"what it computes of a subquery's columns depends on whether PostgreSQL pulls that up"

extern const char *WhyPlacesStay(Rewrite *rewrite, Query *query);
extern Survey *MakeSurvey(Query *query, Rewrite *rewrite);
extern Surveyed *FindSurveyed(const Survey *survey, const Query *query);

/* Is the number of a query within among these? */
static inline bool
IsNumbered(const Bitmapset *numbers, const Query *query)
{
	return query->queryId > 0 && query->queryId <= INT_MAX && bms_is_member((int) query->queryId, numbers);
}

extern int	IdOf(const Survey *survey, const Query *query);
extern bool RunsOnceForAll(Surveyed *surveyed);
extern bool MayBeStopped(Surveyed *surveyed);
extern bool SendsRows(Surveyed *surveyed);
extern bool IsSent(Surveyed *surveyed);
extern bool ReadersShowPlan(Surveyed *surveyed);
extern bool PlanIsSeen(Surveyed *surveyed);
extern bool ReadersMayRaise(Surveyed *surveyed);
extern bool ItsSubqueriesMayRaise(Surveyed *surveyed);
extern bool OtherRowsRaise(Surveyed *surveyed);
extern void AskReaders(const Survey *survey);
extern bool OrderIsSeen(Surveyed *surveyed);
extern bool TargetIsLookedAt(const Surveyed *surveyed, AttrNumber resno);
extern bool ItemIsLookedAt(const Surveyed *surveyed, int varno);
extern List *AlwaysComputed(List *targets);
extern List *NotAlwaysComputed(Node *expr);

#endif							/* JSONROW_SURVEY_H */
