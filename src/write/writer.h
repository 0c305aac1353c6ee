/*-------------------------------------------------------------------------
 *
 * writer.h
 *		The two output formats behind one interface.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_WRITER_H
#define JSONROW_WRITER_H

#include "jsonrow.h"

#include "document/header.h"
#include "format/output.h"
#include "write/column_plan.h"

struct Writer
{
	OutputFormat limit;
	Oid			builtin;		/* to_jsonb or to_json */

	/* Write one cell, by category. */
	CellWriter	cell[NUM_CATEGORIES];

	/* Write one row as an array; returns as a CellWriter does. */
	uint32		(*row) (Output *out, RowPlan *plan, Header *header,
						const NullableDatum *cells);

	/*
	 * Write the beginning of a finished document, varlena header and all:
	 * what precedes the first of nrows rows, or in jsonb their JEntries, when
	 * the rows take rowslen bytes.  header is NULL for a bare array of rows.
	 */
	void		(*head) (Output *out, const Header *header, uint32 nrows, Size rowslen);

	/*
	 * Write a whole column-oriented document, from a vector of nrows cells per
	 * column; release: each is freed once it has been written.
	 */
	void		(*columns) (Output *out, const Header *header, Output *columns,
							uint32 nrows, bool release);

	/* Write a header by itself. */
	void		(*header) (Output *out, const Header *header);

	/*
	 * jsonb: the elements of an array have JEntries before them, and neither
	 * commas between nor brackets after them.
	 */
	bool		has_entries;
};

extern const Writer JsonbWriter;
extern const Writer JsonWriter;

#endif							/* JSONROW_WRITER_H */
