/*-------------------------------------------------------------------------
 *
 * privileges.c
 *		May the user do all that a query asks for?
 *
 * PostgreSQL checks privileges on what is in the plan: not on a subquery whose value
 * nothing uses, nor on what a constant condition makes needless.  What that is
 * depends on how the query is written, and on the release.  So a query is changed
 * only for a user for whom it makes no difference.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/sysattr.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "planner/rewrite.h"
#include "utils/acl.h"

/* Whoever may not select from a table may be allowed to select these columns; if none is named, any. */
static bool
MayReadColumns(Oid relation, Oid user, const Bitmapset *columns)
{
	if (bms_is_empty(columns))
		return pg_attribute_aclcheck_all(relation, user, ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK;
	for (int i = -1; (i = bms_next_member(columns, i)) >= 0;)
	{
		AttrNumber	attno = i + FirstLowInvalidHeapAttributeNumber;

		if ((attno == InvalidAttrNumber ? pg_attribute_aclcheck_all(relation, user, ACL_SELECT, ACLMASK_ALL) :
			 pg_attribute_aclcheck(relation, attno, user, ACL_SELECT)) != ACLCHECK_OK)
			return false;
	}
	return true;
}

/* As PostgreSQL's ExecCheckPermissions, but other extensions hear nothing of it */
static bool
LacksPermissions(Node *node, void *context)
{
	const Permissions *asked = (const Permissions *) node;
	AclMode		lacking = asked->requiredPerms;
	Oid			user = OidIsValid(asked->checkAsUser) ? asked->checkAsUser : GetUserId();

	if (lacking != 0)
		lacking &= ~pg_class_aclmask(asked->relid, user, lacking, ACLMASK_ALL);
	return lacking != 0 && (lacking != ACL_SELECT || !MayReadColumns(asked->relid, user, asked->selectedCols));
}

static bool
MayNotCall(Oid function, void *context)
{
	return !UserMayCall(function);
}

static bool
SearchForbidden(Node *node, void *context)
{
	if (node == NULL)
		return false;
	check_stack_depth();
	if (!IsA(node, Query))
		return check_functions_in_node(node, MayNotCall, NULL) || expression_tree_walker(node, SearchForbidden, NULL);
	return expression_tree_walker((Node *) PermissionsOf((Query *) node), LacksPermissions, NULL) ||
		query_tree_walker((Query *) node, SearchForbidden, NULL, 0);
}

/* May the current user read all that a query, or one within it, names, and call its functions? */
bool
UserMayRun(Query *query)
{
	return !SearchForbidden((Node *) query, NULL);
}
