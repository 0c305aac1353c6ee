/*-------------------------------------------------------------------------
 *
 * one_group.c
 *		Groups of which there is one at most for each row around, which gives
 *		what they are grouped by.
 *
 * Django counts so:
 *
 *		(SELECT count(*) FROM c                 (SELECT count(*) FROM c
 *			WHERE pid = p.id                        WHERE pid = p.id
 *			GROUP BY pid)                           HAVING count(*) > 0)
 *
 * Rows are one group; no rows are none.
 *
 * By hand, and by SQLAlchemy and Ecto, one of many groups is joined to each row:
 *
 *		SELECT p.id, g.d                        SELECT p.id, g.d
 *		FROM p LEFT JOIN (                      FROM p LEFT JOIN LATERAL (
 *			SELECT pid, json_agg(x) AS d            SELECT NULL AS pid, json_agg(x) AS d
 *			FROM c GROUP BY pid) g                  FROM c WHERE pid = p.id
 *			ON g.pid = p.id                         HAVING count(*) > 0) g ON true
 *		ORDER BY p.name LIMIT 20                ORDER BY p.name LIMIT 20
 *
 * PostgreSQL aggregates all of c for that.  The group of a row has those rows whose key equals its own, by the operator
 * that groups them, or one of its family; so it can be made for the rows of a page alone (page.c).  Fewer rows of c are
 * read, in another way, so what finds them may raise no error, and their order must not be seen; aggregates are computed
 * for some of the groups.  The key itself is not looked at but by the join.  An index finds the rows: else each
 * row of the page would read all of c.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "document/domains.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/by_index.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/may_raise.h"
#include "planner/order.h"
#include "planner/other_ways.h"
#include "planner/query_parts.h"
#include "planner/ways.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/*
 * Keys
 */

/* What rows are grouped by, and how that is compared */
typedef struct GroupKey
{
	Node	   *expr;
	Oid			equality;
} GroupKey;

/*
 * Does a condition give a key one value, by an equality of the same family and collation?  In a time zone where clocks are put
 * forward, several timestamps without one equal the same timestamp with time zone.
 */
static bool
GivesValue(Node *condition, void *context)
{
	GroupKey   *key = context;
	OpExpr	   *op = (OpExpr *) condition;
	Node	   *left;
	Node	   *right;

	if (!IsA(op, OpExpr) || list_length(op->args) != 2 || func_volatile(get_opcode(op->opno)) != PROVOLATILE_IMMUTABLE ||
		op->inputcollid != exprCollation(key->expr) ||
		get_mergejoin_opfamilies(op->opno) == NIL || get_mergejoin_opfamilies(key->equality) == NIL ||
		!equality_ops_are_compatible(op->opno, key->equality))
		return false;
	left = StripRelabels(linitial(op->args));
	right = StripRelabels(lsecond(op->args));
	return (equal(left, key->expr) && IsOneValue(right)) || (equal(right, key->expr) && IsOneValue(left));
}

/* What rows are grouped by, in the place of the Var that stands for it since PostgreSQL 18 */
static GroupKey
KeyOf(const Query *query, SortGroupClause *group)
{
	Node	   *expr = get_sortgroupclause_expr(group, query->targetList);
	List	   *exprs = IsA(expr, Var) && ((Var *) expr)->varlevelsup == 0 ?
		GroupExpressions(rt_fetch(((Var *) expr)->varno, query->rtable)) : NIL;

	return (GroupKey)
	{
		exprs != NIL ? list_nth(exprs, ((Var *) expr)->varattno - 1) : expr, group->eqop
	};
}

/* Does a condition give a value to one of the keys of a query? */
static bool
GivesKey(const Query *query, Node *condition)
{
	ListCell   *cell;

	foreach(cell, query->groupClause)
	{
		GroupKey	key = KeyOf(query, lfirst(cell));

		if (GivesValue(condition, &key))
			return true;
	}
	return false;
}

/*
 * One group
 */

/* Columns outside of aggregates */
static Visit
VisitUngrouped(Node *node, int depth, void *context)
{
	if (IsA(node, Aggref) && (int) ((Aggref *) node)->agglevelsup == depth)
		return VISIT_NEXT;
	return IsA(node, Var) && (int) ((Var *) node)->varlevelsup == depth ? VISIT_FOUND : VISIT_CHILDREN;
}

/* Can it be known without its group what a query gives, but for its keys?  HAVING is asked when aggregates are finished, of no rows, too. */
static bool
IsMadeOfAggregates(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->ressortgroupref == 0 && FindInLevels((Node *) entry->expr, VisitUngrouped, NULL))
			return false;
	}
	foreach(cell, AggregatesIn((Node *) query->targetList))
	{
		if (EmptyValueOf(lfirst(cell)) == EMPTY_UNKNOWN)
			return false;
	}
	return true;
}

/* Does a query aggregate groups of which there is one at most, for all that it groups by is given? */
static bool
AggregatesOneGroup(Level *level, Query *query)
{
	ListCell   *cell;

	if (!HasAny(query, PART_GROUPS) || !HasOnly(query, PART_AGGREGATES | PART_WHERE | PART_GROUPS) ||
		!IsMadeOfAggregates(query) || !MayReplace(level, F_COUNT_) || !MayReplace(level, F_INT8LT))
		return false;
	foreach(cell, query->groupClause)
	{
		GroupKey	key = KeyOf(query, lfirst(cell));

		if (!IsA(key.expr, Var) || ((Var *) key.expr)->varlevelsup > 0 || !MayReplace(level, get_opcode(key.equality)) ||
			!HasCondition(query->jointree->quals, GivesValue, &key))
			return false;
	}
	return true;
}

/* Make all rows of a query one group, if there are any.  Nothing looks at its keys. */
static void
AggregateAll(Query *query)
{
	Expr	   *count = (Expr *) AggregateOf(F_COUNT_, NULL, INT8OID);
	ListCell   *cell;

	ExpandGroups(query);
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->ressortgroupref > 0)
			entry->expr = (Expr *) NullOf((Node *) entry->expr);
		entry->ressortgroupref = 0;
		if (entry->resjunk)
			query->targetList = foreach_delete_current(query->targetList, cell);
	}
	query->groupClause = NIL;
	query->hasAggs = true;
	query->havingQual = (Node *) make_opclause(Int8LessOperator, BOOLOID, false, (Expr *) Int8Const(0), count, InvalidOid,
											   InvalidOid);
	set_opfuncid((OpExpr *) query->havingQual);
}

/* The same, and does it give what is made of the aggregates, as a scalar subquery does? */
bool
HasOneGroup(Level *level, Query *query)
{
	return AggregatesOneGroup(level, query) && linitial_node(TargetEntry, query->targetList)->ressortgroupref == 0;
}

/* In a scalar subquery */
void
TakeOutGroups(Level *level, Query *query)
{
	if (HasOneGroup(level, query))
		AggregateAll(query);
}

/*
 * One of many groups
 */

/* Groups that are an item of FROM */
typedef struct JoinedGroups
{
	int			varno;
	Query	   *query;
} JoinedGroups;

/* In the condition of their join, which is one query deeper now: columns of theirs are what they are grouped by. */
static Node *
LookFromGroups(Var *var, int depth, void *context)
{
	const JoinedGroups *groups = context;

	return var->varlevelsup == 1 && var->varno == groups->varno ?
		copyObject((Node *) get_tle_by_resno(groups->query->targetList, var->varattno)->expr) : NULL;
}

/* The condition of their join as one on their rows, for each row around */
static Node *
KeysOfGroup(const JoinExpr *join, JoinedGroups *groups)
{
	Node	   *keys = copyObject(join->quals);

	IncrementVarSublevelsUp(keys, 1, 0);
	return ReplaceVars(keys, LookFromGroups, groups);
}

/* Is a join's condition about keys of groups, and nothing else about these? */
static bool
OnlyJoinsByKeys(Query *query, const JoinExpr *join, const JoinedGroups *groups)
{
	List	   *conditions = make_ands_implicit((Expr *) join->quals);
	List	   *others = list_difference_ptr(ConditionsIn((Node *) query->jointree), conditions);
	ListCell   *cell;

	foreach(cell, groups->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		bool		is_key = entry->ressortgroupref > 0;

		if (!entry->resjunk &&
			RefersToColumn(is_key ? (Node *) list_make2(query->targetList, others) : (Node *) conditions, groups->varno,
						   entry->resno))
			return false;
	}
	return !RefersToRow(query, groups->varno) && !FromRefersTo(query, NULL, groups->varno);
}

/*
 * The group that a left join finds for each row of its left side, as a subquery after LATERAL; NULL if it is none, or
 * must be made of all rows.
 */
Query *
FindJoinedGroup(Level *level, const JoinExpr *join)
{
	int			varno = VarnoOf(join->rarg);
	RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, level->query->rtable) : NULL;
	JoinedGroups groups = {.varno = varno};
	Level		inner;
	Node	   *keys;
	ListCell   *cell;

	if (join->jointype != JOIN_LEFT || rte == NULL || rte->rtekind != RTE_SUBQUERY || rte->security_barrier ||
		rte->securityQuals != NIL || !HasAny(rte->subquery, PART_GROUPS) || checkExprHasSubLink(join->quals))
		return NULL;
	groups.query = copyObject(rte->subquery);
	ExpandGroups(groups.query);
	if (!OnlyJoinsByKeys(level->query, join, &groups))
		return NULL;
	inner = LevelBelow(level, groups.query);
	keys = KeysOfGroup(join, &groups);
	foreach(cell, make_ands_implicit((Expr *) keys))
	{
		if (!GivesKey(groups.query, lfirst(cell)))
			return NULL;
	}
	groups.query->jointree->quals = make_and_qual(groups.query->jointree->quals, keys);
	if (!AggregatesOneGroup(level, groups.query) || FindingEqualMayRaise(&inner, (Node *) groups.query) ||
		JoiningMayRaise(&inner) || AggregatesShowOrder(&inner) || !IndexesFind(groups.query))
		return NULL;
	AggregateAll(groups.query);
	return groups.query;
}
