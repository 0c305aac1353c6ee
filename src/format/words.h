/*-------------------------------------------------------------------------
 *
 * words.h
 *		Eight bytes of text in one register.
 *
 * The first byte is in the lowest bits, regardless of the machine's byte
 * order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_WORDS_H
#define JSONROW_WORDS_H

#include "jsonrow.h"

#include "port/pg_bswap.h"

/* A word of eight equal bytes */
#define REPEAT(byte)	(~UINT64CONST(0) / 255 * (byte))

static inline uint64
LoadWord(const char *str)
{
	uint64		word;

	memcpy(&word, str, sizeof(word));
#ifdef WORDS_BIGENDIAN
	word = pg_bswap64(word);
#endif
	return word;
}

static inline void
StoreWord(char *dst, uint64 word)
{
#ifdef WORDS_BIGENDIAN
	word = pg_bswap64(word);
#endif
	memcpy(dst, &word, sizeof(word));
}

/*
 * Not zero if some byte of a word must be escaped in JSON.  The lowest bit that
 * is set belongs to the first such byte; those above it may be wrong.
 *
 * (x - 0x20) borrows into the high bit for bytes below 0x20; a byte xor'ed
 * with the one looked for is zero exactly where they match.
 */
static inline uint64
EscapesInWord(uint64 word)
{
	uint64		quote = word ^ REPEAT('"');
	uint64		backslash = word ^ REPEAT('\\');

	return (((word - REPEAT(0x20)) & ~word) |
			((quote - REPEAT(1)) & ~quote) |
			((backslash - REPEAT(1)) & ~backslash)) & REPEAT(0x80);
}

#endif							/* JSONROW_WORDS_H */
