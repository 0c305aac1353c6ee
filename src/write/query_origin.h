/*-------------------------------------------------------------------------
 *
 * query_origin.h
 *		Where in a query an expression is computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_QUERY_ORIGIN_H
#define JSONROW_QUERY_ORIGIN_H

#include "jsonrow.h"

#include "document/domains.h"
#include "nodes/params.h"
#include "nodes/plannodes.h"

/* No real query needs more than this many expressions; it takes 10 ms. */
#define MAX_VISITS	100000

/* A node of the query's plan tree, at which an expression is read */
typedef struct QueryPlace
{
	Plan	   *plan;
	PlannedStmt *stmt;
	ParamListInfo params;
	DocumentDomains domains;

	/* The correlated subquery that we are in, and where it is called, or NULL */
	SubPlan    *call;
	const struct QueryPlace *caller;

	/*
	 * What is found here may not be all that comes, because we went through
	 * an Append and followed its first input; or workers may not find it.
	 */
	bool		uncertain;

	/* Follow only what a worker could follow, too. */
	bool		as_worker;

	/* How many more expressions to examine */
	int		   *visits;
} QueryPlace;

extern List *ScannedPlan(QueryPlace place);
extern List *InputsOf(QueryPlace place, Node *expr, AttrNumber *attno);
extern void EnterInput(QueryPlace *place, Node *expr, Plan *input);
extern Node *FindArgument(QueryPlace *place, Node *expr);
extern bool AddsRows(Plan *plan);
extern Node *FindOrigin(QueryPlace *place, Node *expr);
extern Node *Evaluate(QueryPlace place, Node *expr);
extern bool IsTooFar(QueryPlace place);

#endif							/* JSONROW_QUERY_ORIGIN_H */
