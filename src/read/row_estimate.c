/*-------------------------------------------------------------------------
 *
 * row_estimate.c
 *		How many rows a document will give, for the planner.
 *
 * If the document is known when the query is planned, as a constant or a
 * parameter, its first bytes tell.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/members.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"

PG_FUNCTION_INFO_V1(jsonrow_rows_support);

/* The number of rows, or -1 for a value that is no document */
static double
CountRows(const Jsonb *doc)
{
	DocumentMembers members;
	JsonbWalk	walk;
	JsonbElement vector;

	if (MembersFindIn(&members, doc) != NULL)
		return -1;
	JsonbWalkStart(&walk, members.cells.data, members.cells.len);
	if (members.by_column && JsonbWalkNext(&walk, &vector))
	{
		if (!JsonbElementIsArray(&vector))
			return -1;
		JsonbWalkStart(&walk, vector.data, vector.len);
	}
	return walk.count;
}

/*
 * The document is the last argument of all functions that have this support
 * function.  If the value is no document, the function itself will say so.
 */
Datum
jsonrow_rows_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	SupportRequestRows *rows = (SupportRequestRows *) request;
	Node	   *doc;

	if (!IsA(request, SupportRequestRows) || !is_funcclause(rows->node))
		PG_RETURN_POINTER(NULL);
	doc = estimate_expression_value(rows->root, llast(((FuncExpr *) rows->node)->args));
	if (!IsA(doc, Const))
		PG_RETURN_POINTER(NULL);
	rows->rows = 0;
	if (!((Const *) doc)->constisnull)
		rows->rows = CountRows(DatumGetJsonbP(((Const *) doc)->constvalue));
	PG_RETURN_POINTER(rows->rows < 0 ? NULL : rows);
}
