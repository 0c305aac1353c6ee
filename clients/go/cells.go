package jsonrow

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"sync"
	"time"
)

// A cellFunc reads a value, at whose first byte the parser is, into v, which can be set.
type cellFunc func(p *parser, v reflect.Value) error

var (
	unmarshalerType     = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()
	textUnmarshalerType = reflect.TypeOf((*encoding.TextUnmarshaler)(nil)).Elem()
	numberType          = reflect.TypeOf(json.Number(""))
	anyMapType          = reflect.TypeOf(map[string]any(nil))
	timeType            = reflect.TypeOf(time.Time{})
)

var plainCells sync.Map // reflect.Type to cellFunc

// plainCell gives what reads the cells of a plain column: as encoding/json would.
func plainCell(t reflect.Type) cellFunc {
	if found, ok := plainCells.Load(t); ok {
		return found.(cellFunc)
	}
	found, _ := plainCells.LoadOrStore(t, newPlainCell(t))
	return found.(cellFunc)
}

func newPlainCell(t reflect.Type) cellFunc {
	pointer := reflect.PointerTo(t)
	if t == timeType {
		return timeCell
	}
	if pointer.Implements(unmarshalerType) {
		return unmarshalerCell
	}
	if pointer.Implements(textUnmarshalerType) || t == numberType {
		return otherCell
	}
	switch kind := t.Kind(); {
	case kind == reflect.Bool:
		return boolCell
	case kind == reflect.String:
		return stringCell
	case kind == reflect.Float32 || kind == reflect.Float64:
		return floatCell
	case isInt(kind):
		return intCell
	case isUint(kind):
		return uintCell
	case kind == reflect.Pointer && t.Elem().Kind() != reflect.Pointer && t.Name() == "" && t.Elem() != t:
		return pointerCell(plainCell(t.Elem()))
	case kind == reflect.Interface && t.NumMethod() == 0:
		return anyCell
	case kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return bytesCell
	case kind == reflect.Slice && (isScalar(t.Elem()) || t.Elem() == timeType):
		return sliceCell(plainCell(t.Elem()))
	default:
		return otherCell
	}
}

// isScalar keeps away types that contain themselves, too.
func isScalar(t reflect.Type) bool {
	return t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}

// at gives the byte at the parser's place, or 0 at the end.
func (p *parser) at() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// misfit skips a value that does not fit the type.
func (p *parser) misfit(t reflect.Type) error {
	start := p.pos
	if err := p.skipValue(); err != nil {
		return err
	}
	kind := "number"
	switch p.data[start] {
	case '"':
		kind = "string"
	case '[':
		kind = "array"
	case '{':
		kind = "object"
	case 't', 'f':
		kind = "bool"
	}
	return p.mismatch(kind, t, start)
}

func boolCell(p *parser, v reflect.Value) error {
	switch p.at() {
	case 't':
		v.SetBool(true)
		return p.word("true")
	case 'f':
		v.SetBool(false)
		return p.word("false")
	case 'n':
		return p.word("null")
	default:
		return p.misfit(v.Type())
	}
}

func stringCell(p *parser, v reflect.Value) error {
	switch p.at() {
	case '"':
		text, plain, err := p.quoted()
		if err == nil {
			v.SetString(value(text, plain))
		}
		return err
	case 'n':
		return p.word("null")
	default:
		return p.misfit(v.Type())
	}
}

// isNumber tells whether a number begins here; if not, a null has been read, or there is an error.
func (p *parser) isNumber(t reflect.Type) (bool, error) {
	switch c := p.at(); {
	case c == '-' || c-'0' <= 9:
		return true, nil
	case c == 'n':
		return false, p.word("null")
	default:
		return false, p.misfit(t)
	}
}

// maxDigits are so few that no int64 is too small for them.
const maxDigits = 18

func intCell(p *parser, v reflect.Value) error {
	if ok, err := p.isNumber(v.Type()); !ok {
		return err
	}
	start := p.pos
	text, integer, err := p.number()
	if err != nil {
		return err
	}
	if !integer {
		return p.mismatch("number "+string(text), v.Type(), start)
	}
	var n int64
	if len(text) <= maxDigits {
		for _, c := range text {
			if c != '-' {
				n = n*10 + int64(c-'0')
			}
		}
		if text[0] == '-' {
			n = -n
		}
	} else if n, err = strconv.ParseInt(string(text), 10, 64); err != nil {
		return p.mismatch("number "+string(text), v.Type(), start)
	}
	if v.OverflowInt(n) {
		return p.mismatch("number "+string(text), v.Type(), start)
	}
	v.SetInt(n)
	return nil
}

func uintCell(p *parser, v reflect.Value) error {
	if ok, err := p.isNumber(v.Type()); !ok {
		return err
	}
	start := p.pos
	text, _, err := p.number()
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || v.OverflowUint(n) {
		return p.mismatch("number "+string(text), v.Type(), start)
	}
	v.SetUint(n)
	return nil
}

func floatCell(p *parser, v reflect.Value) error {
	if ok, err := p.isNumber(v.Type()); !ok {
		return err
	}
	start := p.pos
	text, _, err := p.number()
	if err != nil {
		return err
	}
	n, err := strconv.ParseFloat(string(text), v.Type().Bits())
	if err != nil {
		return p.mismatch("number "+string(text), v.Type(), start)
	}
	v.SetFloat(n)
	return nil
}

func pointerCell(inner cellFunc) cellFunc {
	return func(p *parser, v reflect.Value) error {
		if p.at() == 'n' {
			v.Set(reflect.Zero(v.Type()))
			return p.word("null")
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return inner(p, v.Elem())
	}
}

// bytesCell reads base64, as encoding/json does, and bytea, which no base64 can be taken for.
func bytesCell(p *parser, v reflect.Value) error {
	if !bytes.HasPrefix(p.data[p.pos:], []byte(`"\\x`)) {
		return otherCell(p, v)
	}
	start := p.pos
	text, err := p.str()
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(text[2:])
	if err != nil {
		return &failure{offset: start, err: err}
	}
	v.SetBytes(b)
	return nil
}

func sliceCell(inner cellFunc) cellFunc {
	return func(p *parser, v reflect.Value) error {
		if p.at() != '[' {
			return otherCell(p, v)
		}
		p.pos++
		for i := 0; ; i++ {
			more, err := p.element(i == 0)
			if err != nil {
				return err
			}
			if !more {
				if i == 0 {
					v.Set(reflect.MakeSlice(v.Type(), 0, 0))
				}
				return nil
			}
			if err := inner(p, grow(v, i)); err != nil {
				return within("["+strconv.Itoa(i)+"]", err)
			}
		}
	}
}

// grow makes a slice one longer than i, and gives the new element.
func grow(v reflect.Value, i int) reflect.Value {
	if i >= v.Cap() {
		next := 2 * i
		if next < 4 {
			next = 4
		}
		resize(v, i, next)
	}
	v.SetLen(i + 1)
	return v.Index(i)
}

// resize gives a slice another place, for more elements.
func resize(v reflect.Value, length, capacity int) {
	grown := reflect.MakeSlice(v.Type(), length, capacity)
	if length > 0 {
		reflect.Copy(grown, v)
	}
	v.Set(grown)
}

func anyCell(p *parser, v reflect.Value) error {
	x, err := p.any()
	if err != nil {
		return err
	}
	if x == nil {
		v.Set(reflect.Zero(v.Type()))
	} else {
		v.Set(reflect.ValueOf(x))
	}
	return nil
}

// any reads a value as encoding/json does without a type.
func (p *parser) any() (any, error) {
	switch p.at() {
	case '"':
		return p.str()
	case 'n':
		return nil, p.word("null")
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case '[', '{':
		var x any
		err := otherCell(p, reflect.ValueOf(&x).Elem())
		return x, err
	}
	start := p.pos
	text, _, err := p.number()
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return nil, p.mismatch("number "+string(text), reflect.TypeOf(n), start)
	}
	return n, nil
}

func unmarshalerCell(p *parser, v reflect.Value) error {
	start := p.pos
	if err := p.skipValue(); err != nil {
		return err
	}
	return cellError(v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(p.data[start:p.pos]), start)
}

const (
	date      = `"2006-01-02"`
	timestamp = `"2006-01-02T15:04:05"` // and a fraction of a second
)

// timeCell reads timestamptz, as encoding/json does, and what it refuses for want of a time zone: timestamp and date,
// in UTC, as drivers read them.
func timeCell(p *parser, v reflect.Value) error {
	start := p.pos
	if err := p.skipValue(); err != nil {
		return err
	}
	text := p.data[start:p.pos]
	into := v.Addr().Interface().(*time.Time)
	layout := ""
	switch {
	case len(text) == len(date):
		layout = date
	case len(text) >= len(timestamp) && !bytes.ContainsAny(text[len(timestamp)-1:], "Z+-"):
		layout = timestamp
	}
	if layout != "" {
		if local, err := time.Parse(layout, string(text)); err == nil {
			*into = local
			return nil
		}
	}
	return cellError(into.UnmarshalJSON(text), start)
}

// otherCell has encoding/json read the value.
func otherCell(p *parser, v reflect.Value) error {
	start := p.pos
	if err := p.skipValue(); err != nil {
		return err
	}
	return cellError(json.Unmarshal(p.data[start:p.pos], v.Addr().Interface()), start)
}

func cellError(err error, start int) error {
	if err == nil {
		return nil
	}
	return &failure{offset: start, err: err}
}

var errNotQuoted = errors.New("the cell of a field with the option string is neither a string nor null")

// quotedCell reads a string in which the value is: the option string.
func quotedCell(t reflect.Type) cellFunc {
	inner := plainCell(t)
	return func(p *parser, v reflect.Value) error {
		if p.at() == 'n' {
			return inner(p, v)
		}
		start := p.pos
		if p.at() != '"' {
			if err := p.skipValue(); err != nil {
				return err
			}
			return cellError(errNotQuoted, start)
		}
		text, err := p.str()
		if err != nil {
			return err
		}
		q := parser{data: []byte(text)}
		if err = inner(&q, v); err != nil || q.pos < len(text) {
			return p.mismatch("string "+strconv.Quote(text), t, start)
		}
		return nil
	}
}
