/*-------------------------------------------------------------------------
 *
 * stream.c
 *		Results of any size, in pieces.
 *
 *		jsonrow_stream(query text) -> SETOF text
 *		jsonrow_stream(query text, VARIADIC parameters "any") -> SETOF text
 *		jsonrow_stream(cursor refcursor) -> SETOF text
 *			The rows of a query, or the remaining rows of a cursor, as the
 *			document that jsonrow_agg_json makes of them, in pieces of about 64
 *			kB that end between rows.  Put together, they are the document.
 *
 *		jsonrow_stream_lines(...) -> SETOF text
 *			The same as lines: {"cols": HEADER}, then each row, then
 *			{"rows": n}, which tells a reader that it has all n rows.
 *
 *		jsonrow_stream_objects(...) -> SETOF text
 *			The array that jsonrow_objects_agg_json makes.
 *
 *		jsonrow_stream_object_lines(...) -> SETOF text
 *			Each row as an object on a line, and nothing else.
 *
 * The query is one SELECT, VALUES or TABLE statement that changes nothing.
 * Parameters are bound to $1, $2 and so on, with the types that they have;
 * literals without a type are text.  It runs as if the caller ran it, with the
 * caller's privileges and search_path, in the snapshot of the calling query.
 * A query, cursor or VARIADIC array that is NULL gives no pieces.
 *
 * In a select list a piece is made when it is asked for, so the query stops
 * when the reader stops.  In FROM, PostgreSQL asks for all of them first.
 *
 * Errors: a statement of another kind, a cursor that does not exist, what the
 * query itself raises; a nested document whose columns were not known when the
 * first piece ended.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "stream/receiver.h"
#include "stream/statement.h"
#include "tcop/pquery.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/portal.h"

PG_FUNCTION_INFO_V1(jsonrow_stream);
PG_FUNCTION_INFO_V1(jsonrow_stream_lines);
PG_FUNCTION_INFO_V1(jsonrow_stream_objects);
PG_FUNCTION_INFO_V1(jsonrow_stream_object_lines);

/* A stream between two of its pieces */
typedef struct Stream
{
	RowReceiver *receiver;
	QueryDesc  *query;			/* NULL if it is a cursor, or has ended */
	const char *cursor;			/* its name */
	ExprContext *econtext;		/* of the call */
} Stream;

static void
EndQuery(Stream *stream)
{
	QueryDesc  *query = stream->query;

	stream->query = NULL;
	if (query != NULL)
		StatementEnd(query);
}

/* The calling query has ended, perhaps before the stream. */
static void
EndEarly(Datum stream)
{
	EndQuery((Stream *) DatumGetPointer(stream));
}

/* A full piece stops the executor until the next one is asked for. */
static bool
StopWhenFull(RowReceiver *receiver)
{
	return false;
}

/*
 * Cursors
 */

/* All rows; but FETCH_ALL itself might use parallel workers, which are not stopped. */
#define ALL_BY_NUMBER	(FETCH_ALL - 1)

/*
 * A receiver that stops a fetch leaves the cursor marked as at its end, and
 * positioned before the row that was taken last.  Correct both.  (Fetching by
 * number would not do: after many short rows, as many long ones might follow.)
 */
static void
StandOnRow(Portal portal)
{
	portal->atStart = false;
	portal->atEnd = false;
	portal->portalPos++;
}

static void
RunCursor(Stream *stream)
{
	RowReceiver *receiver = stream->receiver;
	Portal		portal = GetPortalByName(stream->cursor);

	if (!PortalIsValid(portal))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_CURSOR),
				 errmsg("cursor \"%s\" does not exist", stream->cursor)));
	if (receiver->tupdesc == NULL && portal->queryDesc != NULL)
		RowReceiverTell(receiver, portal->queryDesc->plannedstmt, portal->portalParams);
	PortalRunFetch(portal, FETCH_FORWARD, ALL_BY_NUMBER, &receiver->pub);
	if (RowReceiverIsFull(receiver))
		StandOnRow(portal);
}

/*
 * Queries
 */

/* The arguments after the query, to be bound; they are copied. */
static ParamListInfo
BindParameters(int nargs, const Datum *values, const Oid *types, const bool *nulls)
{
	ParamListInfo params;

	if (nargs == 0)
		return NULL;
	params = makeParamList(nargs);
	for (int i = 0; i < nargs; i++)
	{
		ParamExternData *param = &params->params[i];
		int16		typlen;
		bool		typbyval;

		get_typlenbyval(types[i], &typlen, &typbyval);
		param->ptype = types[i];
		param->isnull = nulls[i];
		param->value = nulls[i] ? (Datum) 0 : datumCopy(values[i], typbyval, typlen);
		param->pflags = PARAM_FLAG_CONST;
	}
	return params;
}

/* Start the query of the call, if there is one to start. */
static void
StartQuery(Stream *stream, FunctionCallInfo fcinfo)
{
	char	   *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Datum	   *values = NULL;
	Oid		   *types = NULL;
	bool	   *nulls = NULL;
	ParamListInfo params;
	int			nargs = 0;

	if (PG_NARGS() > 1)
		nargs = extract_variadic_args(fcinfo, 1, true, &values, &types, &nulls);
	if (nargs < 0)
		return;
	params = BindParameters(nargs, values, types, nulls);
	stream->query = StatementStart(string, params, &stream->receiver->pub);
	RowReceiverTell(stream->receiver, stream->query->plannedstmt, params);
	RegisterExprContextCallback(stream->econtext, EndEarly, PointerGetDatum(stream));
}

static void
RunQuery(Stream *stream)
{
	StatementRun(stream->query);
	if (RowReceiverIsFull(stream->receiver))
		return;
	UnregisterExprContextCallback(stream->econtext, EndEarly, PointerGetDatum(stream));
	EndQuery(stream);
}

/*
 * The functions
 */

/* Begin the stream of a call; NULL if it has no pieces. */
static Stream *
StreamStart(FunctionCallInfo fcinfo, StreamForm form, MemoryContext context)
{
	MemoryContext old;
	Stream	   *stream;

	if (PG_ARGISNULL(0))
		return NULL;
	old = MemoryContextSwitchTo(context);
	stream = palloc0(sizeof(Stream));
	stream->receiver = RowReceiverCreate(form, context);
	stream->receiver->full = StopWhenFull;
	stream->econtext = ((ReturnSetInfo *) fcinfo->resultinfo)->econtext;
	if (get_fn_expr_argtype(fcinfo->flinfo, 0) == REFCURSOROID)
		stream->cursor = text_to_cstring(PG_GETARG_TEXT_PP(0));
	else
		StartQuery(stream, fcinfo);
	MemoryContextSwitchTo(old);
	return stream->query == NULL && stream->cursor == NULL ? NULL : stream;
}

/*
 * Fill the next piece; returns whether there is one.  If it isn't full, it is
 * the last one: there were no more rows.
 */
static bool
StreamNext(Stream *stream)
{
	if (stream->receiver->ended)
		return false;
	RowReceiverNextPiece(stream->receiver);
	if (stream->cursor != NULL)
		RunCursor(stream);
	else
		RunQuery(stream);
	return RowReceiverIsFull(stream->receiver) || RowReceiverEnd(stream->receiver);
}

static Datum
StreamCall(FunctionCallInfo fcinfo, StreamForm form)
{
	FuncCallContext *context;
	Stream	   *stream;

	if (SRF_IS_FIRSTCALL())
	{
		context = SRF_FIRSTCALL_INIT();
		context->user_fctx = StreamStart(fcinfo, form, context->multi_call_memory_ctx);
	}
	context = SRF_PERCALL_SETUP();
	stream = context->user_fctx;
	if (stream == NULL || !StreamNext(stream))
		SRF_RETURN_DONE(context);
	SRF_RETURN_NEXT(context, PointerGetDatum(RowReceiverPiece(stream->receiver)));
}

Datum
jsonrow_stream(PG_FUNCTION_ARGS)
{
	return StreamCall(fcinfo, STREAM_ROWS);
}

Datum
jsonrow_stream_lines(PG_FUNCTION_ARGS)
{
	return StreamCall(fcinfo, STREAM_LINES);
}

Datum
jsonrow_stream_objects(PG_FUNCTION_ARGS)
{
	return StreamCall(fcinfo, STREAM_OBJECTS);
}

Datum
jsonrow_stream_object_lines(PG_FUNCTION_ARGS)
{
	return StreamCall(fcinfo, STREAM_OBJECT_LINES);
}
