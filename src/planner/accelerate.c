/*-------------------------------------------------------------------------
 *
 * accelerate.c
 *		Queries that use PostgreSQL's own functions, run by ours.
 *
 * Just before planning, our functions replace PostgreSQL's in a query.  Not
 * earlier, because views and functions would be stored with ours; and not
 * later, because rows would already be formed.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "optimizer/cost.h"
#include "optimizer/planner.h"
#include "planner/accelerate.h"
#include "planner/folding.h"
#include "planner/may_raise.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/rewrite.h"
#include "planner/survey.h"
#include "planner/twins.h"
#include "planner/unnest.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/plancache.h"
#include "utils/syscache.h"

static bool accelerate = false;
static planner_hook_type next_planner = NULL;

/* Where the next planning is to put its notes; NULL if nobody asks */
static Notes *wanted_notes = NULL;

/* What a query has that concerns us, found before anything is done with it */
typedef struct QueryContents
{
	bool		found;			/* it has something that has a twin */
	bool		reads;			/* it reads members of JSON columns */
	bool		nested;			/* there may be collections */
	bool		foreign;		/* a foreign server may be involved */
	bool		sorts;			/* something is sorted, ... */
	bool		cuts;			/* not all rows of something are wanted */
	bool		limits;			/* there is LIMIT or OFFSET */
	bool		skips;			/* there is OFFSET */
	bool		groups;			/* something is grouped */
	bool		changes;		/* something changes data or locks rows */
	bool		carries_rows;	/* something locks, updates or deletes rows */
	bool		functions;		/* there are functions in SQL in FROM */
	bool		inlines;		/* a call may become what its function's body
								 * is, depending on its arguments */
	Query	   *query;			/* in which the current node is */
	int			depth;			/* of that node */
	int			deepest;
} QueryContents;

/*
 * So many kB of the stack are enough to rewrite each level of a query.  PostgreSQL takes less for most, so what it can plan might be too
 * deep for a rewrite, which may not raise an error.
 */
#define STACK_PER_LEVEL	2

bool
AccelerationIsOn(void)
{
	return accelerate;
}

/* Cached plans were made with or without us. */
static void
AssignAccelerate(bool newval, void *extra)
{
	if (newval != accelerate)
		ResetPlanCache();
}

/*
 * May a foreign server be involved in reading it?  A server that has a partition
 * matters only if it may be sent an aggregate.
 */
static bool
MayBeForeign(RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION &&
		(rte->relkind == RELKIND_FOREIGN_TABLE || (enable_partitionwise_aggregate && HasForeignChild(rte)));
}

/*
 * What of that is a node?  A long list is made one value.  Aggregates that are not built in are all worth a second
 * look.  The body of a function in SQL (one that MayDropArguments) and the expression of a virtual column, which the
 * planner puts in the places of these, may read members, too.
 */
static void
AddContents(QueryContents *contents, Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	OpExpr	   *op = (OpExpr *) node;
	SubLink    *sublink = (SubLink *) node;
	RangeTblEntry *rte = (RangeTblEntry *) node;
	Query	   *query = (Query *) node;

	switch (nodeTag(node))
	{
		case T_FuncExpr:
			if (TwinOf(call->funcid) != NO_TWIN || ReaderTwinOf(call->funcid) != NO_TWIN)
				contents->found = true;
			else
				contents->reads |= ReadsColumn(node) || MayDropArguments(call->funcid);
			contents->inlines |= DependsOnArguments(contents->query, call->funcid, call->args);
			break;
		case T_OpExpr:
			contents->inlines |= DependsOnArguments(contents->query, op->opfuncid, op->args);
			pg_fallthrough;
		case T_SubscriptingRef:
			contents->reads |= ReadsColumn(node);
			break;
		case T_ScalarArrayOpExpr:
			FoldList((ScalarArrayOpExpr *) node);
			break;
		case T_Aggref:
			contents->found |= TwinOf(((Aggref *) node)->aggfnoid) != NO_TWIN ||
				((Aggref *) node)->aggfnoid >= FirstNormalObjectId;
			break;
		case T_SubLink:
			contents->nested |= sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK;
			contents->cuts |= sublink->subLinkType == EXISTS_SUBLINK || sublink->subLinkType == ANY_SUBLINK ||
				sublink->subLinkType == ALL_SUBLINK;
			break;
		case T_RangeTblEntry:
			contents->foreign |= MayBeForeign(rte);
			contents->reads |= rte->rtekind == RTE_RELATION && ColumnIsVirtual(rte->relid, 0);
			contents->nested |= rte->lateral;
			contents->functions |= FunctionsBecomeQueries(rte->functions);
			break;
		case T_Query:
			contents->sorts |= query->sortClause != NIL;
			contents->skips |= query->limitOffset != NULL;
			contents->groups |= query->groupClause != NIL;
			contents->limits |= query->limitCount != NULL || query->limitOffset != NULL;
			contents->cuts |= contents->limits;
			contents->changes |= DoesMoreThanRead(query);
			contents->carries_rows |= query->rowMarks != NIL ||
				(query->commandType != CMD_SELECT && query->commandType != CMD_INSERT);
			break;
		default:
			contents->found |= IsJsonConstructor(node);
			break;
	}
}

static bool
FindContents(Node *node, void *context)
{
	QueryContents *contents = context;

	if (node == NULL)
		return false;
	AddContents(contents, node);
	if (IsA(node, RangeTblEntry))
		return false;			/* query_tree_walker goes into it */
	contents->depth++;
	contents->deepest = Max(contents->deepest, contents->depth);
	if (IsA(node, Query))
	{
		Query	   *outer = contents->query;

		check_stack_depth();
		contents->query = (Query *) node;
		query_tree_walker((Query *) node, FindContents, context, QTW_EXAMINE_RTES_BEFORE);
		contents->query = outer;
	}
	else
		expression_tree_walker(node, FindContents, context);
	contents->depth--;
	return false;
}

/* The plan becomes invalid if one of these functions changes. */
static void
DependOnFunctions(PlannedStmt *stmt, List *functions)
{
	ListCell   *cell;

	foreach(cell, functions)
	{
		PlanInvalItem *item = makeNode(PlanInvalItem);

		item->cacheId = PROCOID;
		item->hashValue = GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(lfirst_oid(cell)));
		stmt->invalItems = lappend(stmt->invalItems, item);
	}
}

static PlannedStmt *
PlanNext(PLANNER_PARAMETERS)
{
	return next_planner ? next_planner(PLANNER_ARGUMENTS) : standard_planner(PLANNER_ARGUMENTS);
}

/* Why a query stays as it is, as a whole */
#define READS_FOREIGN	"it may read a foreign table, and its server do some of the work"
#define CITUS_PLANS		"Citus plans it, by the names of PostgreSQL's functions"

/* Why nothing in a query changes its place; NULL if something may */
static const char *
WhyAsWritten(Rewrite *rewrite, const QueryContents *contents, Query *query, int cursor_options)
{
	if (!UnnestIsOn())
		return "jsonrow.unnest is off";
	if (contents->changes)
		return "the statement changes data or locks rows";
	if (contents->deepest > max_stack_depth / STACK_PER_LEVEL)
		return "something in it is nested too deep";

	/*
	 * Nobody else is told, so it is asked when something is found that would
	 * change its place.
	 */
	if (rewrite->notes != NULL && WhyPlacesStay(rewrite, query) != NULL)
		return rewrite->places_stay;

	/*
	 * Whether it may go back, or a row be updated where it is, depends on its
	 * plan.
	 */
	if (cursor_options & CURSOR_OPT_FAST_PLAN)
		return "it is a cursor";
	return NULL;
}

/*
 * The notes that this planning is to take; NULL if nobody asks, or only about another query:
 * EXPLAIN may call functions, which plan their own queries in memory of their own.
 */
static Notes *
NotesToTake(void)
{
	Notes	   *notes = wanted_notes;

	if (notes == NULL || (CurrentMemoryContext != notes->context &&
						  MemoryContextGetParent(CurrentMemoryContext) != notes->context))
		return NULL;
	wanted_notes = NULL;
	return notes;
}

/* Plan a query with whatever of ours can take the place of something in it. */
static PlannedStmt *
PlanRewritten(Rewrite *rewrite, const QueryContents *contents, PLANNER_PARAMETERS)
{
	bool		has_places = contents->nested || contents->limits;
	const char *reason = NULL;
	PlannedStmt *stmt;

	rewrite->limits = contents->limits;
	rewrite->may_stop = contents->cuts || rewrite->is_cursor;
	rewrite->may_precede_sort = !contents->sorts || !rewrite->may_stop;
	rewrite->inlines = contents->inlines;
	rewrite->carries_rows = contents->carries_rows;
	if (has_places)
		reason = WhyAsWritten(rewrite, contents, query, cursor_options);
	if (contents->nested && reason == NULL)
		SimplifyOneRows(query, rewrite);
	if (accelerate && contents->found)
	{
		rewrite->may_follow = !CallsVolatile((Node *) query);
		RewriteQuery(query, rewrite);
		EmbedAsText(query, rewrite);
	}

	NoteCalls(query, NULL, rewrite);
	if (reason != NULL)
		TakeNote(rewrite, OUTERMOST, "pages and collections", NULL, reason);
	if (has_places && reason == NULL)
		stmt = PlanByCosts(PlanNext, next_planner == NULL, contents->nested, rewrite, PLANNER_ARGUMENTS);
	else
		stmt = PlanNext(PLANNER_ARGUMENTS);
	DependOnFunctions(stmt, rewrite->functions);
	stmt->relationOids = list_concat(stmt->relationOids, rewrite->relations);
	/* Another user may lack a privilege. */
	stmt->dependsOnRole |= rewrite->is_settled;
	return stmt;
}

static PlannedStmt *
PlanAccelerated(PLANNER_PARAMETERS)
{
	Rewrite		rewrite = {.params = params,.accelerates = accelerate,.always = UnnestsAlways(),
	.is_cursor = (cursor_options & CURSOR_OPT_FAST_PLAN) != 0,.notes = NotesToTake()};
	QueryContents contents = {0};
	List	   *inlined = NIL;
	bool		depends_on_role = false;
	PlannedStmt *stmt;

	if (accelerate || UnnestIsOn() || rewrite.notes != NULL)
		FindContents((Node *) query, &contents);
	if (contents.functions && UnnestIsOn() && !contents.changes && !rewrite.is_cursor && TwinsAreUsable())
	{
		inlined = InlineFunctions(query, params, &cursor_options, &depends_on_role);
		memset(&contents, 0, sizeof(contents));
		FindContents((Node *) query, &contents);
	}
	if (contents.foreign ||
		!(contents.found || contents.nested || rewrite.notes != NULL ||
		  (UnnestIsOn() && (contents.skips || (contents.groups && contents.limits)))) ||
		!TwinsAreUsable())
	{
		TakeNote(&rewrite, OUTERMOST, "all", NULL, contents.foreign ? READS_FOREIGN : CITUS_PLANS);
		stmt = PlanNext(PLANNER_ARGUMENTS);
	}
	else
		stmt = PlanRewritten(&rewrite, &contents, PLANNER_ARGUMENTS);

	/*
	 * A function that has been inlined may change; and another role must see
	 * other policies.
	 */
	stmt->invalItems = list_concat(stmt->invalItems, inlined);
	stmt->dependsOnRole |= depends_on_role;
	/* Asked again: planning may have met changes of functions. */
	if (accelerate && contents.reads && TwinsAreUsable())
	{
		if (next_planner != NULL)
			stmt = copyObject(stmt);	/* it may be kept by another hook */
		DependOnFunctions(stmt, ReplaceReaders(stmt));
	}
	return stmt;
}

/* The next planning is to take notes, until this is taken back. */
void
WantNotes(Notes *notes)
{
	wanted_notes = notes;
}

/* Define the setting, and install our planner hook. */
void
InitAcceleration(void)
{
	DefineCustomBoolVariable("jsonrow.accelerate",
							 "Runs jsonrow's functions in place of PostgreSQL's own JSON functions.",
							 "Queries do not change, and their results are the same, to the byte.",
							 &accelerate,
							 false,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 AssignAccelerate,
							 NULL);
	InitUnnesting();
	next_planner = planner_hook;
	planner_hook = PlanAccelerated;
}
