/*-------------------------------------------------------------------------
 *
 * depend.c
 *		What the plan of a rewritten query depends on.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "planner/rewrite.h"
#include "planner/twins.h"
#include "utils/lsyscache.h"

/* May a function of PostgreSQL's be replaced?  If so, the plan depends on it. */
bool
MayReplace(Level *level, Oid function)
{
	List	  **functions = &level->rewrite->functions;

	if (list_member_oid(*functions, function))
		return true;
	if (!AnybodyMayCall(function))
		return false;
	*functions = lappend_oid(*functions, function);
	return true;
}

/*
 * The plan also depends on the columns of a row type: it contains their names.
 */
void
DependOnType(Level *level, Oid typid)
{
	List	  **relations = &level->rewrite->relations;

	*relations = list_append_unique_oid(*relations, get_typ_typrelid(getBaseType(typid)));
}
