/*-------------------------------------------------------------------------
 *
 * json_to_jsonb.h
 *		JSON text, known to be valid, as jsonb.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSON_TO_JSONB_H
#define JSONROW_JSON_TO_JSONB_H

#include "jsonrow.h"

#include "utils/jsonb.h"

extern Jsonb *JsonbFromJson(const char *json, Size len);

#endif							/* JSONROW_JSON_TO_JSONB_H */
