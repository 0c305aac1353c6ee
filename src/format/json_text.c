/*-------------------------------------------------------------------------
 *
 * json_text.c
 *		The tokens of JSON text: strings, numbers, whole jsonb values.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#if defined(__x86_64__) || defined(_M_AMD64)
#include <emmintrin.h>
#define USE_SSE2				/* as in port/simd.h, which came with 16 */
#endif

#include "format/json_text.h"
#include "format/numeric_format.h"
#include "format/words.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"

/* Strings are escaped in pieces, so that not too much room is reserved. */
#define STRING_PIECE	4096

/* The longest escape of one byte, as in \u001f */
#define ESCAPE_MAXSIZE	6

/*
 * One to seven bytes, padded with blanks.  The word is put together in
 * registers, because one that was just stored in pieces is slow to load.
 */
static inline uint64
LoadTail(const char *str, int len)
{
	const unsigned char *bytes = (const unsigned char *) str;
	uint64		word = REPEAT(' ') << (len * BITS_PER_BYTE);

	if (len >= 4)
	{
		uint32		low,
					high;		/* they may overlap */

		memcpy(&low, str, sizeof(low));
		memcpy(&high, str + len - sizeof(high), sizeof(high));
#ifdef WORDS_BIGENDIAN
		low = pg_bswap32(low);
		high = pg_bswap32(high);
#endif
		return word | low | (uint64) high << ((len - sizeof(high)) * BITS_PER_BYTE);
	}
	return word | bytes[0] |
		(uint64) bytes[len / 2] << (len / 2 * BITS_PER_BYTE) |
		(uint64) bytes[len - 1] << ((len - 1) * BITS_PER_BYTE);
}

/* The escape of a byte within a string */
typedef struct Escape
{
	char		text[ESCAPE_MAXSIZE + 1];
	uint8		len;
} Escape;

StaticAssertDecl(sizeof(Escape) == sizeof(uint64), "an Escape is stored as a word");

static Escape escapes[256];

/* Fill the table; the escapes are those of escape_json. */
void
InitJsonEscapes(void)
{
	static const char letters[0x20] = {
		['\b'] = 'b',['\f'] = 'f',['\n'] = 'n',['\r'] = 'r',['\t'] = 't'
	};

	for (int c = 0; c < 256; c++)
	{
		Escape	   *escape = &escapes[c];

		if (c == '"' || c == '\\')
			escape->len = snprintf(escape->text, sizeof(escape->text), "\\%c", c);
		else if (c >= 0x20)
		{
			escape->text[0] = c;
			escape->len = 1;
		}
		else if (letters[c] != 0)
			escape->len = snprintf(escape->text, sizeof(escape->text), "\\%c", letters[c]);
		else
			escape->len = snprintf(escape->text, sizeof(escape->text), "\\u%04x", c);
	}
}

/* How many bytes are examined together, as long as that many are left */
#define CHUNK_SIZE		16

/*
 * Up to this many escapes in a chunk are written one by one: see EscapeChunk
 */
#define MOST_STEPS		4

/*
 * Which bytes of a chunk must be escaped, one bit each; some that need not be
 * may be among them
 */
static inline uint32
EscapesInChunk(const char *str)
{
#ifdef USE_SSE2
	__m128i		bytes = _mm_loadu_si128((const __m128i *) str);
	__m128i		quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
	__m128i		backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
	__m128i		controls = _mm_cmpeq_epi8(bytes, _mm_min_epu8(bytes, _mm_set1_epi8(0x1F)));

	return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
#else
	/* the high bits of eight bytes are brought together by a multiplication */
	uint64		low = (EscapesInWord(LoadWord(str)) >> 7) * UINT64CONST(0x0102040810204080);
	uint64		high = (EscapesInWord(LoadWord(str + 8)) >> 7) * UINT64CONST(0x0102040810204080);

	return low >> 56 | (high >> 56) << 8;
#endif
}

/*
 * Copy bytes, escaped, without a branch on any of them, because no branch
 * could be predicted where escapes are close together.
 */
static inline char *
EscapeBytes(char *dst, const char *str, Size len)
{
	for (Size i = 0; i < len; i++)
	{
		const Escape *escape = &escapes[(unsigned char) str[i]];

		memcpy(dst, escape, sizeof(*escape));
		dst += escape->len;
	}
	return dst;
}

/*
 * Copy a chunk, escaped.  After an escape, CHUNK_SIZE bytes are copied from
 * the source, because that takes no longer than copying just enough; the next
 * escape overwrites the rest.  If there are many escapes, bytes are copied one
 * by one.
 */
static inline char *
EscapeChunk(char *dst, const char *str, uint32 marks)
{
	int			done = 0;

	memcpy(dst, str, CHUNK_SIZE);
	for (int step = 0; marks != 0; step++)
	{
		int			next = pg_rightmost_one_pos32(marks);

		if (unlikely(step == MOST_STEPS))
			return EscapeBytes(dst, str + done, CHUNK_SIZE - done);
		dst = EscapeBytes(dst + next - done, str + next, 1);
		done = next + 1;
		memcpy(dst, str + done, CHUNK_SIZE);
		marks &= marks - 1;
	}
	return dst + CHUNK_SIZE - done;
}

/*
 * Copy bytes, escaped; up to CHUNK_SIZE bytes after them may be overwritten,
 * too.
 */
static char *
EscapePiece(char *dst, const char *str, Size len)
{
	const char *end = str + len;

	for (; end - str >= 2 * CHUNK_SIZE; str += CHUNK_SIZE)
		dst = EscapeChunk(dst, str, EscapesInChunk(str));
	while (str < end)
	{
		Size		n = Min(end - str, sizeof(uint64));
		uint64		word = likely(n == sizeof(uint64)) ? LoadWord(str) : LoadTail(str, n);

		if (likely(EscapesInWord(word) == 0))
		{
			StoreWord(dst, word);
			dst += n;
		}
		else
			dst = EscapeBytes(dst, str, n);
		str += n;
	}
	return dst;
}

/* Append a string with its quotes. */
void
JsonAppendString(Output *out, const char *str, Size len)
{
	char	   *dst = OutReserve(out, Min(len, STRING_PIECE) * ESCAPE_MAXSIZE +
								 CHUNK_SIZE + 2);

	*dst++ = '"';
	while (unlikely(len > STRING_PIECE))
	{
		CHECK_FOR_INTERRUPTS();
		OutAdvanceTo(out, EscapePiece(dst, str, STRING_PIECE));
		str += STRING_PIECE;
		len -= STRING_PIECE;
		dst = OutReserve(out, STRING_PIECE * ESCAPE_MAXSIZE + CHUNK_SIZE + 1);
	}
	dst = EscapePiece(dst, str, len);
	*dst++ = '"';
	OutAdvanceTo(out, dst);
}

/* Append a number; NaN and infinities are strings. */
void
JsonAppendNumeric(Output *out, const NumericView *view)
{
	if (unlikely(view->special))
		JsonAppendString(out, view->name, strlen(view->name));
	else
		OutAdvanceTo(out, NumericToText(OutReserve(out, NumericTextMaxSize(view)), view));
}

/*
 * Append a number of a jsonb container.  SQL/JSON can make one that is NaN or infinite,
 * and jsonb_out then prints what is no JSON; in our own documents it is a string.
 */
static void
AppendElementNumber(Output *out, const NumericView *view, JsonSpacing spacing)
{
	if (unlikely(view->special) && spacing == JSON_SPACED)
		OutAppend(out, view->name, strlen(view->name));
	else
		JsonAppendNumeric(out, view);
}

/* Append one element of a jsonb container. */
void
JsonAppendElement(Output *out, const JsonbElement *element, JsonSpacing spacing)
{
	NumericView view;

	switch (element->type)
	{
		case JENTRY_ISSTRING:
			JsonAppendString(out, element->data, element->len);
			break;
		case JENTRY_ISNUMERIC:
			JsonbNumericView(element, &view);
			AppendElementNumber(out, &view, spacing);
			break;
		case JENTRY_ISBOOL_TRUE:
			OutAppend(out, "true", 4);
			break;
		case JENTRY_ISBOOL_FALSE:
			OutAppend(out, "false", 5);
			break;
		case JENTRY_ISNULL:
			OutAppend(out, "null", 4);
			break;
		default:
			JsonAppendContainer(out, element->data, element->len, spacing);
	}
}

/* Room for whatever a token and the punctuation around it may take, if short */
#define TOKEN_ROOM	64

/* The longest number, in bytes of text, that is written without a check */
#define SHORT_NUMBER	24

/* How many containers within one another need no memory of their own */
#define FIRST_LEVELS	8

/*
 * A container that is being printed: what a walk knows, but small, because it
 * is put aside for each container in it
 */
typedef struct Level
{
	const char *entries;
	const char *base;
	uint32		baselen;
	uint32		nentries;
	uint32		next;			/* entry of the next element */
	uint32		offset;			/* of the next element from base */
	uint32		nkeys;			/* of an object: the entries before its values */
	uint32		key_offset;		/* of the next element's key */
	char		close;			/* 0 for a lone scalar */
} Level;

typedef struct Printer
{
	Output	   *out;
	const char *end;			/* of all that is printed, in memory */
	JsonSpacing spacing;
	Level	   *levels;			/* those around the one that is printed */
	uint32		depth;			/* their number */
	uint32		nlevels;
	Level		first[FIRST_LEVELS];
} Printer;

/* Room for one more token, after what was written up to dst */
static inline char *
TokenRoom(Output *out, char *dst)
{
	if (unlikely(out->data + out->end - dst < TOKEN_ROOM + OUTPUT_MARGIN))
	{
		OutAdvanceTo(out, dst);
		dst = OutReserve(out, TOKEN_ROOM);
	}
	return dst;
}

/*
 * Print a string.  Most are short, need no escapes, and aren't the last thing
 * in memory: these are copied as a chunk.
 */
static inline char *
PrintString(Printer *printer, char *dst, const char *str, Size len)
{
	if (likely(len <= CHUNK_SIZE && printer->end - str >= CHUNK_SIZE) &&
		likely((EscapesInChunk(str) & ((1 << len) - 1)) == 0))
	{
		*dst++ = '"';
		memcpy(dst, str, CHUNK_SIZE);
		dst += len;
		*dst++ = '"';
		return dst;
	}
	OutAdvanceTo(printer->out, dst);
	JsonAppendString(printer->out, str, len);
	return OutReserve(printer->out, TOKEN_ROOM);
}

static inline char *
PrintNumeric(Printer *printer, char *dst, const JsonbElement *element)
{
	NumericView view;

	JsonbNumericView(element, &view);
	if (likely(!view.special && NumericTextMaxSize(&view) <= SHORT_NUMBER))
		return NumericToText(dst, &view);
	OutAdvanceTo(printer->out, dst);
	AppendElementNumber(printer->out, &view, printer->spacing);
	return OutReserve(printer->out, TOKEN_ROOM);
}

static inline char *
PrintWord(char *dst, const char *word, int len)
{
	memcpy(dst, word, len);
	return dst + len;
}

/* Print an element that is no container. */
static inline char *
PrintScalar(Printer *printer, char *dst, JsonbElement element)
{
	switch (element.type)
	{
		case JENTRY_ISSTRING:
			return PrintString(printer, dst, element.data, element.len);
		case JENTRY_ISNUMERIC:
			return PrintNumeric(printer, dst, &element);
		case JENTRY_ISBOOL_TRUE:
			return PrintWord(dst, "true", 4);
		case JENTRY_ISBOOL_FALSE:
			return PrintWord(dst, "false", 5);
		default:
			return PrintWord(dst, "null", 4);
	}
}

static inline char *
PrintSeparator(char *dst, char c, JsonSpacing spacing)
{
	*dst++ = c;
	*dst = ' ';
	return dst + (spacing == JSON_SPACED);
}

/* Make room for more containers around one; there may be very many. */
static pg_noinline void
GrowLevels(Printer *printer)
{
	Size		size = sizeof(Level) * printer->nlevels;
	Level	   *levels = MemoryContextAllocHuge(CurrentMemoryContext, size * 2);

	memcpy(levels, printer->levels, size);
	if (printer->levels != printer->first)
		pfree(printer->levels);
	printer->levels = levels;
	printer->nlevels *= 2;
}

/* Go to the first element of a container. */
static inline Level
EnterContainer(const JsonbElement *container)
{
	JsonbWalk	walk;
	Level		level;

	JsonbWalkStart(&walk, container->data, container->len);
	level.nkeys = walk.flags & JB_FOBJECT ? walk.count : 0;
	level.close = walk.flags & JB_FOBJECT ? '}' : ']';
	if (level.nkeys > 0)
		JsonbWalkSeek(&walk, level.nkeys);
	if (unlikely(walk.flags & JB_FSCALAR))
	{
		if (walk.count == 0 || (JsonbWalkEntry(&walk, 0) & JENTRY_TYPEMASK) == JENTRY_ISCONTAINER)
			ReportCorruptJsonb();
		walk.nentries = 1;
		level.close = 0;
	}
	level.entries = walk.entries;
	level.base = walk.base;
	level.baselen = walk.baselen;
	level.nentries = walk.nentries;
	level.next = level.nkeys;
	level.offset = walk.offset;
	level.key_offset = 0;
	return level;
}

static inline JsonbElement
LevelElement(const Level *level, uint32 index, uint32 *offset)
{
	JEntry		entry;
	JsonbElement element;

	memcpy(&entry, level->entries + (Size) index * sizeof(JEntry), sizeof(entry));
	element = JsonbElementOfEntry(entry, offset, level->baselen);
	element.data = level->base + element.offset;
	return element;
}

/* Write a bracket, unless it is 0. */
static inline char *
PrintBracket(char *dst, char c)
{
	*dst = c;
	return dst + (c != 0);
}

/*
 * Print a container, from its first bracket to its last.  There is no
 * recursion, because no depth is too much for jsonb_out.
 */
static char *
PrintContainer(Printer *printer, char *dst, JsonbElement element)
{
	Level		level = {0};

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (element.type == JENTRY_ISCONTAINER)
		{
			if (unlikely(printer->depth == printer->nlevels))
				GrowLevels(printer);
			printer->levels[printer->depth++] = level;
			level = EnterContainer(&element);
			/* in ASCII, two before the closing one */
			dst = PrintBracket(dst, level.close != 0 ? level.close - 2 : 0);
		}
		else
			dst = PrintScalar(printer, dst, element);

		dst = TokenRoom(printer->out, dst);
		while (level.next == level.nentries)
		{
			dst = TokenRoom(printer->out, PrintBracket(dst, level.close));
			level = printer->levels[--printer->depth];
			if (printer->depth == 0)
				return dst;
		}
		if (level.next > level.nkeys)
			dst = PrintSeparator(dst, ',', printer->spacing);
		if (level.close == '}')
		{
			element = LevelElement(&level, level.next - level.nkeys, &level.key_offset);
			if (unlikely(element.type != JENTRY_ISSTRING))
				ReportCorruptJsonb();
			dst = PrintString(printer, dst, element.data, element.len);
			dst = PrintSeparator(dst, ':', printer->spacing);
		}
		element = LevelElement(&level, level.next++, &level.offset);
	}
}

/* Append a jsonb container, or the lone scalar that stands for one. */
void
JsonAppendContainer(Output *out, const char *container, Size len,
					JsonSpacing spacing)
{
	Printer		printer;

	printer.out = out;
	printer.end = container + len;
	printer.spacing = spacing;
	printer.levels = printer.first;
	printer.depth = 0;
	printer.nlevels = FIRST_LEVELS;
	OutAdvanceTo(out, PrintContainer(&printer, OutReserve(out, TOKEN_ROOM),
									 JsonbElementOf(JENTRY_ISCONTAINER, container, len)));
	if (printer.levels != printer.first)
		pfree(printer.levels);
}

/* An element as ->> gives it: NULL if it is null, a string without quotes */
text *
ElementToText(const JsonbElement *element)
{
	Output		out;

	if (element->type == JENTRY_ISNULL)
		return NULL;
	if (element->type == JENTRY_ISSTRING)
	{
		text	   *result = palloc(VARHDRSZ + element->len);

		SET_VARSIZE(result, VARHDRSZ + element->len);
		memcpy(VARDATA(result), element->data, element->len);
		return result;
	}
	OutInitValue(&out, FORMAT_JSON, 64 + element->len * 2, CurrentMemoryContext);
	JsonAppendElement(&out, element, JSON_SPACED);
	return OutFinishValue(&out);
}

/*
 * A line must not be broken.  Line feeds and carriage returns in a value of type
 * json are white space, because strings cannot contain any.
 */
static void
JoinLines(char *value, const char *end, char c)
{
	while ((value = memchr(value, c, end - value)) != NULL)
		*value = ' ';
}

/* Make what was written from an offset on a line of its own. */
void
JsonEndLine(Output *out, Size start)
{
	JoinLines(out->data + start, out->data + out->len, '\n');
	JoinLines(out->data + start, out->data + out->len, '\r');
	OutAppendChar(out, '\n');
}
