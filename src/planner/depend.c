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

/*
 * The plan also depends on the columns of a row type: it contains their names.
 */
void
DependOnType(Level *level, Oid typid)
{
	List	  **relations = &level->rewrite->relations;

	*relations = list_append_unique_oid(*relations, get_typ_typrelid(getBaseType(typid)));
}
