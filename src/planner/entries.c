/*-------------------------------------------------------------------------
 *
 * entries.c
 *		Entries of range tables and select lists that rewrites make.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/entries.h"
#include "planner/levels.h"
#include "planner/query_parts.h"
#include "rewrite/rewriteManip.h"

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

/*
 * Let a query, which is changed where it is, give what it gave as all of its FROM, under
 * this name.  Returns that subquery, which has its number.
 */
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

/* A name that no CTE of a query has */
static char *
NewCteName(const Query *query)
{
	char	   *name = pstrdup("parents");
	ListCell   *cell;

	for (int n = 1;; n++)
	{
		bool		taken = false;

		foreach(cell, query->cteList)
		{
			taken |= strcmp(lfirst_node(CommonTableExpr, cell)->ctename, name) == 0;
		}
		if (!taken)
			return name;
		name = psprintf("parents_%d", n);
	}
}

/* Let a subquery in the FROM of a query be one that it has in WITH, materialized.  What columns that has is noted where it is read. */
CommonTableExpr *
MakeCte(Query *query, RangeTblEntry *rte)
{
	CommonTableExpr *cte = makeNode(CommonTableExpr);
	ListCell   *cell;

	cte->ctename = NewCteName(query);
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
	rte->ctename = cte->ctename;
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
