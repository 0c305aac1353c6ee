/*-------------------------------------------------------------------------
 *
 * jsonrow.h
 *		What every file of the extension starts from.
 *
 * Data flows one way, and each step is one file:
 *
 *		rowsource.c		the executor's values of one row
 *		plan.c			how each column of a row is written
 *		write_jsonb.c	the cells and rows as jsonb		(writer.h: the interface)
 *		write_json.c	the cells and rows as JSON text
 *		document.c		rows, or vectors, gathered under a header
 *		aggregate.c		the SQL aggregates
 *
 * and with a finished document:
 *
 *		stored.c		its header, and a way to its rows
 *		splice.c		some of its rows replaced
 *		transpose.c		rows to vectors and back
 *		edit.c, chunks.c, convert.c, objects.c		the SQL functions
 *
 * and to read out of one:
 *
 *		bytes.c			the bytes of a value, wherever they are
 *		reader.c		where in them a row, a column, a cell is
 *		cell_input.c	a cell as a value of an SQL type
 *		read.c, recordset.c		the SQL functions
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_H
#define JSONROW_H

#include "postgres.h"

#include "fmgr.h"

#include "compat.h"

#endif							/* JSONROW_H */
