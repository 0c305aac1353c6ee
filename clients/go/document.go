package jsonrow

import (
	"encoding/json"
	"reflect"
)

// A reader reads a whole document into a slice.
type reader struct {
	parser
	rows   reflect.Value
	plan   *rowPlan
	row    int // the one being read
	rowsAt int // where the rows begin, or -1
	valsAt int
	read   bool // they have been read, with the plan that counts
}

func unmarshal(doc []byte, rows reflect.Value) error {
	r := reader{parser: parser{data: doc}, rows: rows, row: -1, rowsAt: -1, valsAt: -1}
	if err := r.document(); err != nil {
		return public(err, r.row, 0)
	}
	return nil
}

func (r *reader) document() error {
	if err := r.expect('{', "a document"); err != nil {
		return err
	}
	for first := true; ; first = false {
		name, more, err := r.member(first)
		if err == nil && more {
			err = r.value(name)
		}
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if r.peek(); r.pos < len(r.data) {
		return r.wrong("something follows the document")
	}
	switch {
	case r.plan == nil:
		return r.wrong("it has no cols")
	case r.rowsAt < 0 && r.valsAt < 0:
		return r.wrong("it has neither rows nor vals")
	case r.rowsAt >= 0 && r.valsAt >= 0:
		return r.wrong("it has both rows and vals")
	case r.read:
		return nil
	}
	if r.pos = r.rowsAt; r.rowsAt < 0 {
		r.pos = r.valsAt
	}
	return r.cells()
}

// value reads that of a member.  If one is repeated, the last counts.
func (r *reader) value(name string) (err error) {
	switch name {
	case "cols":
		start := r.pos
		var cols []column
		if cols, err = r.header(); err == nil {
			r.plan = planFor(r.data[start:r.pos], cols, r.rows.Type().Elem())
			r.read = false
		}
		return err
	case "rows":
		r.rowsAt = r.pos
	case "vals":
		r.valsAt = r.pos
	case "types":
		return r.skipValue()
	default:
		return r.wrong("it has a member %q", name)
	}
	if r.plan == nil {
		return r.skipValue()
	}
	r.read = true
	return r.cells()
}

func (r *reader) cells() (err error) {
	r.rows.Set(reflect.Zero(r.rows.Type()))
	if r.rowsAt >= 0 {
		err = r.byRow()
	} else {
		err = r.byColumn()
	}
	if err == nil {
		r.row = -1
	}
	return err
}

func (r *reader) byRow() error {
	if err := r.expect('[', "an array of rows"); err != nil {
		return err
	}
	start := r.pos
	for i := 0; ; i++ {
		more, err := r.element(i == 0)
		r.row = i
		if err != nil {
			return err
		}
		if !more {
			if i == 0 {
				r.rows.Set(reflect.MakeSlice(r.rows.Type(), 0, 0))
			}
			return nil
		}
		if i >= r.rows.Cap() {
			resize(r.rows, i, r.capacity(i, r.pos-start))
		}
		r.rows.SetLen(i + 1)
		if err = r.plan.read(&r.parser, r.rows.Index(i)); err != nil {
			return err
		}
	}
}

// capacity guesses the number of rows from the size of the first n.
func (r *reader) capacity(n, size int) int {
	if n == 0 {
		return 8
	}
	guess := n + int(float64(len(r.data)-r.pos)*1.05/float64(size)*float64(n)) + 4
	if guess > 16*n {
		guess = 16 * n
	}
	return guess
}

// byColumn reads vectors, the first of which tells the number of rows.
func (r *reader) byColumn() error {
	if err := r.expect('[', "an array of columns"); err != nil {
		return err
	}
	objects := objectRows{r: r}
	for i := 0; ; i++ {
		more, err := r.element(i == 0)
		switch {
		case err != nil:
			return err
		case !more && i < len(r.plan.cols):
			return r.wrong("it has %d of %d vectors", i, len(r.plan.cols))
		case !more:
			if i == 0 {
				r.rows.Set(reflect.MakeSlice(r.rows.Type(), 0, 0))
			}
			return objects.finish()
		case i >= len(r.plan.cols):
			return r.wrong("it has more vectors than columns, %d", len(r.plan.cols))
		}
		into := objects.cell
		if r.plan.kind != asObjects {
			into = r.cell
		}
		if err = r.vector(i, into); err != nil {
			return err
		}
		r.row = -1
	}
}

// vector reads a column, cell by cell.
func (r *reader) vector(col int, into func(col, row int) error) error {
	if err := r.expect('[', "a vector"); err != nil {
		return err
	}
	n := r.rows.Len()
	for i := 0; ; i++ {
		r.row = i
		more, err := r.element(i == 0)
		switch {
		case err != nil:
			return err
		case more && col > 0 && i >= n, !more && i < n:
			return r.wrong("vectors have different lengths")
		case !more:
			if i == 0 {
				r.rows.Set(reflect.MakeSlice(r.rows.Type(), 0, 0))
			}
			return nil
		}
		if col == 0 {
			grow(r.rows, i)
		}
		if err = into(col, i); err != nil {
			return within(r.plan.cols[col].name, err)
		}
	}
}

func (r *reader) cell(col, row int) error {
	return r.plan.cells[col].into(&r.parser, r.plan.begin(r.rows.Index(row)))
}

// objectRows collects rows for encoding/json from columns.
type objectRows struct {
	r    *reader
	text [][]byte
}

func (o *objectRows) cell(col, row int) (err error) {
	if col == 0 {
		o.text = append(o.text, []byte{'{'})
	}
	name := o.r.plan.cols[col]
	o.text[row] = appendKey(o.text[row], col == 0, name.name)
	o.text[row], err = o.r.appendCell(o.text[row], name)
	return err
}

func (o *objectRows) finish() error {
	for i, text := range o.text {
		o.r.row = i
		if err := json.Unmarshal(append(text, '}'), o.r.rows.Index(i).Addr().Interface()); err != nil {
			return cellError(err, o.r.pos)
		}
	}
	return nil
}
