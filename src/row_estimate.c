/*-------------------------------------------------------------------------
 *
 * row_estimate.c
 *		How many rows a document will give, for the planner.
 *
 * A document that is known when the query is planned, as a constant or a
 * parameter, tells in its first bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "reader.h"

PG_FUNCTION_INFO_V1(jsonrow_rows_support);

/* The document is the last argument of all functions that have this. */
Datum
jsonrow_rows_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	SupportRequestRows *rows = (SupportRequestRows *) request;
	Node	   *doc;
	Reader		reader;

	if (!IsA(request, SupportRequestRows) || !is_funcclause(rows->node))
		PG_RETURN_POINTER(NULL);
	doc = estimate_expression_value(rows->root, llast(((FuncExpr *) rows->node)->args));
	if (!IsA(doc, Const))
		PG_RETURN_POINTER(NULL);
	rows->rows = 0;
	if (!((Const *) doc)->constisnull)
	{
		OpenReader(&reader, ((Const *) doc)->constvalue, NO_ROW);
		rows->rows = reader.nrows;
		CloseReader(&reader);
	}
	PG_RETURN_POINTER(rows);
}
