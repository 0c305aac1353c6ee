package jsonrowpgx_test

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/jsonrow/jsonrow/clients/go"
	"github.com/jsonrow/jsonrow/clients/go/jsonrowpgx"
)

type Actor struct {
	Name string `json:"name"`
}

type Film struct {
	ID     int     `json:"id"`
	Title  *string `json:"title"`
	Actors []Actor `json:"actors"`
}

// connect connects to the server that PGHOST and so on name, to a database that has jsonrow.
func connect(t *testing.T) (context.Context, *pgx.Conn) {
	if os.Getenv("PGDATABASE") == "" {
		t.Skip("PGDATABASE names no database")
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	exec(t, conn, `
		SET client_min_messages = warning;
		CREATE TEMPORARY TABLE film (id int, title text);
		CREATE TEMPORARY TABLE actor (film_id int, name text);
		CREATE TEMPORARY TABLE report (doc jsonrow, text jsonrow_json);
		INSERT INTO film VALUES (1, 'Alien'), (2, NULL);
		INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt')`)
	return ctx, conn
}

func exec(t *testing.T, conn *pgx.Conn, sql string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), sql, args...); err != nil {
		t.Fatal(sql, err)
	}
}

const nested = `SELECT AGGREGATE(f.*) FROM (SELECT (SELECT AGGREGATE(a.*) FROM (
	SELECT name FROM actor WHERE film_id = film.id ORDER BY name) a) AS actors, title, id FROM film ORDER BY id) f`

func films() []Film {
	alien := "Alien"
	return []Film{{1, &alien, []Actor{{"Hurt"}, {"Weaver"}}}, {2, nil, []Actor{}}}
}

// The columns are in another order than the fields.
func TestQuery(t *testing.T) {
	ctx, conn := connect(t)
	for _, aggregate := range []string{"jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg", "jsoncol_agg_json"} {
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec,
			pgx.QueryExecModeSimpleProtocol} {
			got, err := jsonrowpgx.Query[Film](ctx, conn, strings.ReplaceAll(nested, "AGGREGATE", aggregate), mode)
			if err != nil || !reflect.DeepEqual(got, films()) {
				t.Errorf("%s: %+v, %v", aggregate, got, err)
			}
		}
	}
	got, err := jsonrowpgx.Query[Film](ctx, conn, "SELECT jsonrow_agg(f) FROM film f WHERE id < $1", 0)
	if err != nil || got == nil || len(got) != 0 {
		t.Error(got, err)
	}
	if got, err = jsonrowpgx.Query[Film](ctx, conn, "SELECT NULL::jsonrow"); err != nil || got != nil {
		t.Error(got, err)
	}
	if _, err = jsonrowpgx.Query[Film](ctx, conn, "SELECT NULL::jsonrow WHERE false"); err != pgx.ErrNoRows {
		t.Error(err)
	}
	const two = "SELECT jsonrow_agg(f) FROM film f GROUP BY id"
	if got, err = jsonrowpgx.Query[Film](ctx, conn, two); !errors.Is(err, pgx.ErrTooManyRows) || got != nil {
		t.Error(got, err)
	}
	var wrong *jsonrow.DocumentError
	if _, err = jsonrowpgx.Query[Film](ctx, conn, `SELECT '{"a": 1}'::jsonb`); !errors.As(err, &wrong) {
		t.Error(err)
	}
	var other *pgconn.PgError
	if _, err = jsonrowpgx.Query[Film](ctx, conn, "SELECT 1 / 0"); !errors.As(err, &other) {
		t.Error(err)
	}
}

// time.Time is what pgx itself reads of these columns.
func TestTimes(t *testing.T) {
	ctx, conn := connect(t)
	type row struct {
		D, Ts, Tz time.Time
		None      *time.Time
		Days      []time.Time
	}
	const query = `SELECT date '2026-01-02' AS d, timestamp '2026-01-02 03:04:05.678901' AS ts,
		timestamptz '2026-01-02 03:04:05+00' AS tz, NULL::date AS "none", ARRAY[date '0001-01-02'] AS days`
	rows, err := conn.Query(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	want, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[row])
	if err != nil {
		t.Fatal(err)
	}
	got, err := jsonrowpgx.Query[row](ctx, conn, "SELECT jsonrow_agg(q) FROM ("+query+") q")
	if err != nil || len(got) != 1 || !got[0].Tz.Equal(want.Tz) {
		t.Fatal(got, err)
	}
	got[0].Tz = want.Tz
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("%v, not %v", got[0], want)
	}
}

func TestScan(t *testing.T) {
	ctx, conn := connect(t)
	type page struct {
		Count int64
		Films jsonrow.Rows[*Film]
		Other any
	}
	rows, err := conn.Query(ctx, `SELECT count(*), jsonrow_agg(f) AS films, jsonrow_agg(f) AS other FROM film f`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[page])
	if err != nil || got.Count != 2 || *got.Films[0].Title != "Alien" || got.Films[1].ID != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if document, ok := got.Other.(map[string]any); !ok || document["cols"] == nil {
		t.Errorf("what is not asked for is decoded: %v", got.Other)
	}
}

func TestParameters(t *testing.T) {
	ctx, conn := connect(t)
	more := jsonrow.Rows[Film]{{ID: 3, Actors: []Actor{{"x"}}}, {ID: 4}}
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec,
		pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeCacheDescribe} {
		exec(t, conn, "INSERT INTO film SELECT * FROM jsonrow_populate_recordset(NULL::film, $1)", mode, more)
		exec(t, conn, "INSERT INTO report VALUES ($1, $2)", mode, more, more)
		exec(t, conn, "INSERT INTO report VALUES ($1, $2)", mode, &more, nil)
	}
	var count int
	err := conn.QueryRow(ctx, "SELECT count(*) FROM film WHERE id > 2 AND title IS NULL").Scan(&count)
	if err != nil || count != 10 {
		t.Error(count, err)
	}
	var doc, text jsonrow.Rows[Film]
	err = conn.QueryRow(ctx, "SELECT doc, text FROM report").Scan(&doc, &text)
	if err != nil || !reflect.DeepEqual(doc, more) || !reflect.DeepEqual(text, more) {
		t.Error(doc, text, err)
	}
}

func TestStream(t *testing.T) {
	ctx, conn := connect(t)
	type row struct {
		N    int
		Text string
	}
	const rows = "SELECT repeat('x', 50) AS text, 1 / (i - $1) AS x, i AS n FROM generate_series(1, 30000) i"
	for _, stream := range []string{"jsonrow_stream", "jsonrow_stream_lines"} {
		count := 0
		jsonrowpgx.Stream[row](ctx, conn, "SELECT "+stream+"($1, $2::int)", rows, 0)(func(r row, err error) bool {
			count++
			if err != nil || r.N != count || len(r.Text) != 50 {
				t.Fatal(r, count, err)
			}
			return true
		})
		if count != 30000 {
			t.Error(count)
		}
		count = 0
		var last error
		jsonrowpgx.Stream[row](ctx, conn, "SELECT "+stream+"($1, $2::int)", rows, 20000)(func(r row, err error) bool {
			count, last = count+1, err
			return true
		})
		var wrong *pgconn.PgError
		if !errors.As(last, &wrong) || wrong.Code != "22012" || count < 10000 {
			t.Error(count, last)
		}
		jsonrowpgx.Stream[row](ctx, conn, "SELECT "+stream+"($1, $2::int)", rows, 0)(func(row, error) bool { return false })
		exec(t, conn, "SELECT 1") // the connection is free again
	}
	for sql, message := range map[string]string{
		`SELECT E'{"cols":["n"]}\n[1]\n'`:             "jsonrow: ended early: the end is missing, row 1 at byte 19",
		`SELECT E'{"cols":["n"]}\n[1]\n{"rows":2}\n'`: "jsonrow: ended early: 1 of 2 rows, row 1 at byte 29",
		`SELECT '{"cols":["n"]'`:                      "jsonrow: ended early: the end is missing at byte 13",
		`SELECT NULL::text`:                           "jsonrow: ended early: the end is missing at byte 0",
		`SELECT '{"cols":["n"],"rows":[[1],["a"]]}'`: "jsonrow: json: cannot unmarshal string into Go value of type int" +
			", row 1, column n at byte 27",
		`SELECT '1' UNION ALL SELECT 'x'`: "jsonrow: not a document: '1' instead of a document at byte 0",
	} {
		var last error
		jsonrowpgx.Stream[row](ctx, conn, sql)(func(_ row, err error) bool { last = err; return true })
		if last == nil || last.Error() != message {
			t.Errorf("%s:\n%v, not\n%s", sql, last, message)
		}
	}
}
