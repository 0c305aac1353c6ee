/*-------------------------------------------------------------------------
 *
 * domains.c
 *		The two domains, which mark a value as a document.
 *
 * They are the return types of our aggregates' final functions.  Names would
 * not be enough: somebody may have renamed ours, and created others.  It is
 * not enough, either, that a domain belongs to the extension: its owner can
 * add another.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "document/domains.h"
#include "document/extension.h"
#include "nodes/nodeFuncs.h"
#include "utils/inval.h"
#include "utils/syscache.h"

/*
 * If the function is the final function of one of our aggregates, record what
 * it returns.
 */
static void
EnterResult(DocumentDomains *domains, Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			result;
	char	   *symbol;

	if (!HeapTupleIsValid(tuple))
		return;
	result = ((Form_pg_proc) GETSTRUCT(tuple))->prorettype;
	symbol = SymbolOfFunction(tuple);

	if (symbol !=NULL)
	{
		if (strcmp(symbol, "jsonrow_agg_finalfn") == 0)
			domains->jsonrow = result;
		else if (strcmp(symbol, "jsonrow_agg_json_finalfn") == 0)
			domains->jsonrow_json = result;
		pfree(symbol);
	}
	ReleaseSysCache(tuple);
}

/* Look through the members of the extension. */
static DocumentDomains
FindDocumentDomains(void)
{
	DocumentDomains domains = {InvalidOid, InvalidOid};
	List	   *functions = ExtensionFunctions();
	ListCell   *cell;

	foreach(cell, functions)
	{
		EnterResult(&domains, lfirst_oid(cell));
	}
	list_free(functions);
	return domains;
}

/*
 * How often pg_type has changed, as far as this session knows.  The domains
 * can only be gone or new if it has changed again.
 */
static uint64 type_changes = 1;

static void
CountTypeChange(Datum arg, int cacheid, uint32 hashvalue)
{
	type_changes++;
}

/* The domains of this database; looked up again when a type has changed. */
DocumentDomains
DocumentDomainsLookup(void)
{
	static DocumentDomains known;
	static uint64 known_since = 0;
	static bool registered = false;
	uint64		now = type_changes;

	if (!registered)
		CacheRegisterSyscacheCallback(TYPEOID, CountTypeChange, (Datum) 0);
	registered = true;
	if (known_since != now)
	{
		/* Usually it was another type, such as that of a temporary table. */
		if (!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(known.jsonrow)) ||
			!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(known.jsonrow_json)))
			known = FindDocumentDomains();

		known_since = now;
	}
	return known;
}

/* Is the type one of the domains, or a domain over one? */
DocumentKind
DocumentKindOf(Oid typid, const DocumentDomains *domains)
{
	while (OidIsValid(typid))
	{
		HeapTuple	tuple;
		Form_pg_type form;

		if (typid == domains->jsonrow)
			return DOCUMENT_JSONB;
		if (typid == domains->jsonrow_json)
			return DOCUMENT_JSON;
		if (typid < FirstNormalObjectId)
			break;
		tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for type %u", typid);
		form = (Form_pg_type) GETSTRUCT(tuple);
		typid = form->typtype == TYPTYPE_DOMAIN ? form->typbasetype : InvalidOid;
		ReleaseSysCache(tuple);
	}
	return NO_DOCUMENT;
}

/*
 * An expression, if there is one, without casts that only change its type, as
 * those from a domain do.
 */
Node *
StripRelabels(Node *expr)
{
	while (expr != NULL && IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	return expr;
}

/*
 * Is an argument of type jsonb really a jsonrow?  Then it has passed the
 * CHECK, and need not be checked again.
 */
bool
ArgumentIsDocument(FunctionCallInfo fcinfo, int arg)
{
	Node	   *call = fcinfo->flinfo->fn_expr;
	Node	   *expr;

	if (call == NULL || !IsA(call, FuncExpr) || list_length(((FuncExpr *) call)->args) <= arg)
		return false;
	expr = list_nth(((FuncExpr *) call)->args, arg);
	return IsA(expr, RelabelType) &&
		exprType((Node *) ((RelabelType *) expr)->arg) == DocumentDomainsLookup().jsonrow;
}
