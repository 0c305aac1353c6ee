/*-------------------------------------------------------------------------
 *
 * writer.h
 *		The two output formats behind one interface, JSON text in two styles.
 *
 * A document is a head, rows collected one after the other, and a tail; in
 * column orientation, it is written at once from its vectors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_WRITER_H
#define JSONROW_WRITER_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/output.h"
#include "write/row_plan.h"

struct Writer
{
	DocumentFormat format;

	/* Write one cell, by category. */
	CellWriter	cell[NUM_CATEGORIES];

	/* Write one row as an array, or as an object. */
	RowWriter	array;
	RowWriter	object;

	/* Prepare what objects with these names have in common. */
	void		(*name_values) (RowPlan *plan, const Header *names);

	/*
	 * Write the beginning of a finished document, including the varlena
	 * header: what precedes the first of nrows rows, which take rowslen
	 * bytes.  rows is where they were collected.  header is NULL for a bare
	 * array of rows.  types is the member of that name, in this format; it
	 * has no data if there is none.
	 */
	void		(*head) (Output *out, const Header *header, const JsonbElement *types,
						 const Output *rows, uint32 nrows, Size rowslen);

	/*
	 * The head does not depend on the rows, so it may be written before them,
	 * without rows or their number.
	 */
	bool		head_comes_first;

	/* Write what follows the last row. */
	void		(*tail) (Output *out, const Header *header, const JsonbElement *types);

	/*
	 * Write a whole column-oriented document, including the varlena header,
	 * from a vector of nrows cells per column.  release says to free each one
	 * once it has been written.
	 */
	void		(*columns) (Output *out, const Header *header, const JsonbElement *types,
							Output *columns, uint32 nrows, bool release);
};

extern const Writer JsonbWriter;
extern const Writer JsonWriter;
extern const Writer JsonbTextWriter;

extern void CheckJsonbText(const struct varlena *text);

/*
 * What follows the rows takes at most this much, including brackets and
 * padding.
 */
static inline Size
TailMaxSize(const JsonbElement *types)
{
	return types->len + sizeof(int32);
}

static inline const Writer *
WriterOfFormat(DocumentFormat format)
{
	return format == FORMAT_JSONB ? &JsonbWriter : &JsonWriter;
}

#endif							/* JSONROW_WRITER_H */
