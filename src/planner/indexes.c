/*-------------------------------------------------------------------------
 *
 * indexes.c
 *		What the indexes of a table have to do with a query's conditions.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/pg_am.h"
#include "document/domains.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/indexes.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"

/* How many pages a table or an index has.  A standby has none of an unlogged one. */
BlockNumber
PagesOfRelation(Relation relation)
{
	return RelationIsPermanent(relation) || !RecoveryInProgress() ? RelationGetNumberOfBlocks(relation) : 0;
}

/* Has a table in FROM, on which the query's lock is held, an index such that ...? */
bool
FindIndex(const Query *query, int varno, IndexTest test, void *context)
{
	Relation	relation = table_open(rt_fetch(varno, query->rtable)->relid, NoLock);
	bool		result = false;
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(relation))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		result = index->rd_index->indisvalid && test(index, varno, context);
		index_close(index, AccessShareLock);
		if (result)
			break;
	}
	table_close(relation, NoLock);
	return result;
}

bool
IsBtreeOfColumns(Relation index)
{
	return index->rd_rel->relam == BTREE_AM_OID && RelationGetIndexExpressions(index) == NIL;
}

/* Has it all rows of the table, too? */
bool
IsWholeBtree(Relation index)
{
	return IsBtreeOfColumns(index) && RelationGetIndexPredicate(index) == NIL;
}

/* Of an index of columns, the i-th */
KeyColumn
KeyColumnOf(Relation index, int i, int varno)
{
	return (KeyColumn)
	{
		.varno = varno,.attno = index->rd_index->indkey.values[i],.opfamily = index->rd_opfamily[i],
			.opcintype = index->rd_opcintype[i],.collation = index->rd_indcollation[i]
	};
}

bool
IsKeyColumn(Node *expr, const KeyColumn *column)
{
	Var		   *var = (Var *) StripRelabels(expr);

	return IsA(var, Var) && var->varno == column->varno && var->varattno == column->attno && var->varlevelsup == 0;
}

/*
 * What a condition compares the column to, as the index compares values; NULL if it is not of this form.
 * The operator is the one that has the column on its left.
 */
Node *
ComparedTo(Node *condition, const KeyColumn *column, Oid *operator)
{
	OpExpr	   *op = (OpExpr *) condition;
	Node	   *value;

	if (!IsA(condition, OpExpr) || list_length(op->args) != 2 || op->opretset ||
		(OidIsValid(column->collation) && op->inputcollid != column->collation))
		return NULL;
	if (IsKeyColumn(linitial(op->args), column))
	{
		*operator = op->opno;
		value = lsecond(op->args);
	}
	else
	{
		*operator = get_commutator(op->opno);
		value = IsKeyColumn(lsecond(op->args), column) ? linitial(op->args) : NULL;
	}
	return OidIsValid(*operator) && op_in_opfamily(*operator, column->opfamily) ? value : NULL;
}
