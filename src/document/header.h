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
 * In memory it is a tree.  A nested header may not be known yet, because no
 * document has come so far, or because a record has only been NULL so far.  It
 * is then NULL, and written as [].  Until it comes, the header is incomplete.
 *
 * A header is shared where that is safe.  One that lasts (as long as the
 * query) and is complete is never changed again, so many documents may point
 * to it; any other is copied before it is kept.  The header that a nested
 * column came with is remembered in agreed, if it lasts: as long as the same
 * header comes again, comparing one pointer is enough.
 *
 * The names of the columns' types are known if documents are to include them:
 * see header_types.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_HEADER_H
#define JSONROW_HEADER_H

#include "jsonrow.h"

#include "format/jsonb_walk.h"
#include "format/output.h"

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
	bool		sent;			/* what is nested here can no longer be added:
								 * see HeaderClose */
	bool		closed;			/* ... and was not all known then */
	Oid			typid;			/* of its values; 0 in a header that was read
								 * from a document */
	int32		typmod;
	const char *type;			/* the type of a plain column, as documents
								 * name it; NULL if it isn't known */
	Header	   *nested;			/* of a row or rows; NULL if not known yet */
	const Header *agreed;		/* the last one found to agree with nested */
} HeaderColumn;

struct Header
{
	int			ncols;
	uint32		id;				/* distinguishes the headers that rows of one
								 * query are planned with; or 0 */
	bool		incomplete;		/* some nested header may still become known */
	bool		by_column;		/* of a header that the query determined: the
								 * document is column-oriented */
	bool		typed;			/* documents include the types; within another
								 * header: some type is known */

	/* Its bytes, if they were made once for all documents: see HeaderEncode */
	const char *encoded;
	JsonbElement types;			/* see HeaderTypes */
	Size		encodedlen;
	DocumentFormat encoded_format;

	HeaderColumn cols[FLEXIBLE_ARRAY_MEMBER];
};

/* How many cells a row has under a header that may not be known */
static inline int
HeaderWidth(const Header *header)
{
	return header ? header->ncols : 0;
}

/* May what is nested in the column still become known? */
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
extern void HeaderUpdateAll(Header *header);
extern void HeaderClose(Header *header);

/* header_agree.c */
extern void HeaderAgree(HeaderColumn *column, Header *theirs, bool lasting,
						MemoryContext context);

/* header_codec.c */
extern void HeaderEncode(Output *out, const Header *header);
extern JsonbElement HeaderTypes(const Header *header, DocumentFormat format);
extern void HeaderAppendMembers(Output *out, const Header *header, const JsonbElement *types);
extern void HeaderEncodeOnce(Header *header, DocumentFormat format);
extern bool HeaderDecode(const JsonbElement *array, Header **header);
extern bool HeaderScan(const char *json, Size len, Header **header);

/* header_types.c */
extern bool HeaderReadTypes(Header *header, const JsonbElement *types, DocumentFormat format);
extern bool HeaderTypesInclude(const Header *ours, const Header *theirs);
extern bool HeaderJoinTypes(Header **ours, const Header *theirs);

/* header_resolve.c */
extern void HeaderResolve(Header *header, bool by_column, const JsonbWalk *arrays);
extern void HeaderResolveElements(Header *header, bool by_column, const Output *arrays);
extern void HeaderResolveJson(Header *header, bool by_column, const char *cells, Size len);

/* Raise an assertion if a header contradicts itself, at any depth. */
#ifdef USE_ASSERT_CHECKING
extern void AssertCheckHeader(const Header *header);
#else
#define AssertCheckHeader(header)	((void) 0)
#endif

#endif							/* JSONROW_HEADER_H */
