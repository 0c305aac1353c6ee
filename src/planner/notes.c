/*-------------------------------------------------------------------------
 *
 * notes.c
 *		What becomes of a query's parts, and why, for those who ask.
 *
 * Planning takes notes only for jsonrow_explain and EXPLAIN (JSONROW); at any other
 * time, rewrite->notes is NULL, and nothing here does anything.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/levels.h"
#include "planner/notes.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/*
 * Where a query is
 */

/* The subqueries in the expressions of a query are counted. */
typedef struct Count
{
	Query	   *query;
	int			n;
} Count;

static Visit
VisitSubLink(Node *node, int depth, void *context)
{
	Count	   *count = context;

	if (depth > 0 || !IsA(node, SubLink))
		return VISIT_CHILDREN;
	count->n++;
	return ((SubLink *) node)->subselect == (Node *) count->query ? VISIT_FOUND : VISIT_CHILDREN;
}

/* What a query is called in the one around it */
static char *
NameIn(Query *outer, Query *query)
{
	Count		count = {.query = query};
	int			varno = ItemOf(outer, query);
	ListCell   *cell;

	if (varno > 0)
	{
		RangeTblEntry *rte = rt_fetch(varno, outer->rtable);

		return rte->ctename != NULL ? psprintf("WITH query \"%s\"", rte->ctename) :
			psprintf("FROM item \"%s\"", rte->eref->aliasname);
	}
	foreach(cell, outer->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		if (cte->ctequery == (Node *) query)
			return psprintf("WITH query \"%s\"", cte->ctename);
	}
	(void) FindInLevels((Node *) outer, VisitSubLink, &count);
	return psprintf("subquery %d", count.n);
}

/* Where the query of a level is */
char *
PlaceOf(Level *level)
{
	if (level->outer == NULL)
		return pstrdup(OUTERMOST);
	if (level->outer->outer == NULL)
		return NameIn(level->outer->query, level->query);
	return psprintf("%s, %s", PlaceOf(level->outer), NameIn(level->outer->query, level->query));
}

/*
 * Notes
 */

/* Note what becomes of something, for some reason if it stays; NULL if nobody asks. */
Note *
TakeNote(Rewrite *rewrite, const char *place, const char *what, const char *outcome, const char *reason)
{
	Notes	   *notes = rewrite->notes;
	MemoryContext old;
	Note	   *note;

	if (notes == NULL)
		return NULL;
	old = MemoryContextSwitchTo(notes->context);
	note = palloc(sizeof(Note));
	note->place = place;
	note->what = what;
	note->outcome = reason != NULL ? "stays" : outcome;
	note->reason = reason;
	notes->list = lappend(notes->list, note);
	MemoryContextSwitchTo(old);
	return note;
}

/* All of these stay as they are, after all. */
void
NoteAllStay(List *notes, const char *reason)
{
	ListCell   *cell;

	foreach(cell, notes)
	{
		Note	   *note = lfirst(cell);

		note->outcome = "stays";
		note->reason = reason;
	}
}

/* What another way of planning, which is taken, has changed did not stay after all. */
void
NoteAfterAll(Notes *notes, List *others)
{
	ListCell   *cell,
			   *other_cell;

	foreach(other_cell, others)
	{
		Note	   *other = lfirst(other_cell);

		if (other->reason != NULL)
			continue;
		foreach(cell, notes->list)
		{
			Note	   *note = lfirst(cell);

			if (strcmp(note->what, other->what) != 0 || strcmp(note->place, other->place) != 0)
				continue;
			note->outcome = other->outcome;
			note->reason = NULL;
		}
	}
}

/*
 * Calls of functions that make JSON
 */

typedef struct CallSearch
{
	Level	   *level;
	Node	   *node;			/* the current one */
	bool		in_condition;
	bool		in_aggregate;
} CallSearch;

/* Why one of PostgreSQL's has not been replaced */
static const char *
ReasonOfCall(const CallSearch *search, Oid function)
{
	Node	   *node = search->node;

	if (!search->level->rewrite->accelerates)
		return "jsonrow.accelerate is off";
	if (IsA(node, WindowFunc))
		return "it has an OVER clause";
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup > 0)
		return "it aggregates rows of a query further out";
	if (IsA(node, Aggref) && !IsPlainAggregate((Aggref *) node))
		return "it has DISTINCT, VARIADIC or WITHIN GROUP";
	if (search->in_condition)
		return "it is outside of the select list: an index may have the same expression";
	if (!AnybodyMayCall(function))
		return "PUBLIC has no EXECUTE privilege on PostgreSQL's function";
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcvariadic)
		return "it is called with VARIADIC";
	if (IsA(node, FuncExpr) && !search->in_aggregate)
		return "the query sorts or groups by such a call, or compares it, or a value could raise an error for a row that LIMIT cuts off";
	return "jsonrow has nothing that takes its place";
}

/* What the names of our functions begin with that are PostgreSQL's */
#define CORE_PREFIX	"jsonrow_core_"

static bool
NoteCall(Oid function, void *context)
{
	const CallSearch *search = context;
	Level	   *level = search->level;
	const char *name = get_func_name(function);

	if (TwinOfFunction(function) != NO_TWIN && strncmp(name, CORE_PREFIX, strlen(CORE_PREFIX)) == 0)
		TakeNote(level->rewrite, PlaceOf(level), name + strlen(CORE_PREFIX), "accelerated", NULL);
	else if (TwinOf(function) != NO_TWIN)
		TakeNote(level->rewrite, PlaceOf(level), name, NULL, ReasonOfCall(search, function));
	return false;
}

static bool
FindCalls(Node *node, void *context)
{
	CallSearch *search = context;
	bool		in_aggregate = search->in_aggregate;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query))
	{
		NoteCalls((Query *) node, search->level, search->level->rewrite);
		return false;
	}
	search->node = node;
	check_functions_in_node(node, NoteCall, search);
	search->in_aggregate |= IsA(node, Aggref);
	expression_tree_walker(node, FindCalls, context);
	search->in_aggregate = in_aggregate;
	return false;
}

/* Note what has become of the calls in a query, which may be within another one. */
void
NoteCalls(Query *query, Level *outer, Rewrite *rewrite)
{
	Level		level = {.query = query,.outer = outer,.rewrite = rewrite};
	CallSearch	search = {.level = &level};

	if (rewrite->notes == NULL)
		return;
	FindCalls((Node *) query->targetList, &search);
	FindCalls((Node *) query->returningList, &search);
	search.in_condition = true;
	FindCalls((Node *) query->jointree, &search);
	FindCalls(query->havingQual, &search);
	range_table_walker(query->rtable, FindCalls, &search, QTW_IGNORE_JOINALIASES);
	FindCalls((Node *) query->cteList, &search);
}
