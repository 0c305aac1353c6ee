package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Runs what doc/go.md shows, which test/docs/go/test puts beside this file.
func main() {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "") // what PGHOST and so on name
	check(err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `
		SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS jsonrow;
		CREATE TEMPORARY TABLE film (id int, title text);
		CREATE TEMPORARY TABLE actor (film_id int, name text);
		CREATE TEMPORARY TABLE report (doc jsonrow);
		INSERT INTO film VALUES (1, 'Alien');
		INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt')`)
	check(err)
	check(insert(ctx, conn))
	check(printFilms(ctx, conn))
	check(printTitles(ctx, conn))
	others(ctx, conn)
}

// Two columns of any type
type pair [2]any

func (*pair) cols() header { return `["id", "title"]` }

type long struct{ X string }

func (l *long) UnmarshalJSON(row []byte) error { return cells(row, &l.X) }
func (*long) cols() header                     { return `["x"]` }

// What the page says without showing it
func others(ctx context.Context, conn *pgx.Conn) {
	for _, sql := range []string{"jsonrow_agg(f.*)", "jsonrow_agg(f.*)::jsonb", "jsonrow_agg_json(f.*)::json",
		"jsonrow_agg_json(f.*)"} {
		var doc Doc[*Film]
		check(conn.QueryRow(ctx, "SELECT "+sql+` FROM (SELECT id, NULL::text AS title, (SELECT jsonrow_agg(a.*)
			FROM (SELECT name FROM actor WHERE film_id = film.id) a) AS actors FROM film) f`).Scan(&doc))
		if len(doc.Rows) != 3 || doc.Rows[0].Title != nil || len(doc.Rows[0].Actors) != 2 {
			check(fmt.Errorf("%s: %v", sql, doc))
		}
	}
	var stored Doc[*pair]
	check(conn.QueryRow(ctx, "SELECT doc FROM report").Scan(&stored))
	if len(stored.Rows) != 2 || stored.Rows[1][1] != "Casablanca" {
		check(fmt.Errorf("stored: %v", stored))
	}
	var null Doc[*Film]
	check(conn.QueryRow(ctx,
		`SELECT '{"cols":["id","title",{"actors":[[]]}],"rows":[null,[1,"a",null]]}'::jsonb`).Scan(&null))
	if null.Rows[0] != nil || null.Rows[1].ID != 1 {
		check(fmt.Errorf("null rows: %v", null))
	}
	check(conn.QueryRow(ctx, `SELECT '{"cols":[],"rows":[]}'::jsonb`).Scan(&null))
	refused("has 1 cells, not 3", conn.QueryRow(ctx,
		`SELECT '{"cols":["id","title",{"actors":[["name"]]}],"rows":[[1]]}'::jsonb`).Scan(&null))
	refused("not a document by row", conn.QueryRow(ctx,
		`SELECT '{"cols":["id","title",{"actors":[["name"]]}],"vals":[[1],["a"],[[]]]}'::jsonb`).Scan(&null))
	headers(ctx, conn)
	ignore := func(*Title) error { return nil }
	refused("cut off", lines(ctx, conn, ignore, "SELECT E'{\"cols\":[\"title\"]}\\n[\"b\"]\\n{\"rows\":2}\\n'"))
	refused("cut off", lines(ctx, conn, ignore, "SELECT E'{\"cols\":[\"title\"]}\\n[\"b\"]\\n'"))
	refused(`columns are ["id"], not ["title"]`, lines(ctx, conn, ignore,
		"SELECT jsonrow_stream_lines('SELECT title AS id FROM film')"))
	refused("division by zero", lines(ctx, conn, func(*long) error { return nil }, "SELECT jsonrow_stream_lines("+
		"'SELECT repeat(''x'', 50 / (20000 - i)) || i AS x FROM generate_series(1, 30000) i')"))
	count := 0
	check(lines(ctx, conn, func(*long) error { count++; return nil },
		"SELECT jsonrow_stream_lines('SELECT repeat(''x'', 50) AS x FROM generate_series(1, $1) i', 30000)"))
	if count != 30000 {
		check(fmt.Errorf("%d rows", count))
	}
}

// Headers that are not what is expected, at either depth
func headers(ctx context.Context, conn *pgx.Conn) {
	var swapped Doc[*pair]
	refused(`columns are ["title","id"], not ["id", "title"]`,
		conn.QueryRow(ctx, "SELECT jsonrow_agg_json(f.*) FROM (SELECT title, title AS id FROM film) f").Scan(&swapped))
	for _, cols := range []string{`["title","id",{"actors":[["name"]]}]`, `["id","title",{"actors":[["role"]]}]`,
		`["id","title",{"actors":[["name","role"]]}]`, `["id","title",{"actors":["name"]}]`, `["id","title","actors"]`,
		`["id","title",{"cast":[["name"]]}]`, `["id","title"]`, `["id",{"title":[["name"]]},{"actors":[["name"]]}]`} {
		var doc Doc[*Film]
		refused("columns are ", conn.QueryRow(ctx,
			"SELECT jsonb_build_object('cols', $1::jsonb, 'rows', '[]'::jsonb)", cols).Scan(&doc))
	}
}

func refused(message string, err error) {
	if err == nil || !strings.Contains(err.Error(), message) {
		check(fmt.Errorf("not refused because of %q: %v", message, err))
	}
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
