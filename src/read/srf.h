/*-------------------------------------------------------------------------
 *
 * srf.h
 *		What functions that return sets of rows share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SRF_H
#define JSONROW_SRF_H

#include "jsonrow.h"

#include "funcapi.h"
#include "nodes/execnodes.h"

/* Record the row type that the function is declared to return. */
static inline void
SetResultRowType(FunctionCallInfo fcinfo, FuncCallContext *context)
{
	MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);

	if (get_call_result_type(fcinfo, NULL, &context->tuple_desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	context->tuple_desc = BlessTupleDesc(context->tuple_desc);
	MemoryContextSwitchTo(old);
}

pg_noreturn static inline void
ReportNoRowType(const char *function)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("could not determine row type for result of %s", function),
			 errhint("Provide a non-null record argument, "
					 "or call the function in the FROM clause "
					 "using a column definition list.")));
}

pg_noreturn static inline void
ReportNotRowType(const char *function)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("first argument of %s must be a row type", function)));
}

/* The call's request for rows, all of which are to be given at once */
static inline ReturnSetInfo *
RequireMaterialize(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	if (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	if (!(rsinfo->allowedModes & SFRM_Materialize))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("materialize mode required, but it is not allowed in this context")));
	return rsinfo;
}

/*
 * Are all rows wanted at once?  In FROM they are; in a select list, a query may
 * stop before the last one.
 */
static inline bool
WantsAllRows(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	return rsinfo != NULL && IsA(rsinfo, ReturnSetInfo) &&
		(rsinfo->allowedModes & SFRM_Materialize) != 0 &&
		((rsinfo->allowedModes & SFRM_Materialize_Preferred) != 0 ||
		 (rsinfo->allowedModes & SFRM_ValuePerCall) == 0);
}

#endif							/* JSONROW_SRF_H */
