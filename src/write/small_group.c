/*-------------------------------------------------------------------------
 *
 * small_group.c
 *		How much of a group has been aggregated.
 *
 *		jsonrow_is_small_group(most int, size int, key "any" [, VARIADIC "any"]) -> boolean
 *			Is it one of the first rows of its group?  A row takes so many bytes
 *			(size), and those of the values that follow its key, as they are
 *			when they are not compressed, and numbers as they are written.  True
 *			while those of the group, this one included, are the most, or fewer; with
 *			a size of 1, and no values, the most is a number of rows.  Rows come group by group, as they
 *			do in a FILTER where groups are made by sorting; a group ends where
 *			the key has other bytes.  Of a key or value that is NULL nothing is
 *			counted; a most or size that is NULL is 0.
 *
 * Unnesting asks it before it looks up whether anybody wants a group
 * (see restriction.c).
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "format/numeric_format.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(jsonrow_is_small_group);

/* Which argument the key is; the values are after it. */
#define KEY				2

/* How an argument is stored */
typedef struct Storage
{
	Oid			type;
	int16		length;
	bool		by_value;
} Storage;

/* The current group */
typedef struct GroupSoFar
{
	bool		is_known;		/* there is one */
	NullableDatum key;
	int64		size;			/* of its rows so far */
	Storage		arguments[FLEXIBLE_ARRAY_MEMBER];
} GroupSoFar;

static GroupSoFar *
CreateGroup(FunctionCallInfo fcinfo)
{
	GroupSoFar *group = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
											   offsetof(GroupSoFar, arguments) + fcinfo->nargs * sizeof(Storage));

	for (int i = KEY; i < fcinfo->nargs; i++)
	{
		Oid			type = get_fn_expr_argtype(fcinfo->flinfo, i);

		if (!OidIsValid(type))
			elog(ERROR, "could not determine data type for argument %d", i + 1);
		group->arguments[i].type = getBaseType(type);
		get_typlenbyval(type, &group->arguments[i].length, &group->arguments[i].by_value);
	}
	return group;
}

static bool
IsSameKey(const GroupSoFar *group, NullableDatum key)
{
	if (!group->is_known || group->key.isnull != key.isnull)
		return false;
	return key.isnull || datum_image_eq(group->key.value, key.value, group->arguments[KEY].by_value,
										group->arguments[KEY].length);
}

/* A group begins. */
static void
TakeKey(FunctionCallInfo fcinfo, GroupSoFar *group, NullableDatum key)
{
	const Storage *storage = &group->arguments[KEY];
	MemoryContext context = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

	if (group->is_known && !group->key.isnull && !storage->by_value)
		pfree(DatumGetPointer(group->key.value));
	group->key = key;
	if (!key.isnull)
		group->key.value = datumCopy(key.value, storage->by_value, storage->length);
	MemoryContextSwitchTo(context);
	group->is_known = true;
	group->size = 0;
}

/* As it is not compressed; a number as it is written, for 10^131071 is stored in a few bytes */
static int64
SizeOf(Datum value, Storage storage)
{
	NumericView number;

	if (storage.type == NUMERICOID)
	{
		NumericViewOf(&number, PG_DETOAST_DATUM_PACKED(value));
		return NumericTextMaxSize(&number);
	}
	switch (storage.length)
	{
		case -1:
			return toast_raw_datum_size(value);
		case -2:
			return strlen(DatumGetCString(value));
		default:
			return storage.length;
	}
}

Datum
jsonrow_is_small_group(PG_FUNCTION_ARGS)
{
	GroupSoFar *group = fcinfo->flinfo->fn_extra;
	int32		most = PG_ARGISNULL(0) ? 0 : PG_GETARG_INT32(0);

	if (group == NULL)
		fcinfo->flinfo->fn_extra = group = CreateGroup(fcinfo);
	if (!IsSameKey(group, fcinfo->args[KEY]))
		TakeKey(fcinfo, group, fcinfo->args[KEY]);
	if (group->size <= most)
	{
		group->size += PG_ARGISNULL(1) ? 0 : PG_GETARG_INT32(1);
		for (int i = KEY + 1; i < fcinfo->nargs; i++)
			if (!PG_ARGISNULL(i))
				group->size += SizeOf(PG_GETARG_DATUM(i), group->arguments[i]);
	}
	PG_RETURN_BOOL(group->size <= most);
}
