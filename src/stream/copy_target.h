/*-------------------------------------------------------------------------
 *
 * copy_target.h
 *		Where COPY TO writes: the client, a file, or a program.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COPY_TARGET_H
#define JSONROW_COPY_TARGET_H

#include "jsonrow.h"

#include "nodes/parsenodes.h"

typedef struct CopyTarget
{
	const char *name;			/* of the file or program, or NULL */
	bool		is_program;
	int			encoding;
	FILE	   *file;			/* NULL: the client */
	uint64		nbytes;			/* written so far */
} CopyTarget;

extern void CopyTargetCheckPrivileges(const CopyStmt *stmt);
extern void CopyTargetOpen(CopyTarget *target, const CopyStmt *stmt, int encoding, Oid relid);
extern void CopyTargetWrite(CopyTarget *target, const char *data, Size len, uint64 nrows);
extern void CopyTargetClose(CopyTarget *target);

#endif							/* JSONROW_COPY_TARGET_H */
