/*-------------------------------------------------------------------------
 *
 * privileges.h
 *		May the user do all that a query asks for?
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PRIVILEGES_H
#define JSONROW_PRIVILEGES_H

#include "nodes/parsenodes.h"

extern bool UserMayRun(Query *query);

#endif
