/*-------------------------------------------------------------------------
 *
 * json_error.h
 *		JSON text that PostgreSQL's parser refuses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSON_ERROR_H
#define JSONROW_JSON_ERROR_H

#include "jsonrow.h"

pg_noreturn pg_noinline extern void ReportInvalidJson(text *json, bool decode);

#endif							/* JSONROW_JSON_ERROR_H */
