/*-------------------------------------------------------------------------
 *
 * kept.c
 *		What has been read of a stored value, until the query ends.
 *
 * Several calls read the same document: d->>'a', d->>'b'.  The first of them
 * fetches and decompresses it; the others find it here.  A value is found by
 * what stands for its bytes, never by its address or its row, and belongs to one
 * query.  Nothing points to what is kept but the call that is running.  Why that
 * is enough is in doc/internals.md, "Stored JSON, read as it is".
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/domains.h"
#include "nodes/primnodes.h"
#include "read/kept.h"

/*
 * How much is kept in a session, by all queries that are running.  The value
 * that is being read may be larger.
 */
#define MAX_KEPT		16
#define KEPT_SIZE		(4 * 1024 * 1024)

/* Values that are compressed, and not out of line, are hardly ever this long. */
#define MAX_INLINE_KEY	(32 * 1024)

/*
 * To keep an inline value takes a tenth of the time to decompress it.  It is no
 * longer done when nobody else has asked for so many.
 */
#define MAX_ALONE		8

/* A large share counts a tenth less with each value after it. */
#define FORGETTING		0.9

typedef struct KeptValue
{
	MemoryContext query;		/* to which it belongs; NULL: nothing is here */
	uint64		number;			/* no two values have the same */
	uint64		used;			/* when, compared with the others */
	Size		size;			/* of all of the value */
	bool		is_shared;		/* it was asked for again */

	/* What stands for it: a TOAST pointer, or a copy of the compressed bytes */
	struct varatt_external pointer;
	struct varlena *compressed;

	BytesKept	bytes;
} KeptValue;

static KeptValue values[MAX_KEPT];
static uint64 last_number = 0;
static uint64 last_use = 0;

/*
 * The call of a plan's expression that reads a column, or a parameter that the
 * executor sets, keeps it.  Other calls may live longer than a query.
 */
void
KeeperInit(Keeper *keeper, FmgrInfo *call)
{
	FuncExpr   *expr = (FuncExpr *) call->fn_expr;
	Node	   *document;

	memset(keeper, 0, sizeof(*keeper));
	if (expr == NULL || !IsA(expr, FuncExpr) || expr->args == NIL)
		return;
	document = StripRelabels(linitial(expr->args));
	if (IsA(document, Var) ||
		(IsA(document, Param) && ((Param *) document)->paramkind == PARAM_EXEC))
		keeper->query = call->fn_mcxt;
}

/* The memory of a query is about to go, and with it all that it keeps. */
static void
ForgetQuery(void *arg)
{
	const Keeper *keeper = arg;

	for (int i = 0; i < MAX_KEPT; i++)
		if (values[i].query == keeper->query)
			values[i].query = NULL;
}

static void
GiveUp(KeptValue *kept)
{
	if (kept->query == NULL)
		return;
	kept->query = NULL;
	BytesKeptFree(&kept->bytes);
	if (kept->compressed != NULL)
		pfree(kept->compressed);
}

/* Does it stand for this value? */
static bool
IsKept(const KeptValue *kept, MemoryContext query, const struct varlena *value)
{
	struct varatt_external pointer;

	if (kept->query != query)
		return false;
	if (!VARATT_IS_EXTERNAL_ONDISK(value))
		return kept->compressed != NULL && VARSIZE(kept->compressed) == VARSIZE(value) &&
			memcmp(kept->compressed, value, VARSIZE(value)) == 0;
	if (kept->compressed != NULL)
		return false;
	VARATT_EXTERNAL_GET_POINTER(pointer, value);
	return memcmp(&kept->pointer, &pointer, sizeof(pointer)) == 0;
}

/* Is there still what the keeper asked for last? */
static inline bool
HasLast(const Keeper *keeper)
{
	return values[keeper->last].query == keeper->query &&
		values[keeper->last].number == keeper->number;
}

static KeptValue *
FindKept(const Keeper *keeper, const struct varlena *value)
{
	if (HasLast(keeper) && IsKept(&values[keeper->last], keeper->query, value))
		return &values[keeper->last];
	for (int i = 0; i < MAX_KEPT; i++)
		if (IsKept(&values[i], keeper->query, value))
			return &values[i];
	return NULL;
}

/* The value that was used least recently; there must be one. */
static KeptValue *
Oldest(void)
{
	KeptValue  *oldest = NULL;

	for (int i = 0; i < MAX_KEPT; i++)
		if (values[i].query != NULL && (oldest == NULL || values[i].used < oldest->used))
			oldest = &values[i];
	return oldest;
}

static Size
SizeOfAll(void)
{
	Size		size = 0;

	for (int i = 0; i < MAX_KEPT; i++)
		if (values[i].query != NULL)
			size += BytesKeptSize(&values[i].bytes);
	return size;
}

/*
 * A place for another value: that of the one which the keeper asked for last,
 * if there is one.
 */
static KeptValue *
MakeRoom(const Keeper *keeper)
{
	KeptValue  *room = HasLast(keeper) ? &values[keeper->last] : NULL;

	if (room != NULL)
		GiveUp(room);
	while (SizeOfAll() > KEPT_SIZE)
		GiveUp(Oldest());
	for (int i = 0; i < MAX_KEPT && room == NULL; i++)
		if (values[i].query == NULL)
			room = &values[i];
	if (room == NULL)
	{
		room = Oldest();
		GiveUp(room);
	}
	return room;
}

/*
 * How much of a value will be needed: the largest share that was needed of those
 * before, and a little more, because no two are quite alike.  It shrinks slowly: to
 * take too much costs less than to take too little, and then start again.
 */
static void
NoteShare(Keeper *keeper, const KeptValue *before)
{
	double		share = (double) before->bytes.reached / Max(before->size, 1);

	keeper->share = Max(share, keeper->share * FORGETTING);
}

static Size
Expected(const Keeper *keeper, Size size)
{
	return keeper->share == 0 ? 0 : (Size) (Min(keeper->share + 1.0 / 32, 1.0) * size);
}

/* Keep a new value.  Nothing has been read of it yet. */
static KeptValue *
EnterValue(Keeper *keeper, struct varlena *value, Size *expected)
{
	Size		size = toast_raw_datum_size(PointerGetDatum(value)) - VARHDRSZ;
	bool		is_inline = !VARATT_IS_EXTERNAL_ONDISK(value);
	KeptValue  *kept;

	if (!keeper->is_registered)
	{
		keeper->forget.func = ForgetQuery;
		keeper->forget.arg = keeper;
		MemoryContextRegisterResetCallback(keeper->query, &keeper->forget);
		keeper->is_registered = true;
	}
	if (HasLast(keeper))
	{
		NoteShare(keeper, &values[keeper->last]);
		keeper->alone = values[keeper->last].is_shared ? 0 : keeper->alone + 1;
	}
	*expected = Expected(keeper, size);
	kept = MakeRoom(keeper);
	memset(kept, 0, sizeof(*kept));
	if (is_inline)
	{
		kept->compressed = MemoryContextAlloc(keeper->query, VARSIZE(value));
		memcpy(kept->compressed, value, VARSIZE(value));
	}
	else
		VARATT_EXTERNAL_GET_POINTER(kept->pointer, value);
	kept->bytes.context = keeper->query;
	kept->size = size;
	kept->number = ++last_number;
	kept->query = keeper->query;
	return kept;
}

/*
 * What is kept of a value that must be fetched or decompressed, until the next
 * value is asked for.  If there is nothing yet, tell how much of the value to
 * expect, or 0 if that is not known.  NULL if nothing can be kept.
 */
BytesKept *
KeepValue(Keeper *keeper, Datum value, Size *expected)
{
	struct varlena *varlena = (struct varlena *) DatumGetPointer(value);
	KeptValue  *kept;

	*expected = 0;
	if (keeper->query == NULL ||
		(!VARATT_IS_EXTERNAL_ONDISK(varlena) &&
		 (keeper->alone >= MAX_ALONE || VARSIZE(varlena) > MAX_INLINE_KEY)))
		return NULL;
	kept = FindKept(keeper, varlena);
	if (kept != NULL)
		kept->is_shared = true;
	else
		kept = EnterValue(keeper, varlena, expected);
	kept->used = ++last_use;
	keeper->last = kept - values;
	keeper->number = kept->number;
	return &kept->bytes;
}
