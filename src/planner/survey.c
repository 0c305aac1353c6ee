/*-------------------------------------------------------------------------
 *
 * survey.c
 *		How the queries within a query are read.
 *
 * A collection may be computed for all parents at once only if what is made of its query cannot tell the difference.
 * That depends on the queries around it.  They are surveyed from the outermost inwards, and a CTE after all that read
 * it; nothing is changed.  What is found out:
 *
 * - Is a query run once, and is every row of it wanted?  It is if it is the
 *   outermost, or if all that read it are, and have it in their FROM where no row
 *   is dropped: under no condition, and where only one-row items and the right
 *   sides of left joins are joined to it.  Anywhere else, some of its rows may
 *   never be computed.
 *
 * - Does the order of its rows matter?  See order.c.
 *
 * - Which of its columns does something look at, other than to hand them on?  A
 *   condition on a column is evaluated wherever the planner thinks fit, and a
 *   strict one makes an inner join of a left join.  So it could see values of rows
 *   that no parent reaches, or that row-level security hides.
 *
 * Nothing is known about a query that is not visited here.  A query within is found by its number, which is in
 * queryId: the planner ignores that of all but the outermost.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/notes.h"
#include "planner/one_row.h"
#include "planner/order.h"
#include "planner/query_parts.h"
#include "planner/row_shape.h"
#include "planner/survey.h"
#include "planner/ways.h"

static Surveyed *SurveyQuery(Survey *survey, Surveyed *outer, Query *query, List *uses,
							 const Bitmapset *columns);
static void LookAt(Surveyed *here, Node *expr);

static Bitmapset *
AllColumns(void)
{
	return bms_make_singleton(0);
}

static bool
IsLookedAt(const Bitmapset *columns, AttrNumber attno)
{
	return bms_is_member(attno, columns) || bms_is_member(0, columns);
}

/*
 * Expressions of which each part is computed whenever the whole is
 */

/*
 * Is each part of it computed whenever it is?  The same for lists and aggregates, and for what is left out only where a LIMIT
 * is reached (see first_rows.c)
 */
static bool
ComputesAll(Node *node)
{
	if (IsA(node, Aggref))
		return ((Aggref *) node)->aggfilter == NULL || OnlyAsksSmallGroup((Node *) ((Aggref *) node)->aggfilter);
	return IsA(node, List) || IsA(node, TargetEntry) || IsJsonConstructor(node) ||
		ComputesItsArguments(node);
}

typedef struct Parts
{
	List	   *sublinks;		/* that are always computed */
	List	   *conditional;	/* what is not */
} Parts;

static bool ListParts(Node *node, void *context);

/* Of CASE, what it compares, and its first condition */
static bool
ListPartsOfCase(CaseExpr *expr, Parts *parts)
{
	ListCell   *cell;

	/* What walks an expression does not know the branches by themselves. */
	foreach(cell, expr->args)
	{
		CaseWhen   *when = lfirst_node(CaseWhen, cell);

		parts->conditional = lappend(parts->conditional, when->result);
		if (foreach_current_index(cell) > 0)
			parts->conditional = lappend(parts->conditional, when->expr);
	}
	parts->conditional = lappend(parts->conditional, expr->defresult);
	return ListParts((Node *) expr->arg, parts) || ListParts((Node *) linitial_node(CaseWhen, expr->args)->expr, parts);
}

static bool
ListParts(Node *node, void *context)
{
	Parts	   *parts = context;
	RowShape	shape = {0};

	if (node == NULL || IsA(node, Var) || IsA(node, Const) || IsA(node, Param))
		return false;
	check_stack_depth();
	if (ComputesAll(node))
		return expression_tree_walker(node, ListParts, context);
	if (IsA(node, SubLink))
	{
		parts->sublinks = lappend(parts->sublinks, node);
		if (FindBareSelect((SubLink *) node, &shape))
			return ListParts((Node *) shape.values, context);
	}
	if (IsA(node, CoalesceExpr))
	{
		List	   *args = ((CoalesceExpr *) node)->args;

		parts->conditional = list_concat(parts->conditional, list_copy_tail(args, 1));
		return ListParts(linitial(args), context);
	}
	if (IsA(node, CaseExpr))
		return ListPartsOfCase((CaseExpr *) node, parts);
	if (IsA(node, Aggref))
	{
		parts->conditional = lappend(parts->conditional, ((Aggref *) node)->args);
		return ListParts((Node *) ((Aggref *) node)->aggfilter, context);
	}
	parts->conditional = lappend(parts->conditional, node);
	return false;
}

/* The SubLinks in a select list that are computed for each of its rows */
List *
AlwaysComputed(List *targets)
{
	Parts		parts = {0};

	ListParts((Node *) targets, &parts);
	return parts.sublinks;
}

/* The parts of an expression that need not be computed when it is */
List *
NotAlwaysComputed(Node *expr)
{
	Parts		parts = {0};

	ListParts(expr, &parts);
	return parts.conditional;
}

/*
 * Columns that something looks at
 */

/* A column of an item of FROM, or (0) all of its row, is looked at. */
static void
LookAtColumn(Surveyed *here, int varno, AttrNumber attno)
{
	RangeTblEntry *rte = rt_fetch(varno, here->level.query->rtable);

	if (rte->rtekind == RTE_JOIN)
		LookAt(here, attno > 0 ? list_nth(rte->joinaliasvars, attno - 1) : (Node *) rte->joinaliasvars);
	else if (RteIsGroup(rte))
		LookAt(here, (Node *) GroupExpressions(rte));
	else if (attno >= 0)
		here->items[varno] = bms_add_member(here->items[varno], attno);
}

static Visit
LookAtNode(Node *node, int depth, void *context)
{
	Surveyed   *here = context;
	Var		   *var = (Var *) node;

	if (!IsA(node, Var) || (int) var->varlevelsup < depth)
		return VISIT_CHILDREN;
	here = (Surveyed *) LevelUp(&here->level, var->varlevelsup - depth);
	if (here != NULL)
		LookAtColumn(here, var->varno, var->varattno);
	return VISIT_CHILDREN;
}

/* All columns in an expression, in the conditions of a join tree, or in a list of these, are looked at. */
static void
LookAt(Surveyed *here, Node *expr)
{
	if (expr != NULL)
		FindInLevels(expr, LookAtNode, here);
}

/*
 * What gives the columns that are looked at from outside; and what is used in the select list under a condition, for
 * if its query is pulled up, it is only computed there.
 */
static void
LookAtTargets(Surveyed *here, const Bitmapset *columns)
{
	ListCell   *cell;

	foreach(cell, here->level.query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		LookAt(here, IsLookedAt(columns, entry->resno) ? (Node *) entry->expr :
			   (Node *) NotAlwaysComputed((Node *) entry->expr));
	}
}

/*
 * Rows that are all wanted
 */

/* Does what is joined below a node have all rows of an item?  Without condition, if each of the others has one row. */
static bool
KeepsRowsOf(Query *query, Node *node, int varno)
{
	JoinExpr   *join = (JoinExpr *) node;
	bool		is_join = IsA(node, JoinExpr);
	JoinType	type = is_join ? join->jointype : JOIN_INNER;
	bool		found = false;
	ListCell   *cell;

	check_stack_depth();
	if (!is_join && !IsA(node, FromExpr))
		return VarnoOf(node) == varno;
	if (type != JOIN_INNER)
		return ((type == JOIN_LEFT || type == JOIN_FULL) && KeepsRowsOf(query, join->larg, varno)) ||
			((type == JOIN_RIGHT || type == JOIN_FULL) && KeepsRowsOf(query, join->rarg, varno));
	foreach(cell, is_join ? list_make2(join->larg, join->rarg) : ((FromExpr *) node)->fromlist)
	{
		if (KeepsRowsOf(query, lfirst(cell), varno))
			found = true;
		else if (!IsOneRowItem(query, lfirst(cell)))
			return false;
	}
	return found && IsTrue(QualsOf(node));
}

static bool
ReadsAllOf(Level *level, int varno)
{
	Query	   *query = level->query;

	/* Of HAVING, PostgreSQL makes WHERE, if it can. */
	if (ResultDependsOnOrder(level) || HasAny(query, PART_HAVING))
		return false;
	return query->setOperations != NULL ? IsUnion(query->setOperations) :
		KeepsRowsOf(query, (Node *) query->jointree, varno);
}

/*
 * Orders that are seen
 */

/*
 * An order that was asked for goes through a query that reads nothing else, for nothing can be done to change it.
 * Joins and groups may be made in several ways; which one is chosen, depends on the costs of what they read.
 */
static OrderUse
OrderUseOf(Level *level, int varno)
{
	Query	   *query = level->query;

	if (ResultDependsOnOrder(level) || ReadsOrderedGroups(level) ||
		(HasInputOrder(level) &&
		 (query->setOperations != NULL ||
		  (!HidesInputOrder(query) && (HasAny(query, PART_GROUPS) || OnlyItem(query->jointree) != varno)))))
		return ORDER_SEEN;
	return HasAny(query, PART_AGGREGATES) && !HasAny(query, PART_GROUPS) ? ORDER_HIDDEN : ORDER_PASSED;
}

/*
 * The queries within
 */

static Use *
MakeUse(Surveyed *reader, bool all_rows, OrderUse order)
{
	Use		   *use = palloc(sizeof(Use));

	use->reader = reader;
	use->all_rows = all_rows;
	use->order = order;
	return use;
}

/* An item of FROM that is a query, or refers to one */
static void
SurveyItem(Surveyed *here, int varno, const Bitmapset *columns)
{
	RangeTblEntry *rte = rt_fetch(varno, here->level.query->rtable);
	Use		   *use = MakeUse(here, !rte->lateral && !rte->security_barrier && rte->securityQuals == NIL &&
							  ReadsAllOf(&here->level, varno),
							  OrderUseOf(&here->level, varno));
	Level	   *owner;
	CommonTableExpr *cte;
	Surveyed   *definer;
	int			i = 0;

	if (rte->rtekind == RTE_SUBQUERY)
	{
		/* It need not have a row for each of those that it refers to. */
		if (rte->lateral)
			LookAt(here, (Node *) list_make1(rte->subquery));
		SurveyQuery(here->survey, here, rte->subquery, list_make1(use), columns);
		return;
	}
	cte = FindCte(&here->level, rte, &owner);
	if (cte == NULL)
		return;
	definer = (Surveyed *) owner;
	while (list_nth(definer->level.query->cteList, i) != cte)
		i++;
	definer->ctes[i] = bms_add_members(definer->ctes[i], columns);
	definer->cte_uses[i] = lappend(definer->cte_uses[i], use);
}

/* What is in FROM; what comes later may look at what comes before. */
static void
SurveyFrom(Surveyed *here, const Bitmapset *columns)
{
	Query	   *query = here->level.query;

	for (int varno = list_length(query->rtable); varno > 0; varno--)
	{
		RangeTblEntry *rte = rt_fetch(varno, query->rtable);

		if (rte->rtekind == RTE_SUBQUERY || rte->rtekind == RTE_CTE)
			SurveyItem(here, varno, query->setOperations != NULL ? columns : here->items[varno]);
		else
			LookAt(here, (Node *) list_make4(rte->functions, rte->values_lists, rte->tablefunc, rte->tablesample));
	}
}

/* CTEs, the last one first: it may read those before it. */
static void
SurveyCtes(Surveyed *here)
{
	List	   *ctes = here->level.query->cteList;

	for (int i = list_length(ctes) - 1; i >= 0; i--)
	{
		CommonTableExpr *cte = list_nth_node(CommonTableExpr, ctes, i);

		/* Have we seen all that read it? */
		bool		known = !here->level.query->hasRecursive && list_length(here->cte_uses[i]) == cte->cterefcount;
		Surveyed   *surveyed = SurveyQuery(here->survey, here, castNode(Query, cte->ctequery),
										   known ? here->cte_uses[i] : NIL, known ? here->ctes[i] : AllColumns());

		if (!known)
			surveyed->plan_is_seen = ANSWER_YES;
	}
}

/* Is each row of a subquery in an expression read?  A second row of one that gives a value is an error. */
static bool
ReadsAllOfSubLink(Surveyed *here, const SubLink *sublink)
{
	Level		below = LevelBelow(&here->level, castNode(Query, sublink->subselect));

	return sublink->subLinkType == ARRAY_SUBLINK ||
		(sublink->subLinkType == EXPR_SUBLINK && GivesNoMoreThanOneRow(&below));
}

static bool
SurveySubLinks(Node *node, void *context)
{
	Surveyed   *here = context;
	SubLink    *sublink = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink))
	{
		bool		value = sublink->subLinkType == EXPR_SUBLINK || sublink->subLinkType == ARRAY_SUBLINK;
		List	   *uses = list_member_ptr(here->once, sublink) ?
			list_make1(MakeUse(here, ReadsAllOfSubLink(here, sublink), ORDER_PASSED)) : NIL;
		Surveyed   *surveyed = SurveyQuery(here->survey, here, castNode(Query, sublink->subselect), uses,
										   value ? NULL : AllColumns());

		/* What is asked for rows may become a join or a hash table. */
		surveyed->may_be_joined = !value;
	}
	return expression_tree_walker(node, SurveySubLinks, context);
}

/*
 * Why nothing in a statement may change its place; NULL if it may.  To find that out takes as long as to see that most pages
 * gain nothing, so it is asked after that, and once.
 */
const char *
WhyPlacesStay(Rewrite *rewrite, Query *query)
{
	if (rewrite->is_settled)
		return rewrite->places_stay;
	rewrite->is_settled = true;
	if (CallsVolatile((Node *) query))
		rewrite->places_stay = CALLS_VOLATILE;
	else if (!UserMayRun(query))
		rewrite->places_stay = LACKS_PRIVILEGE;
	else if (DependsOnFences(query, rewrite))
		rewrite->places_stay = DEPENDS_ON_FENCES;
	return rewrite->places_stay;
}

/* Go through a query, of which these columns are looked at. */
static Surveyed *
SurveyQuery(Survey *survey, Surveyed *outer, Query *query, List *uses, const Bitmapset *columns)
{
	Surveyed   *here = palloc0(sizeof(Surveyed));

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	here->level.query = query;
	here->level.outer = outer != NULL ? &outer->level : NULL;
	here->level.rewrite = survey->rewrite;
	here->survey = survey;
	here->outer = outer;
	here->uses = uses;
	here->columns = columns;
	here->items = palloc0((list_length(query->rtable) + 1) * sizeof(Bitmapset *));
	here->ctes = palloc0((list_length(query->cteList) + 1) * sizeof(Bitmapset *));
	here->cte_uses = palloc0((list_length(query->cteList) + 1) * sizeof(List *));
	if (survey->rewrite->notes != NULL)
		here->place = PlaceOf(&here->level);
	survey->queries = lappend(survey->queries, here);
	if (outer != NULL)
		query->queryId = list_length(survey->queries);
	LookAt(here, (Node *) list_make2(query->jointree, query->havingQual));
	LookAtTargets(here, columns);

	/* Without FROM, each subquery runs once, if nothing decides about it. */
	if (HasAny(query, PART_NO_FROM) && HasOnly(query, PART_NO_FROM | PART_CTES))
		here->once = AlwaysComputed(query->targetList);
	query_tree_walker(query, SurveySubLinks, here,
					  QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_CTE_SUBQUERIES | QTW_IGNORE_JOINALIASES);
	SurveyFrom(here, columns);
	SurveyCtes(here);
	return here;
}

Survey *
MakeSurvey(Query *query, Rewrite *rewrite)
{
	Survey	   *survey = palloc0(sizeof(Survey));

	survey->query = query;
	survey->rewrite = rewrite;
	SurveyQuery(survey, NULL, query, NIL, NULL);
	return survey;
}

/*
 * What it says
 */

/* The number of a query, which its copies have, too; 0 for one of which nothing is known */
int
IdOf(const Survey *survey, const Query *query)
{
	return query == survey->query ? 1 : (int) query->queryId;
}

Surveyed *
FindSurveyed(const Survey *survey, const Query *query)
{
	int			id = IdOf(survey, query);

	return id > 0 && id <= list_length(survey->queries) ? list_nth(survey->queries, id - 1) : NULL;
}

/*
 * Is the query run once, and is every row of it wanted?  Where it is, it remains so when more collections become
 * joins.  That is kept: CTEs of which each reads another one twice lead to it in very many ways.
 */
bool
RunsOnceForAll(Surveyed *surveyed)
{
	ListCell   *cell;

	check_stack_depth();
	if (surveyed->outer == NULL || surveyed->is_joined || surveyed->runs_once_for_all)
		return true;
	foreach(cell, surveyed->uses)
	{
		Use		   *use = lfirst(cell);

		if (!use->all_rows || !RunsOnceForAll(use->reader))
			return false;
	}
	surveyed->runs_once_for_all = surveyed->uses != NIL;
	return surveyed->runs_once_for_all;
}

/* Would another order of its rows be seen?  Where it would not, that remains so, too. */
bool
OrderIsSeen(Surveyed *surveyed)
{
	ListCell   *cell;

	check_stack_depth();
	if (surveyed->is_joined || surveyed->order_is_hidden)
		return false;
	foreach(cell, surveyed->uses)
	{
		Use		   *use = lfirst(cell);

		if (use->order == ORDER_SEEN || (use->order == ORDER_PASSED && OrderIsSeen(use->reader)))
			return true;
	}
	surveyed->order_is_hidden = true;
	return false;
}

/* Does something look at what the query's select list gives? */
bool
TargetIsLookedAt(const Surveyed *surveyed, AttrNumber resno)
{
	return IsLookedAt(surveyed->columns, resno);
}

/* Does something look at any column of what is in the query's FROM? */
bool
ItemIsLookedAt(const Surveyed *surveyed, int varno)
{
	return surveyed->items[varno] != NULL;
}

/* Is it so of a query that reads this one, or has it somewhere within? */
static bool
IsSoOfReader(const Surveyed *surveyed, bool (*is_so) (Surveyed *reader, const Query *changed))
{
	bool		found = surveyed->outer != NULL && is_so(surveyed->outer, surveyed->level.query);
	ListCell   *cell;

	foreach(cell, surveyed->uses)
	{
		Surveyed   *reader = ((Use *) lfirst(cell))->reader;

		found = found || (reader != surveyed->outer && is_so(reader, surveyed->level.query));
	}
	return found;
}

/* Ask a question once: is it so of a query itself, or of its readers?  Either may be NULL. */
static bool
AskOnce(Surveyed *surveyed, Answer *answer, bool (*is_so) (Surveyed *surveyed),
		bool (*is_so_of_reader) (Surveyed *reader, const Query *changed))
{
	check_stack_depth();
	if (*answer == ANSWER_UNKNOWN)
		*answer = (is_so != NULL && is_so(surveyed)) ||
			(is_so_of_reader != NULL && IsSoOfReader(surveyed, is_so_of_reader)) ? ANSWER_YES : ANSWER_NO;
	return *answer == ANSWER_YES;
}

static bool
ReaderShowsPlan(Surveyed *reader, const Query *changed)
{
	return ShowsPlan(&reader->level, changed) || AskOnce(reader, &reader->plan_is_seen, NULL, ReaderShowsPlan);
}

/* Can it be seen how PostgreSQL carries out the queries that read a query, or one that has it somewhere within? */
bool
ReadersShowPlan(Surveyed *surveyed)
{
	return AskOnce(surveyed, &surveyed->plan_is_seen, NULL, ReaderShowsPlan);
}

/* Can it be seen how PostgreSQL carries out a query, or one that reads it, or has it somewhere within? */
bool
PlanIsSeen(Surveyed *surveyed)
{
	return ReadersShowPlan(surveyed) || ShowsPlan(&surveyed->level, NULL);
}

static bool
IsStopped(Surveyed *surveyed)
{
	ListCell   *cell;

	if (IsOneRow(surveyed->level.query))
		return !AggregatesReadAll(surveyed->level.query);
	if (CutsRows(&surveyed->level))
		return true;
	foreach(cell, surveyed->uses)
	{
		Use		   *use = lfirst(cell);

		if ((!use->all_rows && !ReadsAllArms(use->reader->level.query)) || MayBeStopped(use->reader))
			return true;
	}
	return surveyed->uses == NIL && (surveyed->outer != NULL || surveyed->level.rewrite->is_cursor);
}

/* May the statement stop before all rows of a query are read? */
bool
MayBeStopped(Surveyed *surveyed)
{
	return AskOnce(surveyed, &surveyed->may_be_stopped, IsStopped, NULL);
}

static bool
RowsAreSent(Surveyed *surveyed)
{
	ListCell   *cell;

	if (IsOneRow(surveyed->level.query))
		return false;
	foreach(cell, surveyed->uses)
	{
		if (SendsRows(((Use *) lfirst(cell))->reader))
			return true;
	}
	return surveyed->outer == NULL;
}

/* Do the rows of a query become rows of the statement's result?  Whoever asked for these may fetch only some. */
bool
SendsRows(Surveyed *surveyed)
{
	return AskOnce(surveyed, &surveyed->sends_rows, RowsAreSent, NULL);
}

/* Do the rows of a query, or of one around it?  Then it may be computed for some of them only. */
bool
IsSent(Surveyed *surveyed)
{
	for (; surveyed != NULL; surveyed = surveyed->outer)
		if (SendsRows(surveyed))
			return true;
	return false;
}

/*
 * A subquery, or a column of this query that is neither read nor computed before any condition is evaluated.  Only
 * LIMIT and OFFSET keep PostgreSQL from evaluating a condition within.
 */
static Visit
VisitComputed(Node *node, int depth, void *context)
{
	Query	   *query = context;
	Var		   *var = (Var *) node;
	RangeTblEntry *rte = IsA(node, Var) && var->varlevelsup == 0 ? rt_fetch(var->varno, query->rtable) : NULL;

	if (rte == NULL)
		return IsA(node, SubLink) ? VISIT_FOUND : VISIT_CHILDREN;
	return rte->rtekind == RTE_RELATION ||
		(rte->rtekind == RTE_SUBQUERY && HasAny(rte->subquery, PART_LIMIT | PART_OFFSET)) ?
		VISIT_CHILDREN : VISIT_FOUND;
}

static bool
HasSubqueriesThatMayRaise(Surveyed *surveyed)
{
	return SubqueriesMayRaise(&surveyed->level);
}

/* May a query raise another error by subqueries in its expressions if PostgreSQL carries it out in another way? */
bool
ItsSubqueriesMayRaise(Surveyed *surveyed)
{
	return AskOnce(surveyed, &surveyed->subqueries_may_raise, HasSubqueriesThatMayRaise, NULL);
}

/*
 * May a query raise another error if what it reads costs something else, so that its rows are read in another way?
 * Not if it reads all rows of one item in any way, and evaluates no condition earlier or later.
 */
static bool
RaisesOtherwise(Surveyed *reader)
{
	Level	   *level = &reader->level;
	Query	   *query = level->query;
	bool		may_stop = MayBeStopped(reader) && MayComeSorted(level);

	/* Do conditions compute more than themselves?  Costs decide their order. */
	bool		computes = FindInLevels((Node *) list_make2(query->jointree, query->havingQual), VisitComputed, query);

	return (may_stop && ValuesMayRaise(level)) || (computes && HavingMayRaise(level)) ||
		OrderOfConditionsMayRaise(level) || ItsSubqueriesMayRaise(reader) ||
		((may_stop || computes || reader->may_be_joined) && JoiningMayRaise(level));
}

/* May one, or a query that reads it? */
static bool
ReaderMayRaise(Surveyed *reader, const Query *changed)
{
	return ReadersMayRaise(reader) || AskOnce(reader, &reader->raises_otherwise, RaisesOtherwise, NULL) ||
		ItemsMayRaise(&reader->level, changed);
}

/* May a query that reads this one, or has it within, raise another error if it is carried out in another way? */
bool
ReadersMayRaise(Surveyed *surveyed)
{
	return AskOnce(surveyed, &surveyed->readers_may_raise, NULL, ReaderMayRaise);
}

static bool
ReaderComputesWhatMayRaise(Surveyed *reader, const Query *changed)
{
	Level	   *level = &reader->level;

	return ConditionsMayRaise(level, level->query->jointree) || ExpressionMayRaise(level, level->query->havingQual) ||
		OtherRowsRaise(reader);
}

static Visit
VisitOfRows(Node *node, int depth, void *context)
{
	return IsA(node, Var) || IsA(node, Aggref) || IsA(node, SubLink) ? VISIT_FOUND : VISIT_CHILDREN;
}

/* What a query selects, but for what the only row of one that aggregates has in any case, from whatever rows */
static List *
ValuesOfRows(const Query *query)
{
	List	   *values = NIL;
	ListCell   *cell;

	if (!HasAny(query, PART_AGGREGATES) || !HasOnly(query, PART_AGGREGATES | PART_WHERE | PART_CTES))
		return query->targetList;
	foreach(cell, query->targetList)
	{
		if (FindInLevels(lfirst(cell), VisitOfRows, NULL))
			values = lappend(values, lfirst(cell));
	}
	return values;
}

static bool
ValuesOfRowsMayRaise(Surveyed *surveyed)
{
	Level	   *level = &surveyed->level;

	return ExpressionMayRaise(level, (Node *) ValuesOfRows(level->query)) || SortKeysMayRaise(level) ||
		OneRowMayRaise(level, 0);
}

/* May something raise an error that is computed of a query's rows, here or further out, if LIMIT takes other rows? */
bool
OtherRowsRaise(Surveyed *surveyed)
{
	return AskOnce(surveyed, &surveyed->other_rows_raise, ValuesOfRowsMayRaise, ReaderComputesWhatMayRaise);
}

/* Ask this of all queries, before any of them changes. */
void
AskReaders(const Survey *survey)
{
	ListCell   *cell;

	foreach(cell, survey->queries)
	{
		Surveyed   *surveyed = lfirst(cell);

		(void) ReadersMayRaise(surveyed);
		(void) ItsSubqueriesMayRaise(surveyed);
		(void) SendsRows(surveyed);

		/* It may be a page sorted by a collection, or a note says why not. */
		if (HasAny(surveyed->level.query, PART_ORDER) && CutsRows(&surveyed->level) &&
			(HasLaterals(surveyed->level.query) || surveyed->level.query->hasSubLinks || survey->rewrite->notes != NULL))
			(void) OtherRowsRaise(surveyed);
	}
}
