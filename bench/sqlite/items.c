/*
 * SQLite's JSON1 compared with a hand-written serializer.  Both are in C and
 * in-process, and write rows of (id, name, value, score) as JSON text.
 *
 *		items ROWS ROUNDS		median microseconds of a call, by way
 *		items ROWS				the texts themselves, a line each
 *
 * The serializer prints floating point numbers by Ryu, which PostgreSQL's
 * libpgcommon has.
 */
#include "postgres_fe.h"

#include <time.h>

#include "common/shortest_dec.h"
#include "sqlite3.h"

typedef struct Buffer
{
	char	   *data;
	size_t		len;
	size_t		size;
} Buffer;

static void
fail(const char *what)
{
	fprintf(stderr, "items: %s\n", what);
	exit(1);
}

/* Room for that many more bytes, at the end. */
static inline char *
reserve(Buffer *buf, size_t len)
{
	if (buf->len + len > buf->size)
	{
		buf->size = (buf->len + len) * 2;
		buf->data = realloc(buf->data, buf->size);
		if (buf->data == NULL)
			fail("out of memory");
	}
	return buf->data + buf->len;
}

static inline void
append(Buffer *buf, const char *text, size_t len)
{
	memcpy(reserve(buf, len), text, len);
	buf->len += len;
}

#define append_literal(buf, text) append((buf), (text), sizeof(text) - 1)

static void
append_text(Buffer *buf, const unsigned char *text, int len)
{
	char	   *out = reserve(buf, (size_t) len * 6 + 2);

	*out++ = '"';
	for (int i = 0; i < len; i++)
	{
		unsigned char c = text[i];

		if (likely(c >= 0x20 && c != '"' && c != '\\'))
			*out++ = c;
		else if (c == '"' || c == '\\')
		{
			*out++ = '\\';
			*out++ = c;
		}
		else
			out += sprintf(out, "\\u%04x", c);
	}
	*out++ = '"';
	buf->len = out - buf->data;
}

static void
append_int(Buffer *buf, sqlite3_int64 value)
{
	char		digits[24];
	char	   *end = digits + sizeof(digits);
	char	   *at = end;
	uint64		rest = value < 0 ? 0 - (uint64) value : (uint64) value;

	do
		*--at = '0' + rest % 10;
	while ((rest /= 10) != 0);
	if (value < 0)
		*--at = '-';
	append(buf, at, end - at);
}

static void
append_real(Buffer *buf, double value)
{
	buf->len += double_to_shortest_decimal_bufn(value, reserve(buf, DOUBLE_SHORTEST_DECIMAL_LEN));
}

static void
append_row(Buffer *buf, sqlite3_stmt *stmt)
{
	append_literal(buf, "{\"id\":");
	append_int(buf, sqlite3_column_int64(stmt, 0));
	append_literal(buf, ",\"name\":");
	append_text(buf, sqlite3_column_text(stmt, 1), sqlite3_column_bytes(stmt, 1));
	append_literal(buf, ",\"value\":");
	append_real(buf, sqlite3_column_double(stmt, 2));
	append_literal(buf, ",\"score\":");
	append_real(buf, sqlite3_column_double(stmt, 3));
	append_literal(buf, "}");
}

/* The rows of the statement, serialized by hand. */
static void
by_hand(sqlite3_stmt *stmt, Buffer *buf)
{
	append_literal(buf, "[");
	while (sqlite3_step(stmt) == SQLITE_ROW)
	{
		if (buf->len > 1)
			append_literal(buf, ",");
		append_row(buf, stmt);
	}
	append_literal(buf, "]");
}

/* The one text that SQLite itself has made of them. */
static void
by_json1(sqlite3_stmt *stmt, Buffer *buf)
{
	if (sqlite3_step(stmt) != SQLITE_ROW)
		fail("no row");
	append(buf, (const char *) sqlite3_column_text(stmt, 0), sqlite3_column_bytes(stmt, 0));
}

static const struct Way
{
	const char *name;
	const char *sql;
	void		(*fetch) (sqlite3_stmt *stmt, Buffer *buf);
}			ways[] = {
	{"objects, serialized by hand", "SELECT id, name, value, score FROM items LIMIT ?", by_hand},
	{"json_group_array(json_object)", "SELECT json_group_array(json_object('id', id, 'name', name, 'value', value, 'score', score)) FROM items WHERE id <= ?", by_json1},
	{"json_group_array(json_array)", "SELECT json_group_array(json_array(id, name, value, score)) FROM items WHERE id <= ?", by_json1},
};

static sqlite3 *
make_items(int rows)
{
	sqlite3    *db;
	char		insert[300];

	snprintf(insert, sizeof(insert), "INSERT INTO items WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) "
			 "SELECT i, 'item ' || i, i * 1.25, i %% 100 / 7.0 FROM s", rows);
	if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
		sqlite3_exec(db, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, value REAL, score REAL)", NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, insert, NULL, NULL, NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(db));
	return db;
}

static double
microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int
compare(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

static void
fetch(const struct Way *way, sqlite3_stmt *stmt, Buffer *buf)
{
	buf->len = 0;
	way->fetch(stmt, buf);
	sqlite3_reset(stmt);
}

/* The median of this many calls of each way; the ways take turns. */
static void
time_ways(sqlite3_stmt **stmts, int rounds)
{
	Buffer		buf = {0};
	double	   *taken = calloc((size_t) rounds * lengthof(ways), sizeof(double));

	for (int r = 0; r < rounds; r++)
		for (int w = 0; w < lengthof(ways); w++)
		{
			double		started = microseconds();

			fetch(&ways[w], stmts[w], &buf);
			taken[w * rounds + r] = microseconds() - started;
		}
	for (int w = 0; w < lengthof(ways); w++)
	{
		qsort(taken + w * rounds, rounds, sizeof(double), compare);
		printf("%s\t%g\n", ways[w].name, taken[w * rounds + rounds / 2]);
	}
	free(taken);
	free(buf.data);
}

static void
print_ways(sqlite3_stmt **stmts)
{
	Buffer		buf = {0};

	for (int w = 0; w < lengthof(ways); w++)
	{
		fetch(&ways[w], stmts[w], &buf);
		printf("%.*s\n", (int) buf.len, buf.data);
	}
	free(buf.data);
}

int
main(int argc, char **argv)
{
	int			rows = argc > 1 ? atoi(argv[1]) : 0;
	int			rounds = argc > 2 ? atoi(argv[2]) : 0;
	sqlite3    *db;
	sqlite3_stmt *stmts[lengthof(ways)];

	if (rows < 1 || rounds < 0)
		fail("usage: items ROWS [ROUNDS]");
	db = make_items(rows);
	for (int w = 0; w < lengthof(ways); w++)
		if (sqlite3_prepare_v2(db, ways[w].sql, -1, &stmts[w], NULL) != SQLITE_OK ||
			sqlite3_bind_int(stmts[w], 1, rows) != SQLITE_OK)
			fail(sqlite3_errmsg(db));
	if (rounds > 0)
		time_ways(stmts, rounds);
	else
		print_ways(stmts);
	for (int w = 0; w < lengthof(ways); w++)
		sqlite3_finalize(stmts[w]);
	sqlite3_close(db);
	return 0;
}
