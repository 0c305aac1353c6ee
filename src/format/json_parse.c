/*-------------------------------------------------------------------------
 *
 * json_parse.c
 *		JSON text, taken apart and checked on the way.
 *
 * Values are handed out as they stand in the text; only the strings that are
 * needed are decoded.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_parse.h"
#include "format/words.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"

/* \u and four digits */
#define UNICODE_ESCAPE_SIZE		6

void
JsonParseStart(JsonParse *parse, const char *json, Size len, bool decode)
{
	parse->p = json;
	parse->end = json + len;
	parse->decode = decode;
	parse->utf8 = GetDatabaseEncoding() == PG_UTF8;
}

/* The first character of the next token, white space being skipped; zero at the end */
char
JsonParsePeek(JsonParse *parse)
{
	while (parse->p < parse->end)
	{
		char		c = *parse->p;

		if (likely(c != ' ' && c != '\n' && c != '\t' && c != '\r'))
			return c;
		parse->p++;
	}
	return '\0';
}

/* Consume a character if it is next. */
bool
JsonParseAccept(JsonParse *parse, char token)
{
	if (JsonParsePeek(parse) != token)
		return false;
	parse->p++;
	return true;
}

/*
 * Strings
 */

/* The first character that ends a string, or is not plain */
static inline const char *
EndOfPlain(const char *p, const char *end)
{
	while (end - p >= (ssize_t) sizeof(uint64))
	{
		uint64		found = EscapesInWord(LoadWord(p));

		if (found != 0)
			return p + pg_rightmost_one_pos64(found) / BITS_PER_BYTE;
		p += sizeof(uint64);
	}
	while (p < end && *p != '"' && *p != '\\' && (unsigned char) *p >= ' ')
		p++;
	return p;
}

/* The number after \u; false if there are no four digits */
static bool
ReadUnicode(const char *p, const char *end, pg_wchar *code)
{
	*code = 0;
	if (end - p < UNICODE_ESCAPE_SIZE || p[0] != '\\' || p[1] != 'u')
		return false;
	for (int i = 2; i < UNICODE_ESCAPE_SIZE; i++)
	{
		char		c = p[i];

		*code <<= 4;
		if (c >= '0' && c <= '9')
			*code |= c - '0';
		else if (c >= 'a' && c <= 'f')
			*code |= c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			*code |= c - 'A' + 10;
		else
			return false;
	}
	return true;
}

/*
 * The character that one \u, or two, stand for; *p is moved behind them.
 * False if it is none.
 */
static bool
ReadCharacter(const char **p, const char *end, pg_wchar *code)
{
	pg_wchar	second;

	if (!ReadUnicode(*p, end, code))
		return false;
	*p += UNICODE_ESCAPE_SIZE;
	if (is_utf16_surrogate_first(*code))
	{
		if (!ReadUnicode(*p, end, &second) || !is_utf16_surrogate_second(second))
			return false;
		*p += UNICODE_ESCAPE_SIZE;
		*code = surrogate_pair_to_codepoint(*code, second);
		return true;
	}
	return *code != 0 && !is_utf16_surrogate_second(*code);
}

/* Consume a backslash and what it stands before. */
static bool
PassEscape(JsonParse *parse)
{
	unsigned char converted[MAX_UNICODE_EQUIVALENT_STRING + 1];
	pg_wchar	code;

	if (parse->end - parse->p < 2)
		return false;
	switch (parse->p[1])
	{
		case '"':
		case '\\':
		case '/':
		case 'b':
		case 'f':
		case 'n':
		case 'r':
		case 't':
			parse->p += 2;
			return true;
		case 'u':
			if (parse->decode)
				return ReadCharacter(&parse->p, parse->end, &code) &&
					(parse->utf8 || code < 0x80 || UnicodeToServer(code, converted));
			if (!ReadUnicode(parse->p, parse->end, &code))
				return false;
			parse->p += UNICODE_ESCAPE_SIZE;
			return true;
		default:
			return false;
	}
}

/* Consume a string, whose first quote is next. */
static inline bool
PassString(JsonParse *parse, bool *escaped)
{
	*escaped = false;
	parse->p++;
	for (;;)
	{
		parse->p = EndOfPlain(parse->p, parse->end);
		if (unlikely(parse->p >= parse->end))
			return false;
		if (likely(*parse->p == '"'))
		{
			parse->p++;
			return true;
		}
		if (*parse->p != '\\' || !PassEscape(parse))
			return false;
		*escaped = true;
		CHECK_FOR_INTERRUPTS();
	}
}

/* A letter after a backslash, but not u, as what it stands for */
static char
EscapedLetter(char letter)
{
	switch (letter)
	{
		case 'b':
			return '\b';
		case 'f':
			return '\f';
		case 'n':
			return '\n';
		case 'r':
			return '\r';
		case 't':
			return '\t';
		default:
			return letter;
	}
}

static char *
WriteCharacter(char *dst, pg_wchar code)
{
	unsigned char converted[MAX_UNICODE_EQUIVALENT_STRING + 1];

	if (!UnicodeToServer(code, converted))
		elog(ERROR, "invalid Unicode escape in a string that was checked");
	strcpy(dst, (char *) converted);
	return dst + strlen(dst);
}

/*
 * Append what a string stands for, which has been parsed with decode.  It
 * never takes more bytes than its text.
 */
void
JsonDecodeString(Output *out, const JsonItem *string)
{
	const char *p = string->text + 1;
	const char *end = string->text + string->len - 1;
	char	   *dst = OutReserve(out, string->len + MAX_UNICODE_EQUIVALENT_STRING);

	while (p < end)
	{
		const char *plain = p;
		pg_wchar	code;

		p = EndOfPlain(p, end);
		memcpy(dst, plain, p - plain);
		dst += p - plain;
		if (p == end)
			break;
		CHECK_FOR_INTERRUPTS();
		if (p[1] != 'u')
		{
			*dst++ = EscapedLetter(p[1]);
			p += 2;
		}
		else if (ReadCharacter(&p, end, &code))
			dst = WriteCharacter(dst, code);
		else
			elog(ERROR, "invalid Unicode escape in a string that was checked");
	}
	OutAdvanceTo(out, dst);
}

/*
 * Numbers and words
 */

static inline const char *
PassDigits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

static inline bool
PassNumber(JsonParse *parse)
{
	const char *p = parse->p;
	const char *end = parse->end;
	const char *digits;

	if (*p == '-')
		p++;
	digits = p;
	p = PassDigits(p, end);
	if (p == digits || (*digits == '0' && p - digits > 1))
		return false;
	if (p < end && *p == '.')
	{
		digits = ++p;
		p = PassDigits(p, end);
		if (p == digits)
			return false;
	}
	if (p < end && (*p == 'e' || *p == 'E'))
	{
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		digits = p;
		p = PassDigits(p, end);
		if (p == digits)
			return false;
	}
	parse->p = p;
	return true;
}

static inline bool
PassWord(JsonParse *parse, const char *word, int len)
{
	if (parse->end - parse->p < len || memcmp(parse->p, word, len) != 0)
		return false;
	parse->p += len;
	return true;
}

/*
 * Containers
 */

/*
 * Go to the next element of an array or member of an object, whose opening
 * bracket has been consumed; or consume the closing one.  first must be true
 * before the first call.
 */
JsonNext
JsonParseNext(JsonParse *parse, char closing, bool *first)
{
	char		c = JsonParsePeek(parse);

	if (c == closing)
	{
		parse->p++;
		return JSON_NEXT_END;
	}
	if (!*first)
	{
		if (c != ',')
			return JSON_NEXT_INVALID;
		parse->p++;
	}
	*first = false;
	return JSON_NEXT_ITEM;
}

/* Consume the key of a member, and the colon. */
bool
JsonParseKey(JsonParse *parse, JsonItem *key)
{
	if (JsonParsePeek(parse) != '"')
		return false;
	key->kind = JSON_IS_STRING;
	key->text = parse->p;
	if (!PassString(parse, &key->escaped))
		return false;
	key->len = parse->p - key->text;
	return JsonParseAccept(parse, ':');
}

/* Consume an object or array, whose opening bracket is next. */
static bool
PassContainer(JsonParse *parse, bool is_object)
{
	bool		first = true;
	JsonItem	item;

	check_stack_depth();
	parse->p++;
	for (;;)
	{
		switch (JsonParseNext(parse, is_object ? '}' : ']', &first))
		{
			case JSON_NEXT_END:
				return true;
			case JSON_NEXT_INVALID:
				return false;
			case JSON_NEXT_ITEM:
				if ((is_object && !JsonParseKey(parse, &item)) || !JsonParseValue(parse, &item))
					return false;
		}
	}
}

/*
 * Consume any value.  False if it is not valid; then parse->p is anywhere
 * within.
 */
bool
JsonParseValue(JsonParse *parse, JsonItem *item)
{
	char		c = JsonParsePeek(parse);
	bool		valid;

	CHECK_FOR_INTERRUPTS();
	item->text = parse->p;
	item->escaped = false;
	switch (c)
	{
		case '"':
			item->kind = JSON_IS_STRING;
			valid = PassString(parse, &item->escaped);
			break;
		case '{':
			item->kind = JSON_IS_OBJECT;
			valid = PassContainer(parse, true);
			break;
		case '[':
			item->kind = JSON_IS_ARRAY;
			valid = PassContainer(parse, false);
			break;
		case 't':
			item->kind = JSON_IS_BOOL;
			valid = PassWord(parse, "true", 4);
			break;
		case 'f':
			item->kind = JSON_IS_BOOL;
			valid = PassWord(parse, "false", 5);
			break;
		case 'n':
			item->kind = JSON_IS_NULL;
			valid = PassWord(parse, "null", 4);
			break;
		default:
			item->kind = JSON_IS_NUMBER;
			valid = parse->p < parse->end && PassNumber(parse);
	}
	item->len = parse->p - item->text;
	return valid;
}
