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

/* Nobody writes a query in which more has to be looked at; it takes 10 ms. */
#define MAX_VISITS	100000

/* An expression is read at a node of the query's plan tree. */
typedef struct QueryPlace
{
	Plan	   *plan;
	PlannedStmt *stmt;
	ParamListInfo params;
	DocumentDomains domains;

	/*
	 * What is found here need not be all that comes, for an Append was passed
	 * on the way, and its first input followed; or workers do not find it.
	 */
	bool		uncertain;

	/* Follow only what a worker could, too. */
	bool		as_worker;

	/* How many more expressions to look at */
	int		   *visits;
} QueryPlace;

extern List *ScannedPlan(QueryPlace place);
extern List *InputsOf(QueryPlace place, Node *expr, AttrNumber *attno);
extern bool AddsRows(Plan *plan);
extern Node *FindOrigin(QueryPlace *place, Node *expr);
extern Node *Evaluate(QueryPlace place, Node *expr);
extern bool IsTooFar(QueryPlace place);

#endif							/* JSONROW_QUERY_ORIGIN_H */
