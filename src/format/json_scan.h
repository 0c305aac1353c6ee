/*-------------------------------------------------------------------------
 *
 * json_scan.h
 *		A scanner for JSON text that is already known to be valid.
 *
 * A value of type json was checked when it was read in, so no parser is needed
 * to navigate it: brackets match and strings end.  Only the end of the text is
 * checked, because a value may be damaged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_JSON_SCAN_H
#define JSONROW_JSON_SCAN_H

#include "jsonrow.h"

#include "format/output.h"

typedef struct JsonScan
{
	const char *p;
	const char *end;
	bool		spaced;			/* white space was skipped */
} JsonScan;

extern void JsonScanStart(JsonScan *scan, const char *json, Size len);
extern char JsonScanPeek(JsonScan *scan);
extern bool JsonScanAccept(JsonScan *scan, char token);
extern void JsonScanString(JsonScan *scan, const char **str, Size *len);
extern void JsonScanValue(JsonScan *scan, const char **value, Size *len);
extern void JsonScanPass(JsonScan *scan);
extern char *JsonUnescaped(const char *str, Size len);
extern bool JsonScanNextElement(JsonScan *scan, bool *first);
extern bool JsonIsEmptyArray(const char *json, Size len);
extern void JsonCompact(Output *out, const char *json, Size len);

/* Consume a member's key and colon; false if there is none. */
static inline bool
JsonScanKey(JsonScan *scan, const char **key, Size *len)
{
	if (JsonScanPeek(scan) != '"')
		return false;
	JsonScanString(scan, key, len);
	return JsonScanAccept(scan, ':');
}

/* Consume a null; false if the next value is another. */
static inline bool
JsonScanAcceptNull(JsonScan *scan)
{
	if (JsonScanPeek(scan) != 'n')
		return false;
	JsonScanPass(scan);
	return true;
}

#endif							/* JSONROW_JSON_SCAN_H */
