// Package jsonrowpgx runs queries of jsonrow's documents and streams with pgx.
//
// It needs nothing to be registered: a [jsonrow.Rows] can be scanned, alone or as a field of what
// pgx.RowToStructByName makes, and can be a parameter. A value is read as a document because of what it is scanned
// into, never because of what it looks like: PostgreSQL sends the domains jsonrow and jsonrow_json as jsonb and json.
package jsonrowpgx

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/jsonrow/jsonrow/clients/go"
)

// Querier is a connection, a pool or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Query returns the rows of the document that a query returns: in one row, as the only column. They are nil if
// it is NULL. If there is no row, or more than one, the error is [pgx.ErrNoRows] or [pgx.ErrTooManyRows].
func Query[T any](ctx context.Context, db Querier, sql string, args ...any) ([]T, error) {
	result, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectExactlyOneRow(result, func(row pgx.CollectableRow) ([]T, error) {
		var rows jsonrow.Rows[T]
		err := row.Scan(&rows)
		return rows, err
	})
}

// Stream returns the rows of a query of jsonrow_stream or jsonrow_stream_lines one by one, for a loop over functions
// (Go 1.23):
//
//	for film, err := range jsonrowpgx.Stream[Film](ctx, conn, "SELECT jsonrow_stream($1)", query) { ... }
//
// The query runs when the loop begins, and is ended when the loop is left. An error is the last: that of the query,
// or a [jsonrow.EndedEarlyError] if rows are missing.
func Stream[T any](ctx context.Context, db Querier, sql string, args ...any) func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		result, err := db.Query(ctx, sql, args...)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		defer result.Close()
		jsonrow.NewRowsDecoder[T](result).All()(yield)
	}
}
