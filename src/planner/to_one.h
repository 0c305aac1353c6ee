/*-------------------------------------------------------------------------
 *
 * to_one.h
 *		Look-ups by a unique key, whose LIMIT does nothing.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TO_ONE_H
#define JSONROW_TO_ONE_H

#include "jsonrow.h"

#include "planner/source.h"
#include "planner/survey.h"

/* A look-up in the FROM of a query, and why its LIMIT stays in any case; or NULL */
typedef struct LookUp
{
	int			varno;
	const char *place;			/* if somebody asks */
	const char *reason;
} LookUp;

extern bool IsLookUp(Level *level);
extern bool FindsOneWithCollections(Level *level);
extern void DropLimitsOfOne(Level *level);
extern bool JoinsCollections(Level *level);
extern void KeepFromJoining(Level *level);
extern List *LookUpsOf(Level *level);
extern void FindLookUps(Surveyed *surveyed);
extern Source *TableOfLookUp(Query *query, Node **value);
extern bool TakeScalarLookUp(Surveyed *surveyed, Level *level, Query *before, Query *subquery, const char **reason);
extern void DropLimits(Surveyed *surveyed, Level *level, Notes *in_join);

#endif							/* JSONROW_TO_ONE_H */
