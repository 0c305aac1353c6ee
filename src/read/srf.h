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

#endif							/* JSONROW_SRF_H */
