/*-------------------------------------------------------------------------
 *
 * twins.h
 *		PostgreSQL's JSON functions, and ours that give the same result.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TWINS_H
#define JSONROW_TWINS_H

#include "jsonrow.h"

#include "nodes/primnodes.h"

/* Our functions */
typedef enum Twin
{
#define TWIN(twin, ...) twin,
#include "planner/twin_list.h"
#undef TWIN
	NO_TWIN,
} Twin;

#define NTWINS				NO_TWIN

extern Twin TwinOf(Oid original);
extern Twin ReaderTwinOf(Oid original);
extern Twin OwnAggregate(Oid aggregate);
extern Twin TwinOfFunction(Oid function);
extern Twin TwinOfEither(Oid function);
extern Oid	TwinFunction(Twin twin);
extern bool IsUsersFunction(Oid function, void *context);
extern bool HasUsersFunction(Node *node, void *context);
extern bool TwinsAreUsable(void);
extern bool AnybodyMayCall(Oid function);

/* constructors.c */
extern Aggref *AggregateOfConstructor(Node *node);
extern Node *WithoutConstructor(Node *node);
extern List *ArgumentsOfConstructor(Node *node, Twin *twin);

/* A constructor of one value, not an aggregate */
static inline bool
TwinIsScalar(Twin twin)
{
	return twin <= TWIN_ARRAY_TO_JSON_PRETTY;
}

#endif							/* JSONROW_TWINS_H */
