/*-------------------------------------------------------------------------
 *
 * jsonrow.h
 *		What every file of the extension includes first.
 *
 * Data flows one way:
 *
 *		executor tuple -> row source -> column plan -> writer -> document
 *		-> reader -> cell
 *
 * and each step has a directory.  A directory uses those above it in this
 * list, never those below.  Exceptions: write and read do not use each other,
 * change does not use write, stream does not use change, and send uses only
 * format, document and the planner's settings.
 *
 *		format/		bytes and text, no SQL: the growing output, jsonb walked and
 *					written, JSON text scanned and written, values printed
 *		document/	what a document is: header, members, validity, orientation,
 *					a finished one opened
 *		write/		rows into documents: row source, column plan, the writers,
 *					the state of an aggregate, the aggregates
 *		read/		documents into cells: the reader, cells as SQL values,
 *					recordsets
 *		change/		documents into documents: editing, cutting, turning, objects
 *		stream/		rows to a client in pieces: the receiver, the functions, COPY
 *		planner/	queries in PostgreSQL's own words, run by our functions
 *		send/		the last step to the client: JSON in results, printed by us
 *
 * What each file does is in the comment at its head, and in doc/internals.md.
 *
 * Names: a function that belongs to a type begins with the type's name
 * (HeaderCreate, JsonbWalkNext).  One that writes to an Output begins with
 * what it does: Append for something whole; Begin, Add and End for something
 * put together from parts.  A document is a finished one; a state gathers rows
 * for one, a builder puts one together from its members; a plan says how
 * columns and rows are written.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_H
#define JSONROW_H

#include "postgres.h"

#include "fmgr.h"

#include "compat.h"

#endif							/* JSONROW_H */
