package jsonrow

// A column is one entry of a header.
type column struct {
	name string
	kind columnKind
	cols []column // of what is nested
}

type columnKind int

const (
	plain     columnKind = iota
	composite            // {"address": HEADER}: a cell is a row
	document             // {"actors": [HEADER]}: a cell is an array of rows
)

// header reads the array of the names.
func (p *parser) header() ([]column, error) {
	if err := p.expect('[', "an array of names"); err != nil {
		return nil, err
	}
	return p.columns()
}

// columns reads what is behind a header's bracket.
func (p *parser) columns() (cols []column, err error) {
	if err = p.enter(); err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		more, err := p.element(first)
		if err != nil {
			return nil, err
		}
		if !more {
			p.depth--
			return cols, nil
		}
		col, err := p.column()
		if err != nil {
			return nil, err
		}
		cols = append(cols, col)
	}
}

func (p *parser) column() (col column, err error) {
	if p.pos >= len(p.data) || p.data[p.pos] != '{' {
		col.name, err = p.str()
		return col, err
	}
	p.pos++
	more := false
	if col.name, more, err = p.member(true); err != nil {
		return col, err
	}
	if !more {
		return col, p.wrong("a nested column without a name")
	}
	if err = p.expect('[', "the header of a nested column"); err != nil {
		return col, err
	}
	if p.peek() == '[' {
		col.kind = document
		if col.cols, err = p.header(); err == nil {
			err = p.expect(']', "']'")
		}
	} else {
		col.kind = composite
		col.cols, err = p.columns()
	}
	if err == nil {
		err = p.expect('}', "'}'")
	}
	return col, err
}
