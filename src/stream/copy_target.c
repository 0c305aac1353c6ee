/*-------------------------------------------------------------------------
 *
 * copy_target.c
 *		Where COPY TO writes: the client, a file, or a program.
 *
 * As in PostgreSQL's copyto.c, whose functions for this are static: who may
 * write where, what an error says, what pg_stat_progress_copy shows.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include <sys/stat.h>
#include <unistd.h>

#include "catalog/pg_authid.h"
#include "commands/progress.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "stream/copy_target.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/backend_progress.h"

/* Types of messages to the client */
#define COPY_OUT_RESPONSE	'H'
#define COPY_DATA			'd'
#define COPY_DONE			'c'

/* Only members of certain roles may use files and programs of the server. */
void
CopyTargetCheckPrivileges(const CopyStmt *stmt)
{
	if (stmt->filename == NULL)
		return;
	if (stmt->is_program)
	{
		if (!has_privs_of_role(GetUserId(), ROLE_PG_EXECUTE_SERVER_PROGRAM))
			ReportMayNotCopy("to or from an external program", "pg_execute_server_program");
	}
	else if (!has_privs_of_role(GetUserId(), ROLE_PG_WRITE_SERVER_FILES))
		ReportMayNotCopy("to a file", "pg_write_server_files");
}

static void
OpenProgram(CopyTarget *target)
{
	target->file = OpenPipeStream(target->name, PG_BINARY_W);
	if (target->file == NULL)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not execute command \"%s\": %m", target->name)));
}

/* A path that is not absolute would be relative to the data directory. */
static void
OpenFile(CopyTarget *target)
{
	struct stat st;
	mode_t		mask;

	if (!is_absolute_path(target->name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("relative path not allowed for COPY to file")));
	mask = umask(S_IWGRP | S_IWOTH);
	PG_TRY();
	{
		target->file = AllocateFile(target->name, PG_BINARY_W);
	}
	PG_FINALLY();
	{
		umask(mask);
	}
	PG_END_TRY();
	if (target->file == NULL)
	{
		bool		may_be_elsewhere = errno == ENOENT || errno == EACCES;

		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\" for writing: %m", target->name),
				 may_be_elsewhere ?
				 errhint("COPY TO instructs the PostgreSQL server process to write a file. "
						 "You may want a client-side facility such as psql's \\copy.") : 0));
	}
	if (fstat(fileno(target->file), &st))
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not stat file \"%s\": %m", target->name)));
	if (S_ISDIR(st.st_mode))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is a directory", target->name)));
}

/* The client gets text with one column. */
static void
OpenClient(CopyTarget *target)
{
	StringInfoData message;

	if (whereToSendOutput != DestRemote)
	{
		target->file = stdout;	/* a server in single-user mode */
		return;
	}
	pq_beginmessage(&message, COPY_OUT_RESPONSE);
	pq_sendbyte(&message, 0);
	pq_sendint16(&message, 1);
	pq_sendint16(&message, 0);
	pq_endmessage(&message);
}

/* relid is the table that is copied, or zero if it is a query. */
void
CopyTargetOpen(CopyTarget *target, const CopyStmt *stmt, int encoding, Oid relid)
{
	static const int params[] = {PROGRESS_COPY_COMMAND, PROGRESS_COPY_TYPE};
	int64		values[] = {PROGRESS_COPY_COMMAND_TO, PROGRESS_COPY_TYPE_FILE};

	memset(target, 0, sizeof(*target));
	target->name = stmt->filename;
	target->is_program = stmt->is_program;
	target->encoding = encoding;
	if (target->name == NULL)
	{
		values[1] = PROGRESS_COPY_TYPE_PIPE;
		OpenClient(target);
	}
	else if (target->is_program)
	{
		values[1] = PROGRESS_COPY_TYPE_PROGRAM;
		OpenProgram(target);
	}
	else
		OpenFile(target);
	pgstat_progress_start_command(PROGRESS_COMMAND_COPY, relid);
	pgstat_progress_update_multi_param(lengthof(params), params, values);
}

static void
CloseProgram(CopyTarget *target)
{
	int			status = ClosePipeStream(target->file);

	if (status == -1)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not close pipe to external command: %m")));
	if (status != 0)
		ereport(ERROR,
				(errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
				 errmsg("program \"%s\" failed", target->name),
				 errdetail_internal("%s", wait_result_to_str(status))));
}

pg_noreturn static void
ReportNotWritten(CopyTarget *target)
{
	/* The program's exit status tells more than that the pipe is broken. */
	if (target->is_program && errno == EPIPE)
	{
		CloseProgram(target);
		errno = EPIPE;
	}
	ereport(ERROR,
			(errcode_for_file_access(),
			 target->is_program ? errmsg("could not write to COPY program: %m") :
			 errmsg("could not write to COPY file: %m")));
}

/* A message as pq_beginmessage_reuse begins it, but with bytes that already exist */
static void
SendData(char *data, Size len)
{
	StringInfoData message = {.data = data,.len = len,.maxlen = len,.cursor = COPY_DATA};

	pq_endmessage_reuse(&message);
}

/*
 * Write text that doesn't end within a character; nrows rows have been written
 * then.
 */
void
CopyTargetWrite(CopyTarget *target, const char *data, Size len, uint64 nrows)
{
	static const int params[] = {PROGRESS_COPY_BYTES_PROCESSED, PROGRESS_COPY_TUPLES_PROCESSED};
	int64		values[2];
	char	   *encoded = pg_server_to_any(data, len, target->encoding);

	if (encoded != data)
		len = strlen(encoded);
	if (target->file == NULL)
		SendData(encoded, len);
	else if (len > 0 && (fwrite(encoded, len, 1, target->file) != 1 || ferror(target->file)))
		ReportNotWritten(target);
	if (encoded != data)
		pfree(encoded);
	target->nbytes += len;
	values[0] = target->nbytes;
	values[1] = nrows;
	pgstat_progress_update_multi_param(lengthof(params), params, values);
}

void
CopyTargetClose(CopyTarget *target)
{
	if (target->file == NULL)
		pq_putemptymessage(COPY_DONE);
	else if (target->is_program)
		CloseProgram(target);
	else if (target->name != NULL && FreeFile(target->file))
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not close file \"%s\": %m", target->name)));
	pgstat_progress_end_command();
}
