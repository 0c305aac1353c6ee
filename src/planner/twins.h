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

/* Our functions, in the order of the table in twins.c */
typedef enum Twin
{
	TWIN_JSON_BUILD_ARRAY,
	TWIN_JSONB_BUILD_ARRAY,
	TWIN_JSON_BUILD_OBJECT,
	TWIN_JSONB_BUILD_OBJECT,
	TWIN_ROW_TO_JSON,
	TWIN_ROW_TO_JSON_PRETTY,
	TWIN_TO_JSON,
	TWIN_TO_JSONB,
	TWIN_TO_JSONB_TEXT,
	TWIN_ARRAY_TO_JSON,
	TWIN_ARRAY_TO_JSON_PRETTY,

	/* A row's names and values instead of the row */
	TWIN_ROW_TO_JSON_NAMED,
	TWIN_TO_JSONB_NAMED,
	TWIN_TO_JSONB_TEXT_NAMED,

	TWIN_JSON_AGG,
	TWIN_JSON_AGG_STRICT,
	TWIN_JSONB_AGG,
	TWIN_JSONB_AGG_STRICT,
	TWIN_JSONB_AGG_TEXT,
	TWIN_JSON_OBJECT_AGG,
	TWIN_JSONB_OBJECT_AGG,

	/* An aggregate together with the constructor in its argument */
	TWIN_JSON_AGG_NAMED,
	TWIN_JSON_AGG_ROW_TO_JSON,
	TWIN_JSON_AGG_BUILD_OBJECT,
	TWIN_JSON_AGG_BUILD_ARRAY,
	TWIN_JSONB_AGG_NAMED,
	TWIN_JSONB_AGG_BUILD_ARRAY,
	TWIN_JSONB_AGG_TEXT_NAMED,

	/* From JSON to rows */
	TWIN_JSON_TO_RECORD,
	TWIN_JSON_TO_RECORDSET,
	TWIN_JSON_POPULATE_RECORD,
	TWIN_JSON_POPULATE_RECORDSET,
	TWIN_JSON_ARRAY_ELEMENTS,
	TWIN_JSON_ARRAY_ELEMENTS_TEXT,
	TWIN_JSON_EACH,
	TWIN_JSON_EACH_TEXT,
	TWIN_JSON_OBJECT_KEYS,
	TWIN_JSONB_TO_RECORD,
	TWIN_JSONB_TO_RECORDSET,
	TWIN_JSONB_POPULATE_RECORD,
	TWIN_JSONB_POPULATE_RECORDSET,
	TWIN_JSONB_ARRAY_ELEMENTS,
	TWIN_JSONB_ARRAY_ELEMENTS_TEXT,
	TWIN_JSONB_EACH,
	TWIN_JSONB_EACH_TEXT,
	TWIN_JSONB_OBJECT_KEYS,

	/* ->, ->>, #> and #>>, of jsonb and of json, and [] */
	TWIN_JSONB_GET,
	TWIN_JSONB_GET_TEXT,
	TWIN_JSONB_SUBSCRIPT,
	TWIN_JSON_GET,
	TWIN_JSON_GET_TEXT,

	/* Our own, which only unnesting knows */
	TWIN_IS_SMALL_GROUP,
	TWIN_JSONROW_ARRAY_AGG,
	TWIN_JSONROW_ARRAY_AGG_JSON,

	/* Our own: the form for records, followed by that for names and values */
	TWIN_JSONROW_AGG,
	TWIN_JSONROW_AGG_NAMED,
	TWIN_JSONROW_AGG_JSON,
	TWIN_JSONROW_AGG_JSON_NAMED,
	TWIN_JSONCOL_AGG,
	TWIN_JSONCOL_AGG_NAMED,
	TWIN_JSONCOL_AGG_JSON,
	TWIN_JSONCOL_AGG_JSON_NAMED,
	TWIN_JSONROW_OBJECTS_AGG,
	TWIN_JSONROW_OBJECTS_AGG_NAMED,
	TWIN_JSONROW_OBJECTS_AGG_JSON,
	TWIN_JSONROW_OBJECTS_AGG_JSON_NAMED,

	NO_TWIN,
} Twin;

#define NTWINS				NO_TWIN

extern Twin TwinOf(Oid original);
extern Twin ReaderTwinOf(Oid original);
extern Twin OwnAggregate(Oid aggregate);
extern Twin TwinOfFunction(Oid function);
extern Oid	TwinFunction(Twin twin);
extern bool IsUsersFunction(Oid function, void *context);
extern bool TwinsAreUsable(void);
extern bool AnybodyMayCall(Oid function);

/* A constructor of one value, not an aggregate */
static inline bool
TwinIsScalar(Twin twin)
{
	return twin <= TWIN_ARRAY_TO_JSON_PRETTY;
}

#endif							/* JSONROW_TWINS_H */
