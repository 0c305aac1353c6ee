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

#endif							/* JSONROW_WORDS_H */
