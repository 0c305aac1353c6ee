/*-------------------------------------------------------------------------
 *
 * datetime_text.h
 *		Dates and timestamps in JSON's format (ISO 8601 with a T).
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_DATETIME_TEXT_H
#define JSONROW_DATETIME_TEXT_H

#include "jsonrow.h"

#include "datatype/timestamp.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

/* Room that any of the functions below may need */
#define DATETIME_TEXT_MAXSIZE	(MAXDATELEN + 1)

/*
 * Offsets from UTC that have been looked up, so that a timestamptz needs no
 * search of the time zone's transitions.  Time is cut into spans of 2^22
 * seconds (48 days); a span's slot holds the part of it in which the offset
 * is known to be constant.
 */
#define ZONE_CACHE_SPAN_BITS	22
#define ZONE_CACHE_SLOTS		128

typedef struct ZoneCacheSlot
{
	pg_time_t	from;			/* the offset holds from here ... */
	pg_time_t	until;			/* ... to just before here */
	long		gmtoff;			/* seconds east of Greenwich */
} ZoneCacheSlot;

typedef struct ZoneCache
{
	const pg_tz *zone;			/* the session's when it was filled */
	ZoneCacheSlot slots[ZONE_CACHE_SLOTS];
} ZoneCache;

/* For the table of text_types.c */
extern char *DateToText(char *dst, Datum value, void *cache);
extern char *TimestampToText(char *dst, Datum value, void *cache);
extern char *TimestampTzToText(char *dst, Datum value, void *cache);
extern bool DateFromText(const char *text, Size len, Datum *value);
extern bool TimestampFromText(const char *text, Size len, Datum *value);
extern bool TimestampTzFromText(const char *text, Size len, Datum *value);

#endif							/* JSONROW_DATETIME_TEXT_H */
