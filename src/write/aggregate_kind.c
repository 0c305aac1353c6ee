/*-------------------------------------------------------------------------
 *
 * aggregate_kind.c
 *		Which of our aggregates is it?
 *
 * Its name would not tell, because anybody may create one with the same name;
 * its transition function does.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "utils/syscache.h"
#include "write/aggregate_kind.h"

/* Those of our aggregates of rows with names, from aggregate.c */
static const KnownTransition *known;
static int	nknown;

void
KnowTransitions(const KnownTransition *transitions, int count)
{
	known = transitions;
	nknown = count;
}

/* The functions of an aggregate, or zeroes if it no longer exists */
static FormData_pg_aggregate
FunctionsOf(Oid aggregate)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	FormData_pg_aggregate functions = {0};

	if (HeapTupleIsValid(tuple))
	{
		functions = *(Form_pg_aggregate) GETSTRUCT(tuple);
		ReleaseSysCache(tuple);
	}
	return functions;
}

bool
IsTransitionFunction(Oid aggregate, Oid function)
{
	return FunctionsOf(aggregate).aggtransfn == function;
}

bool
IsFinalFunction(Oid aggregate, Oid function)
{
	return FunctionsOf(aggregate).aggfinalfn == function;
}

AggregateKind
KindOfAggregate(Oid aggregate)
{
	Oid			function = FunctionsOf(aggregate).aggtransfn;
	FmgrInfo	transfn;

	if (!OidIsValid(function))
		return AGGREGATE_OTHER;
	fmgr_info(function, &transfn);
	for (int i = 0; i < nknown; i++)
		if (transfn.fn_addr == known[i].function)
			return known[i].kind;
	return AGGREGATE_OTHER;
}
