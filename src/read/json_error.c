/*-------------------------------------------------------------------------
 *
 * json_error.c
 *		JSON text that PostgreSQL's parser refuses.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "common/jsonapi.h"
#include "read/json_error.h"
#include "utils/jsonfuncs.h"

/*
 * Our parser has refused a text: have PostgreSQL's say why.  decode tells
 * whether the function decodes strings, which is when \u is looked at.
 */
void
ReportInvalidJson(text *json, bool decode)
{
	JsonSemAction actions = {0};

	ParseJsonOrRaise(json, decode, &actions);
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("json value is corrupt")));
}
