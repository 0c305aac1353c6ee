/*-------------------------------------------------------------------------
 *
 * tables.c
 *		What the catalogs tell of a table: its size, its indexes, and how many rows have the same key.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "document/domains.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "storage/bufmgr.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

/* How many pages a table or an index has.  A standby has none of an unlogged one. */
BlockNumber
PagesOfRelation(Relation relation)
{
	return RelationIsPermanent(relation) || !RecoveryInProgress() ? RelationGetNumberOfBlocks(relation) : 0;
}

/* The blocks and rows of a table, as PostgreSQL expects; it must be locked.  A standby has none of an unlogged one. */
TableSize
SizeOfTable(Oid relid)
{
	Relation	relation = table_open(relid, NoLock);
	TableSize	size = {0};
	BlockNumber pages = 0;
	double		visible;

	if (RelationIsPermanent(relation) || !RecoveryInProgress())
		estimate_rel_size(relation, NULL, &pages, &size.rows, &visible);
	size.pages = pages;
	table_close(relation, NoLock);
	return size;
}

/* Was a table never analyzed, nor vacuumed, and (if that is asked) is its size no more than that guess?  It must be locked. */
bool
IsNeverAnalyzed(Oid relid, bool is_small)
{
	Relation	relation = table_open(relid, NoLock);
	bool		result = RELKIND_HAS_STORAGE(relation->rd_rel->relkind) && relation->rd_rel->reltuples < 0 &&
		!relation->rd_rel->relhassubclass && (!is_small || PagesOfRelation(relation) < GUESSED_PAGES);

	table_close(relation, NoLock);
	return result;
}

/* Is all of a table in it, or in partitions, so that its indexes, keys and statistics tell of all that is read? */
bool
IsSeenWhole(const RangeTblEntry *table)
{
	return table->relkind != RELKIND_RELATION || !HasHeirs(table);
}

/*
 * Indexes, and a query's conditions
 */

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

/* Does a query sort or group by the column, under the collation of the index? */
bool
IsClauseOfKey(const Query *query, SortGroupClause *clause, const KeyColumn *column)
{
	Node	   *expr = get_sortgroupclause_expr(clause, query->targetList);

	return IsKeyColumn(expr, column) && (!OidIsValid(column->collation) || exprCollation(expr) == column->collation);
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

/*
 * Rows of the same key, as statistics tell: only costs are compared by that, and no result depends on it.
 */

/* What statistics tell of a column of a table; false if ANALYZE has not seen it */
bool
FindFrequency(const RangeTblEntry *table, AttrNumber attno, Frequency *frequency)
{
	bool		has_parts = table->relkind == RELKIND_PARTITIONED_TABLE;
	HeapTuple	statistics = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(table->relid), Int16GetDatum(attno),
											 BoolGetDatum(has_parts));
	AttStatsSlot commonest;
	Form_pg_statistic form;
	double		distinct;

	if (!HeapTupleIsValid(statistics))
		return false;
	form = (Form_pg_statistic) GETSTRUCT(statistics);
	distinct = form->stadistinct;
	frequency->nulls = form->stanullfrac;
	frequency->width = form->stawidth;
	frequency->rows = SizeOfTable(table->relid).rows;
	frequency->values = distinct < 0 ? -distinct * frequency->rows : distinct;
	frequency->commonest = INFINITY;
	if (distinct != 0)
		frequency->commonest = distinct < 0 ? -1 / distinct : frequency->rows / distinct;
	if (get_attstatsslot(&commonest, statistics, STATISTIC_KIND_MCV, InvalidOid, ATTSTATSSLOT_NUMBERS))
	{
		if (commonest.nnumbers > 0)
			frequency->commonest = frequency->rows * commonest.numbers[0];
		free_attstatsslot(&commonest);
	}
	ReleaseSysCache(statistics);
	return frequency->commonest < INFINITY;
}

/* How many rows have an expression's commonest value; infinity if that is not known, or it is no column of a table */
static double
RowsOfValue(const Query *query, Node *expr)
{
	Var		   *var = (Var *) StripRelabels(expr);
	RangeTblEntry *rte;
	Frequency	frequency;

	if (!IsA(var, Var) || var->varlevelsup > 0 || var->varattno <= 0)
		return INFINITY;
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind != RTE_RELATION || !FindFrequency(rte, var->varattno, &frequency))
		return INFINITY;
	return frequency.commonest;
}

/* How many rows of an item of FROM belong to one row of others */
static double
MostRowsOfItem(const Query *query, List *conditions, int varno, Relids others)
{
	double		rows = INFINITY;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		OpExpr	   *op = lfirst(cell);

		if (!IsA(op, OpExpr) || list_length(op->args) != 2 || get_oprrest(op->opno) != F_EQSEL)
			continue;
		for (int i = 0; i < 2; i++)
		{
			Node	   *side = list_nth(op->args, i);

			if (bms_is_member(varno, pull_varnos(NULL, side)) &&
				bms_is_subset(pull_varnos(NULL, list_nth(op->args, 1 - i)), others))
				rows = Min(rows, RowsOfValue(query, side));
		}
	}
	return rows;
}

/*
 * How many rows of a query, which has only FROM and WHERE, have the same value in an
 * expression of its own, at most: those of the column's table, and for each what is
 * joined to it.  Infinity if that is not known.
 */
double
MostRowsOfKey(const Query *query, Node *key)
{
	List	   *conditions = ConditionsIn((Node *) query->jointree);
	Relids		items = NULL;
	Relids		known = pull_varnos(NULL, key);
	double		rows = RowsOfValue(query, key);
	int			varno = -1;
	ListCell   *cell;

	foreach(cell, NodesOfJoinTree((Node *) query->jointree))
	{
		if (IsA(lfirst(cell), RangeTblRef))
			items = bms_add_member(items, VarnoOf(lfirst(cell)));
	}
	while (rows < INFINITY && (varno = bms_next_member(items, varno)) >= 0)
	{
		double		more;

		if (bms_is_member(varno, known))
			continue;
		more = MostRowsOfItem(query, conditions, varno, known);
		if (more == INFINITY)
			continue;
		rows *= more;
		known = bms_add_member(known, varno);
		varno = -1;				/* others may be joined to it */
	}
	return bms_is_subset(items, known) ? rows : INFINITY;
}
