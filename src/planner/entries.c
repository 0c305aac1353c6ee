/*-------------------------------------------------------------------------
 *
 * entries.c
 *		Range table entries that rewrites make.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/makefuncs.h"
#include "planner/entries.h"

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
