/*-------------------------------------------------------------------------
 *
 * constructors.h
 *		The constructors of SQL/JSON, which are nodes of their own since 16.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_CONSTRUCTORS_H
#define JSONROW_CONSTRUCTORS_H

#include "jsonrow.h"

#include "nodes/primnodes.h"
#include "planner/twins.h"

extern Aggref *AggregateOfConstructor(Node *node);
extern Node *WithoutConstructor(Node *node);
extern List *ArgumentsOfConstructor(Node *node, Twin *twin);

#endif							/* JSONROW_CONSTRUCTORS_H */
