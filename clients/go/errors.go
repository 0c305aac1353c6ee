package jsonrow

import (
	"errors"
	"fmt"
	"io"
)

// A DocumentError says that what was read is not a jsonrow document: it is not JSON, a member is missing, or a row
// has more or fewer cells than there are columns.
type DocumentError struct {
	Place
	Reason string
}

func (e *DocumentError) Error() string {
	return "jsonrow: not a document: " + e.Reason + e.Place.String()
}

// An EndedEarlyError says that a document or stream ended before its end was read: the query failed, or the
// connection was lost. It is an [io.ErrUnexpectedEOF].
type EndedEarlyError struct {
	Place
	Reason string
}

func (e *EndedEarlyError) Error() string {
	return "jsonrow: ended early: " + e.Reason + e.Place.String()
}

func (e *EndedEarlyError) Unwrap() error { return io.ErrUnexpectedEOF }

// A CellError says that a cell's value does not fit into its field: in most cases Err is a
// [json.UnmarshalTypeError], or what a method UnmarshalJSON or UnmarshalText has returned.
type CellError struct {
	Place
	Err error
}

func (e *CellError) Error() string { return "jsonrow: " + e.Err.Error() + e.Place.String() }

func (e *CellError) Unwrap() error { return e.Err }

// A Place is where in a document an error is.
type Place struct {
	Row    int    // from 0; -1 outside of the rows. In an EndedEarlyError, the number of whole rows.
	Column string // its name; within nested rows as in "actors[2].name"; empty outside of a cell
	Offset int64  // in bytes from the beginning of the document or stream
}

// String gives the place for the end of a message.
func (p Place) String() string {
	text := ""
	if p.Row >= 0 {
		text = fmt.Sprintf(", row %d", p.Row)
	}
	if p.Column != "" {
		text += ", column " + p.Column
	}
	return fmt.Sprintf("%s at byte %d", text, p.Offset)
}

// errShort: the text ended. Within a stream, more may come.
var errShort = errors.New("unexpected end of JSON")

// A failure becomes one of the errors above where the row is known.
type failure struct {
	column string // grows from the innermost to the outermost
	offset int    // in the parser's text
	reason string // of what is not a document
	err    error  // or errShort, or of a cell
}

func (f *failure) Error() string {
	if f.err != nil {
		return f.err.Error()
	}
	return f.reason
}

// within names the column, or the nested row, in which something failed.
func within(name string, err error) error {
	f, ok := err.(*failure)
	if !ok {
		f = &failure{err: err}
	}
	switch {
	case f.column == "":
		f.column = name
	case f.column[0] == '[':
		f.column = name + f.column
	default:
		f.column = name + "." + f.column
	}
	return f
}

// public gives the error that the caller gets.
func public(err error, row int, base int64) error {
	f, ok := err.(*failure)
	if !ok || f == nil {
		return err
	}
	place := Place{row, f.column, base + int64(f.offset)}
	switch {
	case f.err == errShort:
		return &EndedEarlyError{place, f.Error()}
	case f.err != nil:
		return &CellError{place, f.err}
	default:
		return &DocumentError{place, f.reason}
	}
}
