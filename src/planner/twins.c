/*-------------------------------------------------------------------------
 *
 * twins.c
 *		PostgreSQL's JSON functions, and ours that give the same result.
 *
 * PostgreSQL's have fixed OIDs.  Ours are looked up among the members of the
 * extension.  One that is not there (with an older SQL script), or that not
 * everybody may call, is not used.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "document/extension.h"
#include "nodes/nodeFuncs.h"
#include "planner/rewrite.h"
#include "planner/twins.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/syscache.h"
#include "write/column_plan.h"

/* How one of our functions is identified */
typedef struct TwinSymbol
{
	const char *symbol;			/* of an aggregate, its transition function's */
	bool		aggregate;
	int			nargs;			/* or -1: the symbol is enough */
	Oid			original;		/* PostgreSQL's; InvalidOid if it takes the
								 * place of none, or of several */
} TwinSymbol;

static const TwinSymbol symbols[NTWINS] = {
#define TWIN(twin, ...) {__VA_ARGS__},
#include "planner/twin_list.h"
#undef TWIN
};

/* Ours, as known to this session */
typedef struct KnownTwins
{
	Oid			functions[NTWINS];
	List	   *hashes;			/* of all functions of the extension, in
								 * pg_proc */
	bool		complete;		/* all of them exist */
	bool		citus;			/* so is Citus */
	bool		valid;
	uint64		since;			/* CountCatalogChanges at that time */
} KnownTwins;

static KnownTwins known;

/* The twin of a function of PostgreSQL's, from the first one up to the end; NO_TWIN if none of these is */
static Twin
TwinAmong(Oid original, Twin first, Twin end)
{
	for (Twin twin = first; OidIsValid(original) && twin < end; twin++)
		if (symbols[twin].original == original)
			return twin;
	return NO_TWIN;
}

/* The twin of a constructor or aggregate of PostgreSQL's; NO_TWIN for any other function */
Twin
TwinOf(Oid original)
{
	return TwinAmong(original, TWIN_JSON_BUILD_ARRAY, TWIN_JSON_TO_RECORD);
}

/* The twin of a function from JSON to rows; NO_TWIN for any other function */
Twin
ReaderTwinOf(Oid original)
{
	return TwinAmong(original, TWIN_JSON_TO_RECORD, TWIN_JSONB_GET);
}

/* Is EXECUTE granted to PUBLIC, as it is by default? */
static bool
PublicMayExecute(HeapTuple function)
{
	Oid			owner = ((Form_pg_proc) GETSTRUCT(function))->proowner;
	bool		isnull;
	Datum		acl = SysCacheGetAttr(PROCOID, function, Anum_pg_proc_proacl, &isnull);

	return isnull || aclmask(DatumGetAclP(acl), ACL_ID_PUBLIC, owner, ACL_EXECUTE, ACLMASK_ANY) != ACL_NO_RIGHTS;
}

/* May everybody call this PostgreSQL function, and is it still the built-in one? */
bool
AnybodyMayCall(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		result = HeapTupleIsValid(tuple) && PublicMayExecute(tuple) &&
		((Form_pg_proc) GETSTRUCT(tuple))->prolang == INTERNALlanguageId;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return result;
}

/* May a function of PostgreSQL's be replaced?  If so, it is one of those that the plan depends on. */
bool
MayDependOn(List **functions, Oid function)
{
	if (list_member_oid(*functions, function))
		return true;
	if (!AnybodyMayCall(function))
		return false;
	*functions = lappend_oid(*functions, function);
	return true;
}

bool
MayReplace(Level *level, Oid function)
{
	return MayDependOn(&level->rewrite->functions, function);
}

/* The symbol of one of our functions, if everybody may call it, or NULL */
static char *
UsableSymbol(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	char	   *symbol = NULL;

	if (HeapTupleIsValid(tuple))
	{
		symbol = PublicMayExecute(tuple) ? SymbolOfFunction(tuple) : NULL;

		ReleaseSysCache(tuple);
	}
	return symbol;
}

/*
 * That of an aggregate's transition function, if everybody may call its functions.  EXECUTE on
 * them is checked for the aggregate's owner, and may have been revoked.
 */
static char *
SymbolOfAggregate(Oid aggregate)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	char	   *symbol = NULL;

	if (HeapTupleIsValid(tuple))
	{
		Form_pg_aggregate form = (Form_pg_aggregate) GETSTRUCT(tuple);

		symbol = UsableSymbol(form->aggfinalfn) != NULL ? UsableSymbol(form->aggtransfn) : NULL;

		ReleaseSysCache(tuple);
	}
	return symbol;
}

/* Store a member of the extension, if it is one of the twins. */
static void
EnterTwin(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	bool		is_aggregate;
	char	   *symbol = NULL;

	if (!HeapTupleIsValid(tuple))
		return;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	is_aggregate = form->prokind == PROKIND_AGGREGATE;
	if (PublicMayExecute(tuple))
		symbol = is_aggregate ? SymbolOfAggregate(function) : SymbolOfFunction(tuple);

	for (int i = 0; symbol !=NULL && i < NTWINS; i++)
		if (symbols[i].aggregate == is_aggregate && strcmp(symbols[i].symbol, symbol) == 0 &&
			(symbols[i].nargs < 0 || symbols[i].nargs == form->pronargs))
			known.functions[i] = function;
	ReleaseSysCache(tuple);
}

/* Look all of them up. */
static void
FindTwins(void)
{
	List	   *members = ExtensionFunctions();
	MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);
	ListCell   *cell;

	list_free(known.hashes);
	known.hashes = NIL;
	foreach(cell, members)
	{
		known.hashes = lappend_int(known.hashes,
								   (int) GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(lfirst_oid(cell))));
	}
	MemoryContextSwitchTo(old);
	memset(known.functions, 0, sizeof(known.functions));
	foreach(cell, members)
	{
		EnterTwin(lfirst_oid(cell));
	}
	known.complete = true;
	for (int i = 0; i < NTWINS; i++)
		known.complete &= OidIsValid(known.functions[i]);
}

/*
 * A row of pg_proc has changed.  If it is one of the extension's, cached plans may use a
 * function that may no longer be called, or miss one that may be called again.
 * While some are missing, any new function may be one of them.
 */
static void
NoteFunctionChange(Datum arg, int cacheid, uint32 hashvalue)
{
	if (!known.valid)
		return;
	if (hashvalue == 0 || !known.complete || list_member_int(known.hashes, (int) hashvalue))
	{
		known.valid = false;
		ResetPlanCache();
	}
}

/*
 * A cast has come or gone.  Whether a type has one to json decides what may be
 * done with its values (TypeConvertsAlike), and cached plans rely on it.
 */
static void
NoteCastChange(Datum arg, int cacheid, uint32 hashvalue)
{
	ResetPlanCache();
}

/*
 * Does this database have any twin that could replace a function?  What is
 * known remains valid until one of our functions changes; while some or all
 * are missing, until any function changes.
 */
bool
TwinsAreUsable(void)
{
	static bool registered = false;
	uint64		now = CountCatalogChanges();

	if (!registered)
	{
		CacheRegisterSyscacheCallback(PROCOID, NoteFunctionChange, (Datum) 0);
		CacheRegisterSyscacheCallback(CASTSOURCETARGET, NoteCastChange, (Datum) 0);
	}
	registered = true;
	if (known.since != now || !known.valid)
	{
		if (!known.valid)
			FindTwins();
		known.citus = OidIsValid(get_extension_oid("citus", true));
		known.since = now;
		known.valid = CountCatalogChanges() == now;
	}
	return !known.citus;
}

/* A function of ours, or InvalidOid; only after TwinsAreUsable */
Oid
TwinFunction(Twin twin)
{
	return twin < NTWINS ? known.functions[twin] : InvalidOid;
}

/* Which function of ours is it?  NO_TWIN if none; only after TwinsAreUsable */
Twin
TwinOfFunction(Oid function)
{
	if (function < FirstNormalObjectId)
		return NO_TWIN;
	for (Twin twin = 0; twin < NTWINS; twin++)
		if (known.functions[twin] == function)
			return twin;
	return NO_TWIN;
}

/* Which one is a function of PostgreSQL's, or of ours that takes its place?  NO_TWIN if it is none. */
Twin
TwinOfEither(Oid function)
{
	Twin		twin = TwinOf(function);

	return twin != NO_TWIN ? twin : TwinOfFunction(function);
}

/*
 * Is it neither PostgreSQL's own nor one of ours that takes the place of one?  To
 * be given to check_functions_in_node.
 */
bool
IsUsersFunction(Oid function, void *context)
{
	return function >= FirstUnpinnedObjectId && TwinOfFunction(function) == NO_TWIN;
}

/* Does an expression call one, but in a subquery? */
bool
HasUsersFunction(Node *node, void *context)
{
	return node != NULL && (check_functions_in_node(node, IsUsersFunction, NULL) ||
							expression_tree_walker(node, HasUsersFunction, context));
}

/* Which of our own aggregates over records is it?  NO_TWIN if none. */
Twin
OwnAggregate(Oid aggregate)
{
	Twin		twin = TwinOfFunction(aggregate);

	return twin >= TWIN_JSONROW_AGG && (twin - TWIN_JSONROW_AGG) % 2 == 0 ? twin : NO_TWIN;
}
