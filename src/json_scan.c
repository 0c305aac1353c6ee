/*-------------------------------------------------------------------------
 *
 * json_scan.c
 *		A scanner for JSON text that is already known to be valid.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "json_scan.h"
#include "miscadmin.h"

pg_noreturn static void
ReportCorruptJson(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("json value is corrupt")));
}

/* The first character of the next token; white space before it is passed. */
char
JsonScanPeek(JsonScan *scan)
{
	while (scan->p < scan->end &&
		   (*scan->p == ' ' || *scan->p == '\n' || *scan->p == '\t' || *scan->p == '\r'))
		scan->p++;
	if (scan->p >= scan->end)
		return '\0';
	return *scan->p;
}

/* Pass a structural character if it is next. */
bool
JsonScanAccept(JsonScan *scan, char token)
{
	if (JsonScanPeek(scan) != token)
		return false;
	scan->p++;
	return true;
}

/* Pass a string; str and len are what stands between its quotes, as it is. */
void
JsonScanString(JsonScan *scan, const char **str, Size *len)
{
	if (!JsonScanAccept(scan, '"'))
		ReportCorruptJson();
	*str = scan->p;
	while (scan->p < scan->end && *scan->p != '"')
		scan->p += *scan->p == '\\' ? 2 : 1;
	if (scan->p >= scan->end)
		ReportCorruptJson();
	*len = scan->p - *str;
	scan->p++;
}

/* Pass any value; value and len are its text. */
void
JsonScanValue(JsonScan *scan, const char **value, Size *len)
{
	int			depth = 0;
	const char *str;
	Size		strlen;

	JsonScanPeek(scan);
	*value = scan->p;
	do
	{
		switch (JsonScanPeek(scan))
		{
			case '"':
				JsonScanString(scan, &str, &strlen);
				break;
			case '[':
			case '{':
				CHECK_FOR_INTERRUPTS();
				depth++;
				scan->p++;
				break;
			case ']':
			case '}':
				depth--;
				scan->p++;
				break;
			case '\0':
				ReportCorruptJson();
				break;
			case ',':
			case ':':
				scan->p++;
				break;
			default:			/* a number, true, false or null */
				while (scan->p < scan->end && strchr(" \n\t\r,:]}", *scan->p) == NULL)
					scan->p++;
		}
	} while (depth > 0);
	*len = scan->p - *value;
}

/*
 * Step to the next element of an array or member of an object whose opening
 * bracket has been passed; passes the closing one and returns false at its
 * end.  first must be true before the first call.
 */
bool
JsonScanNextElement(JsonScan *scan, bool *first)
{
	if (JsonScanAccept(scan, ']') || JsonScanAccept(scan, '}'))
		return false;
	if (!*first && !JsonScanAccept(scan, ','))
		ReportCorruptJson();
	*first = false;
	return true;
}
