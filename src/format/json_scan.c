/*-------------------------------------------------------------------------
 *
 * json_scan.c
 *		A scanner for JSON text that is already known to be valid.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_scan.h"
#include "miscadmin.h"

pg_noreturn static void
ReportCorruptJson(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("json value is corrupt")));
}

void
JsonScanStart(JsonScan *scan, const char *json, Size len)
{
	scan->p = json;
	scan->end = json + len;
	scan->spaced = false;
}

/* What a character is, outside of strings */
typedef enum CharKind
{
	CHAR_PLAIN,					/* of a number, true, false or null */
	CHAR_SPACE,
	CHAR_QUOTE,
	CHAR_OPENING,
	CHAR_CLOSING,
	CHAR_SEPARATOR,
	CHAR_ZERO					/* of none */
} CharKind;

static const uint8 char_kinds[256] = {
	[' '] = CHAR_SPACE,['\n'] = CHAR_SPACE,['\t'] = CHAR_SPACE,['\r'] = CHAR_SPACE,
	['"'] = CHAR_QUOTE,
	['['] = CHAR_OPENING,['{'] = CHAR_OPENING,
	[']'] = CHAR_CLOSING,['}'] = CHAR_CLOSING,
	[','] = CHAR_SEPARATOR,[':'] = CHAR_SEPARATOR,
	['\0'] = CHAR_ZERO
};

static inline CharKind
KindOfNext(const JsonScan *scan)
{
	return scan->p < scan->end ? char_kinds[(unsigned char) *scan->p] : CHAR_ZERO;
}

/* The first character of the next token; white space before it is skipped. */
char
JsonScanPeek(JsonScan *scan)
{
	while (KindOfNext(scan) == CHAR_SPACE)
	{
		scan->spaced = true;
		scan->p++;
	}
	if (scan->p >= scan->end)
		return '\0';
	return *scan->p;
}

/* Consume a structural character if it is next. */
bool
JsonScanAccept(JsonScan *scan, char token)
{
	if (JsonScanPeek(scan) != token)
		return false;
	scan->p++;
	return true;
}

/* Is a quote escaped, by an odd number of backslashes before it? */
static bool
QuoteIsEscaped(const char *start, const char *quote)
{
	const char *p = quote;

	while (p > start && p[-1] == '\\')
		p--;
	return (quote - p) % 2 != 0;
}

/*
 * Consume a string; str and len are the text between its quotes, still
 * escaped.
 */
void
JsonScanString(JsonScan *scan, const char **str, Size *len)
{
	const char *quote;

	if (!JsonScanAccept(scan, '"'))
		ReportCorruptJson();
	*str = quote = scan->p;
	while ((quote = memchr(quote, '"', scan->end - quote)) != NULL &&
		   quote > *str && quote[-1] == '\\' && QuoteIsEscaped(*str, quote))
	{
		CHECK_FOR_INTERRUPTS();
		quote++;
	}
	if (quote == NULL)
		ReportCorruptJson();
	*len = quote - *str;
	scan->p = quote + 1;
}

/*
 * Unescape the text between the quotes of a string; the result is
 * zero-terminated.  NULL if it has a \u escape, which may not exist in the
 * server's encoding.
 */
char *
JsonUnescaped(const char *str, Size len)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char letters[] = "\"\\/\b\f\n\r\t";
	const char *end = str + len;
	char	   *result = palloc(len + 1);
	char	   *dst = result;

	while (str < end)
	{
		const char *escape;

		CHECK_FOR_INTERRUPTS();
		if (*str != '\\')
		{
			*dst++ = *str++;
			continue;
		}
		escape = memchr(escapes, *++str, sizeof(escapes) - 1);
		if (str == end || escape == NULL)
			return NULL;
		*dst++ = letters[escape - escapes];
		str++;
	}
	*dst = '\0';
	return result;
}

/* Consume a number, true, false or null. */
static inline void
PassPlain(JsonScan *scan)
{
	while (KindOfNext(scan) == CHAR_PLAIN)
		scan->p++;
}

/* Consume one token; str and len are its text. */
static void
ScanToken(JsonScan *scan, const char **token, Size *len)
{
	CHECK_FOR_INTERRUPTS();

	JsonScanPeek(scan);
	*token = scan->p;
	switch (KindOfNext(scan))
	{
		case CHAR_QUOTE:
			JsonScanString(scan, token, len);
			(*token)--;			/* with its quotes */
			break;
		case CHAR_PLAIN:
			PassPlain(scan);
			break;
		case CHAR_ZERO:
			ReportCorruptJson();
			break;
		default:
			scan->p++;
	}
	*len = scan->p - *token;
}

/*
 * Consume any value; value and len are its text.  Nested documents are skipped
 * by this, so it does without tokens.
 */
void
JsonScanValue(JsonScan *scan, const char **value, Size *len)
{
	int			depth = 0;
	const char *str;
	Size		str_len;

	JsonScanPeek(scan);
	*value = scan->p;
	do
	{
		CHECK_FOR_INTERRUPTS();
		switch (KindOfNext(scan))
		{
			case CHAR_QUOTE:
				JsonScanString(scan, &str, &str_len);
				break;
			case CHAR_PLAIN:
				PassPlain(scan);
				break;
			case CHAR_SPACE:
				scan->spaced = true;
				scan->p++;
				break;
			case CHAR_OPENING:
				depth++;
				scan->p++;
				break;
			case CHAR_CLOSING:
				depth--;
				scan->p++;
				break;
			case CHAR_SEPARATOR:
				scan->p++;
				break;
			case CHAR_ZERO:
				ReportCorruptJson();
		}
	} while (depth > 0);
	*len = scan->p - *value;
}

void
JsonScanPass(JsonScan *scan)
{
	const char *value;
	Size		len;

	JsonScanValue(scan, &value, &len);
}

/* Copy a JSON text without the white space between its tokens. */
void
JsonCompact(Output *out, const char *json, Size len)
{
	JsonScan	scan = {json, json + len};
	const char *token;
	Size		tokenlen;

	while (JsonScanPeek(&scan) != '\0')
	{
		ScanToken(&scan, &token, &tokenlen);
		OutAppend(out, token, tokenlen);
	}
}

/*
 * Step to the next element of an array or member of an object whose opening
 * bracket has been consumed.  At the end, consumes the closing one and returns
 * false.  first must be true before the first call.
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

/* Is it an empty array, perhaps with white space? */
bool
JsonIsEmptyArray(const char *json, Size len)
{
	JsonScan	scan = {json, json + len};

	return JsonScanAccept(&scan, '[') && JsonScanPeek(&scan) == ']';
}
