/*-------------------------------------------------------------------------
 *
 * fences.c
 *		What must not depend on whether PostgreSQL pulls up a subquery.
 *
 * A subquery in FROM that only joins and filters becomes a part of the query around it, before that is
 * planned.  ORDER BY, LIMIT, aggregates, an outer join and more keep it by itself, and jsonrow.unnest takes
 * such fences away and brings others.  With that, two things change for the query around it, the reader:
 *
 * What is known.  A constant of the subquery is one in the reader, too, if that has pulled it up; else it is a
 * column.  Of constants PostgreSQL computes while it plans, be it for no row (10 / z, where z is 0), and
 * leaves out what does not matter then (10 / x + z, where z is NULL), with its errors.
 *
 * What is computed.  An expression of a subquery that is pulled up is computed where the reader uses it:
 * perhaps not at all, under a condition, or for the rows of a query within.
 *
 * So nothing changes its place in a statement that computes something of a column, of a subquery or a value of
 * one, that may be known; or uses one that may raise an error under a condition, or for the rows of a query within.  The
 * reader may make rows, JSON and aggregates of them, sort and group by them, and send them, as all that is the same for
 * a column as for a constant.  Fences that always stay (GROUP BY but of a join, DISTINCT, window functions) stay.
 *
 * A statement in which nothing may raise an error is the same in any case.
 *
 * This is asked of the statement as it is written, so it holds for each rewrite, and each combination of them.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/folding.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/one_row.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "utils/lsyscache.h"

/* How a column, or the value of a subquery, is used: rows, JSON or aggregates may be made of it, ... */
typedef int Use;

#define PASSED			0
#define COMPUTED		(1 << 0)	/* ... or something else, perhaps while
									 * planning, ... */
#define FOR_SOME_ROWS	(1 << 1)	/* ... or not for each row. */
#define CONDITIONAL		(COMPUTED | FOR_SOME_ROWS)

/* What reads a column, in a query */
typedef struct Reader
{
	Level	   *level;
	Use			use;
	const struct Reader *outer; /* where the query is, in the one around it;
								 * NULL for the outermost */
} Reader;

#define PARTS_OF_LASTING_FENCE	(PART_NO_SELECT | PART_GROUPS | PART_GROUPING_SETS | PART_WINDOWS | PART_COUNTS | \
								 PART_DISTINCT | PART_DISTINCT_ON | PART_SETS | PART_LOCKS)

static bool ReadsFenced(Node *node, void *context);
static bool QueryReadsFenced(Query *query, const Reader *outer, Rewrite *rewrite);

/* The same reader, with another use */
static bool
ReadsFor(const Reader *reader, Use use, Node *node)
{
	Reader		other = *reader;

	other.use |= use;
	return ReadsFenced(node, &other);
}

/* Does a column come from a subquery in FROM that may be pulled up, or no longer be, and does that matter? */
static bool
ColumnIsFenced(Level *level, const Var *var, Use use)
{
	RangeTblEntry *rte = rt_fetch(var->varno, level->query->rtable);
	Var		   *own = copyObject(unconstify(Var *, var));
	Level		inner;

	own->varlevelsup = 0;
	switch (rte->rtekind)
	{
		case RTE_RELATION:
		case RTE_TABLEFUNC:
		case RTE_NAMEDTUPLESTORE:
			return false;
		case RTE_FUNCTION:
			if (FunctionsBecomeQueries(rte->functions))
				return true;
			break;
		case RTE_VALUES:
			return (use & COMPUTED) && ColumnMayBeKnown(level, own);
		case RTE_SUBQUERY:
		case RTE_CTE:
			if (rte->security_barrier || QueryOfEntry(level, rte, &inner) == NULL ||
				(HasAny(inner.query, PARTS_OF_LASTING_FENCE) && !ReadsOneJoin(inner.query)))
				return false;
			break;
		default:
			break;
	}
	return ((use & COMPUTED) && ColumnMayBeKnown(level, own)) ||
		((use & FOR_SOME_ROWS) && ExpressionMayRaise(level, (Node *) own));
}

static bool
ColumnReadsFenced(const Reader *reader, const Var *var)
{
	Reader		there = *reader;
	RangeTblEntry *rte;

	for (Index up = var->varlevelsup; up > 0; up--)
	{
		/* What aggregates computes it for each row that it reads. */
		bool		is_one = HasOnly(there.level->query, PART_NO_FROM) && GivesOneRow(there.level);
		Use			use = there.use | (is_one ? PASSED : FOR_SOME_ROWS);

		there = *there.outer;
		there.use |= use;
	}
	if (there.use == PASSED)
		return false;
	if (var->varno <= 0 || VisitsTooMany(there.level))
		return true;
	rte = rt_fetch(var->varno, there.level->query->rtable);
	if (rte->rtekind == RTE_JOIN && var->varattno > 0)
		return ReadsFenced(list_nth(rte->joinaliasvars, var->varattno - 1), &there);
	if (RteIsGroup(rte) && var->varattno > 0)
		return ReadsFenced(list_nth(GroupExpressions(rte), var->varattno - 1), &there);
	return ColumnIsFenced(there.level, var, there.use);
}

/* The first of these is always computed, the others are under a condition. */
static bool
FirstReadsFenced(const Reader *reader, Node *first, Node *others)
{
	return ReadsFor(reader, COMPUTED, first) || ReadsFor(reader, CONDITIONAL, others);
}

/* Is all computed, whenever it is, of what an expression consists of? */
static Use
UseOfArguments(Node *node)
{
	return ComputesItsArguments(node) && StaysUnknown(node) ? COMPUTED : CONDITIONAL;
}

/* Does an expression, or a query within, read what depends on a fence? */
static bool
ReadsFenced(Node *node, void *context)
{
	Reader	   *reader = context;
	Reader		inside = *reader;
	Use			use = PASSED;

	if (node == NULL)
		return false;
	check_stack_depth();
	switch (nodeTag(node))
	{
		case T_Query:
			return QueryReadsFenced((Query *) node, reader, reader->level->rewrite);
		case T_Var:
			return ColumnReadsFenced(reader, (Var *) node);
		case T_SubLink:
			if (((reader->use & COMPUTED) && HasKnownColumns(reader->level, node)) || ReadsFor(reader, CONDITIONAL, ((SubLink *) node)->testexpr))
				return true;
			return ReadsFenced(((SubLink *) node)->subselect, reader);
		case T_Aggref:
			/* It is computed in any case, of the rows that FILTER leaves. */
			inside.use = ((Aggref *) node)->aggfilter != NULL ? CONDITIONAL : PASSED;
			return expression_tree_walker(node, ReadsFenced, &inside);
		case T_WindowFunc:
			inside.use = ((WindowFunc *) node)->aggfilter != NULL ? CONDITIONAL : PASSED;
			return expression_tree_walker(node, ReadsFenced, &inside);
		case T_CoalesceExpr:
			return FirstReadsFenced(reader, linitial(((CoalesceExpr *) node)->args),
									(Node *) list_copy_tail(((CoalesceExpr *) node)->args, 1));
		case T_CaseExpr:
			return FirstReadsFenced(reader, (Node *) ((CaseExpr *) node)->arg,
									(Node *) list_make2(((CaseExpr *) node)->args, ((CaseExpr *) node)->defresult));
		case T_FuncExpr:

			/*
			 * Beside an argument that is NULL, a strict one computes no
			 * other.
			 */
			use = TwinIsScalar(TwinOfEither(((FuncExpr *) node)->funcid)) &&
				(list_length(((FuncExpr *) node)->args) == 1 || !func_strict(((FuncExpr *) node)->funcid)) ?
				PASSED : UseOfArguments(node);
			break;
		case T_CaseWhen:
			return ReadsFenced((Node *) ((CaseWhen *) node)->expr, reader) || ReadsFenced((Node *) ((CaseWhen *) node)->result, reader);
		case T_List:
		case T_TargetEntry:
		case T_CommonTableExpr:
		case T_RowExpr:
		case T_RelabelType:
			break;
		default:
			use = IsJsonConstructor(node) ? PASSED : UseOfArguments(node);
			break;
	}
	inside.use |= use;
	return expression_tree_walker(node, ReadsFenced, &inside);
}

/* Does a query, or one within it? */
static bool
QueryReadsFenced(Query *query, const Reader *outer, Rewrite *rewrite)
{
	Level		level = {.query = query,.outer = outer != NULL ? outer->level : NULL,.rewrite = rewrite};
	Reader		reader = {.level = &level,.outer = outer};
	List	   *passed = list_make5(query->targetList, query->windowClause, query->limitCount, query->limitOffset,
									query->cteList);
	ListCell   *cell;

	if (ReadsFenced((Node *) passed, &reader) ||
		ReadsFor(&reader, CONDITIONAL, (Node *) list_make2(query->jointree, query->havingQual)))
		return true;
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		List	   *computed = list_make4(rte->functions, rte->tablefunc, rte->values_lists, rte->tablesample);

		if (ReadsFenced((Node *) list_make2(rte->subquery, GroupExpressions(rte)), &reader) ||
			ReadsFor(&reader, CONDITIONAL, (Node *) computed))
			return true;
	}
	return false;
}

/* Does a statement compute something of what a subquery gives that would not be the same if PostgreSQL pulled it up, or did not? */
bool
DependsOnFences(Query *query, Rewrite *rewrite)
{
	Level		none = {.rewrite = rewrite};

	rewrite->visits = 0;
	return QueryReadsFenced(query, NULL, rewrite) && QueryMayRaise(&none, query);
}
