/*-------------------------------------------------------------------------
 *
 * header.h
 *		The schema of a document: names by position, at every depth.
 *
 *		HEADER = [NAME, ...]
 *		NAME   = "id"					a plain column
 *			   | {"address": HEADER}	a composite: the cell is one row
 *			   | {"actors": [HEADER]}	a document: the cell is an array of rows
 *
 * In memory it is a tree.  A nested header may not be known yet: that of a
 * document whose first one has not come by, or of a record that has only
 * been NULL so far.  It is then NULL, and stands in the document as [].
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_HEADER_H
#define JSONROW_HEADER_H

#include "jsonrow.h"

#include "format/jsonb_walk.h"

typedef enum ColumnShape
{
	COLUMN_PLAIN,				/* the cell is any value */
	COLUMN_ROW,					/* the cell is one row, or null */
	COLUMN_ROWS,				/* the cell is an array of rows, or null */
} ColumnShape;

typedef struct Header Header;

typedef struct HeaderColumn
{
	const char *name;			/* not zero-terminated */
	int			namelen;
	ColumnShape shape;
	Header	   *nested;			/* of a row or rows; NULL if not known yet */
	const Header *agreed;		/* the last header found to agree with nested */
} HeaderColumn;

struct Header
{
	int			ncols;
	uint32		id;				/* tells apart those that a query plans; or 0 */
	bool		incomplete;		/* some nested header may still be learnt */
	bool		by_column;		/* planned: of a column-oriented document */
	const struct Writer *written_by;	/* who has already written it, or NULL */
	const char *written;
	Size		writtenlen;
	HeaderColumn cols[FLEXIBLE_ARRAY_MEMBER];
};

/* How many cells a row has under a header that may not be known */
static inline int
HeaderWidth(const Header *header)
{
	return header ? header->ncols : 0;
}

/* May what is nested in the column still be learnt? */
static inline bool
HeaderColumnIsIncomplete(const HeaderColumn *column)
{
	return column->shape != COLUMN_PLAIN &&
		(column->nested == NULL || column->nested->incomplete);
}

extern Header *HeaderCreate(int ncols);
extern void HeaderSetColumn(Header *header, int i, const char *name, int namelen,
							ColumnShape shape, Header *nested);
extern Header *HeaderCopy(const Header *header);
extern bool HeaderMerge(Header **ours, const Header *theirs);
extern int	HeaderColumnNamed(const Header *header, const char *name, Size len);
extern bool HeaderEqual(const Header *a, const Header *b);
extern bool HeaderDecode(const char *container, Size len, Header **header);
extern void HeaderResolve(Header *header, bool by_column, const JsonbWalk *arrays);
extern void HeaderResolveJson(Header *header, bool by_column, const char *cells, Size len);
extern void HeaderUpdateAll(Header *header);
extern void HeaderAgree(HeaderColumn *column, Header *theirs, bool lasting,
						MemoryContext context);

#endif							/* JSONROW_HEADER_H */
