// Package jsonrow reads and writes the documents of jsonrow, an extension for PostgreSQL that sends rows as arrays,
// and the names of their columns once, in a header.
//
// A document is read into a slice of structs. The names of its columns are looked up once, by the rules and tags of
// encoding/json: a column without a field is ignored, a field without a column is left as it is, and the order of
// the columns does not matter.
package jsonrow

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// Unmarshal reads a document, by row or by column, into rows. T is what encoding/json would read the rows into if they
// were objects: a struct, or a map, or a pointer to a struct, which a row that is NULL as a whole leaves nil.
//
// An error is a [DocumentError], an [EndedEarlyError] or a [CellError], and leaves rows as they were.
func Unmarshal[T any](doc []byte, rows *[]T) error {
	var read []T
	if err := unmarshal(doc, reflect.ValueOf(&read).Elem()); err != nil {
		return err
	}
	*rows = read
	return nil
}

// Rows is a slice that knows how to be a document: for [database/sql], for drivers such as pgx, and as a field of
// other JSON. A NULL is nil.
type Rows[T any] []T

// A documentSlice is a Rows of any type.
type documentSlice interface{ isDocument() }

var documentType = reflect.TypeOf((*documentSlice)(nil)).Elem()

func (Rows[T]) isDocument() {}

// UnmarshalJSON is [Unmarshal]; null makes it nil.
func (r *Rows[T]) UnmarshalJSON(doc []byte) error {
	if string(doc) == "null" {
		*r = nil
		return nil
	}
	return Unmarshal(doc, (*[]T)(r))
}

// Scan implements [database/sql.Scanner].
func (r *Rows[T]) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*r = nil
		return nil
	case string:
		return Unmarshal([]byte(value), (*[]T)(r))
	case []byte:
		return Unmarshal(value, (*[]T)(r))
	default:
		return fmt.Errorf("jsonrow: cannot read a document from %T", value)
	}
}

// ScanBytes implements pgx's BytesScanner, which saves a copy of the document.
func (r *Rows[T]) ScanBytes(value []byte) error {
	if value == nil {
		*r = nil
		return nil
	}
	return Unmarshal(value, (*[]T)(r))
}

// MarshalJSON is [Marshal].
func (r Rows[T]) MarshalJSON() ([]byte, error) { return Marshal([]T(r)) }

// Value implements [driver.Valuer]. If it is nil, that is a document without rows: a pointer to Rows can be NULL.
func (r Rows[T]) Value() (driver.Value, error) {
	doc, err := Marshal([]T(r))
	return string(doc), err
}
