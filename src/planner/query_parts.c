/*-------------------------------------------------------------------------
 *
 * query_parts.c
 *		What a query contains, in one word.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "planner/query_parts.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* Does a window function count rows? */
bool
CountsInWindow(const WindowFunc *call)
{
	return (call->winfnoid == F_COUNT_ || call->winfnoid == F_COUNT_ANY) && call->aggfilter == NULL;
}

static bool
IsOtherWindowFunc(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, WindowFunc))
		return !CountsInWindow((WindowFunc *) node);
	return expression_tree_walker(node, IsOtherWindowFunc, context);
}

/* Does a query count all of its rows, and have no other window? */
static bool
CountsAll(const Query *query)
{
	WindowClause *window = linitial_node(WindowClause, query->windowClause);

	return list_length(query->windowClause) == 1 && window->partitionClause == NIL && window->orderClause == NIL &&
		(window->frameOptions & FRAMEOPTION_NONDEFAULT) == 0 &&
		!IsOtherWindowFunc((Node *) query->targetList, NULL);
}

static QueryParts
PartIf(bool is_there, QueryParts part)
{
	return is_there ? part : 0;
}

QueryParts
PartsOf(const Query *query)
{
	const FromExpr *from = query->jointree;

	return PartIf(query->commandType != CMD_SELECT || query->utilityStmt != NULL, PART_NO_SELECT) |
		PartIf(from == NULL || from->fromlist == NIL, PART_NO_FROM) |
		PartIf(from != NULL && from->quals != NULL, PART_WHERE) |
		PartIf(query->hasAggs, PART_AGGREGATES) |
		PartIf(query->groupClause != NIL, PART_GROUPS) |
		PartIf(query->groupingSets != NIL || query->groupDistinct, PART_GROUPING_SETS) |
		PartIf(query->havingQual != NULL, PART_HAVING) |
		(query->windowClause == NIL ? 0 : CountsAll(query) ? PART_COUNTS : PART_WINDOWS) |
		(query->distinctClause == NIL ? 0 : query->hasDistinctOn ? PART_DISTINCT_ON : PART_DISTINCT) |
		PartIf(query->hasTargetSRFs, PART_SETS) |
		PartIf(query->setOperations != NULL, PART_SET_OPERATION) |
		PartIf(query->sortClause != NIL, PART_ORDER) |
		PartIf(query->limitCount != NULL, PART_LIMIT) |
		PartIf(query->limitOffset != NULL, PART_OFFSET) |
		PartIf(query->limitOption != LIMIT_OPTION_COUNT && query->limitCount != NULL, PART_TIES) |
		PartIf(query->rowMarks != NIL || query->hasForUpdate, PART_LOCKS) |
		PartIf(query->cteList != NIL, PART_CTES) |
		PartIf(query->hasModifyingCTE, PART_CHANGES) |
		PartIf(QUERIES_ARE_UNKNOWN, PART_UNKNOWN);
}

/* What of a subquery keeps PostgreSQL from pulling it up into the query around it */
#define PARTS_OF_FENCED	(PART_AGGREGATES | PART_GROUPS | PART_WINDOWS | PART_COUNTS | PART_DISTINCT | PART_DISTINCT_ON | \
						 PART_ORDER | PART_LIMIT | PART_OFFSET)

bool
IsFenced(const Query *subquery)
{
	return HasAny(subquery, PARTS_OF_FENCED) && !HasAny(subquery, PART_SET_OPERATION);
}

/* Does a query itself do more than read? */
bool
DoesMoreThanRead(const Query *query)
{
	return HasAny(query, PART_NO_SELECT | PART_CHANGES | PART_LOCKS | PART_UNKNOWN);
}

/* The expressions that a function has for arguments it was not given; NULL if there are none */
static Node *
DefaultsFor(Oid function, List *args)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Node	   *result = NULL;

	if (HeapTupleIsValid(tuple) && ((Form_pg_proc) GETSTRUCT(tuple))->pronargs > list_length(args))
	{
		bool		isnull;
		Datum		defaults = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_proargdefaults, &isnull);

		if (!isnull)
			result = stringToNode(TextDatumGetCString(defaults));
	}
	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return result;
}

/* Those of a call, which the planner will add to it; NULL for any other node */
Node *
DefaultsOf(Node *node)
{
	if (IsA(node, FuncExpr))
		return DefaultsFor(((FuncExpr *) node)->funcid, ((FuncExpr *) node)->args);
	if (IsA(node, WindowFunc))
		return DefaultsFor(((WindowFunc *) node)->winfnoid, ((WindowFunc *) node)->args);
	return NULL;
}

/* Is a function volatile with which a user's aggregate is computed?  The aggregate counts as immutable. */
static bool
AggregateIsVolatile(Oid aggregate)
{
	HeapTuple	tuple = aggregate >= FirstNormalObjectId ? SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate)) : NULL;
	bool		result = false;

	if (HeapTupleIsValid(tuple))
	{
		Form_pg_aggregate form = (Form_pg_aggregate) GETSTRUCT(tuple);
		Oid			functions[] = {form->aggtransfn, form->aggfinalfn, form->aggcombinefn, form->aggserialfn,
		form->aggdeserialfn, form->aggmtransfn, form->aggminvtransfn, form->aggmfinalfn};

		for (int i = 0; i < lengthof(functions); i++)
			result |= OidIsValid(functions[i]) && func_volatile(functions[i]) == PROVOLATILE_VOLATILE;
		ReleaseSysCache(tuple);
	}
	return result;
}

/* Does a function tell how a value is stored?  That may differ if the value is read in another way. */
static bool
TellsStorage(Oid function)
{
	return function == F_PG_COLUMN_SIZE || function == F_PG_COLUMN_COMPRESSION || function == F_PG_COLUMN_TOAST_CHUNK_ID;
}

/* Volatile functions that contain_volatile_functions() does not see, and those that are as good as volatile */
static bool
FindVolatile(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && TellsStorage(((FuncExpr *) node)->funcid))
		return true;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, FindVolatile, context, 0);
	if ((IsA(node, Aggref) && AggregateIsVolatile(((Aggref *) node)->aggfnoid)) ||
		(IsA(node, WindowFunc) && AggregateIsVolatile(((WindowFunc *) node)->winfnoid)))
		return true;
	return CallsVolatile(DefaultsOf(node)) || expression_tree_walker(node, FindVolatile, context);
}

/* Does a query, or an expression, or any query within, call a volatile function? */
bool
CallsVolatile(Node *node)
{
	check_stack_depth();
	return contain_volatile_functions(node) || FindVolatile(node, NULL);
}

/* Are all operations of a set operation UNION? */
bool
IsUnion(Node *node)
{
	SetOperationStmt *operation = (SetOperationStmt *) node;

	check_stack_depth();
	return IsA(node, RangeTblRef) ||
		(IsA(node, SetOperationStmt) && operation->op == SETOP_UNION &&
		 IsUnion(operation->larg) && IsUnion(operation->rarg));
}

/* Does a set operation read all rows of each of its arms? */
bool
ReadsAllArms(const Query *query)
{
	return query->setOperations != NULL && (EXCEPT_READS_ALL || IsUnion(query->setOperations));
}

/* The nodes of a join tree, each after those below it */
List *
NodesOfJoinTree(Node *node)
{
	List	   *nodes = NIL;
	ListCell   *cell;

	check_stack_depth();
	if (node == NULL)
		return NIL;
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			nodes = list_concat(nodes, NodesOfJoinTree(lfirst(cell)));
		}
	}
	else if (IsA(node, JoinExpr))
		nodes = list_concat(NodesOfJoinTree(((JoinExpr *) node)->larg), NodesOfJoinTree(((JoinExpr *) node)->rarg));
	return lappend(nodes, node);
}

/* The condition of one of them, or NULL */
Node *
QualsOf(Node *node)
{
	if (IsA(node, FromExpr))
		return ((FromExpr *) node)->quals;
	return IsA(node, JoinExpr) ? ((JoinExpr *) node)->quals : NULL;
}

/* What ANDs connect, but for what lets all rows pass */
static List *
AddConditions(List *conditions, Node *condition)
{
	Const	   *constant = (Const *) condition;
	ListCell   *cell;

	check_stack_depth();
	if (condition == NULL ||
		(IsA(condition, Const) && !constant->constisnull && DatumGetBool(constant->constvalue)))
		return conditions;
	if (!is_andclause(condition))
		return lappend(conditions, condition);
	foreach(cell, ((BoolExpr *) condition)->args)
	{
		conditions = AddConditions(conditions, lfirst(cell));
	}
	return conditions;
}

/* Does a condition let all rows pass? */
bool
IsTrue(Node *quals)
{
	return AddConditions(NIL, quals) == NIL;
}

/* The conditions of all joins in a join tree, and of WHERE, each by itself */
List *
ConditionsIn(Node *jointree)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, NodesOfJoinTree(jointree))
	{
		conditions = AddConditions(conditions, QualsOf(lfirst(cell)));
	}
	return conditions;
}

/* Are there conditions that are what is looked for? */
bool
HasCondition(Node *quals, ConditionTest is_wanted, void *context)
{
	ListCell   *cell;

	foreach(cell, AddConditions(NIL, quals))
	{
		if (is_wanted(lfirst(cell), context))
			return true;
	}
	return false;
}

/* Conditions without these */
Node *
WithoutConditions(Node *quals, ConditionTest is_unwanted, void *context)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, AddConditions(NIL, quals))
	{
		if (!is_unwanted(lfirst(cell), context))
			kept = lappend(kept, lfirst(cell));
	}
	return kept != NIL ? (Node *) make_ands_explicit(kept) : NULL;
}

/* Is it what stands for a test that this item is not NULL (exists.c)?  PostgreSQL does not number EXISTS. */
static bool
IsExists(Node *condition, void *context)
{
	SubLink    *sublink = (SubLink *) condition;

	return IsA(sublink, SubLink) && sublink->subLinkType == EXISTS_SUBLINK && sublink->subLinkId == *(int *) context;
}

/* Take out of conditions that a collection has rows; false if that is none of them. */
bool
TakeExists(FromExpr *from, int varno)
{
	if (varno == 0 || !HasCondition(from->quals, IsExists, &varno))
		return false;
	from->quals = WithoutConditions(from->quals, IsExists, &varno);
	return true;
}

/* The number of all that there is in FROM; 0 if that is not one item */
int
OnlyItem(const FromExpr *from)
{
	return list_length(from->fromlist) == 1 ? VarnoOf(linitial(from->fromlist)) : 0;
}

/* Is there an item of FROM that refers to others?  Collections and look-ups do. */
bool
HasLaterals(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->lateral)
			return true;
	}
	return false;
}

/* Does a subquery look like one that aggregates what belongs to a row of the query around it? */
bool
MayBeCollection(const Query *query)
{
	return HasAny(query, PART_AGGREGATES) && !HasAny(query, PART_GROUPS) && contain_vars_of_level((Node *) query, 1);
}

/* Is an item of FROM a subquery that gives one row, whatever there is? */
bool
IsOneRowItem(const Query *query, const Node *item)
{
	int			varno = VarnoOf(item);
	RangeTblEntry *rte = varno > 0 ? rt_fetch(varno, query->rtable) : NULL;

	return rte != NULL && rte->rtekind == RTE_SUBQUERY && IsOneRow(rte->subquery);
}

/* Does a table have rows in others that inherit from it, and are these read, too?  Partitions are such tables. */
bool
HasHeirs(const RangeTblEntry *table)
{
	return table->inh && has_subclass(table->relid);
}

/* May a foreign server be asked for a partition?  The plan as it is written may find out that it need not be. */
bool
HasForeignChild(const RangeTblEntry *table)
{
	ListCell   *cell;

	foreach(cell, HasHeirs(table) ? find_all_inheritors(table->relid, NoLock, NULL) : NIL)
	{
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_FOREIGN_TABLE)
			return true;
	}
	return false;
}
