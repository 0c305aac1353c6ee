/*-------------------------------------------------------------------------
 *
 * fuzz.c
 *		What the fuzzer needs inside the server: damage to stored values and
 *		to serialized states, and loops that call with them.
 *
 * Each call runs in a subtransaction, and any error it raises is fine unless
 * it is one that users should never see.  Anything else is reported by a
 * WARNING that begins with "fuzz:"; its detail repeats the call.  Everything
 * random comes from the batch's seed and the number of the round, which is
 * also written to a file: after a crash it tells which call it was.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "common/pg_prng.h"
#include "compat.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "storage/fd.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/syscache.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#ifdef USE_VALGRIND
#include <valgrind/valgrind.h>
#else
#define VALGRIND_COUNT_ERRORS	0
#endif

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(fuzz_damage);
PG_FUNCTION_INFO_V1(fuzz_raw);
PG_FUNCTION_INFO_V1(fuzz_sink);
PG_FUNCTION_INFO_V1(fuzz_check);
PG_FUNCTION_INFO_V1(fuzz_calls);
PG_FUNCTION_INFO_V1(fuzz_statement);
PG_FUNCTION_INFO_V1(fuzz_target);
PG_FUNCTION_INFO_V1(fuzz_states);
PG_FUNCTION_INFO_V1(fuzz_forget);

/* A batch may leave this much more memory in use than before, for caches */
#define MAX_GROWTH		(64 * 1024 * 1024)

/*
 * Damage
 */

static const unsigned char odd_bytes[] = {0, 0x7f, 0x80, 0xff, '"', '{', '}', '[', ']', ',', '\\', 'b', 't'};

static const uint32 odd_words[] = {
	0, 1, 2, 3, 4, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x0fffffff, 0x10000000,
	JENTRY_ISNUMERIC | 4, JENTRY_ISNUMERIC | JENTRY_OFFLENMASK,
	JENTRY_ISNULL, JENTRY_ISBOOL_TRUE | 1, JENTRY_ISCONTAINER | 4, JENTRY_ISCONTAINER | 8,
	JENTRY_ISCONTAINER | JENTRY_OFFLENMASK, JENTRY_TYPEMASK, JENTRY_HAS_OFF,
	JENTRY_HAS_OFF | JENTRY_ISCONTAINER | 16, JENTRY_HAS_OFF | JENTRY_OFFLENMASK,
	JB_FARRAY, JB_FARRAY | 1, JB_FARRAY | 2, JB_FARRAY | 33, JB_FARRAY | JB_CMASK,
	JB_FOBJECT, JB_FOBJECT | 1, JB_FOBJECT | 2, JB_FOBJECT | JB_CMASK,
	JB_FARRAY | JB_FSCALAR | 1, JB_FARRAY | JB_FSCALAR | 2, JB_FARRAY | JB_FOBJECT | 1
};

#define BYTE_DAMAGES	(8 + lengthof(odd_bytes))
#define STEP_DAMAGES	4
#define WORD_DAMAGES	(lengthof(odd_words) + STEP_DAMAGES)

/*
 * The places of words: in jsonb at multiples of four; in a serialized state
 * anywhere, with some words in network order
 */
typedef enum WordLayout
{
	ALIGNED_WORDS,
	STATE_WORDS,
} WordLayout;

static uint32
Pick(pg_prng_state *rng, uint32 n)
{
	return n < 2 ? 0 : (uint32) pg_prng_uint64_range(rng, 0, n - 1);
}

static uint32
PickWord(pg_prng_state *rng)
{
	uint32		word = odd_words[Pick(rng, lengthof(odd_words))];

	return Pick(rng, 2) ? word : (word & ~0xff) | Pick(rng, 0x100);
}

/* The number of ways to damage this many bytes in one place */
static uint64
DamageCount(int len, WordLayout layout)
{
	uint64		nwords = layout == ALIGNED_WORDS ? len / 4 : 2 * Max(len - 3, 0);

	return (uint64) len * BYTE_DAMAGES + nwords * WORD_DAMAGES;
}

/* One of these ways, by its number: first all bytes, then all words. */
static void
DamageNth(unsigned char *data, int len, WordLayout layout, uint64 n)
{
	static const int steps[STEP_DAMAGES] = {1, -1, 4, -4};
	uint64		nbytes = (uint64) len * BYTE_DAMAGES;
	int			kind;
	uint32		word;

	if (n < nbytes)
	{
		kind = n % BYTE_DAMAGES;
		data += n / BYTE_DAMAGES;
		*data = kind < 8 ? *data ^ (1 << kind) : odd_bytes[kind - 8];
		return;
	}
	kind = (n - nbytes) % WORD_DAMAGES;
	n = (n - nbytes) / WORD_DAMAGES;
	data += layout == ALIGNED_WORDS ? n * 4 : n / 2;
	memcpy(&word, data, 4);
	word = kind < STEP_DAMAGES ? word + steps[kind] : odd_words[kind - STEP_DAMAGES];
	if (layout == STATE_WORDS && n % 2)
		word = pg_bswap32(word);
	memcpy(data, &word, 4);
}

static void
DamageOnce(unsigned char *data, int len, pg_prng_state *rng)
{
	DamageNth(data, len, ALIGNED_WORDS,
			  pg_prng_uint64_range(rng, 0, DamageCount(len, ALIGNED_WORDS) - 1));
}

/* Damage at random; returns how many bytes are left. */
static int
DamageRandomly(unsigned char *data, int len, pg_prng_state *rng)
{
	int			from = Pick(rng, len);
	int			to = Pick(rng, len);
	uint32		word = PickWord(rng);

	if (len < 4)
		return 0;
	switch (Pick(rng, 8))
	{
		case 0:
			return from;
		case 1:
			memmove(data + to, data + from, Pick(rng, len - Max(from, to)) + 1);
			break;
		case 2:
		case 3:
			memcpy(data + Min(TYPEALIGN_DOWN(4, to), len - 4), &word, 4);
			break;
		case 4:					/* most of what matters is at the beginning */
			DamageOnce(data, Min(len, 64), rng);
			break;
		default:
			for (int i = Pick(rng, 3); i >= 0; i--)
				DamageOnce(data, len, rng);
	}
	return len;
}

static struct varlena *
DamagedCopy(Datum value, pg_prng_state *rng)
{
	struct varlena *copy = PG_DETOAST_DATUM_COPY(value);
	int			len = DamageRandomly((unsigned char *) VARDATA(copy), VARSIZE(copy) - VARHDRSZ, rng);

	SET_VARSIZE(copy, VARHDRSZ + len);
	return copy;
}

/* fuzz_damage(value, seed): the value, damaged */
Datum
fuzz_damage(PG_FUNCTION_ARGS)
{
	pg_prng_state rng;

	pg_prng_seed(&rng, PG_GETARG_INT64(1));
	PG_RETURN_POINTER(DamagedCopy(PG_GETARG_DATUM(0), &rng));
}

/*
 * fuzz_jsonb(bytea) and similar ones: a value made of these bytes, unchecked
 */
Datum
fuzz_raw(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(PG_GETARG_BYTEA_P_COPY(0));
}

/*
 * Results
 */

/* Read each byte, so that valgrind notices uninitialized ones. */
static void
Touch(Datum value, Oid type)
{
	struct varlena *bytes;

	if (get_typlen(type) != -1)
		return;
	bytes = PG_DETOAST_DATUM_PACKED(value);
	if (hash_bytes((unsigned char *) VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)) == 0)
		elog(DEBUG5, "a hash of zero");
}

/* fuzz_sink("any"): takes a value and touches its bytes; true */
Datum
fuzz_sink(PG_FUNCTION_ARGS)
{
	if (!PG_ARGISNULL(0))
		Touch(PG_GETARG_DATUM(0), get_fn_expr_argtype(fcinfo->flinfo, 0));
	PG_RETURN_BOOL(true);
}

static void
CheckDomain(Datum value, bool isnull, Oid type)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		domain_check(value, isnull, type, NULL, NULL);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
		elog(ERROR, "result is no value of domain %s", format_type_be(type));
	}
	PG_END_TRY();
}

/* Is it stored as PostgreSQL would have stored it? */
static void
CheckJsonb(Datum value)
{
	struct varlena *got = PG_DETOAST_DATUM(value);
	char	   *text = DatumGetCString(DirectFunctionCall1(jsonb_out, PointerGetDatum(got)));
	struct varlena *want = (struct varlena *) DatumGetPointer(DirectFunctionCall1(jsonb_in, CStringGetDatum(text)));

	if (VARSIZE(got) != VARSIZE(want) || memcmp(got, want, VARSIZE(want)) != 0)
		elog(ERROR, "result is not stored as PostgreSQL stores jsonb");
}

/* Does a value match its type, at every depth of composites? */
static void
Check(Datum value, bool isnull, Oid type)
{
	HeapTupleHeader row;
	HeapTupleData tuple;
	TupleDesc	desc;

	if (get_typtype(type) == TYPTYPE_DOMAIN)
		CheckDomain(value, isnull, type);
	type = getBaseType(type);
	if (isnull)
		return;
	if (type == JSONBOID)
		CheckJsonb(value);
	if (!type_is_rowtype(type))
		return;

	row = DatumGetHeapTupleHeader(value);
	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
	tuple.t_len = HeapTupleHeaderGetDatumLength(row);
	tuple.t_data = row;
	for (int i = 0; i < desc->natts; i++)
	{
		bool		null;
		Datum		attribute = heap_getattr(&tuple, i + 1, desc, &null);

		if (!TupleDescAttr(desc, i)->attisdropped)
			Check(attribute, null, TupleDescAttr(desc, i)->atttypid);
	}
	ReleaseTupleDesc(desc);
}

/* fuzz_check("any"): fuzz_sink for results that must be right */
Datum
fuzz_check(PG_FUNCTION_ARGS)
{
	Check(PG_GETARG_DATUM(0), PG_ARGISNULL(0), get_fn_expr_argtype(fcinfo->flinfo, 0));
	return fuzz_sink(fcinfo);
}

/*
 * Rounds
 */

/* To a file in the data directory, named by the database */
static void
WriteProgress(int64 round)
{
	char		name[32];
	int			file;

	snprintf(name, sizeof(name), "fuzz.%u", MyDatabaseId);
	file = OpenTransientFile(name, O_WRONLY | O_CREAT | PG_BINARY);
	if (file < 0 || pwrite(file, &round, sizeof(round), 0) != sizeof(round))
		elog(ERROR, "could not write \"%s\": %m", name);
	CloseTransientFile(file);
}

/*
 * fuzz_forget() returns void: remove that file.
 */
Datum
fuzz_forget(PG_FUNCTION_ARGS)
{
	char		name[32];

	snprintf(name, sizeof(name), "fuzz.%u", MyDatabaseId);
	(void) unlink(name);
	PG_RETURN_VOID();
}

/* Is this an error that no call should ever raise? */
static bool
IsUnexpected(int sqlerrcode)
{
	return sqlerrcode == ERRCODE_OUT_OF_MEMORY ||
		(ERRCODE_TO_CATEGORY(sqlerrcode) == ERRCODE_INTERNAL_ERROR &&
		 sqlerrcode != ERRCODE_DATA_CORRUPTED);
}

/*
 * Patience: a call that takes longer is cancelled, as by a user.
 */
static volatile sig_atomic_t gave_up;

static void
GiveUp(void)
{
	gave_up = true;
	InterruptPending = QueryCancelPending = true;
}

static void
BePatient(double seconds)
{
	static TimeoutId timeout = MAX_TIMEOUTS;

	if (timeout == MAX_TIMEOUTS)
		timeout = RegisterTimeout(USER_TIMEOUT, GiveUp);
	if (seconds > 0)
	{
		gave_up = false;
		enable_timeout_after(timeout, (int) (seconds * 1000));
	}
	else
	{
		disable_timeout(timeout, false);
		if (gave_up)
			QueryCancelPending = false;
	}
}

/* Did somebody else want it to end? */
static bool
EndsBatch(int sqlerrcode)
{
	return (sqlerrcode == ERRCODE_QUERY_CANCELED && !gave_up) || sqlerrcode == ERRCODE_ADMIN_SHUTDOWN;
}

/* How an attempt is judged */
typedef struct Judgement
{
	double		max_seconds;	/* longer is wrong */
	double		patience;		/* but after this many it is cancelled */
	bool		quiet;			/* any error is wrong, except too deep nesting */
} Judgement;

/* Was this error wrong? */
static bool
IsWrong(int sqlerrcode, const Judgement *judgement)
{
	return IsUnexpected(sqlerrcode) ||
		(judgement->quiet && sqlerrcode != ERRCODE_STATEMENT_TOO_COMPLEX && sqlerrcode != ERRCODE_QUERY_CANCELED);
}

/* Work in a subtransaction; returns what was wrong with it, or NULL. */
static char *
Attempt(void (*work) (void *), void *data, const Judgement *judgement)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	TimestampTz start = GetCurrentTimestamp();
	unsigned	errors = VALGRIND_COUNT_ERRORS;
	char	   *volatile problem = NULL;
	double		seconds;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		BePatient(judgement->patience);
		work(data);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		if (EndsBatch(error->sqlerrcode))
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		if (IsWrong(error->sqlerrcode, judgement))
			problem = psprintf("%s: %s", unpack_sql_state(error->sqlerrcode), error->message);
	}
	PG_END_TRY();
	BePatient(0);
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;

	seconds = (GetCurrentTimestamp() - start) / 1000000.0;
	if (problem == NULL && seconds > judgement->max_seconds)
		problem = psprintf("took %.1f s", seconds);
	if (VALGRIND_COUNT_ERRORS != errors)
		problem = pstrdup("valgrind has found an error");
	return problem;
}

/*
 * Calls
 */

typedef struct Batch
{
	char	   *statement;
	int			nargs;
	SPITupleTable *pools[FUNC_MAX_ARGS];	/* where the values come from */
	Oid			types[FUNC_MAX_ARGS];
	bool		whole[FUNC_MAX_ARGS];	/* to be passed on as it is */
	uint64		seed;
	bool		damage;
	int			systematic;		/* the argument that is damaged in every way,
								 * or -1: all are, at random */
	uint64		rounds;

	SPIPlanPtr	plan;
	Datum		values[FUNC_MAX_ARGS];	/* of this round */
	char		nulls[FUNC_MAX_ARGS];
} Batch;

static bool
IsDocumentType(Oid type)
{
	Oid			base = getBaseType(type);

	return base == JSONBOID || base == JSONOID;
}

static Datum
PoolValue(const Batch *batch, int arg, uint32 row, bool *isnull)
{
	SPITupleTable *pool = batch->pools[arg];

	return SPI_getbinval(pool->vals[row % pool->numvals], pool->tupdesc, 1, isnull);
}

static void
ReadBatch(Batch *batch, FunctionCallInfo fcinfo)
{
	Datum	   *names;

	batch->statement = text_to_cstring(PG_GETARG_TEXT_PP(0));
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false, TYPALIGN_INT, &names, NULL, &batch->nargs);
	batch->seed = PG_GETARG_INT64(2);
	batch->damage = PG_GETARG_BOOL(3);
	batch->systematic = -1;
	batch->rounds = PG_INT64_MAX;
	for (int i = 0; i < batch->nargs; i++)
	{
		char	   *query = psprintf("SELECT v FROM %s", TextDatumGetCString(names[i]));

		if (SPI_execute(query, true, 0) != SPI_OK_SELECT || SPI_processed == 0)
			elog(ERROR, "no values: %s", query);
		batch->pools[i] = SPI_tuptable;
		batch->types[i] = SPI_gettypeid(SPI_tuptable->tupdesc, 1);
		batch->whole[i] = strncmp(TextDatumGetCString(names[i]), "p_", 2) != 0;
		if (PG_GETARG_BOOL(4) && batch->systematic < 0 && !batch->whole[i] && IsDocumentType(batch->types[i]))
			batch->systematic = i;
	}
	if (batch->systematic >= 0)
	{
		bool		isnull;
		Datum		value = PoolValue(batch, batch->systematic, batch->seed, &isnull);

		batch->rounds = isnull ? 0 : DamageCount(VARSIZE(PG_DETOAST_DATUM(value)) - VARHDRSZ, ALIGNED_WORDS);
	}
}

/* One argument.  A damaged one is in memory; any other is passed as stored. */
static Datum
MakeArgument(const Batch *batch, int arg, uint64 round, pg_prng_state *rng, bool *isnull)
{
	bool		systematic = batch->systematic == arg;
	Datum		value = PoolValue(batch, arg, systematic ? batch->seed : Pick(rng, INT_MAX), isnull);

	if (*isnull || !batch->damage || batch->whole[arg] || !IsDocumentType(batch->types[arg]))
		return value;
	if (systematic)
	{
		struct varlena *copy = PG_DETOAST_DATUM_COPY(value);

		DamageNth((unsigned char *) VARDATA(copy), VARSIZE(copy) - VARHDRSZ, ALIGNED_WORDS, round);
		return PointerGetDatum(copy);
	}
	if (batch->systematic >= 0 || Pick(rng, 4) == 0)
		return value;
	return PointerGetDatum(DamagedCopy(value, rng));
}

static void
MakeArguments(Batch *batch, uint64 round)
{
	pg_prng_state rng;

	pg_prng_seed(&rng, batch->seed * 1000003 + round);
	for (int i = 0; i < batch->nargs; i++)
	{
		bool		isnull;

		batch->values[i] = MakeArgument(batch, i, round, &rng, &isnull);
		batch->nulls[i] = isnull ? 'n' : ' ';
	}
}

/* A value as SQL that recreates it, even if its bytes are damaged */
static void
Render(StringInfo out, Datum value, bool isnull, Oid type)
{
	Oid			output;
	bool		is_varlena;

	if (isnull)
		appendStringInfo(out, "NULL::%s", format_type_be(type));
	else if (IsDocumentType(type))
	{
		struct varlena *bytes = PG_DETOAST_DATUM_PACKED(value);

		appendStringInfo(out, "fuzz_%s('\\x", format_type_be(type));
		for (int i = 0; i < VARSIZE_ANY_EXHDR(bytes); i++)
			appendStringInfo(out, "%02x", ((unsigned char *) VARDATA_ANY(bytes))[i]);
		appendStringInfoString(out, "')");
	}
	else if (get_typtype(type) == TYPTYPE_COMPOSITE)
	{
		HeapTupleHeader row = DatumGetHeapTupleHeader(value);
		TupleDesc	desc = lookup_rowtype_tupdesc_copy(type, -1);
		HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row),.t_data = row};

		appendStringInfoString(out, "ROW(");
		for (int i = 0; i < desc->natts; i++)
		{
			Datum		attribute = heap_getattr(&tuple, i + 1, desc, &isnull);

			appendStringInfoString(out, i ? ", " : "");
			Render(out, attribute, isnull, TupleDescAttr(desc, i)->atttypid);
		}
		appendStringInfo(out, ")::%s", format_type_be(type));
	}
	else
	{
		getTypeOutputInfo(type, &output, &is_varlena);
		appendStringInfo(out, "%s::%s", quote_literal_cstr(OidOutputFunctionCall(output, value)), format_type_be(type));
	}
}

/* The statement of this round, with its values in place of the parameters */
static char *
RenderStatement(const Batch *batch)
{
	StringInfoData out;
	const char *s = batch->statement;

	initStringInfo(&out);
	while (*s)
	{
		if (*s == '$')
		{
			int			arg = strtol(s + 1, (char **) &s, 10) - 1;

			Render(&out, batch->values[arg], batch->nulls[arg] == 'n', batch->types[arg]);
		}
		else
			appendStringInfoChar(&out, *s++);
	}
	return out.data;
}

static void
ExecuteBatch(void *data)
{
	Batch	   *batch = data;

	SPI_execute_plan(batch->plan, batch->values, batch->nulls, true, 0);
	SPI_freetuptable(SPI_tuptable);
}

static void
RunCall(Batch *batch, uint64 round, const Judgement *judgement)
{
	char	   *problem;

	CHECK_FOR_INTERRUPTS();
	MakeArguments(batch, round);
	WriteProgress(round);
	problem = Attempt(ExecuteBatch, batch, judgement);
	if (problem)
		ereport(WARNING,
				(errmsg("fuzz: round %llu: %s", (unsigned long long) round, problem),
				 errdetail("%s", RenderStatement(batch))));
}

/*
 * fuzz_calls(statement text, pools text[], seed bigint, damage boolean,
 * systematic boolean, count bigint, max_seconds float8, quiet boolean): how often the
 * statement was executed, with random values from the pools as its parameters.  Only
 * json and jsonb values from pools named p_ are damaged: at random, or the first of
 * them in every possible way, one after the other.
 */
Datum
fuzz_calls(PG_FUNCTION_ARGS)
{
	Batch	   *batch = palloc0(sizeof(Batch));
	MemoryContext per_round = AllocSetContextCreate(CurrentMemoryContext, "round", ALLOCSET_DEFAULT_SIZES);
	int64		count = PG_GETARG_INT64(5);
	Judgement	judgement = {.max_seconds = PG_GETARG_FLOAT8(6),.patience = PG_GETARG_FLOAT8(6),.quiet = PG_GETARG_BOOL(7)};
	Size		used;

	SPI_connect();
	ReadBatch(batch, fcinfo);
	count = Min(count, batch->rounds);
	/* Planned with the values known, so that support functions see them, too. */
	batch->plan = SPI_prepare_cursor(batch->statement, batch->nargs, batch->types,
									 batch->seed % 8 == 0 ? CURSOR_OPT_CUSTOM_PLAN : CURSOR_OPT_GENERIC_PLAN);
	MemoryContextSwitchTo(per_round);
	used = MemoryContextMemAllocated(TopMemoryContext, true);
	for (int64 round = 0; round < count; round++)
	{
		RunCall(batch, round, &judgement);
		MemoryContextReset(per_round);
	}
	if (MemoryContextMemAllocated(TopMemoryContext, true) > used + MAX_GROWTH)
		ereport(WARNING, (errmsg("fuzz: memory lost"), errdetail("%s", batch->statement)));
	SPI_finish();
	PG_RETURN_INT64(count);
}

/* fuzz_statement(as above, with round in place of count): that round's call */
Datum
fuzz_statement(PG_FUNCTION_ARGS)
{
	Batch	   *batch = palloc0(sizeof(Batch));
	MemoryContext context = CurrentMemoryContext;
	char	   *statement;

	SPI_connect();
	ReadBatch(batch, fcinfo);
	MakeArguments(batch, PG_GETARG_INT64(5));
	statement = MemoryContextStrdup(context, RenderStatement(batch));
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(statement));
}

/*
 * Serialized states
 */

/* The states that are put together */
typedef enum Order
{
	ALONE,
	DAMAGED_FIRST,
	GOOD_FIRST,
} Order;

static const char *const order_names[] = {"alone", "damaged first", "damaged second"};

typedef struct States
{
	FunctionCallInfo fcinfo;	/* of the final function that is running */
	FmgrInfo	serial;
	FmgrInfo	deserial;
	FmgrInfo	combine;
	FmgrInfo	final;
	bytea	   *good;
	bytea	   *damaged;
	Order		order;
} States;

/* The arguments of fuzz_target, for the next aggregates of fuzz_states */
static Oid	target_aggregate;
static uint64 target_seed;
static int64 target_first;
static int64 target_count;
static double target_max_seconds;

/*
 * fuzz_target(aggregate regprocedure, seed bigint, first bigint, count
 * bigint, max_seconds float8): whose states fuzz_states damages, and how
 */
Datum
fuzz_target(PG_FUNCTION_ARGS)
{
	target_aggregate = PG_GETARG_OID(0);
	target_seed = PG_GETARG_INT64(1);
	target_first = PG_GETARG_INT64(2);
	target_count = PG_GETARG_INT64(3);
	target_max_seconds = PG_GETARG_FLOAT8(4);
	PG_RETURN_VOID();
}

/* Call one of the aggregate's functions as the executor would. */
static Datum
Call(States *states, FmgrInfo *function, Datum first, bool isnull, Datum second, int nargs)
{
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	Datum		result;

	InitFunctionCallInfoData(*call, function, nargs, states->fcinfo->fncollation,
							 states->fcinfo->context, NULL);
	for (int i = 0; i < nargs; i++)
	{
		call->args[i].value = (Datum) 0;
		call->args[i].isnull = function == &states->final;	/* but the state */
	}
	call->args[0].value = first;
	call->args[0].isnull = isnull;
	if (nargs > 1 && function == &states->combine)
		call->args[1].value = second;
	result = FunctionCallInvoke(call);
	if (call->isnull)
		elog(ERROR, "function %u returned NULL", function->fn_oid);
	return result;
}

static Datum
Deserialize(States *states, const bytea *bytes)
{
	Size		size = VARSIZE(bytes);

	return Call(states, &states->deserial, PointerGetDatum(memcpy(palloc(size), bytes, size)), false, (Datum) 0, 2);
}

/* What the leader of parallel workers does with a damaged state */
static void
CombineStates(void *data)
{
	States	   *states = data;
	const bytea *first = states->order == GOOD_FIRST ? states->good : states->damaged;
	const bytea *second = states->order == GOOD_FIRST ? states->damaged : states->good;
	Datum		state = Call(states, &states->combine, (Datum) 0, true, Deserialize(states, first), 2);

	if (states->order != ALONE)
		state = Call(states, &states->combine, state, false, Deserialize(states, second), 2);
	Touch(Call(states, &states->serial, state, false, (Datum) 0, 1), BYTEAOID);
	Touch(Call(states, &states->final, state, false, (Datum) 0, states->fcinfo->nargs),
		  get_func_rettype(states->final.fn_oid));
}

static void
FindFunctions(States *states)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(target_aggregate));
	Form_pg_aggregate form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "fuzz_target was not called");
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	fmgr_info(form->aggserialfn, &states->serial);
	fmgr_info(form->aggdeserialfn, &states->deserial);
	fmgr_info(form->aggcombinefn, &states->combine);
	fmgr_info(form->aggfinalfn, &states->final);
	fmgr_info_set_expr(states->fcinfo->flinfo->fn_expr, &states->final);
	ReleaseSysCache(tuple);
}

/* The state of a round: damaged in every possible way, then at random */
static bytea *
DamagedState(const bytea *good, uint64 round)
{
	bytea	   *copy = (bytea *) PG_DETOAST_DATUM_COPY(PointerGetDatum(good));
	int			len = VARSIZE(copy) - VARHDRSZ;
	pg_prng_state rng;

	if (round < DamageCount(len, STATE_WORDS))
	{
		DamageNth((unsigned char *) VARDATA(copy), len, STATE_WORDS, round);
		return copy;
	}
	pg_prng_seed(&rng, target_seed * 1000003 + round);
	return (bytea *) DamagedCopy(PointerGetDatum(good), &rng);
}

static void
RunState(States *states, uint64 round)
{
	/* A damaged state may say that it has millions of rows that are NULL. */
	Judgement	judgement = {.max_seconds = target_max_seconds,.patience = target_max_seconds / 20};
	char	   *problem;

	CHECK_FOR_INTERRUPTS();
	WriteProgress(round);
	states->damaged = DamagedState(states->good, round);
	for (states->order = ALONE; states->order <= GOOD_FIRST; states->order++)
	{
		problem = Attempt(CombineStates, states, &judgement);
		if (problem)
			ereport(WARNING,
					(errmsg("fuzz: round %llu, %s: %s", (unsigned long long) round, order_names[states->order], problem),
					 errdetail("state %s", DatumGetCString(DirectFunctionCall1(byteaout, PointerGetDatum(states->damaged))))));
	}
}

/*
 * fuzz_states(internal, ...): final function of an aggregate with our
 * transition function; how many damaged states it has tried
 */
Datum
fuzz_states(PG_FUNCTION_ARGS)
{
	States		states = {.fcinfo = fcinfo};
	MemoryContext old = CurrentMemoryContext;
	MemoryContext per_round;

	if (PG_ARGISNULL(0))
		PG_RETURN_INT64(0);
	FindFunctions(&states);
	states.good = DatumGetByteaP(Call(&states, &states.serial, PG_GETARG_DATUM(0), false, (Datum) 0, 1));
	per_round = AllocSetContextCreate(old, "round", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(per_round);
	for (int64 round = target_first; round < target_first + target_count; round++)
	{
		RunState(&states, round);
		MemoryContextReset(per_round);
	}
	MemoryContextSwitchTo(old);
	PG_RETURN_INT64(target_count);
}
