/*-------------------------------------------------------------------------
 *
 * hidden_documents.c
 *		Documents that cannot be recognized by their type.
 *
 * PostgreSQL gives coalesce and CASE the base type of a domain if one of their
 * values is NULL or a literal without a type.  If they only choose between a
 * document and no rows, the query tells that the value is a document.
 *
 * The result must not depend on the form of the plan: not on whether it was
 * made for these parameters, and not on whether there are workers.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "format/json_scan.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "write/hidden_documents.h"

typedef struct Search
{
	DocumentHeader header_of;
	bool		found;			/* a document */
} Search;

static bool AreDocuments(QueryPlace place, List *exprs, Search *search);

/*
 * The arguments that a coalesce may return, up to the first that is never NULL
 */
static List *
CoalesceAlternatives(QueryPlace place, CoalesceExpr *coalesce)
{
	List	   *results = NIL;
	ListCell   *cell;

	foreach(cell, coalesce->args)
	{
		Node	   *arg = Evaluate(place, lfirst(cell));

		if (IsA(arg, Const) && ((Const *) arg)->constisnull)
			continue;
		results = lappend(results, arg);
		if (IsA(arg, Const))
			break;
	}
	return results;
}

/*
 * The results that a CASE may return.  Conditions are evaluated in the same
 * order as for a row, so an error here is one that any row would raise.
 */
static List *
CaseAlternatives(QueryPlace place, CaseExpr *expr)
{
	List	   *results = NIL;
	ListCell   *cell;

	foreach(cell, expr->args)
	{
		CaseWhen   *when = lfirst_node(CaseWhen, cell);
		Node	   *condition = Evaluate(place, (Node *) when->expr);
		bool		known = IsA(condition, Const);
		bool		met = known && !((Const *) condition)->constisnull &&
			DatumGetBool(((Const *) condition)->constvalue);

		if (met || !known)
			results = lappend(results, when->result);
		if (met)
			return results;
	}
	return expr->defresult ? lappend(results, expr->defresult) : results;
}

/* The expressions from which a coalesce or CASE chooses; NIL for others */
List *
Alternatives(QueryPlace place, Node *expr)
{
	if (IsA(expr, CoalesceExpr))
		return CoalesceAlternatives(place, (CoalesceExpr *) expr);
	if (IsA(expr, CaseExpr))
		return CaseAlternatives(place, (CaseExpr *) expr);
	return NIL;
}

/* NULL, or an empty array: no rows */
static bool
IsNoRows(Node *expr)
{
	Const	   *value = (Const *) expr;

	if (!IsA(expr, Const))
		return false;
	if (value->constisnull)
		return true;
	if (value->consttype == JSONBOID)
		return JsonbIsEmptyArray(DatumGetJsonbP(value->constvalue));
	if (value->consttype == JSONOID)
	{
		text	   *json = DatumGetTextPP(value->constvalue);

		return JsonIsEmptyArray(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));
	}
	return false;
}

/* An expression without the casts that the parser has added */
static Node *
StripImplicitCasts(Node *expr)
{
	while (IsA(expr, RelabelType) &&
		   ((RelabelType *) expr)->relabelformat == COERCE_IMPLICIT_CAST)
		expr = (Node *) ((RelabelType *) expr)->arg;
	return expr;
}

/*
 * Does a coalesce or CASE only choose between no rows and a document, or
 * several documents that are known to have the same header?  Without a choice,
 * PostgreSQL would have simplified it to its value, so then the value's own
 * type decides.
 */
static bool
ChoosesDocuments(QueryPlace place, List *alternatives, Search *search)
{
	Header	   *header = NULL;
	int			ndocuments = 0;
	int			nknown = 0;
	ListCell   *cell;

	if (list_length(alternatives) < 2 || !AreDocuments(place, alternatives, search))
		return false;
	foreach(cell, alternatives)
	{
		Header	   *theirs;

		if (IsNoRows(StripImplicitCasts(Evaluate(place, lfirst(cell)))))
			continue;
		theirs = search->header_of(place, lfirst(cell));
		ndocuments++;
		nknown += theirs != NULL;
		if (!HeaderMerge(&header, theirs))
			return false;
	}
	return ndocuments < 2 || nknown == ndocuments;
}

/*
 * Is the value of an expression of type json or jsonb always a document, [] or
 * NULL?  All inputs of an Append must agree.
 */
static bool
GivesDocuments(QueryPlace place, Node *expr, Search *search)
{
	List	   *inputs;
	AttrNumber	attno;
	ListCell   *cell;

	if (IsTooFar(place))
		return false;
	expr = FindArgument(&place, expr);
	inputs = InputsOf(place, expr, &attno);
	if (inputs == NIL)
		return ChoosesDocuments(place, Alternatives(place, expr), search);
	if (IsA(expr, Var) && AddsRows(place.plan))
		return false;
	foreach(cell, inputs)
	{
		QueryPlace	input = place;
		TargetEntry *tle = get_tle_by_resno(((Plan *) lfirst(cell))->targetlist, attno);
		Node	   *origin;

		EnterInput(&input, expr, lfirst(cell));
		if (tle == NULL)
			return false;
		origin = Evaluate(input, (Node *) tle->expr);
		if (!IsNoRows(origin) && !GivesDocuments(input, origin, search))
			return false;
	}
	return true;
}

/*
 * Is each of these a document, or no rows?  Records whether any is a document.
 */
static bool
AreDocuments(QueryPlace place, List *exprs, Search *search)
{
	ListCell   *cell;

	foreach(cell, exprs)
	{
		Node	   *expr = StripImplicitCasts(Evaluate(place, lfirst(cell)));

		if (IsNoRows(expr))
			continue;
		if (DocumentKindOf(exprType(expr), &place.domains) != NO_DOCUMENT)
			search->found = true;
		else if (!GivesDocuments(place, expr, search))
			return false;
	}
	return true;
}

/*
 * Does the query tell that all values of a json or jsonb expression are
 * documents, or no rows?
 */
bool
IsHiddenDocument(QueryPlace place, Node *expr, DocumentHeader header_of)
{
	Oid			typid = exprType(expr);
	Search		search = {header_of};

	if ((typid != JSONOID && typid != JSONBOID) || place.uncertain)
		return false;
	place.as_worker = true;
	return GivesDocuments(place, expr, &search) && search.found;
}
