/*-------------------------------------------------------------------------
 *
 * datetime_text.c
 *		Dates and timestamps in JSON's format (ISO 8601 with a T).
 *
 * PostgreSQL's JsonEncodeDateTime is the reference, and still prints
 * everything outside the years 1 to 9999.  Within them the calendar takes a
 * few multiplications (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", civil_from_days), and the offset of a time zone comes from a
 * small cache.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "format/datetime_text.h"
#include "format/value_text.h"
#include "utils/json.h"

/* Days since 2000-01-01 of 0001-01-01 and 10000-01-01 */
#define FIRST_DAY		(-730119)
#define END_DAY			2921940

/* Days from 0000-03-01, where the algorithm's 400-year eras begin */
#define DAYS_BEFORE_2000	730425
#define DAYS_PER_ERA		146097

/* A day between FIRST_DAY and END_DAY as YYYY-MM-DD */
static char *
DayToText(char *p, int day)
{
	unsigned int shifted = day + DAYS_BEFORE_2000;
	unsigned int era = shifted / DAYS_PER_ERA;
	unsigned int doe = shifted % DAYS_PER_ERA;	/* day of era */
	unsigned int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	unsigned int doy = doe - (365 * yoe + yoe / 4 - yoe / 100); /* from March 1 */
	unsigned int month_from_march = (5 * doy + 2) / 153;
	unsigned int mday = doy - (153 * month_from_march + 2) / 5 + 1;
	unsigned int month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
	unsigned int year = yoe + era * 400 + (month <= 2);

	p = TwoDigits(p, year / 100);
	p = TwoDigits(p, year % 100);
	*p++ = '-';
	p = TwoDigits(p, month);
	*p++ = '-';
	return TwoDigits(p, mday);
}

/* Microseconds of a day as HH:MM:SS, and a fraction without trailing zeros */
static char *
TimeOfDayToText(char *p, int64 usecs)
{
	unsigned int seconds = usecs / USECS_PER_SEC;
	unsigned int fraction = usecs % USECS_PER_SEC;

	p = TwoDigits(p, seconds / SECS_PER_HOUR);
	*p++ = ':';
	p = TwoDigits(p, seconds / SECS_PER_MINUTE % MINS_PER_HOUR);
	*p++ = ':';
	p = TwoDigits(p, seconds % SECS_PER_MINUTE);
	if (fraction != 0)
	{
		*p++ = '.';
		p = TwoDigits(p, fraction / 10000);
		p = TwoDigits(p, fraction / 100 % 100);
		p = TwoDigits(p, fraction % 100);
		while (p[-1] == '0')
			p--;
	}
	return p;
}

/*
 * Print a timestamp without a time zone, or in one, once its offset has been
 * added; false, and nothing printed, before the year 1 or after 9999.
 */
static bool
LocalTimestampToText(char **p, Timestamp timestamp)
{
	int64		day = timestamp / USECS_PER_DAY;
	int64		usecs = timestamp % USECS_PER_DAY;

	if (usecs < 0)
	{
		usecs += USECS_PER_DAY;
		day--;
	}
	if (day < FIRST_DAY || day >= END_DAY)
		return false;
	*p = DayToText(*p, day);
	*(*p)++ = 'T';
	*p = TimeOfDayToText(*p, usecs);
	return true;
}

static char *
AnyToText(char *dst, Datum value, Oid typid)
{
	JsonEncodeDateTime(dst, value, typid, NULL);
	return dst + strlen(dst);
}

char *
DateToText(char *dst, Datum value, void *cache)
{
	DateADT		date = DatumGetDateADT(value);

	if (date < FIRST_DAY || date >= END_DAY)
		return AnyToText(dst, value, DATEOID);
	return DayToText(dst, date);
}

char *
TimestampToText(char *dst, Datum value, void *cache)
{
	char	   *p = dst;

	if (!LocalTimestampToText(&p, DatumGetTimestamp(value)))
		return AnyToText(dst, value, TIMESTAMPOID);
	return p;
}

/*
 * The next transition of a zone after a time: 1; 0 if there is none; -1 if that isn't known.  At the very last one of a zone's table,
 * PostgreSQL says that there is none, and then goes on with the zone's rule.
 */
static int
NextTransition(pg_time_t time, const pg_tz *zone, pg_time_t *transition)
{
	pg_time_t	later = time + 1;
	long		before,
				after;
	int			isdst;
	int			found = pg_next_dst_boundary(&time, &before, &isdst, transition, &after, &isdst, zone);

	return found == 0 ? pg_next_dst_boundary(&later, &before, &isdst, transition, &after, &isdst, zone) : found;
}

/* Fill a slot with the offset around a time; false if it isn't known. */
static bool
FillZoneCacheSlot(ZoneCacheSlot *slot, pg_time_t time, const pg_tz *zone)
{
	pg_time_t	span = time & ~(((pg_time_t) 1 << ZONE_CACHE_SPAN_BITS) - 1);
	struct pg_tm *local = pg_localtime(&time, zone);
	pg_time_t	transition;
	int			found;

	if (local == NULL)
		return false;
	slot->gmtoff = local->tm_gmtoff;
	found = NextTransition(time, zone, &transition);
	if (found < 0)
		return false;
	slot->from = time;
	slot->until = found == 0 ? PG_INT64_MAX : transition;

	/*
	 * If there is no transition in between, the offset is the same at the
	 * span's beginning.
	 */
	found = NextTransition(span, zone, &transition);
	local = pg_localtime(&span, zone);
	if (local != NULL && local->tm_gmtoff == slot->gmtoff &&
		(found == 0 || (found > 0 && transition > time)))
		slot->from = span;
	return true;
}

/* The session time zone's offset at a Unix time; false if it isn't known. */
static bool
SessionOffset(ZoneCache *cache, pg_time_t time, long *gmtoff)
{
	ZoneCacheSlot *slot = &cache->slots[(uint64) time >> ZONE_CACHE_SPAN_BITS & (ZONE_CACHE_SLOTS - 1)];

	if (unlikely(cache->zone != session_timezone))
	{
		memset(cache->slots, 0, sizeof(cache->slots));	/* all empty */
		cache->zone = session_timezone;
	}
	if (unlikely(time < slot->from || time >= slot->until))
	{
		if (!FillZoneCacheSlot(slot, time, session_timezone))
		{
			slot->from = slot->until = 0;
			return false;
		}
	}
	*gmtoff = slot->gmtoff;
	return true;
}

/* Print an offset in seconds as +HH:MM, with :SS if it has any seconds. */
static char *
OffsetToText(char *p, long gmtoff)
{
	unsigned int seconds = labs(gmtoff);

	*p++ = gmtoff >= 0 ? '+' : '-';
	p = TwoDigits(p, seconds / SECS_PER_HOUR);
	*p++ = ':';
	p = TwoDigits(p, seconds / SECS_PER_MINUTE % MINS_PER_HOUR);
	if (seconds % SECS_PER_MINUTE != 0)
	{
		*p++ = ':';
		p = TwoDigits(p, seconds % SECS_PER_MINUTE);
	}
	return p;
}

/* cache is a ZoneCache */
char *
TimestampTzToText(char *dst, Datum value, void *cache)
{
	TimestampTz timestamp = DatumGetTimestampTz(value);
	char	   *p = dst;
	long		gmtoff;

	/* Outside these, even adding an offset is not safe; infinity is there. */
	if (timestamp > FIRST_DAY * USECS_PER_DAY && timestamp < END_DAY * USECS_PER_DAY)
	{
		int64		seconds = timestamp / USECS_PER_SEC;

		if (timestamp % USECS_PER_SEC < 0)
			seconds--;
		seconds += (int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY;
		if (SessionOffset(cache, seconds, &gmtoff) &&
			LocalTimestampToText(&p, timestamp + gmtoff * USECS_PER_SEC))
			return OffsetToText(p, gmtoff);
	}
	return AnyToText(dst, value, TIMESTAMPTZOID);
}

/*
 * The inverse, for text as it is written above, or with a blank instead of the
 * T, or Z instead of an offset, between the years 1 and 9999.  False for everything else, which is left to PostgreSQL's own
 * parser.
 */

typedef struct TextScan
{
	const char *p;
	const char *end;
} TextScan;

/* Consume a number with this many digits, within bounds. */
static bool
ScanNumber(TextScan *scan, int ndigits, int min, int max, int *number)
{
	*number = 0;
	if (scan->end - scan->p < ndigits)
		return false;
	for (int i = 0; i < ndigits; i++, scan->p++)
	{
		if (*scan->p < '0' || *scan->p > '9')
			return false;
		*number = *number * 10 + (*scan->p - '0');
	}
	return *number >= min && *number <= max;
}

static bool
ScanChar(TextScan *scan, char c)
{
	if (scan->p == scan->end || *scan->p != c)
		return false;
	scan->p++;
	return true;
}

static bool
ScanDate(TextScan *scan, DateADT *date)
{
	int			year,
				month,
				day;

	if (!ScanNumber(scan, 4, 1, 9999, &year) || !ScanChar(scan, '-') ||
		!ScanNumber(scan, 2, 1, 12, &month) || !ScanChar(scan, '-') ||
		!ScanNumber(scan, 2, 1, day_tab[isleap(year)][month - 1], &day))
		return false;
	*date = date2j(year, month, day) - POSTGRES_EPOCH_JDATE;
	return true;
}

/* Decimal places of a second, up to six */
static bool
ScanDecimals(TextScan *scan, int *usecs)
{
	const char *start = scan->p;

	*usecs = 0;
	while (scan->p < scan->end && *scan->p >= '0' && *scan->p <= '9' && scan->p - start < 6)
		*usecs = *usecs * 10 + (*scan->p++ - '0');
	for (int i = scan->p - start; i < 6; i++)
		*usecs *= 10;
	return scan->p > start;
}

static bool
ScanTimestamp(TextScan *scan, Timestamp *timestamp)
{
	DateADT		date;
	int			hour,
				minute,
				second,
				usecs = 0;

	if (!ScanDate(scan, &date) || !(ScanChar(scan, 'T') || ScanChar(scan, ' ')) ||
		!ScanNumber(scan, 2, 0, 23, &hour) || !ScanChar(scan, ':') ||
		!ScanNumber(scan, 2, 0, 59, &minute) || !ScanChar(scan, ':') ||
		!ScanNumber(scan, 2, 0, 59, &second) ||
		(ScanChar(scan, '.') && !ScanDecimals(scan, &usecs)))
		return false;
	*timestamp = date * USECS_PER_DAY +
		((hour * MINS_PER_HOUR + minute) * (int64) SECS_PER_MINUTE + second) * USECS_PER_SEC + usecs;
	return true;
}

/* An offset from UTC: hours, and perhaps minutes */
static bool
ScanOffset(TextScan *scan, int64 *usecs)
{
	bool		east;
	int			hours,
				minutes = 0;

	*usecs = 0;
	if (ScanChar(scan, 'Z'))
		return true;
	east = ScanChar(scan, '+');
	if ((!east && !ScanChar(scan, '-')) || !ScanNumber(scan, 2, 0, 15, &hours) ||
		(ScanChar(scan, ':') && !ScanNumber(scan, 2, 0, 59, &minutes)))
		return false;
	*usecs = (hours * MINS_PER_HOUR + minutes) * USECS_PER_MINUTE;
	if (!east)
		*usecs = -*usecs;
	return true;
}

bool
DateFromText(const char *text, Size len, Datum *value)
{
	TextScan	scan = {text, text + len};
	DateADT		date;

	if (!ScanDate(&scan, &date) || scan.p != scan.end)
		return false;
	*value = DateADTGetDatum(date);
	return true;
}

bool
TimestampFromText(const char *text, Size len, Datum *value)
{
	TextScan	scan = {text, text + len};
	Timestamp	timestamp;

	if (!ScanTimestamp(&scan, &timestamp) || scan.p != scan.end)
		return false;
	*value = TimestampGetDatum(timestamp);
	return true;
}

bool
TimestampTzFromText(const char *text, Size len, Datum *value)
{
	TextScan	scan = {text, text + len};
	Timestamp	timestamp;
	int64		offset;

	if (!ScanTimestamp(&scan, &timestamp) || !ScanOffset(&scan, &offset) ||
		scan.p != scan.end)
		return false;
	*value = TimestampTzGetDatum(timestamp - offset);
	return true;
}
