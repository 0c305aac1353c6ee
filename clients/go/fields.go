package jsonrow

import (
	"reflect"
	"sort"
	"strings"
	"sync"
)

// A field of a struct, by the rules of encoding/json: tags, embedded structs, what hides what.
type field struct {
	name      string
	tagged    bool
	index     []int
	typ       reflect.Type
	quoted    bool // the option string, on a type that has it
	omitEmpty bool
	omitZero  bool
}

type fieldSet struct {
	list   []field
	byName map[string]int
	last   lastPlan
}

var fieldSets sync.Map // reflect.Type to *fieldSet

func fieldsOf(t reflect.Type) *fieldSet {
	if found, ok := fieldSets.Load(t); ok {
		return found.(*fieldSet)
	}
	set := &fieldSet{list: dominant(collect(t))}
	set.byName = make(map[string]int, len(set.list))
	for i, f := range set.list {
		set.byName[f.name] = i
	}
	found, _ := fieldSets.LoadOrStore(t, set)
	return found.(*fieldSet)
}

// find gives the field of a column, or nil. As in encoding/json, case does not matter if there is no exact match.
func (s *fieldSet) find(column string) *field {
	if i, ok := s.byName[column]; ok {
		return &s.list[i]
	}
	for i := range s.list {
		if strings.EqualFold(s.list[i].name, column) {
			return &s.list[i]
		}
	}
	return nil
}

// collect gives all fields, also those that others hide, level by level of embedded structs.
func collect(t reflect.Type) (all []field) {
	type level struct {
		typ   reflect.Type
		index []int
	}
	seen := map[reflect.Type]bool{}
	for next := []level{{typ: t}}; len(next) > 0; {
		current := next
		next = nil
		for _, l := range current {
			if seen[l.typ] {
				continue
			}
			for i := 0; i < l.typ.NumField(); i++ {
				f := l.typ.Field(i)
				index := append(append([]int(nil), l.index...), i)
				found, embedded := fieldOf(f, index)
				if embedded != nil {
					next = append(next, level{embedded, index})
				} else if found != nil {
					all = append(all, *found)
				}
			}
		}
		for _, l := range current {
			seen[l.typ] = true
		}
	}
	return all
}

// fieldOf gives what a field of a struct is for us: a field, or a struct whose fields count, or neither.
func fieldOf(f reflect.StructField, index []int) (found *field, embedded reflect.Type) {
	inner := f.Type
	if f.Anonymous && inner.Kind() == reflect.Pointer {
		inner = inner.Elem()
	}
	if !f.IsExported() && !(f.Anonymous && inner.Kind() == reflect.Struct) {
		return nil, nil
	}
	tag := f.Tag.Get("json")
	if tag == "-" {
		return nil, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if !isName(name) {
		name = ""
	}
	if f.Anonymous && name == "" && inner.Kind() == reflect.Struct {
		return nil, inner
	}
	if !f.IsExported() {
		return nil, nil
	}
	found = &field{name: name, tagged: name != "", index: index, typ: f.Type}
	if name == "" {
		found.name = f.Name
	}
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "string":
			found.quoted = isQuotable(f.Type)
		case "omitempty":
			found.omitEmpty = true
		case "omitzero":
			found.omitZero = true
		}
	}
	return found, nil
}

// isName tells whether a tag has a name that encoding/json takes.
func isName(name string) bool {
	for _, c := range name {
		if c == '"' || c == '\\' || c == '\'' || c == '`' || c < ' ' {
			return false
		}
	}
	return name != ""
}

func isQuotable(t reflect.Type) bool {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch kind := t.Kind(); {
	case kind == reflect.Bool, kind == reflect.String:
		return true
	default:
		return isInt(kind) || isUint(kind) || kind == reflect.Float32 || kind == reflect.Float64
	}
}

func isInt(kind reflect.Kind) bool  { return kind >= reflect.Int && kind <= reflect.Int64 }
func isUint(kind reflect.Kind) bool { return kind >= reflect.Uint && kind <= reflect.Uintptr }

// dominant leaves one field for each name: of the least depth, with a tag; none if there are several of these.
func dominant(all []field) (list []field) {
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.name != b.name {
			return a.name < b.name
		}
		if len(a.index) != len(b.index) {
			return len(a.index) < len(b.index)
		}
		return a.tagged && !b.tagged
	})
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n].name == all[i].name {
			n++
		}
		if n == 1 || len(all[i].index) != len(all[i+1].index) || all[i].tagged != all[i+1].tagged {
			list = append(list, all[i])
		}
		i += n
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].index, list[j].index
		for k := 0; k < len(a) && k < len(b); k++ {
			if a[k] != b[k] {
				return a[k] < b[k]
			}
		}
		return len(a) < len(b)
	})
	return list
}

// value gives a field, or false if it is in an embedded struct whose pointer is nil.
func (f *field) value(v reflect.Value) (reflect.Value, bool) {
	for _, i := range f.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}
