/*-------------------------------------------------------------------------
 *
 * reader.h
 *		A stored document, read only as far as needed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_READER_H
#define JSONROW_READER_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/bytes.h"
#include "format/jsonb_walk.h"
#include "utils/memutils.h"

typedef struct Reader
{
	Bytes		bytes;
	bool		by_column;
	JsonbWalk	cols;			/* the header */
	JsonbWalk	cells;			/* the array of rows or vectors */
	uint32		nrows;
} Reader;

/*
 * How far into the value we will read, as far as is known before it is opened:
 * a guess, which the header will replace by a better one.
 */
#define REACH_HEADER		((Size) 0)
#define REACH_ALL			MaxAllocSize
#define TYPICAL_ROW_SIZE	128

static inline Size
ReachOfRow(int64 row)
{
	if (row < 0 || row > REACH_ALL / TYPICAL_ROW_SIZE)
		return REACH_ALL;
	return row * TYPICAL_ROW_SIZE;
}

/* A column from its first row on */
typedef struct ColumnWalk
{
	JsonbWalk	array;			/* the rows, or the vector */
	bool		by_column;
	uint32		col;			/* in a row */
	uint32		ncols;
	bool		no_cell;		/* the row was null as a whole */
} ColumnWalk;

extern void ReaderOpen(Reader *reader, Datum doc, Size reach);
extern void ReaderClose(Reader *reader);
extern int	ReaderColumnNamed(Reader *reader, const text *name);
extern int	ReaderColumnAt(Reader *reader, int64 col);
extern Header *ReaderHeader(Reader *reader);
extern JsonbWalk ReaderNames(Reader *reader);
extern void TakeNestedName(JsonbElement *element);
extern bool ReaderCell(Reader *reader, uint32 row, uint32 col, JsonbElement *cell);
extern JsonbElement ReaderRow(Reader *reader, uint32 row);
extern JsonbElement ReaderVector(Reader *reader, uint32 col);
extern void ColumnWalkStart(ColumnWalk *walk, Reader *reader, uint32 col);
extern bool ColumnWalkNext(ColumnWalk *walk, JsonbElement *cell);

/*
 * Turn an element of a header into its name: the element itself, or its key.
 */
static inline void
TakeName(JsonbElement *element)
{
	if (unlikely(element->type != JENTRY_ISSTRING))
		TakeNestedName(element);
}

#endif							/* JSONROW_READER_H */
