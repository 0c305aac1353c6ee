package jsonrow

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync/atomic"
)

// A rowPlan tells how the rows below one header are read into values of one type: the names are looked up when it is
// made, so that cells go to their fields by position.
type rowPlan struct {
	cols  []column
	cells []cellPlan // nil if rows are given to encoding/json as objects
	typ   reflect.Type
	kind  rowKind
}

type rowKind int

const (
	intoStruct  rowKind = iota
	intoPointer         // to a struct
	intoMap
	intoAny // map[string]any in an interface
	asObjects
)

// A cellPlan tells where a cell goes; nowhere if read is nil.
type cellPlan struct {
	name  string
	read  cellFunc
	index int   // of the field,
	path  []int // or that of a field of an embedded struct
	key   reflect.Value
}

// A lastPlan keeps the plan for the header that a struct was last read from: most are read from one.
type lastPlan = atomic.Pointer[headerPlan]

type headerPlan struct {
	header string
	plan   *rowPlan
}

// planFor gives the plan for rows of the type, below the header of this text.
func planFor(text []byte, cols []column, t reflect.Type) *rowPlan {
	inner := t
	if t.Kind() == reflect.Pointer {
		inner = t.Elem()
	}
	if inner.Kind() != reflect.Struct {
		return newRowPlan(cols, t)
	}
	last := &fieldsOf(inner).last
	if kept := last.Load(); kept != nil && kept.plan.typ == t && kept.header == string(text) {
		return kept.plan
	}
	plan := newRowPlan(cols, t)
	last.Store(&headerPlan{string(text), plan})
	return plan
}

func newRowPlan(cols []column, t reflect.Type) *rowPlan {
	plan := &rowPlan{cols: cols, typ: t, kind: kindOfRow(t)}
	switch plan.kind {
	case intoStruct:
		plan.structCells(t)
	case intoPointer:
		plan.structCells(t.Elem())
	case intoMap:
		plan.mapCells(t)
	case intoAny:
		plan.mapCells(anyMapType)
	}
	return plan
}

func kindOfRow(t reflect.Type) rowKind {
	if hasUnmarshaler(t) {
		return asObjects
	}
	switch {
	case t.Kind() == reflect.Struct:
		return intoStruct
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && !hasUnmarshaler(t.Elem()):
		return intoPointer
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && !hasUnmarshaler(t.Key()):
		return intoMap
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return intoAny
	default:
		return asObjects
	}
}

func hasUnmarshaler(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(unmarshalerType) || pointer.Implements(textUnmarshalerType)
}

func (r *rowPlan) structCells(t reflect.Type) {
	fields := fieldsOf(t)
	r.cells = make([]cellPlan, len(r.cols))
	taken := map[*field]int{}
	for i, col := range r.cols {
		cell := &r.cells[i]
		cell.name = col.name
		f := fields.find(col.name)
		if f == nil {
			continue
		}
		if before, ok := taken[f]; ok { // of columns of one name, the last counts
			r.cells[before].read = nil
		}
		taken[f] = i
		if cell.index = f.index[0]; len(f.index) > 1 {
			cell.path = f.index
		}
		cell.read = cellFor(col, f.typ)
		if f.quoted && col.kind == plain {
			cell.read = quotedCell(f.typ)
		}
	}
}

func (r *rowPlan) mapCells(t reflect.Type) {
	r.cells = make([]cellPlan, len(r.cols))
	for i, col := range r.cols {
		key := reflect.ValueOf(col.name).Convert(t.Key())
		r.cells[i] = cellPlan{name: col.name, key: key, read: cellFor(col, t.Elem())}
	}
}

// cellFor gives what reads the cells of a column into a type.
func cellFor(col column, t reflect.Type) cellFunc {
	switch col.kind {
	case composite:
		return newRowPlan(col.cols, t).read
	case document:
		return documentCell(col.cols, t)
	default:
		return plainCell(t)
	}
}

// documentCell gives what reads arrays of rows.
func documentCell(cols []column, t reflect.Type) cellFunc {
	switch {
	case t.Implements(documentType):
	case hasUnmarshaler(t):
		return objectsCell(cols)
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Slice && !hasUnmarshaler(t.Elem()):
		return pointerCell(documentCell(cols, t.Elem()))
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return anyRowsCell(newRowPlan(cols, t))
	case t.Kind() != reflect.Slice:
		return objectsCell(cols)
	}
	plan := newRowPlan(cols, t.Elem())
	return func(p *parser, v reflect.Value) error {
		if p.at() == 'n' {
			v.Set(reflect.Zero(v.Type()))
			return p.word("null")
		}
		return plan.readRows(p, v)
	}
}

func anyRowsCell(plan *rowPlan) cellFunc {
	return func(p *parser, v reflect.Value) error {
		if p.at() == 'n' {
			v.Set(reflect.Zero(v.Type()))
			return p.word("null")
		}
		var list []any
		err := plan.readRows(p, reflect.ValueOf(&list).Elem())
		v.Set(reflect.ValueOf(list))
		return err
	}
}

// readRows reads an array of rows into a slice.
func (r *rowPlan) readRows(p *parser, v reflect.Value) error {
	if err := p.expect('[', "an array of rows"); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := p.element(i == 0)
		if err != nil {
			return err
		}
		if !more {
			if p.depth--; i == 0 {
				v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			}
			return nil
		}
		if err = r.read(p, grow(v, i)); err != nil {
			return within("["+strconv.Itoa(i)+"]", err)
		}
	}
}

// read reads one row.
func (r *rowPlan) read(p *parser, v reflect.Value) error {
	if r.kind == asObjects {
		return objectCell(p, r.cols, v)
	}
	if p.at() == 'n' {
		if r.kind != intoStruct {
			v.Set(reflect.Zero(r.typ))
		}
		return p.word("null")
	}
	if p.at() != '[' {
		return p.unexpected("a row")
	}
	p.pos++
	row := r.begin(v)
	for i := range r.cells {
		if i > 0 && p.at() == ',' {
			p.pos++
		} else if err := r.between(p, i); err != nil {
			return err
		}
		p.peek()
		if err := r.cells[i].into(p, row); err != nil {
			return within(r.cells[i].name, err)
		}
	}
	if p.at() == ']' {
		p.pos++
		return nil
	}
	return r.end(p)
}

// begin gives what the cells of a row go into.
func (r *rowPlan) begin(v reflect.Value) reflect.Value {
	switch r.kind {
	case intoPointer:
		if v.IsNil() {
			v.Set(reflect.New(r.typ.Elem()))
		}
		return v.Elem()
	case intoMap:
		if v.IsNil() {
			v.Set(reflect.MakeMapWithSize(r.typ, len(r.cells)))
		}
	case intoAny:
		made, ok := v.Interface().(map[string]any)
		if !ok {
			made = make(map[string]any, len(r.cells))
			v.Set(reflect.ValueOf(made))
		}
		return reflect.ValueOf(made)
	}
	return v
}

// between reads what is before cell i, in all but the usual cases.
func (r *rowPlan) between(p *parser, i int) error {
	c := p.peek()
	switch {
	case c == ']':
		return p.wrong("a row has %d of %d cells", i, len(r.cols))
	case i == 0 && p.pos < len(p.data):
		return nil
	case c == ',':
		p.pos++
		return nil
	default:
		return p.unexpected("',' or ']'")
	}
}

// end reads a row's closing bracket, in all but the usual cases.
func (r *rowPlan) end(p *parser) error {
	if c := p.peek(); p.pos < len(p.data) && c != ']' && (c == ',' || len(r.cols) == 0) {
		return p.wrong("a row has more cells than there are columns, %d", len(r.cols))
	}
	return p.expect(']', "',' or ']'")
}

// into reads a cell into its place in a row.
func (c *cellPlan) into(p *parser, row reflect.Value) error {
	switch {
	case c.read == nil:
		return p.skipValue()
	case c.key.IsValid():
		return c.intoMap(p, row)
	case c.path == nil:
		return c.read(p, row.Field(c.index))
	}
	for i, index := range c.path {
		if i > 0 && row.Kind() == reflect.Pointer {
			if row.IsNil() {
				if !row.CanSet() {
					return cellError(fmt.Errorf("the embedded %s cannot be set", row.Type()), p.pos)
				}
				row.Set(reflect.New(row.Type().Elem()))
			}
			row = row.Elem()
		}
		row = row.Field(index)
	}
	return c.read(p, row)
}

func (c *cellPlan) intoMap(p *parser, row reflect.Value) error {
	if row.Type() == anyMapType {
		var x any
		if err := c.read(p, reflect.ValueOf(&x).Elem()); err != nil {
			return err
		}
		row.Interface().(map[string]any)[c.name] = x
		return nil
	}
	cell := reflect.New(row.Type().Elem()).Elem()
	if err := c.read(p, cell); err != nil {
		return err
	}
	row.SetMapIndex(c.key, cell)
	return nil
}

// objectCell gives a row to encoding/json, as the object that json_agg would have made.
func objectCell(p *parser, cols []column, v reflect.Value) error {
	start := p.pos
	text, err := p.appendObject(nil, cols)
	if err != nil {
		return err
	}
	return cellError(json.Unmarshal(text, v.Addr().Interface()), start)
}

// objectsCell does the same with arrays of rows.
func objectsCell(cols []column) cellFunc {
	return func(p *parser, v reflect.Value) error {
		start := p.pos
		text, err := p.appendObjects(nil, cols)
		if err != nil {
			return err
		}
		return cellError(json.Unmarshal(text, v.Addr().Interface()), start)
	}
}

// appendObject reads a row, and appends it as an object.
func (p *parser) appendObject(text []byte, cols []column) ([]byte, error) {
	if p.at() == 'n' {
		return append(text, "null"...), p.word("null")
	}
	r := rowPlan{cols: cols}
	if err := p.expect('[', "a row"); err != nil {
		return text, err
	}
	text = append(text, '{')
	for i, col := range cols {
		err := r.between(p, i)
		if err == nil {
			p.peek()
			text = appendKey(text, i == 0, col.name)
			text, err = p.appendCell(text, col)
		}
		if err != nil {
			return text, within(col.name, err)
		}
	}
	return append(text, '}'), r.end(p)
}

func appendKey(text []byte, first bool, name string) []byte {
	if !first {
		text = append(text, ',')
	}
	return append(appendString(text, name), ':')
}

func (p *parser) appendCell(text []byte, col column) ([]byte, error) {
	switch col.kind {
	case composite:
		return p.appendObject(text, col.cols)
	case document:
		return p.appendObjects(text, col.cols)
	default:
		raw, err := p.skip()
		return append(text, raw...), err
	}
}

func (p *parser) appendObjects(text []byte, cols []column) ([]byte, error) {
	if p.at() == 'n' {
		return append(text, "null"...), p.word("null")
	}
	if err := p.expect('[', "an array of rows"); err != nil {
		return text, err
	}
	text = append(text, '[')
	for i := 0; ; i++ {
		more, err := p.element(i == 0)
		if err != nil {
			return text, err
		}
		if !more {
			return append(text, ']'), nil
		}
		if i > 0 {
			text = append(text, ',')
		}
		if text, err = p.appendObject(text, cols); err != nil {
			return text, within("["+strconv.Itoa(i)+"]", err)
		}
	}
}
