/*-------------------------------------------------------------------------
 *
 * restriction.c
 *		Where a collection is restricted to the keys of its parents.
 *
 * In WHERE, as a semijoin (see parents.c), which is one more join for each collection.  If
 * most keys are those of parents, only large groups are restricted:
 *
 *		SELECT c.pid AS key, json_agg(c.x)      SELECT c.pid AS key, json_agg(c.x) FILTER (WHERE
 *		FROM c                                      jsonrow_is_small_group(..., c.pid, c.x) OR
 *		WHERE c.pid IN (SELECT p.id FROM p)         c.pid IN (SELECT p.id FROM p))
 *		GROUP BY c.pid                          FROM c WHERE c.pid IS NOT NULL GROUP BY c.pid
 *
 * Nothing but groups that no parent asks for is different, and these are not joined to
 * anything.  They may be made only of what cannot raise an error.  Since groups are made by
 * sorting, the rows of each come one after the other; so of one that nobody asks for, only its
 * first rows are aggregated, which are small: it takes no memory, and breaks no limit.  For
 * that, the values' text must not be much larger than they are, as that of jsonb may be; nor may a
 * subquery stand among them, which could give anything.  Else the restriction stays in WHERE.
 *
 * Statistics tell whether that is cheaper, and nothing depends on it but time and memory: all of the
 * parents' tables are read, as far as anybody sees, be it for a page that has room for most of their rows; these have most
 * of the collection's keys; and no key has many of its rows, for it may be one that no parent has.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/entries.h"
#include "planner/known.h"
#include "planner/levels.h"
#include "planner/parents.h"
#include "planner/query_parts.h"
#include "planner/tables.h"
#include "planner/twins.h"
#include "rewrite/rewriteManip.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Of this share of the keys there are parents, or of the values rows that are joined. */
#define MOST			0.8

/* The rows of a key that may have no parent are no greater share of all than this. */
#define FEW				0.1

/* What a row of a group counts for at least, in bytes, so that there are not too many */
#define SIZE_OF_ROW		512

/* Arguments of jsonrow_is_small_group before the values */
#define ARGUMENTS_BEFORE	3

/* What of a group is aggregated in any case, in bytes */
#define SMALL_GROUP		(64 * 1024)

/* How many functions and casts may be nested: quotes in JSON are twice as many each time that it becomes text. */
#define MAX_CALLS		2

/* How much less memory the parents' keys take than PostgreSQL gives a hash table, for it must not be without one */
#define ROOM			2

/* The IN that a collection of this number is restricted by, and where it stands */
typedef struct Restriction
{
	int			id;				/* 0 stands for any */
	SubLink    *among;
	Level	   *source;
	int			depth;			/* of that, below the collection */
	bool		is_gathered;	/* its rows are, before the collection's
								 * aggregates */
} Restriction;

/* Is it the restriction of a collection? */
static bool
IsRestriction(Node *condition, int id)
{
	SubLink    *sublink = (SubLink *) condition;

	return IsA(sublink, SubLink) && sublink->subLinkType == ANY_SUBLINK && sublink->subLinkId > 0 &&
		(id == 0 || sublink->subLinkId == id);
}

/* Are the rows of a query, before it groups them, only those that a collection is restricted to? */
bool
ReadsRestricted(const Query *query)
{
	int			varno = OnlyItem(query->jointree);
	RangeTblEntry *rte = varno != 0 ? rt_fetch(varno, query->rtable) : NULL;
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, ConditionsIn((Node *) query->jointree))
	{
		if (IsRestriction(lfirst(cell), 0))
			return true;
	}
	return rte != NULL && rte->rtekind == RTE_SUBQUERY && ReadsRestricted(rte->subquery);
}

/*
 * The clause of a key with the collection's own side on the left, as a hash table wants it; NULL if there are
 * several.  Its operator is invalid if it has no commutator.
 */
static OpExpr *
KeyOnLeft(const SubLink *among)
{
	OpExpr	   *clause = (OpExpr *) copyObject(among->testexpr);

	if (!IsA(clause, OpExpr))
		return NULL;
	if (IsA(StripRelabels(linitial(clause->args)), Param))
	{
		clause->opno = get_commutator(clause->opno);
		clause->opfuncid = InvalidOid;
		clause->args = list_make2(lsecond(clause->args), linitial(clause->args));
	}
	return clause;
}

/*
 * Statistics
 */

/* What they tell of a column of a query, or of one that it reads */
static bool
FindFrequencyBelow(Level *level, Node *expr, Frequency *frequency)
{
	Var		   *var = (Var *) StripRelabels(expr);
	RangeTblEntry *rte;
	Level		inner;

	if (!IsA(var, Var) || var->varlevelsup > 0 || var->varattno <= 0)
		return false;
	rte = rt_fetch(var->varno, level->query->rtable);
	if (rte->rtekind == RTE_RELATION)
		return IsSeenWhole(rte) && FindFrequency(rte, var->varattno, frequency);
	if (QueryOfEntry(level, rte, &inner) == NULL || HasAny(inner.query, PART_SET_OPERATION))
		return false;
	return FindFrequencyBelow(&inner,
							  (Node *) list_nth_node(TargetEntry, inner.query->targetList, var->varattno - 1)->expr,
							  frequency);
}

static bool ReadsMost(Level *level, int varno, double *rows);

/* Are most of the values of a column among those of another? */
static bool
HasMost(const Frequency *values, const Frequency *among)
{
	return values->values > 0 && among->values >= MOST * values->values;
}

/* Are most of a collection's keys those of parents?  *rows grows by those of the tables that these are read from. */
static bool
WantsMost(Level *source, const SubLink *among, Frequency *keys, Frequency *wanted, double *rows)
{
	Level		parents = LevelBelow(source, castNode(Query, among->subselect));
	Node	   *key = (Node *) linitial_node(TargetEntry, parents.query->targetList)->expr;
	OpExpr	   *clause = KeyOnLeft(among);

	return clause != NULL && FindFrequencyBelow(source, linitial(clause->args), keys) &&
		FindFrequencyBelow(&parents, key, wanted) && HasMost(keys, wanted) &&
		ReadsMost(&parents, ((Var *) StripRelabels(key))->varno, rows);
}

/* A source as a level, with those around it */
static Level *
LevelOfSource(Level *level, const Source *source)
{
	Level	   *result = palloc(sizeof(Level));

	*result = LevelBelow(source->above != NULL ? LevelOfSource(level, source->above) : level, source->query);
	return result;
}

/*
 * What share of a query's rows has a collection's key: that of different keys among the values that the query compares them
 * with; 1 if that is not known
 */
double
ShareWithKey(Level *level, const Key *key)
{
	Frequency	keys,
				values;

	if (!FindFrequencyBelow(LevelOfSource(level, key->source), list_nth(key->clause->args, key->inner), &keys) ||
		!FindFrequencyBelow(level, (Node *) OuterColumn(key), &values) || keys.values == 0 || values.values == 0)
		return 1;
	return Min(keys.values / values.values, 1);
}

/*
 * Does most of this item meet a condition that joins it to another, or (0) most of both?  One of them, which is told,
 * must have one row for each of the other, and so another value in each: so there are no more rows than one of the
 * tables has.
 */
static bool
JoinsMost(Level *level, int varno, Node *condition, Relids *joined)
{
	OpExpr	   *clause = (OpExpr *) condition;
	Frequency	left,
				right;
	int			first,
				second;

	if (!IsA(clause, OpExpr) || list_length(clause->args) != 2 || get_oprrest(clause->opno) != F_EQSEL ||
		!FindFrequencyBelow(level, linitial(clause->args), &left) ||
		!FindFrequencyBelow(level, lsecond(clause->args), &right))
		return false;
	first = ((Var *) StripRelabels(linitial(clause->args)))->varno;
	second = ((Var *) StripRelabels(lsecond(clause->args)))->varno;
	if (left.values >= MOST * left.rows)
		*joined = bms_add_member(*joined, first);
	else if (right.values >= MOST * right.rows)
		*joined = bms_add_member(*joined, second);
	return first != second && (HasMost(&left, &right) || second == varno) &&
		(HasMost(&right, &left) || first == varno);
}

/* Does a condition let most rows of this item, or (0) of all, pass? */
static bool
LetsMostPass(Level *level, int varno, Node *condition, Relids *joined, double *rows)
{
	NullTest   *test = (NullTest *) condition;
	Frequency	frequency,
				wanted;

	if (IsA(test, NullTest))
		return test->nulltesttype == IS_NOT_NULL && FindFrequencyBelow(level, (Node *) test->arg, &frequency) &&
			1 - frequency.nulls >= MOST;
	if (IsRestriction(condition, 0))
		return WantsMost(level, (SubLink *) condition, &frequency, &wanted, rows);
	return JoinsMost(level, varno, condition, joined);
}

/* Is an item of FROM read whole, or most of what it reads, as by a page, if all rows could be on it? */
static bool
ReadsMostOfItem(Level *level, RangeTblEntry *rte, double *rows)
{
	Level		inner;
	int64		count;
	double		read = 0;

	switch (rte->rtekind)
	{
		case RTE_JOIN:
			return true;
		case RTE_RELATION:
			if (rte->securityQuals != NIL || rte->tablesample != NULL || !IsSeenWhole(rte))
				return false;
			*rows += SizeOfTable(rte->relid).rows;
			return true;
		default:
			if (QueryOfEntry(level, rte, &inner) == NULL ||
				!HasOnly(inner.query, PARTS_OF_ROWS | PART_LIMIT | PART_OFFSET) || SkipsRows(&inner) ||
				!ReadsMost(&inner, 0, &read))
				return false;
			*rows += read;
			count = CountOf(&inner, inner.query->limitCount);
			return count == NO_COUNT || (count >= 0 && (double) count >= MOST * read);
	}
}

/* Does a query read most of this item, or (0) of all in its FROM, and about as many rows as one of its tables has? */
static bool
ReadsMost(Level *level, int varno, double *rows)
{
	Query	   *query = level->query;
	Relids		from = RelidsInJointree((Node *) query->jointree);
	Relids		joined = NULL;
	int			nitems = 0;
	bool		has_cte = false;
	ListCell   *cell;

	if (VisitsTooMany(level))
		return false;
	foreach(cell, ConditionsIn((Node *) query->jointree))
	{
		if (!LetsMostPass(level, varno, lfirst(cell), &joined, rows))
			return false;
	}
	for (int i = -1; (i = bms_next_member(from, i)) >= 0;)
	{
		RangeTblEntry *rte = rt_fetch(i, query->rtable);

		if (!ReadsMostOfItem(level, rte, rows))
			return false;
		nitems += rte->rtekind != RTE_JOIN;
		has_cte |= rte->rtekind == RTE_CTE;
	}

	/*
	 * PostgreSQL 15 and 16 know nothing of the values in a CTE, so they
	 * expect far too many rows of its joins.
	 */
	return nitems <= (has_cte ? 1 : bms_num_members(joined) + 1);
}

/*
 * Whether it may be late
 */

/* Are values equal, and hashed alike, if they have the same bytes, and only then?  Not by several clauses (NULL). */
static bool
IsComparedByBytes(const OpExpr *clause, Node *key)
{
	TypeCacheEntry *type = lookup_type_cache(exprType(key), TYPECACHE_BTREE_OPFAMILY);
	Oid			tells = OidIsValid(type->btree_opf) ?
		get_opfamily_proc(type->btree_opf, type->btree_opintype, type->btree_opintype, BTEQUALIMAGE_PROC) : InvalidOid;

	return clause != NULL && OidIsValid(tells) && tells < FirstNormalObjectId && OidIsValid(clause->opno) &&
		op_hashjoinable(clause->opno, exprType(linitial(clause->args))) &&
		DatumGetBool(OidFunctionCall1Coll(tells, exprCollation(key), ObjectIdGetDatum(type->btree_opintype)));
}

/* Types whose values have a text of no more than some bytes for each of their own, beside enums, and arrays of such */
static const Oid bounded_types[] = {
	BOOLOID, INT2OID, INT4OID, INT8OID, OIDOID, FLOAT4OID, FLOAT8OID, NAMEOID, TEXTOID, VARCHAROID, BPCHAROID,
	BYTEAOID, JSONOID, UUIDOID, DATEOID, TIMEOID, TIMETZOID, TIMESTAMPOID, TIMESTAMPTZOID, INTERVALOID, INETOID,
	CIDROID, UNKNOWNOID
};

/*
 * Is it one of these?  Not jsonb, which holds 10^131071 in 16 bytes; numbers are counted as they are written.  Rows
 * hold columns that are compressed.
 */
static bool
IsBounded(Oid type)
{
	Oid			base = getBaseType(type);

	for (int i = 0; i < lengthof(bounded_types); i++)
		if (base == bounded_types[i])
			return true;
	return get_typtype(base) == TYPTYPE_ENUM ||
		(OidIsValid(get_element_type(base)) && IsBounded(get_element_type(base)));
}

/* What an aggregate gathers of a row */
typedef struct Gathered
{
	List	   *values;			/* of any size, as often as they are used */
	int64		size;			/* of all others, in bytes */
	bool		as_jsonb;		/* at the current place, jsonb stays what it
								 * is */
	int			ncalls;			/* around that, but of JSON constructors */
	bool		is_unbounded;	/* nothing can be said of what is made of it */
} Gathered;

static void
AddValue(Gathered *gathered, Node *value)
{
	Oid			type = getBaseType(exprType(value));
	int16		length = get_typlen(type);
	Size		size = length;

	if (IsA(value, Const) && length < 0)
		size = ((Const *) value)->constisnull ? 0 : datumGetSize(((Const *) value)->constvalue, false, length);
	else if (length < 0)
		gathered->values = lappend(gathered->values, value);
	if (IsA(value, Const) || length > 0)
		gathered->size += size;
	/* So large are [] and {}. */
	if (type == JSONBOID)
		gathered->is_unbounded |= !gathered->as_jsonb && !(IsA(value, Const) && size <= 2 * sizeof(int32));
	else
		gathered->is_unbounded |= !IsBounded(type) && !(type == NUMERICOID && !IsA(value, Const));
}

static bool
GatherValues(Node *node, void *context)
{
	Gathered   *gathered = context;
	bool		as_jsonb = gathered->as_jsonb;
	int			ncalls = gathered->ncalls;

	if (node == NULL)
		return false;
	check_stack_depth();
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Param:
		case T_Const:
			AddValue(gathered, node);
			return false;
		case T_SubLink:
			gathered->is_unbounded |= !IsAsWritten(node);
			return false;
		case T_List:
		case T_TargetEntry:
		case T_RowExpr:
		case T_ArrayExpr:
		case T_CoalesceExpr:
		case T_CaseExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_RelabelType:
			break;
		case T_FuncExpr:
		case T_OpExpr:
		case T_CoerceViaIO:
			gathered->as_jsonb &= getBaseType(exprType(node)) == JSONBOID;
			/* JSON is no larger than what it is made of. */
			gathered->ncalls += !IsA(node, FuncExpr) || TwinOfEither(((FuncExpr *) node)->funcid) == NO_TWIN;
			gathered->is_unbounded |= gathered->ncalls > MAX_CALLS || check_functions_in_node(node, IsUsersFunction, NULL);
			break;
		default:
			gathered->is_unbounded = true;
			return false;
	}
	(void) expression_tree_walker(node, GatherValues, context);
	gathered->as_jsonb = as_jsonb;
	gathered->ncalls = ncalls;
	return false;
}

/*
 * Find the aggregate that gathers rows, if there is one; false if there are several, for each would look up keys by
 * itself, or if it cannot be told how much any of them takes.  PostgreSQL 19 may make groups of other rows first, which
 * do not come group by group.
 */
static bool
FindGatherer(List *aggregates, Aggref **gatherer, Gathered *gathered)
{
	ListCell   *cell;

	if (AGGREGATES_BELOW_JOINS && MayBeInParts(aggregates))
		return false;
	foreach(cell, aggregates)
	{
		Aggref	   *aggref = lfirst(cell);
		Gathered	found = {.size = SIZE_OF_ROW,.as_jsonb = getBaseType(aggref->aggtype) == JSONBOID};

		(void) GatherValues((Node *) aggref->args, &found);
		if (found.is_unbounded || list_length(found.values) > FUNC_MAX_ARGS - ARGUMENTS_BEFORE)
			return false;
		if (!GathersRows(aggref))
			continue;
		if (*gatherer != NULL)
			return false;
		*gatherer = aggref;
		*gathered = found;
	}
	return true;
}

/*
 * From WHERE to FILTER
 */

static bool
FindRestriction(Level *level, int depth, Restriction *restriction)
{
	Query	   *query = level->query;
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, ConditionsIn((Node *) query->jointree))
	{
		if (IsRestriction(lfirst(cell), restriction->id))
		{
			restriction->among = lfirst(cell);
			restriction->source = level;
			restriction->depth = depth;
			return true;
		}
	}
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		Level	   *inner;

		if (rte->rtekind != RTE_SUBQUERY)
			continue;
		inner = palloc(sizeof(Level));
		*inner = LevelBelow(level, rte->subquery);
		if (FindRestriction(inner, depth + 1, restriction))
		{
			restriction->is_gathered |= QueryGathers(rte->subquery);
			return true;
		}
	}
	return false;
}

/* No row without a key is wanted. */
static Node *
TakeRestriction(Node *node, void *context)
{
	const Restriction *restriction = context;

	if (node == (Node *) restriction->among)
		return IsNotNull(linitial(KeyOnLeft(restriction->among)->args));
	if (node == NULL || IsA(node, SubLink))
		return node;
	return expression_tree_mutator(node, TakeRestriction, context);
}

/* Is a row one of the first of its group, or the group one that is wanted? */
static Node *
IsSmallOrWanted(const Gathered *gathered, Node *key, const Restriction *restriction)
{
	SubLink    *among = copyObject(restriction->among);
	OpExpr	   *clause = KeyOnLeft(restriction->among);
	Node	   *is_small = IsInSmallGroup(SMALL_GROUP, (int32) Min(gathered->size, PG_INT32_MAX), key, copyObject(gathered->values));

	linitial(clause->args) = copyObject(key);
	among->testexpr = (Node *) clause;
	among->subLinkId = 0;
	IncrementVarSublevelsUp((Node *) among, -restriction->depth, 1);
	return (Node *) make_orclause(list_make2(is_small, among));
}

/*
 * Let a collection that has become a join, and what is within, aggregate the first rows of groups that nobody
 * wants, where this is cheaper than to look for them.
 */
void
RestrictLargeGroups(Level *level)
{
	Query	   *query = level->query;
	Query	   *source;
	Restriction restriction = {.id = (int) query->queryId};
	Node	   *key = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	Aggref	   *gatherer = NULL;
	Gathered	gathered;
	Frequency	keys,
				wanted;
	double		rows = 0;

	if (!OidIsValid(TwinFunction(TWIN_IS_SMALL_GROUP)) || !FindRestriction(level, 0, &restriction) ||
		restriction.is_gathered || !IsComparedByBytes(KeyOnLeft(restriction.among), key) ||
		!FindGatherer(AggregatesIn((Node *) query->targetList), &gatherer, &gathered) ||
		!WantsMost(restriction.source, restriction.among, &keys, &wanted, &rows) || keys.commonest > FEW * keys.rows)
		return;
	/* Without a hash table, PostgreSQL looks for each key among all. */
	if (ROOM * rows * (MAXALIGN((Size) wanted.width) + MAXALIGN(SizeofHeapTupleHeader)) > get_hash_memory_limit())
		return;
	if (gatherer != NULL)
	{
		gatherer->aggfilter = (Expr *) make_and_qual((Node *) gatherer->aggfilter,
													 IsSmallOrWanted(&gathered, key, &restriction));
		query->hasSubLinks = true;
	}
	source = restriction.source->query;
	source->jointree = (FromExpr *) TakeRestriction((Node *) source->jointree, &restriction);
}
