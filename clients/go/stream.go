package jsonrow

import (
	"fmt"
	"io"
	"reflect"
)

// A Decoder reads the rows of a stream one by one: what jsonrow_stream or jsonrow_stream_lines sends, or COPY with the
// format jsonrow writes. It finds out which of the two forms it is, and holds one piece in memory.
//
//	for films := jsonrow.NewDecoder[Film](r); films.Next(); {
//		use(films.Row())
//	}
//
// After the loop, Err tells whether that was all.
type Decoder[T any] struct {
	s   stream
	row T
}

// NewDecoder makes a Decoder of text, for example a file. [NewRowsDecoder] makes one for a query's result.
func NewDecoder[T any](r io.Reader) *Decoder[T] {
	d := &Decoder[T]{s: stream{source: r}}
	d.s.row = reflect.ValueOf(&d.row).Elem()
	return d
}

// Next reads a row, which Row gives. It is false at the end and after an error.
func (d *Decoder[T]) Next() bool { return d.s.next() }

// Row gives the row that was read. It is the caller's: the next one has nothing in common with it.
func (d *Decoder[T]) Row() T { return d.row }

// Err tells why Next was false: nil if all rows were read. An [EndedEarlyError] means that there are more. Errors
// of the source, such as one of the query, are as they were.
func (d *Decoder[T]) Err() error {
	if d.s.err == io.EOF {
		return nil
	}
	return d.s.err
}

// All gives the rows for a loop over functions (Go 1.23): for row, err := range d.All() { ... }. An error is the last.
func (d *Decoder[T]) All() func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for d.Next() {
			if !yield(d.row, nil) {
				return
			}
		}
		if err := d.Err(); err != nil {
			var none T
			yield(none, err)
		}
	}
}

// RowSource is a query's result: [database/sql.Rows], or pgx.Rows.
type RowSource interface {
	Next() bool
	Scan(into ...any) error
	Err() error
}

// NewRowsDecoder makes a Decoder of a result with one column of text, the pieces of a stream. The caller closes the
// result, which closes itself only if it is read to its end.
func NewRowsDecoder[T any](rows RowSource) *Decoder[T] {
	return NewDecoder[T](&pieces{rows: rows})
}

// pieces reads a result as a text.
type pieces struct {
	rows RowSource
	rest []byte
}

func (p *pieces) Read(into []byte) (int, error) {
	for len(p.rest) == 0 {
		if !p.rows.Next() {
			if err := p.rows.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		if err := p.rows.Scan(&p.rest); err != nil {
			return 0, err
		}
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// A stream is a Decoder of any type.
type stream struct {
	source io.Reader
	row    reflect.Value // what rows are read into
	buffer parser
	base   int64 // of the buffer in the stream
	ended  error // what the source said last, io.EOF or not
	lines  bool
	plan   *rowPlan // nil before the header was read
	count  int
	err    error // io.EOF: all has been read
}

const pieceSize = 64 << 10

func (s *stream) next() bool {
	for s.err == nil {
		start, depth, found := s.buffer.pos, s.buffer.depth, false
		var err error
		if s.plan == nil {
			err = s.header()
		} else if found, err = s.rowOrEnd(); err == nil && !found {
			err = s.atEnd()
		}
		if found && err == nil {
			s.count++
			return true
		}
		if f, ok := err.(*failure); ok && f.err == errShort {
			s.buffer.pos, s.buffer.depth = start, depth
			err = s.more(f)
		}
		s.err = public(err, s.place(), s.base)
	}
	s.row.Set(reflect.Zero(s.row.Type()))
	return false
}

// place gives the row that an error is in.
func (s *stream) place() int {
	if s.plan == nil {
		return -1
	}
	return s.count
}

// more fills the buffer for another try.
func (s *stream) more(f *failure) error {
	if s.fill() {
		return nil
	}
	if s.ended != io.EOF {
		return s.ended
	}
	return &EndedEarlyError{Place{s.place(), f.column, s.base + int64(len(s.buffer.data))}, "the end is missing"}
}

// fill reads more of the stream, if there is more.  A row that is longer than a piece is tried again only when there
// is a quarter more of it, since it is read from its beginning.
func (s *stream) fill() bool {
	p := &s.buffer
	s.base += int64(p.pos)
	had := copy(p.data, p.data[p.pos:])
	p.data, p.pos = p.data[:had], 0
	wanted := had + 1
	if had > pieceSize {
		wanted = had + had/4
	}
	if cap(p.data) < wanted+pieceSize {
		p.data = append(make([]byte, 0, wanted+2*pieceSize), p.data...)
	}
	for empty := 0; len(p.data) < wanted && s.ended == nil; empty++ {
		n, err := s.source.Read(p.data[len(p.data):cap(p.data)])
		if p.data = p.data[:len(p.data)+n]; n > 0 {
			empty = 0
		}
		if s.ended = err; empty > 100 && err == nil {
			s.ended = io.ErrNoProgress
		}
	}
	return len(p.data) > had
}

// header reads a line of its own, or what is before the first row of a document.
func (s *stream) header() error {
	p := &s.buffer
	if err := p.expect('{', "a document"); err != nil {
		return err
	}
	var plan *rowPlan
	for first := true; ; first = false {
		name, more, err := p.member(first)
		switch {
		case err != nil:
			return err
		case !more && plan == nil:
			return p.wrong("there is no header")
		case !more:
			s.lines = true
		case name == "cols":
			start := p.pos
			cols, err := p.header()
			if err != nil {
				return err
			}
			plan = planFor(p.data[start:p.pos], cols, s.row.Type())
			continue
		case name == "types":
			if err := p.skipValue(); err != nil {
				return err
			}
			continue
		case name != "rows" || plan == nil:
			return p.wrong("%q cannot be streamed before the rows", name)
		default:
			if err := p.expect('[', "an array of rows"); err != nil {
				return err
			}
		}
		s.plan = plan
		return nil
	}
}

// rowOrEnd reads a row, or what is behind the last one.
func (s *stream) rowOrEnd() (found bool, err error) {
	p := &s.buffer
	if s.lines {
		if p.peek() == '{' {
			return false, s.trailer()
		}
		return true, s.read()
	}
	more, err := p.element(s.count == 0)
	if err == nil && more {
		return true, s.read()
	}
	for err == nil {
		var name string
		if name, more, err = p.member(false); err != nil || !more {
			break
		}
		if name != "types" {
			return false, p.wrong("it has a member %q after the rows", name)
		}
		err = p.skipValue()
	}
	return false, err
}

func (s *stream) read() error {
	s.row.Set(reflect.Zero(s.row.Type()))
	if s.buffer.pos >= len(s.buffer.data) {
		return s.buffer.short()
	}
	return s.plan.read(&s.buffer, s.row)
}

// trailer reads the last line, {"rows": n}.
func (s *stream) trailer() error {
	p := &s.buffer
	p.pos++
	name, more, err := p.member(true)
	if err != nil {
		return err
	}
	if !more || name != "rows" {
		return p.wrong("neither a row nor the number of rows")
	}
	var n int
	if err = intCell(p, reflect.ValueOf(&n).Elem()); err != nil {
		return err
	}
	if err = p.expect('}', "'}'"); err == nil && n != s.count {
		place := Place{s.count, "", s.base + int64(p.pos)}
		err = &EndedEarlyError{place, fmt.Sprintf("%d of %d rows", s.count, n)}
	}
	return err
}

// atEnd makes sure that nothing follows, and that the source has no error to tell: io.EOF if so.
func (s *stream) atEnd() error {
	for {
		if s.buffer.peek(); s.buffer.pos < len(s.buffer.data) {
			return s.buffer.wrong("something follows the end")
		}
		if !s.fill() {
			return s.ended
		}
	}
}
