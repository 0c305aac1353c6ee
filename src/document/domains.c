/*-------------------------------------------------------------------------
 *
 * domains.c
 *		The two domains, which mark a value as a document.
 *
 * They are what the final functions of our aggregates return.  Names would not
 * do: somebody may have renamed ours, and made others.  Nor would it do that a
 * domain belongs to the extension: its owner can add one of his own.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "document/domains.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/syscache.h"

/*
 * If the function finishes one of our aggregates, enter what it returns.
 * Nobody but a superuser can create another in C.
 */
static void
EnterResult(DocumentDomains *domains, Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;

	if (!HeapTupleIsValid(tuple))
		return;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	if (form->prolang == ClanguageId)
	{
		char	   *symbol = TextDatumGetCString(SysCacheGetAttrNotNull(PROCOID, tuple,
																		Anum_pg_proc_prosrc));

		if (strcmp(symbol, "jsonrow_agg_finalfn") == 0)
			domains->jsonrow = form->prorettype;
		else if (strcmp(symbol, "jsonrow_agg_json_finalfn") == 0)
			domains->jsonrow_json = form->prorettype;
		pfree(symbol);
	}
	ReleaseSysCache(tuple);
}

/* Go through what belongs to the extension. */
static DocumentDomains
FindDocumentDomains(void)
{
	DocumentDomains domains = {InvalidOid, InvalidOid};
	Oid			extension = get_extension_oid("jsonrow", true);
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(ExtensionRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(extension));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend member = (Form_pg_depend) GETSTRUCT(tuple);

		if (member->classid == ProcedureRelationId && member->deptype == DEPENDENCY_EXTENSION)
			EnterResult(&domains, member->objid);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return domains;
}

/*
 * How often pg_type has changed, as far as this session knows.  The domains
 * are gone or new only when it has.
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
		/* Mostly it was another type, as of a temporary table. */
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
 * Is an argument of type jsonb a jsonrow in truth?  Then its CHECK has been
 * passed, and need not be again.
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
