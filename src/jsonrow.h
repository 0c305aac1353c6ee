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
 *		document.c		rows gathered under a header into one document
 *		aggregate.c		the SQL aggregates
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_H
#define JSONROW_H

#include "postgres.h"

#include "fmgr.h"

#include "compat.h"

#endif							/* JSONROW_H */
