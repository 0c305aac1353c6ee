/*-------------------------------------------------------------------------
 *
 * reader.h
 *		A stored document, read only where it is asked for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_READER_H
#define JSONROW_READER_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/bytes.h"
#include "format/jsonb_walk.h"

/* A container, by its place in the value */
typedef struct ContainerPlace
{
	Size		start;			/* of its header word */
	Size		len;
	uint32		count;			/* elements, or pairs */
	uint32		nentries;
} ContainerPlace;

/* An element, by its place in the value */
typedef struct ElementPlace
{
	uint32		type;			/* JENTRY_ISSTRING, ... */
	Size		start;			/* of its bytes, past any padding */
	Size		len;
} ElementPlace;

/* For ReaderOpen: what will be read is all, or the header */
#define ALL_ROWS	(-1)
#define NO_ROW		0

typedef struct Reader
{
	Bytes		bytes;
	bool		by_column;
	ContainerPlace cols;
	ContainerPlace cells;		/* the rows or vectors */
	uint32		nrows;
} Reader;

/* A column from its first row on */
typedef struct ColumnWalk
{
	JsonbWalk	array;			/* the rows, or the vector */
	bool		by_column;
	uint32		col;			/* in a row */
	uint32		ncols;
	bool		no_cell;		/* the row was null as a whole */
} ColumnWalk;

extern void ReaderOpen(Reader *reader, Datum doc, int32 row);
extern void ReaderClose(Reader *reader);
extern int	ReaderColumnNamed(Reader *reader, const text *name);
extern int	ReaderColumnAt(Reader *reader, int32 col);
extern int64 PositionOf(int32 index, uint32 n);
extern Header *ReaderHeader(Reader *reader);
extern JsonbWalk ReaderNames(Reader *reader);
extern JsonbElement HeaderName(const JsonbElement *element);
extern bool ReaderCell(Reader *reader, uint32 row, uint32 col, JsonbElement *cell);
extern JsonbElement ReaderVector(Reader *reader, uint32 col);
extern void ColumnWalkStart(Reader *reader, uint32 col, ColumnWalk *walk);
extern bool ColumnWalkNext(ColumnWalk *walk, JsonbElement *cell);
extern JsonbElement ReaderRow(Reader *reader, uint32 row);

#endif							/* JSONROW_READER_H */
