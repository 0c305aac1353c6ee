/*-------------------------------------------------------------------------
 *
 * as_text.c
 *		jsonb that is only embedded in JSON text, as text from the start.
 *
 * PostgREST makes each nested collection jsonb, and then embeds it:
 *
 *	SELECT json_agg(p) FROM (SELECT f.id, coalesce(a.d, '[]') AS actors FROM film f
 *		LEFT JOIN LATERAL (SELECT json_agg(x)::jsonb AS d FROM actor x WHERE ...) a ON true) p
 *
 * With our functions, a.d is jsonrow_core_jsonb_agg('{id,...}', x.id, ...), and when p
 * is written, the jsonb is taken apart again and printed.  Here a.d becomes
 * jsonrow_core_jsonb_agg_text('{id,...}', x.id, ...), which is of type json: the
 * text that would be printed.  The column actors becomes json, too, and '[]' a
 * constant of type json.  Embedding them is then a copy.  Nobody can tell:
 *
 * - Where the value goes.  All references to such a column are known, because a
 *	 column of a subquery or CTE is seen only by the query around it.  Each is an
 *	 argument of a function of ours that writes JSON text, or another such column
 *	 (perhaps with coalesce), or asks whether it is NULL, which json answers as jsonb
 *	 does, or is count() of the whole row.  Any other one leaves the column as it
 *	 is.  So does what could change the plan, or has no equality for json: ORDER BY,
 *	 GROUP BY, DISTINCT, set operations, references from queries within (Memoize
 *	 compares them).
 * - The bytes.  JSON text writers print a jsonb as jsonb_out does, and copy a json.
 *	 JsonbTextWriter writes what jsonb_out would print, for all types that make the
 *	 same text either way (TypeConvertsAlike); json columns and casts to json do not,
 *	 because their text would have to be parsed.  So whatever is of type json among
 *	 the values it is given comes from here, and is copied, too.
 * - Errors.  The same values are computed and printed at the same time, in the same
 *	 order: JsonbTextWriter, too, writes values in the order of the columns where
 *	 several may raise errors.  What the text of a jsonb cannot contain (\u0000), no
 *	 value of these types contains.  A text that might be of a jsonb over its limit of
 *	 256 MB is parsed when it is finished, and raises the same error.  Only the limit
 *	 of text, 1 GB, may be met before the text is embedded.
 * - The plan.  Nothing changes its place.  The functions have the same costs and
 *	 properties, and json the same width as jsonb.  An aggregate that stands
 *	 elsewhere in its query, too, as in HAVING, stays the same, and is computed once.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "planner/aggregates.h"
#include "planner/levels.h"
#include "planner/rewrite.h"
#include "planner/twins.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"

/* A query with more places, or for which more of them are looked at, is left alone. */
#define MAX_PLACES	1000
#define MAX_LOOKS	1000000

/* An expression of type jsonb that may become text: a column, or an argument */
typedef struct Place
{
	Node	  **expr;			/* where it is */
	List	   *types;			/* pointers to what else has the Oid of its
								 * type, but does not look at its value */
	List	   *effects;		/* Places that stay jsonb if this one does */
	bool		is_known;		/* how its value is made has been examined */
	bool		stays;			/* it stays jsonb */
} Place;

typedef struct Embedding
{
	Rewrite    *rewrite;
	List	   *places;
	int			nlooks;
} Embedding;

/* What is examined of one query */
typedef struct Search
{
	Embedding  *embedding;
	Level	   *level;
	bool		as_is;			/* constructors are matched by equal() */
	List	   *aggregates;		/* that have a text twin, ... */
	List	   *places;			/* and the places that their values are for */
} Search;

static bool Look(Node *node, void *context);
static void VisitQuery(Embedding *embedding, Query *query, Level *outer, bool is_item);
static void VisitParts(Search *search, Place *place, Node *expr);

/*
 * Functions
 */

/* One of ours that makes JSON of values */
typedef struct Constructor
{
	Twin		twin;
	int			first;			/* the first of its arguments that is a value */
	int			step;			/* from each of these to the next */
	Twin		text;			/* writes the text of the jsonb that this one
								 * makes; NO_TWIN if it makes none */
} Constructor;

static const Constructor constructors[] = {
	{TWIN_JSON_BUILD_OBJECT, 1, 2, NO_TWIN},
	{TWIN_JSON_BUILD_ARRAY, 0, 1, NO_TWIN},
	{TWIN_ROW_TO_JSON, 0, 1, NO_TWIN},
	{TWIN_ROW_TO_JSON_NAMED, 1, 1, NO_TWIN},
	{TWIN_TO_JSON, 0, 1, NO_TWIN},
	{TWIN_JSON_AGG, 0, 1, NO_TWIN},
	{TWIN_JSON_AGG_NAMED, 1, 1, NO_TWIN},
	{TWIN_JSON_AGG_ROW_TO_JSON, 1, 1, NO_TWIN},
	{TWIN_JSON_AGG_BUILD_OBJECT, 1, 1, NO_TWIN},
	{TWIN_JSON_AGG_BUILD_ARRAY, 0, 1, NO_TWIN},
	{TWIN_TO_JSONB, 0, 1, TWIN_TO_JSONB_TEXT},
	{TWIN_TO_JSONB_NAMED, 1, 1, TWIN_TO_JSONB_TEXT_NAMED},
	{TWIN_JSONB_AGG, 0, 1, TWIN_JSONB_AGG_TEXT},
	{TWIN_JSONB_AGG_NAMED, 1, 1, TWIN_JSONB_AGG_TEXT_NAMED},
};

/* The constructor of ours that a node calls; NULL if it is none, or called in an unusual way */
static const Constructor *
ConstructorOf(Node *node)
{
	Twin		twin = NO_TWIN;

	if (IsA(node, FuncExpr) && !((FuncExpr *) node)->funcvariadic)
		twin = TwinOfFunction(((FuncExpr *) node)->funcid);
	else if (IsA(node, Aggref) && IsPlainAggregate((Aggref *) node))
		twin = TwinOfFunction(((Aggref *) node)->aggfnoid);
	for (int i = 0; i < lengthof(constructors); i++)
		if (constructors[i].twin == twin)
			return &constructors[i];
	return NULL;
}

/* The function that writes the text of the jsonb that a node makes; InvalidOid if there is none */
static Oid
TextFunction(Node *node)
{
	const Constructor *constructor = ConstructorOf(node);

	return constructor != NULL ? TwinFunction(constructor->text) : InvalidOid;
}

/*
 * Places
 */

static bool
IsTooLarge(const Embedding *embedding)
{
	return list_length(embedding->places) > MAX_PLACES || embedding->nlooks > MAX_LOOKS;
}

/* If one stays jsonb, so does the other. */
static void
Link(Place *one, Place *other)
{
	one->effects = lappend(one->effects, other);
	other->effects = lappend(other->effects, one);
}

static Place *
AddPlace(Embedding *embedding, Node **expr)
{
	Place	   *place = palloc0(sizeof(Place));

	place->expr = expr;
	embedding->places = lappend(embedding->places, place);
	return place;
}

/* A column of a query; NULL if it is not of type jsonb.  Of a query that is left alone it may be any. */
static Place *
PlaceOfEntry(Embedding *embedding, TargetEntry *entry)
{
	ListCell   *cell;

	if (entry == NULL || entry->resjunk || exprType((Node *) entry->expr) != JSONBOID)
		return NULL;
	if (IsTooLarge(embedding))
		return linitial(embedding->places);
	foreach(cell, embedding->places)
	{
		Place	   *place = lfirst(cell);

		if (place->expr == (Node **) &entry->expr)
			return place;
		embedding->nlooks++;
	}
	return AddPlace(embedding, (Node **) &entry->expr);
}

/* The SELECT that a column or a row comes from; NULL if it comes from none */
static Query *
QueryOfVar(Search *search, Var *var)
{
	Level	   *owner = LevelUp(search->level, var->varlevelsup);
	Level		below;
	Query	   *query = owner == NULL ? NULL :
		QueryOfEntry(owner, rt_fetch(var->varno, owner->query->rtable), &below);

	return query != NULL && query->commandType == CMD_SELECT ? query : NULL;
}

/*
 * References
 */

/* Something looks at a column's value, or at those of a whole row. */
static void
LookAtVar(Search *search, Var *var)
{
	Level	   *owner = LevelUp(search->level, var->varlevelsup);
	RangeTblEntry *rte = owner ? rt_fetch(var->varno, owner->query->rtable) : NULL;
	Query	   *query = QueryOfVar(search, var);
	Search		around = {.embedding = search->embedding,.level = owner};
	ListCell   *cell;

	if (var->varattno != 0 && var->vartype != JSONBOID)
		return;
	foreach(cell, query != NULL ? query->targetList : NIL)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		Place	   *place = var->varattno == 0 || var->varattno == entry->resno ?
			PlaceOfEntry(search->embedding, entry) : NULL;

		if (place != NULL)
			place->stays = true;
	}
	if (rte != NULL && rte->rtekind == RTE_JOIN)
		(void) Look(var->varattno == 0 ? (Node *) rte->joinaliasvars : list_nth(rte->joinaliasvars, var->varattno - 1),
					&around);
}

/* The place of a column that the query itself reads; for any other one (NULL), it is as if something looked at it. */
static Place *
PlaceOfVar(Search *search, Var *var)
{
	Query	   *query = var->varlevelsup == 0 ? QueryOfVar(search, var) : NULL;
	Place	   *place = query == NULL ? NULL :
		PlaceOfEntry(search->embedding, get_tle_by_resno(query->targetList, var->varattno));

	if (place == NULL)
		LookAtVar(search, var);
	return place;
}

/* A column is mentioned, but nothing looks at its value. */
static void
MentionVar(Search *search, Var *var)
{
	Place	   *place = PlaceOfVar(search, var);

	if (place != NULL)
		place->types = lappend(place->types, &var->vartype);
}

/*
 * A whole row becomes a part of JSON.  Its columns may be text; but in jsonb only if
 * that becomes text, too.
 */
static void
VisitRow(Search *search, Var *row, Place *jsonb)
{
	Query	   *query = row->varlevelsup == 0 && row->vartype == RECORDOID ?
		QueryOfVar(search, row) : NULL;
	ListCell   *cell;

	if (query == NULL)
	{
		if (jsonb != NULL && !TypeConvertsAlike(search->level, row->vartype, false))
			jsonb->stays = true;
		LookAtVar(search, row);
		return;
	}
	foreach(cell, jsonb != NULL ? query->targetList : NIL)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		Place	   *place = PlaceOfEntry(search->embedding, entry);

		if (place != NULL)
			jsonb->effects = lappend(jsonb->effects, place);
		else if (!entry->resjunk && !TypeConvertsAlike(search->level, exprType((Node *) entry->expr), false))
			jsonb->stays = true;
	}
}

/*
 * Values
 */

/*
 * An argument that becomes a part of JSON text, or of jsonb: jsonb is the place of that,
 * or NULL.
 */
static Place *
VisitValue(Search *search, Node **value, Place *jsonb)
{
	Place	   *place;

	if (IsA(*value, Var) && ((Var *) *value)->varattno == 0)
	{
		VisitRow(search, (Var *) *value, jsonb);
		return NULL;
	}
	if (exprType(*value) != JSONBOID || IsA(*value, Const))
	{
		if (jsonb != NULL && !ConvertsAlike(search->level, *value, false))
			jsonb->stays = true;
		(void) Look(*value, search);
		return NULL;
	}
	place = AddPlace(search->embedding, value);
	if (jsonb != NULL)
		jsonb->effects = lappend(jsonb->effects, place);
	place->is_known = true;
	VisitParts(search, place, *value);
	return place;
}

/* The arguments of a constructor of ours; jsonb is the place of its result if that is jsonb. */
static void
VisitArguments(Search *search, Node *call, Place *jsonb)
{
	Aggref	   *aggref = IsA(call, Aggref) ? (Aggref *) call : NULL;
	const Constructor *constructor = ConstructorOf(call);
	ListCell   *cell;

	foreach(cell, aggref ? aggref->args : ((FuncExpr *) call)->args)
	{
		TargetEntry *entry = aggref ? lfirst_node(TargetEntry, cell) : NULL;
		Node	  **arg = entry ? (Node **) &entry->expr : (Node **) &lfirst(cell);
		int			i = foreach_current_index(cell);
		Place	   *place;

		if (i < constructor->first || (i - constructor->first) % constructor->step != 0 ||
			(entry && (entry->resjunk || entry->ressortgroupref != 0)))
		{
			if (jsonb != NULL && !(entry && entry->resjunk) &&
				!TypeConvertsAlike(search->level, exprType(*arg), false))
				jsonb->stays = true;
			(void) Look(*arg, search);
			continue;
		}
		place = VisitValue(search, arg, jsonb);
		if (place != NULL && aggref != NULL)
			place->types = lappend(place->types, &lfirst_oid(list_nth_cell(aggref->aggargtypes, i)));
	}
	if (aggref != NULL)
		(void) Look((Node *) aggref->aggfilter, search);
}

/*
 * An aggregate that is computed once, because it is equal to another one, has to
 * remain so: both become text, or none.
 */
static void
LinkAggregate(Search *search, Aggref *aggref, Place *place)
{
	ListCell   *other;
	ListCell   *its_place;

	forboth(other, search->aggregates, its_place, search->places)
	{
		if (!equal(aggref, lfirst(other)))
			continue;
		Link(place, lfirst(its_place));
		return;
	}
	search->aggregates = lappend(search->aggregates, aggref);
	search->places = lappend(search->places, place);
}

/* How the value of a place is made; it stays jsonb if that is not understood. */
static void
VisitParts(Search *search, Place *place, Node *expr)
{
	Place	   *column;
	ListCell   *cell;

	check_stack_depth();
	if (IsA(expr, Const))
		place->stays |= ((Const *) expr)->consttype != JSONBOID;
	else if (IsA(expr, Var))
	{
		column = PlaceOfVar(search, (Var *) expr);
		if (column != NULL)
			Link(place, column);
		else
			place->stays = true;
	}
	else if (IsA(expr, CoalesceExpr))
	{
		foreach(cell, ((CoalesceExpr *) expr)->args)
		{
			VisitParts(search, place, lfirst(cell));
		}
	}
	else if (OidIsValid(TextFunction(expr)))
	{
		if (IsA(expr, Aggref))
			LinkAggregate(search, (Aggref *) expr, place);
		VisitArguments(search, expr, place);
	}
	else
	{
		place->stays = true;
		(void) Look(expr, search);
	}
}

/* Does it count rows that are not NULL?  It does not look at their columns. */
static bool
CountsRows(Search *search, Node *node)
{
	Aggref	   *aggref = (Aggref *) node;
	Var		   *row;

	if (!IsA(node, Aggref) || aggref->aggfnoid != F_COUNT_ANY || !IsPlainAggregate(aggref) ||
		aggref->aggorder != NIL || aggref->aggfilter != NULL)
		return false;
	row = (Var *) linitial_node(TargetEntry, aggref->args)->expr;
	return IsA(row, Var) && row->varattno == 0 && row->varlevelsup == 0 &&
		row->vartype == RECORDOID && QueryOfVar(search, row) != NULL;
}

/* An expression that may look at any column in it */
static bool
Look(Node *node, void *context)
{
	Search	   *search = context;
	NullTest   *test = (NullTest *) node;

	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query))
	{
		VisitQuery(search->embedding, (Query *) node, search->level, false);
		return false;
	}
	if (CountsRows(search, node))
		return false;
	if (IsA(node, Aggref) && OidIsValid(TextFunction(node)))
		LinkAggregate(search, (Aggref *) node, AddPlace(search->embedding, NULL));
	if (IsA(node, NullTest) && IsA(test->arg, Var) && !test->argisrow)
		MentionVar(search, (Var *) test->arg);
	else if (IsA(node, Var))
		LookAtVar(search, (Var *) node);
	else if (!search->as_is && ConstructorOf(node) != NULL && exprType(node) == JSONOID)
		VisitArguments(search, node, NULL);
	else
		return expression_tree_walker(node, Look, context);
	return false;
}

/*
 * Queries
 */

/* An entry of the range table; its columns may change their types if the query only reads them. */
static void
VisitEntry(Search *search, RangeTblEntry *rte, bool reads)
{
	Level		below;
	Query	   *query = QueryOfEntry(search->level, rte, &below);
	ListCell   *cell;

	if (rte->rtekind == RTE_SUBQUERY)
		VisitQuery(search->embedding, query, search->level, reads && !ColumnsStay(search->embedding->rewrite, rte));
	else if (query != NULL && query->commandType == CMD_SELECT)
	{
		/*
		 * Where a CTE is read, the types of its columns are noted.  After
		 * parsing, nobody asks the CTE itself for them.
		 */
		foreach(cell, query->targetList)
		{
			TargetEntry *entry = lfirst_node(TargetEntry, cell);
			Place	   *place = PlaceOfEntry(search->embedding, entry);

			if (place != NULL)
				place->types = lappend(place->types, &lfirst_oid(list_nth_cell(rte->coltypes, entry->resno - 1)));
		}
	}
	foreach(cell, rte->joinaliasvars)
	{
		if (lfirst(cell) != NULL && IsA(lfirst(cell), Var) && ((Var *) lfirst(cell))->varattno != 0)
			MentionVar(search, lfirst(cell));
		else
			(void) Look(lfirst(cell), search);
	}
	(void) range_table_entry_walker(rte, Look, search, QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_JOINALIASES);
}

/* An entry of the select list; it may change its type if it is seen only by the query around. */
static void
VisitTarget(Search *search, TargetEntry *entry, bool may_change)
{
	Place	   *place = PlaceOfEntry(search->embedding, entry);
	bool		as_is = search->as_is;

	search->as_is |= entry->ressortgroupref != 0;
	if (place != NULL && may_change && !search->as_is && !IsA(entry->expr, Const))
	{
		place->is_known = true;
		VisitParts(search, place, (Node *) entry->expr);
	}
	else
		(void) Look((Node *) entry->expr, search);
	search->as_is = as_is;
}

/* is_item: it is an item of FROM, or a CTE, whose columns may change their types. */
static void
VisitQuery(Embedding *embedding, Query *query, Level *outer, bool is_item)
{
	Level		level = {.query = query,.outer = outer,.rewrite = embedding->rewrite};
	Search		search = {.embedding = embedding,.level = &level};
	bool		reads = query->commandType == CMD_SELECT && query->setOperations == NULL;
	Query		rest = *query;
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		VisitQuery(embedding, castNode(Query, cte->ctequery), &level, !cte->cterecursive);
	}
	foreach(cell, query->rtable)
	{
		VisitEntry(&search, lfirst_node(RangeTblEntry, cell), reads);
	}
	foreach(cell, query->targetList)
	{
		VisitTarget(&search, lfirst_node(TargetEntry, cell), is_item && reads);
	}
	rest.targetList = NIL;
	(void) query_tree_walker(&rest, Look, &search, QTW_IGNORE_RANGE_TABLE | QTW_IGNORE_CTE_SUBQUERIES);
}

/*
 * Changes
 */

/* It stays jsonb, and with it what would have to. */
static void
Keep(Place *place)
{
	ListCell   *cell;

	place->stays = true;
	foreach(cell, place->effects)
	{
		if (!((Place *) lfirst(cell))->stays)
			Keep(lfirst(cell));
	}
}

/* The expression of a place, as text.  Arguments of constructors are places of their own. */
static Node *
AsText(Node *expr)
{
	Const	   *value;
	ListCell   *cell;

	switch (nodeTag(expr))
	{
		case T_Const:
			value = copyObject((Const *) expr);
			expr = (Node *) value;
			value->consttype = JSONOID;
			if (!value->constisnull)
				value->constvalue = CStringGetTextDatum(DatumGetCString(DirectFunctionCall1(jsonb_out,
																							value->constvalue)));
			break;
		case T_Var:
			((Var *) expr)->vartype = JSONOID;
			break;
		case T_CoalesceExpr:
			((CoalesceExpr *) expr)->coalescetype = JSONOID;
			foreach(cell, ((CoalesceExpr *) expr)->args)
			{
				lfirst(cell) = AsText(lfirst(cell));
			}
			break;
		case T_FuncExpr:
			((FuncExpr *) expr)->funcid = TextFunction(expr);
			((FuncExpr *) expr)->funcresulttype = JSONOID;
			break;
		default:
			castNode(Aggref, expr)->aggfnoid = TextFunction(expr);
			((Aggref *) expr)->aggtype = JSONOID;
			break;
	}
	return expr;
}

static void
Embed(Place *place)
{
	ListCell   *cell;

	*place->expr = AsText(*place->expr);
	foreach(cell, place->types)
	{
		*(Oid *) lfirst(cell) = JSONOID;
	}
}

/*
 * Where jsonb is only embedded in JSON text, have it made as text.  The query is changed
 * in place.
 */
void
EmbedAsText(Query *query, Rewrite *rewrite)
{
	Embedding	embedding = {.rewrite = rewrite};
	ListCell   *cell;

	if (!list_member_oid(rewrite->functions, F_JSONB_AGG) &&
		!list_member_oid(rewrite->functions, F_TO_JSONB))
		return;
	VisitQuery(&embedding, query, NULL, false);
	if (IsTooLarge(&embedding))
		return;
	foreach(cell, embedding.places)
	{
		Place	   *place = lfirst(cell);

		if (place->stays || !place->is_known)
			Keep(place);
	}
	foreach(cell, embedding.places)
	{
		if (!((Place *) lfirst(cell))->stays)
			Embed(lfirst(cell));
	}
}
