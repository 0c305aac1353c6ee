/*-------------------------------------------------------------------------
 *
 * server.c
 *		What src/format calls of the server, as far as format.c gets there.
 *
 * Time zones are made up: the offset changes at each multiple of 2^23 seconds.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/bytes.h"
#include "format/datetime_text.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/json.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

#undef printf
#undef fprintf
#undef vfprintf
#undef snprintf
#undef vsnprintf
#undef sprintf
#undef qsort

volatile sig_atomic_t InterruptPending = false;
MemoryContext CurrentMemoryContext = NULL;
int			extra_float_digits = 1;
static char zones[2];
pg_tz	   *session_timezone = (pg_tz *) zones;

/* What is not expected to be called */
#define REFUSED(name)	do { fprintf(stderr, "%s is called\n", name); abort(); } while (0)

void *
palloc(Size size)
{
	return malloc(size);
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	return malloc(size);
}

void *
repalloc_huge(void *pointer, Size size)
{
	return realloc(pointer, size);
}

void
pfree(void *pointer)
{
	free(pointer);
}

Size
add_size(Size s1, Size s2)
{
	return s1 + s2;
}

void
ProcessInterrupts(void)
{
	REFUSED("ProcessInterrupts");
}

void
check_stack_depth(void)
{
}

int
GetDatabaseEncoding(void)
{
	return PG_UTF8;
}

void
pg_unicode_to_server(pg_wchar c, unsigned char *s)
{
	REFUSED("pg_unicode_to_server");
}

/* PostgreSQL has it since 16. */
extern bool pg_unicode_to_server_noerror(pg_wchar c, unsigned char *s);

bool
pg_unicode_to_server_noerror(pg_wchar c, unsigned char *s)
{
	REFUSED("pg_unicode_to_server_noerror");
}

bool
errstart(int elevel, const char *domain)
{
	return true;
}

bool
errstart_cold(int elevel, const char *domain)
{
	return true;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	fprintf(stderr, "an error at %s:%d\n", filename, lineno);
	abort();
}

int
errcode(int sqlerrcode)
{
	return 0;
}

int
errmsg(const char *fmt,...)
{
	fprintf(stderr, "%s\n", fmt);
	return 0;
}

int
errmsg_internal(const char *fmt,...)
{
	fprintf(stderr, "%s\n", fmt);
	return 0;
}

int
errhint(const char *fmt,...)
{
	return 0;
}

void
ExceptionalCondition(const char *conditionName,
#if PG_VERSION_NUM < 160000
					 const char *errorType,
#endif
					 const char *fileName, int lineNumber)
{
	REFUSED(conditionName);
}

int
pg_ultoa_n(uint32 value, char *a)
{
	return sprintf(a, "%u", value);
}

int
pg_ulltoa_n(uint64 value, char *a)
{
	return sprintf(a, "%llu", (unsigned long long) value);
}

int
pg_snprintf(char *str, size_t count, const char *fmt,...)
{
	va_list		args;
	int			len;

	va_start(args, fmt);
	len = vsnprintf(str, count, fmt, args);
	va_end(args);
	return len;
}

struct varlena *
pg_detoast_datum(struct varlena *datum)
{
	return datum;
}

struct varlena *
pg_detoast_datum_packed(struct varlena *datum)
{
	return datum;
}

const char *
BytesFetch(Bytes *bytes, Size offset, Size len)
{
	REFUSED("BytesFetch");
}

void
pg_qsort(void *base, size_t n, size_t width, int (*compare) (const void *, const void *))
{
	qsort(base, n, width, compare);
}

void
ReportCorruptJsonb(void)
{
	REFUSED("ReportCorruptJsonb");
}

Datum
DirectFunctionCall1Coll(PGFunction func, Oid collation, Datum arg1)
{
	REFUSED("DirectFunctionCall1");
}

Datum
DirectFunctionCall3Coll(PGFunction func, Oid collation, Datum arg1, Datum arg2, Datum arg3)
{
	REFUSED("DirectFunctionCall3");
}

char *
float8out_internal(double num)
{
	REFUSED("float8out_internal");
}

Datum
float4out(PG_FUNCTION_ARGS)
{
	REFUSED("float4out");
}

Datum
numeric_in(PG_FUNCTION_ARGS)
{
	REFUSED("numeric_in");
}

/* For what src/format leaves to the server */
char *
JsonEncodeDateTime(char *buf, Datum value, Oid typid, const int *tzp)
{
	sprintf(buf, "%lld of type %u", (long long) (typid == DATEOID ? DatumGetInt32(value) : DatumGetInt64(value)),
			typid);
	return buf;
}

const int	day_tab[2][13] = {
	{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 0},
	{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 0}
};

/* Counted by years and months: slow, and not the algorithm of src/format */
int
date2j(int year, int month, int day)
{
	int			days = 1721426; /* of 0001-01-01 */

	days += (year - 1) * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
	for (int i = 1; i < month; i++)
		days += day_tab[isleap(year)][i - 1];
	return days + day - 1;
}

#define ZONE_SPAN	((pg_time_t) 1 << 23)

struct pg_tm *
pg_localtime(const pg_time_t *timep, const pg_tz *tz)
{
	static struct pg_tm result;
	pg_time_t	span = *timep >> 23;

	result.tm_gmtoff = (long) (span % 25) * 1801;
	return &result;
}

int
pg_next_dst_boundary(const pg_time_t *timep, long int *before_gmtoff, int *before_isdst, pg_time_t *boundary,
					 long int *after_gmtoff, int *after_isdst, const pg_tz *tz)
{
	*boundary = ((*timep >> 23) + 1) << 23;
	return 1;
}
