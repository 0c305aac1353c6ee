/*-------------------------------------------------------------------------
 *
 * sql_functions.h
 *		Functions in SQL in FROM, as the queries that they consist of.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SQL_FUNCTIONS_H
#define JSONROW_SQL_FUNCTIONS_H

#include "jsonrow.h"

#include "nodes/params.h"
#include "nodes/parsenodes.h"

extern List *InlineFunctions(Query *query, ParamListInfo params, int *cursor_options, bool *depends_on_role);

#endif							/* JSONROW_SQL_FUNCTIONS_H */
