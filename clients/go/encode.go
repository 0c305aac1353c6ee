package jsonrow

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"
)

var (
	marshalerType     = reflect.TypeOf((*json.Marshaler)(nil)).Elem()
	textMarshalerType = reflect.TypeOf((*encoding.TextMarshaler)(nil)).Elem()
)

// Marshal writes a document by row, for functions such as jsonrow_populate_recordset. T is a struct, a pointer to
// one, or a map whose keys are strings. The columns are the fields, under the names that encoding/json gives them;
// those of a map are all keys, sorted. A struct in a struct is a composite, a slice of structs a nested document.
//
// A field that omitempty or omitzero leave out is null, as is a row that is a nil pointer; bytes are written as
// PostgreSQL writes bytea. All else is what encoding/json makes of it.
func Marshal[T any](rows []T) ([]byte, error) {
	doc, err := marshal(reflect.ValueOf(rows))
	if err != nil {
		return nil, fmt.Errorf("jsonrow: %w", err)
	}
	return doc, nil
}

func marshal(rows reflect.Value) ([]byte, error) {
	w, err := rowWriterFor(rows)
	if err != nil {
		return nil, err
	}
	doc := w.appendHeader([]byte(`{"cols":`))
	doc = append(doc, `,"rows":`...)
	doc, err = w.appendRows(doc, rows)
	return append(doc, '}'), err
}

// A rowWriter writes the rows of a type.
type rowWriter struct {
	fields []field
	cells  []cellWriter
	keys   []reflect.Value // instead of fields
}

// A cellWriter writes a cell: a nested one if rows is given.
type cellWriter struct {
	name     string
	rows     *rowWriter
	document bool
}

func rowWriterFor(rows reflect.Value) (*rowWriter, error) {
	t := rows.Type().Elem()
	inner := t
	if t.Kind() == reflect.Pointer {
		inner = t.Elem()
	}
	switch {
	case writesItself(inner):
	case inner.Kind() == reflect.Struct:
		return newRowWriter(inner, nil), nil
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return mapWriter(rows), nil
	}
	return nil, fmt.Errorf("rows are structs or maps, not %s", t)
}

func writesItself(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(marshalerType) || pointer.Implements(textMarshalerType)
}

// newRowWriter makes one for a struct.  A struct that contains itself is written as an object.
func newRowWriter(t reflect.Type, above []reflect.Type) *rowWriter {
	above = append(above, t)
	w := &rowWriter{fields: fieldsOf(t).list}
	for _, f := range w.fields {
		cell := cellWriter{name: f.name}
		inner := f.typ
		if inner.Kind() == reflect.Slice && (!writesItself(inner) || inner.Implements(documentType)) {
			cell.document = true
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && !writesItself(inner) && !contains(above, inner) {
			cell.rows = newRowWriter(inner, above)
		}
		w.cells = append(w.cells, cell)
	}
	return w
}

func contains(list []reflect.Type, t reflect.Type) bool {
	for _, other := range list {
		if other == t {
			return true
		}
	}
	return false
}

func mapWriter(rows reflect.Value) *rowWriter {
	seen := map[string]bool{}
	w := &rowWriter{}
	for i := 0; i < rows.Len(); i++ {
		for _, key := range rows.Index(i).MapKeys() {
			if !seen[key.String()] {
				seen[key.String()] = true
				w.keys = append(w.keys, key)
			}
		}
	}
	sort.Slice(w.keys, func(i, j int) bool { return w.keys[i].String() < w.keys[j].String() })
	for _, key := range w.keys {
		w.cells = append(w.cells, cellWriter{name: key.String()})
	}
	return w
}

func (w *rowWriter) appendHeader(doc []byte) []byte {
	doc = append(doc, '[')
	for i, cell := range w.cells {
		if i > 0 {
			doc = append(doc, ',')
		}
		switch {
		case cell.rows == nil:
			doc = appendString(doc, cell.name)
		case cell.document:
			doc = appendString(append(doc, '{'), cell.name)
			doc = append(cell.rows.appendHeader(append(doc, ":["...)), "]}"...)
		default:
			doc = appendString(append(doc, '{'), cell.name)
			doc = append(cell.rows.appendHeader(append(doc, ':')), '}')
		}
	}
	return append(doc, ']')
}

func (w *rowWriter) appendRows(doc []byte, rows reflect.Value) (_ []byte, err error) {
	doc = append(doc, '[')
	for i := 0; i < rows.Len(); i++ {
		if i > 0 {
			doc = append(doc, ',')
		}
		if doc, err = w.appendRow(doc, rows.Index(i)); err != nil {
			return doc, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return append(doc, ']'), nil
}

func (w *rowWriter) appendRow(doc []byte, row reflect.Value) (_ []byte, err error) {
	if kind := row.Kind(); (kind == reflect.Pointer || kind == reflect.Map) && row.IsNil() {
		return append(doc, "null"...), nil
	}
	row = reflect.Indirect(row)
	doc = append(doc, '[')
	for i := range w.cells {
		if i > 0 {
			doc = append(doc, ',')
		}
		if w.keys != nil {
			doc, err = appendValue(doc, row.MapIndex(w.keys[i]))
		} else {
			doc, err = w.cells[i].append(doc, &w.fields[i], row)
		}
		if err != nil {
			return doc, fmt.Errorf("column %s: %w", w.cells[i].name, err)
		}
	}
	return append(doc, ']'), nil
}

func (c *cellWriter) append(doc []byte, f *field, row reflect.Value) ([]byte, error) {
	v, ok := f.value(row)
	switch {
	case !ok, f.omitEmpty && isEmpty(v), f.omitZero && isZero(v):
		return append(doc, "null"...), nil
	case c.rows == nil && f.quoted:
		return appendQuoted(doc, v)
	case c.rows == nil:
		return appendValue(doc, v)
	case !c.document:
		return c.rows.appendRow(doc, v)
	case v.IsNil():
		return append(doc, "null"...), nil
	default:
		return c.rows.appendRows(doc, v)
	}
}

// isEmpty is what omitempty means.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

// isZero is what omitzero means.
func isZero(v reflect.Value) bool {
	if own, ok := v.Interface().(interface{ IsZero() bool }); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		return own.IsZero()
	}
	return v.IsZero()
}

// appendValue writes a plain cell.
func appendValue(doc []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(doc, "null"...), nil
	}
	if t := v.Type(); t != numberType && !writesItself(t) {
		switch kind := v.Kind(); {
		case kind == reflect.Pointer && v.IsNil():
			return append(doc, "null"...), nil
		case kind == reflect.Pointer:
			return appendValue(doc, v.Elem())
		case kind == reflect.String:
			return appendString(doc, v.String()), nil
		case kind == reflect.Bool:
			return strconv.AppendBool(doc, v.Bool()), nil
		case isInt(kind):
			return strconv.AppendInt(doc, v.Int(), 10), nil
		case isUint(kind):
			return strconv.AppendUint(doc, v.Uint(), 10), nil
		case kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !v.IsNil():
			return appendBytes(doc, v.Bytes()), nil
		}
	}
	if v.CanAddr() { // for methods of the pointer
		v = v.Addr()
	}
	text, err := json.Marshal(v.Interface())
	return append(doc, text...), err
}

func appendBytes(doc, b []byte) []byte {
	doc = append(doc, `"\\x`...)
	return append(append(doc, hex.EncodeToString(b)...), '"')
}

// appendQuoted writes what the option string makes a string of.
func appendQuoted(doc []byte, v reflect.Value) ([]byte, error) {
	text, err := appendValue(nil, v)
	if err != nil || bytes.Equal(text, []byte("null")) {
		return append(doc, text...), err
	}
	return appendString(doc, string(text)), nil
}

const hexDigits = "0123456789abcdef"

func appendString(doc []byte, s string) []byte {
	doc = append(doc, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		doc = append(doc, s[start:i]...)
		switch {
		case c == '"' || c == '\\':
			doc = append(doc, '\\', c)
		case c == '\n':
			doc = append(doc, '\\', 'n')
		case c < ' ':
			doc = append(doc, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			doc = append(doc, `\ufffd`...)
		}
		i++
		start = i
	}
	return append(append(doc, s[start:]...), '"')
}
