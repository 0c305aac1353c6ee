/*-------------------------------------------------------------------------
 *
 * entries.c
 *		What rewrites make: entries of range tables and select lists, and
 *		expressions.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "planner/twins.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"

/*
 * Entries
 */

/* A join whose columns nothing refers to by way of the join */
RangeTblEntry *
MakeJoinEntry(JoinType jointype)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_JOIN;
	rte->jointype = jointype;
	rte->eref = makeAlias("unnamed_join", NIL);
	rte->inFromCl = true;
	return rte;
}

/* In the place of one that nothing refers to any more */
RangeTblEntry *
MakeNoEntry(void)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_RESULT;
	rte->eref = makeAlias("*RESULT*", NIL);
	return rte;
}

/* What is no longer joined is no longer in the range table. */
void
RemoveEntries(Query *query)
{
	Relids		from = RelidsInJointree((Node *) query->jointree);
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (!bms_is_member(foreach_current_index(cell) + 1, from))
			lfirst(cell) = MakeNoEntry();
	}
}

static Node *
ExpandGrouped(Var *var, int depth, void *context)
{
	RangeTblEntry *rte;
	Node	   *result;

	if ((int) var->varlevelsup != depth)
		return NULL;
	rte = rt_fetch(var->varno, ((Query *) context)->rtable);
	if (!RteIsGroup(rte))
		return NULL;
	result = copyObject(list_nth(GroupExpressions(rte), var->varattno - 1));
	IncrementVarSublevelsUp(result, depth, 0);
	return result;
}

/* Let a query refer to what it groups by, as before 18, and not to the entry that stands for that. */
void
ExpandGroups(Query *query)
{
	ListCell   *cell;

	query->targetList = (List *) ReplaceVars((Node *) query->targetList, ExpandGrouped, query);
	query->havingQual = ReplaceVars(query->havingQual, ExpandGrouped, query);
	foreach(cell, query->rtable)
	{
		if (RteIsGroup(lfirst(cell)))
			lfirst(cell) = MakeNoEntry();
	}
	ForgetGroupEntry(query);
}

/* The names of the columns that a query gives as an item of FROM with this name */
Alias *
NamesOf(const char *name, const Query *query)
{
	List	   *names = NIL;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!entry->resjunk)
			names = lappend(names, makeString(pstrdup(entry->resname)));
	}
	return makeAlias(name, names);
}

RangeTblEntry *
MakeSubqueryEntry(Query *subquery, const char *name)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = subquery;
	rte->eref = NamesOf(name, subquery);
	rte->inFromCl = true;
	return rte;
}

RangeTblRef *
MakeRef(int varno)
{
	RangeTblRef *ref = makeNode(RangeTblRef);

	ref->rtindex = varno;
	return ref;
}

/* No fewer columns than a query may read of its FROM, once PostgreSQL has pulled up what it can */
int
CountColumns(const Query *query)
{
	int			count = 0;
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, NodesOfJoinTree((Node *) query->jointree))
	{
		int			varno = VarnoOf(lfirst(cell));
		RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, query->rtable) : NULL;
		int			below = rte != NULL && rte->rtekind == RTE_SUBQUERY && !IsFenced(rte->subquery) ?
			CountColumns(rte->subquery) : 0;

		if (rte != NULL)
			count += Max(list_length(rte->eref->colnames), below);
	}
	return count;
}

/* Add an entry after those that are returned; the resjunk ones are renumbered. */
TargetEntry *
AddEntry(Query *query, Expr *expr, char *name)
{
	int			n = 0;
	TargetEntry *entry;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *other = lfirst_node(TargetEntry, cell);

		if (other->resjunk)
			other->resno++;
		else
			n++;
	}
	entry = makeTargetEntry(expr, n + 1, name, false);
	query->targetList = list_insert_nth(query->targetList, n, entry);
	return entry;
}

/* The same of a subquery in FROM */
TargetEntry *
AddColumn(RangeTblEntry *rte, Expr *expr, const char *name)
{
	rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup(name)));
	return AddEntry(rte->subquery, expr, pstrdup(name));
}

/* A query that reads what another one does; its select list is empty */
Query *
MakeReader(const Query *query)
{
	Query	   *reader = makeNode(Query);

	reader->commandType = CMD_SELECT;
	reader->querySource = query->querySource;
	reader->canSetTag = true;
	reader->rtable = list_copy(query->rtable);
	reader->jointree = query->jointree;
	reader->hasSubLinks = query->hasSubLinks;
	reader->hasRowSecurity = query->hasRowSecurity;
	CopyPermissions(reader, query);
	return reader;
}

/* Let a query, which changes in place, give what it gave as all of its FROM.  Returns that, which has its number. */
Query *
PutInFrom(Query *query, const char *name)
{
	Query	   *subquery = makeNode(Query);
	Query	   *outer = makeNode(Query);
	ListCell   *cell;

	*subquery = *query;
	MoveDown(subquery);
	outer->commandType = CMD_SELECT;
	outer->querySource = subquery->querySource;
	outer->canSetTag = true;
	foreach(cell, subquery->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!entry->resjunk)
			outer->targetList = lappend(outer->targetList,
										makeTargetEntry((Expr *) makeVarFromTargetEntry(1, entry), entry->resno,
														entry->resname, false));
	}
	outer->rtable = list_make1(MakeSubqueryEntry(subquery, name));
	outer->jointree = makeFromExpr(list_make1(MakeRef(1)), NULL);
	*query = *outer;
	return subquery;
}

/* Let a subquery in the FROM of a query be one that it has in WITH, materialized.  What columns that has is noted where it is read. */
CommonTableExpr *
MakeCte(Query *query, RangeTblEntry *rte)
{
	CommonTableExpr *cte = makeNode(CommonTableExpr);
	Level		level = {.query = query};
	Level	   *owner;
	ListCell   *cell;

	/* A name that no other one has */
	rte->ctename = pstrdup("parents");
	for (int n = 1; FindCte(&level, rte, &owner) != NULL; n++)
		rte->ctename = psprintf("parents_%d", n);
	cte->ctename = rte->ctename;
	cte->ctematerialized = CTEMaterializeAlways;
	cte->ctequery = (Node *) rte->subquery;
	cte->cterefcount = 1;
	cte->location = -1;
	foreach(cell, rte->subquery->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->resjunk)
			continue;
		rte->coltypes = lappend_oid(rte->coltypes, exprType((Node *) entry->expr));
		rte->coltypmods = lappend_int(rte->coltypmods, exprTypmod((Node *) entry->expr));
		rte->colcollations = lappend_oid(rte->colcollations, exprCollation((Node *) entry->expr));
	}
	query->cteList = lappend(query->cteList, cte);
	rte->rtekind = RTE_CTE;
	rte->subquery = NULL;
	return cte;
}

/* A CTE that nothing else refers to stands in FROM as a subquery, which has its name for those who ask what became of it. */
void
UnmakeCte(Query *query, CommonTableExpr *cte, RangeTblEntry *rte)
{
	query->cteList = list_delete_ptr(query->cteList, cte);
	if (rte->ctelevelsup > 0)
		IncrementVarSublevelsUp(cte->ctequery, rte->ctelevelsup, 1);
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = castNode(Query, cte->ctequery);
	rte->ctelevelsup = 0;
	rte->coltypes = rte->coltypmods = rte->colcollations = NIL;
}

/*
 * Expressions
 */

/* expr IS NOT NULL */
Node *
IsNotNull(Node *expr)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) expr;
	test->nulltesttype = IS_NOT_NULL;
	test->location = -1;
	return (Node *) test;
}

Const *
Int8Const(int64 value)
{
	return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

/* coalesce(value, otherwise) */
Node *
Coalesced(Node *value, Node *otherwise)
{
	CoalesceExpr *result = makeNode(CoalesceExpr);

	result->coalescetype = exprType(value);
	result->coalescecollid = exprCollation(value);
	result->args = list_make2(value, otherwise);
	result->location = -1;
	return (Node *) result;
}

/* An aggregate of an argument, or (NULL) of rows, as count(*) is */
Aggref *
AggregateOf(Oid aggregate, Expr *argument, Oid type)
{
	Aggref	   *result = makeNode(Aggref);

	result->aggfnoid = aggregate;
	result->aggtype = type;
	result->aggstar = argument == NULL;
	if (argument != NULL)
	{
		result->aggcollid = result->inputcollid = exprCollation((Node *) argument);
		result->aggargtypes = list_make1_oid(exprType((Node *) argument));
		result->args = list_make1(makeTargetEntry(argument, 1, NULL, false));
	}
	result->aggkind = AGGKIND_NORMAL;
	result->aggsplit = AGGSPLIT_SIMPLE;
	result->aggno = result->aggtransno = -1;
	result->location = -1;
	return result;
}

/* A subquery in an expression */
SubLink *
MakeSubLink(SubLinkType type, Query *query)
{
	SubLink    *sublink = makeNode(SubLink);

	sublink->subLinkType = type;
	sublink->subselect = (Node *) query;
	sublink->location = -1;
	return sublink;
}

/* The row that this Var stood for, of these values */
Node *
RowOf(List *values, const Var *row, List *names)
{
	RowExpr    *result = makeNode(RowExpr);

	result->args = values;
	result->row_typeid = row->vartype;
	result->row_format = COERCE_IMPLICIT_CAST;
	result->colnames = copyObject(names);
	result->location = -1;
	return (Node *) result;
}

/* A NULL of the type that an expression has */
Const *
NullOf(const Node *expr)
{
	return makeNullConst(exprType(expr), exprTypmod(expr), exprCollation(expr));
}

/* CASE WHEN condition THEN value ELSE otherwise END; NULL stands for one that is NULL */
Node *
ValueIf(Node *condition, Node *value, Node *otherwise)
{
	CaseWhen   *when = makeNode(CaseWhen);
	CaseExpr   *result = makeNode(CaseExpr);

	when->expr = (Expr *) condition;
	when->result = (Expr *) value;
	when->location = -1;
	result->casetype = exprType(value);
	result->casecollid = exprCollation(value);
	result->args = list_make1(when);
	result->defresult = otherwise != NULL ? (Expr *) otherwise : (Expr *) NullOf(value);
	result->location = -1;
	return (Node *) result;
}

/* Is a row one of the first of its group, by this key?  Each takes so much of the most, besides the values. */
Node *
IsInSmallGroup(int32 most, int32 size, Node *key, List *values)
{
	Const	   *of_group = makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(most), false, true);
	Const	   *of_row = makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(size), false, true);

	return (Node *) makeFuncExpr(TwinFunction(TWIN_IS_SMALL_GROUP), BOOLOID,
								 list_concat(list_make3(of_group, of_row, copyObject(key)), values),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Is a condition nothing but that? */
bool
OnlyAsksSmallGroup(const Node *condition)
{
	return IsA(condition, FuncExpr) && ((const FuncExpr *) condition)->funcid == TwinFunction(TWIN_IS_SMALL_GROUP);
}

/* A condition that no row meets, but which the planner does not see through */
Node *
Never(void)
{
	Const	   *no_schema = makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(InvalidOid),
									  false, true);

	return (Node *) makeFuncExpr(F_PG_IS_OTHER_TEMP_SCHEMA, BOOLOID, list_make1(no_schema),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Is it this one? */
bool
IsNever(const FuncExpr *call)
{
	return call->funcid == F_PG_IS_OTHER_TEMP_SCHEMA && equal(call, Never());
}

/* row_number() OVER (PARTITION BY ... ORDER BY ...), of rows in a query's order; it has no other window functions. */
Expr *
NumberRows(Query *query, List *partition)
{
	WindowClause *clause = makeNode(WindowClause);
	WindowFunc *call = makeNode(WindowFunc);

	clause->partitionClause = partition;
	clause->orderClause = query->sortClause;
	clause->frameOptions = FRAMEOPTION_NONDEFAULT | FRAMEOPTION_ROWS | FRAMEOPTION_START_UNBOUNDED_PRECEDING |
		FRAMEOPTION_END_CURRENT_ROW;
	clause->winref = call->winref = 1;
	call->winfnoid = F_ROW_NUMBER;
	call->wintype = INT8OID;
	call->location = -1;
	query->windowClause = list_make1(clause);
	query->hasWindowFuncs = true;
	return (Expr *) call;
}
