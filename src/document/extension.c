/*-------------------------------------------------------------------------
 *
 * extension.c
 *		What belongs to the extension, in this database.
 *
 * Nothing of ours is found by its name: somebody may have renamed it, and
 * created another of that name.  An object is ours if it is a member of the
 * extension, and its symbol in this library tells what it is.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "document/extension.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/syscache.h"

/* The functions and aggregates of the extension; NIL if it is not installed */
List *
ExtensionFunctions(void)
{
	List	   *functions = NIL;
	Oid			extension = get_extension_oid("jsonrow", true);
	Relation	depend;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	if (!OidIsValid(extension))
		return NIL;
	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(ExtensionRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(extension));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend member = (Form_pg_depend) GETSTRUCT(tuple);

		if (member->classid == ProcedureRelationId && member->deptype == DEPENDENCY_EXTENSION)
			functions = lappend_oid(functions, member->objid);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return functions;
}

/*
 * The symbol of a C function, given as a row of pg_proc; NULL for any other.
 * Only a superuser can create another function with one of our symbols.
 */
char *
SymbolOfFunction(HeapTuple function)
{
	if (((Form_pg_proc) GETSTRUCT(function))->prolang != ClanguageId)
		return NULL;
	return TextDatumGetCString(SysCacheGetAttrNotNull(PROCOID, function, Anum_pg_proc_prosrc));
}
