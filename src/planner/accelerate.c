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
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/planner.h"
#include "planner/accelerate.h"
#include "planner/chains.h"
#include "planner/folding.h"
#include "planner/may_raise.h"
#include "planner/query_parts.h"
#include "planner/rewrite.h"
#include "planner/survey.h"
#include "planner/twins.h"
#include "planner/unnest_choice.h"
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
	bool		changes;		/* something changes data or locks rows */
	bool		carries_rows;	/* something locks, updates or deletes rows */
	bool		functions;		/* there are functions in SQL in FROM */
	bool		lists;			/* there is a long list of values */
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
 * What of that is a node?  Aggregates that are not built in are all worth a second look.  The body of a function in SQL
 * (one that MayDropArguments) and the expression of a virtual column, which the planner puts in the places of these, may
 * read members, too.
 */
static void
AddContents(QueryContents *contents, Node *node)
{
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			if (TwinOf(((FuncExpr *) node)->funcid) != NO_TWIN ||
				ReaderTwinOf(((FuncExpr *) node)->funcid) != NO_TWIN)
				contents->found = true;
			else
				contents->reads |= ReadsColumn(node) || MayDropArguments(((FuncExpr *) node)->funcid);
			contents->inlines |= DependsOnArguments(contents->query, ((FuncExpr *) node)->funcid, ((FuncExpr *) node)->args);
			break;
		case T_OpExpr:
			contents->inlines |= DependsOnArguments(contents->query, ((OpExpr *) node)->opfuncid, ((OpExpr *) node)->args);
			pg_fallthrough;
		case T_SubscriptingRef:
			contents->reads |= ReadsColumn(node);
			break;
		case T_ScalarArrayOpExpr:
			contents->lists |= HasLongList((ScalarArrayOpExpr *) node);
			break;
		case T_Aggref:
			if (TwinOf(((Aggref *) node)->aggfnoid) != NO_TWIN ||
				((Aggref *) node)->aggfnoid >= FirstNormalObjectId)
				contents->found = true;
			break;
		case T_SubLink:
			contents->nested |= ((SubLink *) node)->subLinkType == EXPR_SUBLINK ||
				((SubLink *) node)->subLinkType == ARRAY_SUBLINK;
			contents->cuts |= ((SubLink *) node)->subLinkType == EXISTS_SUBLINK ||
				((SubLink *) node)->subLinkType == ANY_SUBLINK ||
				((SubLink *) node)->subLinkType == ALL_SUBLINK;
			break;
		case T_RangeTblEntry:
			if (MayBeForeign((RangeTblEntry *) node))
				contents->foreign = true;
			contents->reads |= ((RangeTblEntry *) node)->rtekind == RTE_RELATION &&
				ColumnIsVirtual(((RangeTblEntry *) node)->relid, 0);
			contents->nested |= ((RangeTblEntry *) node)->lateral;
			contents->functions |= ((RangeTblEntry *) node)->rtekind == RTE_FUNCTION &&
				FunctionsBecomeQueries(((RangeTblEntry *) node)->functions);
			break;
		case T_Query:
			contents->sorts |= ((Query *) node)->sortClause != NIL;
			contents->skips |= ((Query *) node)->limitOffset != NULL;
			contents->limits |= ((Query *) node)->limitCount != NULL ||
				((Query *) node)->limitOffset != NULL;
			contents->cuts |= contents->limits;
			contents->changes |= DoesMoreThanRead((Query *) node);
			contents->carries_rows |= ((Query *) node)->rowMarks != NIL ||
				(((Query *) node)->commandType != CMD_SELECT && ((Query *) node)->commandType != CMD_INSERT);
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

static QueryContents
ContentsOf(Query *query)
{
	QueryContents contents = {0};

	FindContents((Node *) query, &contents);
	return contents;
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

/* Note why a query stays as it is, as a whole. */
static void
NoteAll(Rewrite *rewrite, const QueryContents *contents)
{
	if (contents->foreign)
		TakeNote(rewrite, OUTERMOST, "all", NULL, "it may read a foreign table, and its server do some of the work");
	else
		TakeNote(rewrite, OUTERMOST, "all", NULL, "Citus plans it, by the names of PostgreSQL's functions");
}

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
	/* Whether it may go back depends on its plan, if nobody says it. */
	if ((cursor_options & (CURSOR_OPT_FAST_PLAN | CURSOR_OPT_NO_SCROLL)) == CURSOR_OPT_FAST_PLAN)
		return "it is a cursor without NO SCROLL";
	return NULL;
}

/* Plan a query whose pages and collections may change their places. */
static PlannedStmt *
PlanNested(Rewrite *rewrite, const QueryContents *contents, PLANNER_PARAMETERS)
{
	const char *reason = WhyAsWritten(rewrite, contents, query, cursor_options);

	if (reason != NULL)
	{
		TakeNote(rewrite, OUTERMOST, "pages and collections", NULL, reason);
		return PlanNext(PLANNER_ARGUMENTS);
	}
	/* A cursor is to give its first rows soon. */
	return PlanByCosts(PlanNext, next_planner == NULL, contents->nested && !rewrite->is_cursor, rewrite,
					   PLANNER_ARGUMENTS);
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

/* The same if one of those changes that have been inlined; and another role must see other policies. */
static void
DependOnInlined(PlannedStmt *stmt, List *items, bool depends_on_role)
{
	stmt->invalItems = list_concat(stmt->invalItems, items);
	stmt->dependsOnRole |= depends_on_role;
}

/* Plan a query with whatever of ours can take the place of something in it. */
static PlannedStmt *
PlanRewritten(bool *reads, PLANNER_PARAMETERS)
{
	Rewrite		rewrite = {.params = params,.accelerates = accelerate,.always = UnnestsAlways(),
	.is_cursor = (cursor_options & CURSOR_OPT_FAST_PLAN) != 0,.notes = NotesToTake()};
	QueryContents contents = {0};
	List	   *inlined = NIL;
	bool		depends_on_role = false;
	PlannedStmt *stmt;

	if (accelerate || UnnestIsOn() || rewrite.notes != NULL)
		contents = ContentsOf(query);
	if (contents.functions && UnnestIsOn() && !contents.changes && !rewrite.is_cursor)
	{
		inlined = InlineFunctions(query, params, &cursor_options, &depends_on_role);
		contents = ContentsOf(query);
	}
	*reads = contents.reads;
	if (contents.foreign ||
		!(contents.found || contents.nested || (UnnestIsOn() && contents.skips) || rewrite.notes != NULL) ||
		!TwinsAreUsable())
	{
		NoteAll(&rewrite, &contents);
		stmt = PlanNext(PLANNER_ARGUMENTS);
		DependOnInlined(stmt, inlined, depends_on_role);
		return stmt;
	}
	rewrite.limits = contents.limits;
	rewrite.may_stop = contents.cuts || rewrite.is_cursor;
	rewrite.may_precede_sort = !contents.sorts || (!contents.cuts && !rewrite.is_cursor);
	rewrite.inlines = contents.inlines;
	rewrite.carries_rows = contents.carries_rows;
	if (contents.lists)
		FoldLists(query);
	if (contents.nested && WhyAsWritten(&rewrite, &contents, query, cursor_options) == NULL)
		SimplifyOneRows(query, &rewrite);
	if (accelerate && contents.found)
	{
		rewrite.may_follow = !CallsVolatile((Node *) query);
		RewriteQuery(query, &rewrite);
		EmbedAsText(query, &rewrite);
	}

	NoteCalls(query, &rewrite);
	if (contents.nested || contents.limits)
		stmt = PlanNested(&rewrite, &contents, PLANNER_ARGUMENTS);
	else
		stmt = PlanNext(PLANNER_ARGUMENTS);
	DependOnFunctions(stmt, rewrite.functions);
	DependOnInlined(stmt, inlined, depends_on_role);
	stmt->relationOids = list_concat(stmt->relationOids, rewrite.relations);
	/* Another user may lack a privilege. */
	stmt->dependsOnRole |= rewrite.is_settled;
	return stmt;
}

static PlannedStmt *
PlanAccelerated(PLANNER_PARAMETERS)
{
	bool		reads;
	PlannedStmt *stmt = PlanRewritten(&reads, PLANNER_ARGUMENTS);

	/* Asked again: planning may have met changes of functions. */
	if (accelerate && reads && TwinsAreUsable())
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

/*
 * Plan a query only for the notes.  The query cannot be used afterwards.  Costs tell
 * what is in tables, so these must be the user's to read, as for EXPLAIN.
 */
void
PlanWithNotes(Query *query, const char *text, Notes *notes)
{
	WantNotes(notes);
	PG_TRY();
	{
		PlannedStmt *plan = PlanQuery(query, text, CURSOR_OPT_PARALLEL_OK, NULL);

		CheckPermissions(plan);
	}
	PG_CATCH();
	{
		WantNotes(NULL);
		PG_RE_THROW();
	}
	PG_END_TRY();
	WantNotes(NULL);
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
