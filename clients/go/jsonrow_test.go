package jsonrow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/jsonrow/jsonrow/clients/go"
)

type actor struct {
	Name string `json:"name"`
	Born *int   `json:"born"`
}

type film struct {
	ID     int     `json:"id"`
	Title  *string `json:"title"`
	Rating float64 `json:"rating"`
	Actors []actor `json:"actors"`
	Lead   *actor  `json:"lead"`
}

const films = `{"cols":["id","title","rating",{"actors":[["name","born"]]},{"lead":["name","born"]}],"rows":[` +
	`[1,"Alien",8.5,[["Weaver",1949],["Hurt",null]],["Weaver",1949]],[2,null,0.1,[],null],` +
	`[3,"\u00e9",-1e2,null,["x",1]]]}`

// The same rows as objects
const filmObjects = `[{"id":1,"title":"Alien","rating":8.5,"actors":[{"name":"Weaver","born":1949},` +
	`{"name":"Hurt","born":null}],"lead":{"name":"Weaver","born":1949}},{"id":2,"title":null,"rating":0.1,"actors":[],` +
	`"lead":null},{"id":3,"title":"é","rating":-1e2,"actors":null,"lead":{"name":"x","born":1}}]`

// check compares what Unmarshal reads with what encoding/json reads from objects.
func check[T any](t *testing.T, doc, objects string) {
	t.Helper()
	var got, want []T
	if err := json.Unmarshal([]byte(objects), &want); err != nil {
		t.Fatal(err)
	}
	if err := jsonrow.Unmarshal([]byte(doc), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: read %#v, not %#v", doc, got, want)
	}
}

func TestTypes(t *testing.T) {
	check[film](t, films, filmObjects)
	check[*film](t, films, filmObjects)
	check[map[string]any](t, films, filmObjects)
	check[any](t, films, filmObjects)
	check[map[string]json.RawMessage](t, strings.ReplaceAll(films, `\u00e9`, "é"), filmObjects)
	check[map[string]any](t, `{"cols":["a"],"rows":[[[1,{"b":null}]]]}`, `[{"a":[1,{"b":null}]}]`)
	check[own](t, strings.ReplaceAll(films, `\u00e9`, "é"), filmObjects)
	check[*own](t, strings.ReplaceAll(films, `\u00e9`, "é"), filmObjects)
	check[struct{ Actors own }](t, films, filmObjects)
	check[struct{ Actors any }](t, films, filmObjects)
	check[struct{ Actors *[]*actor }](t, films, filmObjects)
	check[struct{ Actors [1]actor }](t, films, filmObjects)
	check[struct{ Actors []map[string]any }](t, films, filmObjects)
	check[struct{ Lead map[string]any }](t, films, filmObjects)
	check[struct{ Lead any }](t, films, filmObjects)
	check[struct{ Lead json.RawMessage }](t, films, filmObjects)
	check[struct{ Actors json.RawMessage }](t, films, filmObjects)
	check[struct{ Actors jsonrow.Rows[actor] }](t, films,
		strings.ReplaceAll(strings.ReplaceAll(filmObjects, `"actors":[{"name":"Weaver","born":1949},`+
			`{"name":"Hurt","born":null}]`, `"actors":{"cols":["name","born"],"rows":[["Weaver",1949],["Hurt",null]]}`),
			`"actors":[]`, `"actors":{"cols":["name"],"rows":[]}`))
}

// own reads itself.
type own struct{ text string }

func (o *own) UnmarshalJSON(text []byte) error {
	o.text = string(text)
	return nil
}

func (o own) String() string { return o.text }

func TestColumns(t *testing.T) {
	for _, doc := range []string{
		`{"cols":["id","title","rating",{"actors":[["name","born"]]},{"lead":["name","born"]}],"vals":[[1,2,3],` +
			`["Alien",null,"é"],[8.5,0.1,-1e2],[[["Weaver",1949],["Hurt",null]],[],null],` +
			`[["Weaver",1949],null,["x",1]]]}`,
		`{"vals":[[0.1],[1],[[["a",2]]]],"types":7,"cols":["rating","id",{"actors":[["name","born"]]}]}`,
	} {
		objects := filmObjects
		if strings.HasPrefix(doc, `{"vals"`) {
			objects = `[{"rating":0.1,"id":1,"actors":[{"name":"a","born":2}]}]`
		}
		check[film](t, doc, objects)
		check[*film](t, doc, objects)
		check[map[string]any](t, doc, objects)
		check[any](t, doc, objects)
		if objects != filmObjects {
			check[own](t, doc, objects)
		}
	}
	check[film](t, `{"cols":["id"],"vals":[[]]}`, `[]`)
	check[film](t, `{"cols":[],"vals":[]}`, `[]`)
}

func TestMembers(t *testing.T) {
	check[film](t, "\n"+`{ "rows" :	[ [ 1 , "x" ] ,`+"\r\n"+
		`[2, null] ] , "types": {"x": [1]}, "cols": [ "id" , "title" ] } `,
		`[{"id":1,"title":"x"},{"id":2}]`)
	check[film](t, `{"cols":["title"],"rows":[["a"]],"cols":["id","x"],"rows":[[1,2],[3,4]]}`, `[{"id":1},{"id":3}]`)
	check[film](t, `{"cols":["title"],"rows":[["a"]],"\u0063ols":["title"]}`, `[{"title":"a"}]`)
	check[film](t, `{"cols":[],"rows":[]}`, `[]`)
	check[film](t, `{"cols":[],"rows":[[],null,[]]}`, `[{},null,{}]`)
	check[*film](t, `{"cols":[],"rows":[[],null,[ ]]}`, `[{},null,{}]`)
	check[map[string]any](t, `{"cols":["a"],"rows":[null,[1]]}`, `[null,{"a":1}]`)
	check[film](t, `{"cols":["id",{"actors":[[]]},{"lead":[]}],"rows":[[1,[],null],[2,null,null]]}`,
		`[{"id":1,"actors":[]},{"id":2}]`)
}

// Columns go to fields by name, whatever their order is.
func TestNames(t *testing.T) {
	check[film](t, `{"cols":[{"actors":[["born","name"]]},"title","id"],"rows":[[[[1949,"Weaver"]],"Alien",1]]}`,
		`[{"actors":[{"born":1949,"name":"Weaver"}],"title":"Alien","id":1}]`)
	check[film](t, `{"cols":["other",{"more":[["x"]]},"id"],"rows":[[{"a":[1]},[[2]],1]]}`, `[{"id":1}]`)
	check[film](t, `{"cols":["ID","Title"],"rows":[[1,"x"]]}`, `[{"ID":1,"Title":"x"}]`)
	check[film](t, `{"cols":["id","id"],"rows":[[1,2]]}`, `[{"id":1,"id":2}]`)
	type inner struct {
		A, B int
	}
	type Middle struct {
		inner
		C int `json:"c"`
	}
	type Pointed struct{ D, E int }
	type outer struct {
		Middle
		*Pointed
		B    string `json:"b,omitempty"`
		Skip int    `json:"-"`
		Dash int    `json:"-,"` //lint:ignore SA5008 that is its name
		E    int    `json:"E"`
		none int    //lint:ignore U1000 it is not exported, and not read
	}
	check[outer](t, `{"cols":["A","B","b","c","D","E","Skip","-","none"],"rows":[[1,2,"y",3,4,5,6,7,8]]}`,
		`[{"A":1,"B":2,"b":"y","c":3,"D":4,"E":5,"Skip":6,"-":7,"none":8}]`)
	type Left struct{ X, Y int }
	type Right struct {
		X int
		Y int `json:"Y"`
	}
	check[struct {
		Left
		Right
	}](t, `{"cols":["X","Y"],"rows":[[1,2]]}`, `[{"X":1,"Y":2}]`)
	type node struct {
		Name     string
		Children []node
	}
	check[node](t, `{"cols":["Name",{"Children":[["Name",{"Children":[["Name"]]}]]}],"rows":[["a",[["b",[["c"]]]]]]}`,
		`[{"Name":"a","Children":[{"Name":"b","Children":[{"Name":"c"}]}]}]`)
}

type text struct{ s string }

func (t *text) UnmarshalText(b []byte) error {
	t.s = "<" + string(b) + ">"
	return nil
}

func TestCells(t *testing.T) {
	cell := func(name, json string) (doc, objects string) {
		return fmt.Sprintf(`{"cols":[%q],"rows":[[%s]]}`, name, json), fmt.Sprintf(`[{%q:%s}]`, name, json)
	}
	type cells struct {
		Bool    bool
		Int     int
		I8      int8
		U       uint
		U8      uint8
		F       float64
		F32     float32
		S       string
		N       json.Number
		Raw     json.RawMessage
		Any     any
		Time    time.Time
		Text    text
		PText   *text
		PInt    *int
		PPInt   **int
		Ints    []int
		Texts   []text
		Strings []*string
		Array   [2]int
		Map     map[string]int
		Quoted  int64  `json:",string"`
		QText   string `json:",string"`
		PQuoted *int64 `json:",string"`
		Struct  struct{ A int }
		Bytes   []byte
		Iface   fmt.Stringer
	}
	for _, c := range [][2]string{{"Bool", "true"}, {"Bool", "false"}, {"Bool", "null"}, {"Int", "0"}, {"Int", "-0"},
		{"Int", "123456789012345678"}, {"Int", "-9223372036854775808"}, {"Int", "9223372036854775807"}, {"I8", "-128"},
		{"U", "18446744073709551615"}, {"U8", "255"}, {"F", "0"}, {"F", "1e400"}, {"F", "-1.5E+3"}, {"F32", "0.1"},
		{"S", `""`}, {"S", `"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00\ud83d x\ude00\u00fF"`}, {"S", "\"\xff\xfea\""},
		{"S", "null"},
		{"N", "12.50"}, {"N", "null"}, {"Raw", `{"a": [1]}`}, {"Raw", "null"}, {"Any", `{"a": [1, "x", null, true]}`},
		{"Any", "null"}, {"Any", `"\u00e9"`}, {"Any", "12"}, {"Any", "false"}, {"Time", `"2024-05-01T12:00:00.5+02:00"`},
		{"Time", "null"}, {"Text", `"a"`}, {"Text", "null"}, {"PText", `"b"`}, {"PText", "null"}, {"PInt", "7"},
		{"PInt", "null"}, {"PPInt", "7"}, {"Ints", "[]"}, {"Ints", "[1, 2,null,3,4,5]"}, {"Ints", "null"},
		{"Texts", `["a","b"]`}, {"Strings", `["a",null]`}, {"Array", "[1,2]"}, {"Map", `{"a":1}`}, {"Quoted", `"12"`},
		{"Quoted", "null"}, {"PQuoted", `"9007199254740993"`}, {"PQuoted", "null"}, {"QText", `"\"x\""`},
		{"Struct", `{"A":1}`}, {"Struct", "null"}, {"Bytes", `"AQID"`}, {"Bytes", "null"}, {"Iface", "null"}} {
		doc, objects := cell(c[0], c[1])
		var want []cells
		wrong := json.Unmarshal([]byte(objects), &want)
		var got []cells
		err := jsonrow.Unmarshal([]byte(doc), &got)
		if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %+v, not %v, %+v", doc, err, got, wrong, want)
		}
	}
	for _, c := range [][2]string{{"Bool", "1"}, {"Int", "1.0"}, {"Int", `"1"`}, {"Int", "9223372036854775808"},
		{"I8", "128"}, {"U", "-1"}, {"U8", "256"}, {"F", `"NaN"`}, {"S", "1"}, {"S", "[]"}, {"Ints", "{}"},
		{"Ints", `[1,"x"]`},
		{"PInt", "{}"}, {"Time", `"2024"`}, {"Text", "1"}, {"Quoted", "12"}, {"Quoted", `"x"`}, {"Quoted", `"1x"`},
		{"Bytes", `"\\x0"`}, {"Bytes", "1"}, {"N", `"x"`}, {"Iface", "1"}} {
		doc, objects := cell(c[0], c[1])
		var got, want []cells
		if json.Unmarshal([]byte(objects), &want) == nil {
			t.Errorf("%s is read by encoding/json", objects)
		}
		var wrong *jsonrow.CellError
		if err := jsonrow.Unmarshal([]byte(doc), &got); !errors.As(err, &wrong) || got != nil {
			t.Errorf("%s: %v, %v", doc, got, err)
		} else if place := (jsonrow.Place{Row: 0, Column: wrong.Column, Offset: wrong.Offset}); wrong.Place != place ||
			!strings.HasPrefix(place.Column, c[0]) || place.Offset < int64(strings.Index(doc, "[[")+2) {
			t.Errorf("%s: %+v", doc, wrong.Place)
		}
	}
	var bytea []cells
	if err := jsonrow.Unmarshal([]byte(`{"cols":["Bytes"],"rows":[["\\x0aFF"]]}`), &bytea); err != nil ||
		string(bytea[0].Bytes) != "\x0a\xff" {
		t.Errorf("bytea: %v, %v", bytea, err)
	}
}

// What has no time zone is in UTC; all else is as in encoding/json.
func TestTimes(t *testing.T) {
	type row struct {
		T    time.Time
		P    *time.Time
		List []time.Time
	}
	for text, want := range map[string]string{
		`"2026-01-02"`:                          "2026-01-02T00:00:00Z",
		`"2026-01-02T03:04:05"`:                 "2026-01-02T03:04:05Z",
		`"2026-01-02T03:04:05.678901"`:          "2026-01-02T03:04:05.678901Z",
		`"2026-01-02T03:04:05.678901+02:00"`:    "2026-01-02T03:04:05.678901+02:00",
		`"2026-01-02T03:04:05Z"`:                "2026-01-02T03:04:05Z",
		`"9999-12-31T23:59:59.999999-07:00"`:    "9999-12-31T23:59:59.999999-07:00",
		`"20\u0032\u0036-01-02"`:                "", // encoding/json takes no escapes here
		`"infinity"`:                            "",
		`"0044-03-15 BC"`:                       "",
		`"12026-01-02"`:                         "",
		`"2026-02-30"`:                          "",
		`"2026-01-02T25:04:05"`:                 "",
		`"2026-01-02T03:04:05.678901+02:00:30"`: "",
		`12`:                                    "",
	} {
		var rows []row
		err := jsonrow.Unmarshal([]byte(`{"cols":["T","P","List"],"rows":[[`+text+`,`+text+`,[`+text+`,null]]]}`), &rows)
		var wrong *jsonrow.CellError
		if want == "" {
			if !errors.As(err, &wrong) || wrong.Column != "T" {
				t.Errorf("%s: %v, %v", text, rows, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, got := range []time.Time{rows[0].T, *rows[0].P, rows[0].List[0]} {
			if got.Format(time.RFC3339Nano) != want {
				t.Errorf("%s: %v, not %s", text, got, want)
			}
		}
		if len(rows[0].List) != 2 || !rows[0].List[1].IsZero() {
			t.Errorf("%s: %v", text, rows[0].List)
		}
	}
	var rows []row
	if err := jsonrow.Unmarshal([]byte(`{"cols":["T","P"],"rows":[[null,null]]}`), &rows); err != nil ||
		!rows[0].T.IsZero() || rows[0].P != nil {
		t.Errorf("null: %v, %v", rows, err)
	}
}

const (
	notDocument = "jsonrow: not a document: "
	endedEarly  = "jsonrow: ended early: "
	noInt       = "jsonrow: json: cannot unmarshal %s into Go value of type int, "
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		doc, message string
	}{
		{`[]`, `'[' instead of a document at byte 0`},
		{`{"rows":[]}`, `it has no cols at byte 11`},
		{`{"cols":[]}`, `it has neither rows nor vals at byte 11`},
		{`{"cols":[],"rows":[],"vals":[]}`, `it has both rows and vals at byte 31`},
		{`{"cols":[],"rows":[]} x`, `something follows the document at byte 22`},
		{`{"cols":[],"rows":[],"more":1}`, `it has a member "more" at byte 28`},
		{`{"cols":[1],"rows":[]}`, `'1' instead of a string at byte 9`},
		{`{"cols":[{}],"rows":[]}`, `a nested column without a name at byte 11`},
		{`{"cols":[{"a":[["b"],"c"]}],"rows":[]}`, `',' instead of ']' at byte 20`},
		{`{"cols":["id","title"],"rows":[[1,"a"],[1]]}`,
			`a row has 1 of 2 cells, row 1 at byte 41`},
		{`{"cols":["id"],"rows":[[1, 2]]}`, `a row has more cells than there are columns, 1, row 0 at byte 25`},
		{`{"cols":[],"rows":[[1]]}`, `a row has more cells than there are columns, 0, row 0 at byte 20`},
		{`{"cols":["id"],"rows":[1]}`, `'1' instead of a row, row 0 at byte 23`},
		{`{"cols":["id"],"rows":[[1,]]}`, `a row has more cells than there are columns, 1, row 0 at byte 25`},
		{`{"cols":["id"],"rows":[[01]]}`, `'1' instead of a value, row 0, column id at byte 25`},
		{`{"cols":["id"],"rows":[[1],]}`, `']' instead of a value, row 1 at byte 27`},
		{`{"cols":["id"],"rows":[[1] [2]]}`, `'[' instead of ',' or ']', row 1 at byte 27`},
		{`{"cols":["x"],"rows":[["a` + "\n" + `"]]}`,
			`'\n' instead of a character of a string, row 0, column x at byte 25`},
		{`{"cols":["x"],"rows":[["\x"]]}`,
			`'x' instead of an escape, row 0, column x at byte 25`},
		{`{"cols":["x"],"rows":[[nul]]}`, `']' instead of null, row 0, column x at byte 26`},
		{`{"cols":["x"],"rows":[[{"a":1,}]]}`,
			`'}' instead of a string, row 0, column x at byte 30`},
		{`{"cols":["id",{"actors":[["name"]]}],"rows":[[1,[["a"],["b","c"]]]]}`,
			`a row has more cells than there are columns, 1, row 0, column actors[1] at byte 59`},
		{`{"cols":["id"],"vals":[]}`, `it has 0 of 1 vectors at byte 24`},
		{`{"cols":["id"],"vals":[[1],[2]]}`, `it has more vectors than columns, 1 at byte 27`},
		{`{"cols":["id","title"],"vals":[[1],[]]}`,
			`vectors have different lengths, row 0 at byte 37`},
		{`{"cols":["id","title"],"vals":[[1],["a","b"]]}`,
			`vectors have different lengths, row 1 at byte 40`},
	} {
		var rows []film
		var wrong *jsonrow.DocumentError
		if err := jsonrow.Unmarshal([]byte(c.doc), &rows); !errors.As(err, &wrong) || err.Error() != notDocument+c.message {
			t.Errorf("%s:\n%v, not\n%s%s", c.doc, err, notDocument, c.message)
		}
	}
	var rows []film
	err := jsonrow.Unmarshal([]byte(`{"cols":["id",{"actors":[["name"]]}],"rows":[[1,[]],[2,[["a"],[7]]]]}`), &rows)
	var cell *jsonrow.CellError
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &cell) || !errors.As(err, &mismatch) || rows != nil ||
		cell.Place != (jsonrow.Place{Row: 1, Column: "actors[1].name", Offset: 63}) || mismatch.Value != "number" ||
		err.Error() != "jsonrow: "+mismatch.Error()+", row 1, column actors[1].name at byte 63" {
		t.Errorf("%v, %+v, %v", err, cell, rows)
	}
	deep := strings.Repeat("[", 20000)
	if err := jsonrow.Unmarshal([]byte(`{"types":`+deep), &rows); err == nil {
		t.Error("too deep, and yet no error")
	}
	if err := jsonrow.Unmarshal([]byte(`{"cols":`+strings.Repeat(`[{"a":`, 20000)), &rows); err == nil {
		t.Error("a header is too deep, and yet no error")
	}
}

// Whatever is cut off, the error is that it ended early.
func TestCut(t *testing.T) {
	for _, doc := range []string{films,
		`{"cols":["id","title"],"types":["int4", "x"],"vals":[[1,2],["\u00e9",null]],"types":{"a":[true,false,-1.5e3]}}`} {
		for n := 0; n < len(doc); n++ {
			var early *jsonrow.EndedEarlyError
			var rows []film
			if err := jsonrow.Unmarshal([]byte(doc[:n]), &rows); !errors.As(err, &early) ||
				!errors.Is(err, io.ErrUnexpectedEOF) || early.Offset != int64(n) {
				t.Fatalf("%s: %v", doc[:n], err)
			}
		}
	}
}

// What is no JSON is an error, and what is one is not.
func FuzzUnmarshal(f *testing.F) {
	for _, doc := range []string{films, `{"cols":["id","x"],"vals":[[1],[{"a":[1.5e3,"\u00e9",true,null]}]]}`,
		`{"types":"\ud83d"}`} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		var structs []film
		var objects []map[string]any
		err := jsonrow.Unmarshal(doc, &objects)
		if err == nil && !json.Valid(doc) {
			t.Errorf("%q is no JSON", doc)
		}
		if jsonrow.Unmarshal(doc, &structs) == nil && (err != nil || len(structs) != len(objects)) {
			t.Errorf("%q: %v", doc, err)
		}
	})
}

func TestMarshal(t *testing.T) {
	seven := 7
	title := "A <\"b\"\\\n\x01é\xff>"
	for _, c := range []struct {
		doc  func() ([]byte, error)
		want string
	}{
		{func() ([]byte, error) {
			return jsonrow.Marshal([]*film{{ID: 1, Title: &title, Rating: 0.5, Actors: []actor{{"x", &seven}, {"y", nil}},
				Lead: &actor{Name: "z"}}, nil, {Actors: []actor{}}})
		}, `{"cols":["id","title","rating",{"actors":[["name","born"]]},{"lead":["name","born"]}],"rows":[[1,` +
			`"A <\"b\"\\\n\u0001é\ufffd>",0.5,[["x",7],["y",null]],["z",null]],null,[0,null,0,[],null]]}`},
		{func() ([]byte, error) { return jsonrow.Marshal([]actor(nil)) }, `{"cols":["name","born"],"rows":[]}`},
		{func() ([]byte, error) {
			return jsonrow.Marshal([]map[string]any{{"b": 1, "a": []int{1}}, {"c": nil}, nil})
		}, `{"cols":["a","b","c"],"rows":[[[1],1,null],[null,null,null],null]}`},
		{func() ([]byte, error) {
			type row struct {
				A int               `json:"a,omitempty"`
				B int64             `json:",string"`
				T time.Time         `json:"t,omitzero"`
				U time.Time         `json:"u"`
				X []byte            `json:"x"`
				R json.RawMessage   `json:"r"`
				F float32           `json:"f"`
				N json.Number       `json:"n"`
				J jsonrow.Rows[int] `json:"-"`
				D jsonrow.Rows[actor]
				M map[string]int
				P *bool
				V any
				W uint8
			}
			return jsonrow.Marshal([]row{{B: 5, U: time.Unix(0, 0).UTC(), X: []byte{1, 255}, R: json.RawMessage(`{"a":1}`),
				F: 0.1, N: "1.50", D: jsonrow.Rows[actor]{{Name: "q"}}, V: "v"}})
		}, `{"cols":["a","B","t","u","x","r","f","n",{"D":[["name","born"]]},"M","P","V","W"],"rows":[[null,"5",null,` +
			`"1970-01-01T00:00:00Z","\\x01ff",{"a":1},0.1,1.50,[["q",null]],null,null,"v",0]]}`},
		{func() ([]byte, error) {
			type node struct {
				Name     string
				Children []node
			}
			return jsonrow.Marshal([]node{{"a", []node{{"b", nil}}}})
		}, `{"cols":["Name","Children"],"rows":[["a",[{"Name":"b","Children":null}]]]}`},
	} {
		doc, err := c.doc()
		if err != nil || string(doc) != c.want {
			t.Errorf("%s, %v, not\n%s", doc, err, c.want)
		}
		var rows []map[string]any
		if err := jsonrow.Unmarshal(doc, &rows); err != nil {
			t.Error(err)
		}
	}
	if _, err := jsonrow.Marshal([]int{1}); err == nil || err.Error() != "jsonrow: rows are structs or maps, not int" {
		t.Error(err)
	}
	if _, err := jsonrow.Marshal([]film{{Rating: math.NaN()}}); err == nil ||
		err.Error() != "jsonrow: row 0: column rating: json: unsupported value: NaN" {
		t.Error(err)
	}
	var rows []film
	doc, err := jsonrow.Marshal([]film{{ID: 1, Actors: []actor{{Name: "a"}}, Lead: &actor{Name: "b", Born: &seven}}})
	if err == nil {
		err = jsonrow.Unmarshal(doc, &rows)
	}
	if err != nil || rows[0].Actors[0].Name != "a" || *rows[0].Lead.Born != 7 {
		t.Error(rows, err)
	}
}

func TestRows(t *testing.T) {
	var rows jsonrow.Rows[film]
	for _, value := range []any{films, []byte(films)} {
		if err := rows.Scan(value); err != nil || len(rows) != 3 {
			t.Error(rows, err)
		}
	}
	if err := rows.ScanBytes([]byte(films)); err != nil || len(rows) != 3 {
		t.Error(rows, err)
	}
	for _, null := range []error{rows.Scan(nil), rows.ScanBytes(nil), json.Unmarshal([]byte("null"), &rows)} {
		if null != nil || rows != nil {
			t.Error(rows, null)
		}
	}
	if err := rows.Scan(1); err == nil {
		t.Error("1 was read")
	}
	var outer struct{ Films jsonrow.Rows[film] }
	if err := json.Unmarshal([]byte(`{"Films":`+films+`}`), &outer); err != nil || *outer.Films[0].Title != "Alien" {
		t.Error(outer, err)
	}
	short := struct{ Actors jsonrow.Rows[actor] }{jsonrow.Rows[actor]{{Name: "a"}}}
	text, err := json.Marshal(short)
	if err != nil || string(text) != `{"Actors":{"cols":["name","born"],"rows":[["a",null]]}}` {
		t.Error(string(text), err)
	}
	if value, err := short.Actors.Value(); err != nil || value != `{"cols":["name","born"],"rows":[["a",null]]}` {
		t.Error(value, err)
	}
}

const lines = `{"cols":["id",{"actors":[["name"]]}],"types":["int4",{"actors":["text"]}]}
[1,[["a"]]]
[2,[]]
{"rows":2}
`
const pieces = `{"cols":["id",{"actors":[["name"]]}],"types":["int4",{"actors":["text"]}],"rows":[[1,[["a"]]],[2,[]]]}`

func readAll[T any](d *jsonrow.Decoder[T]) (rows []T, err error) {
	for d.Next() {
		rows = append(rows, d.Row())
	}
	if d.Next() {
		return rows, errors.New("there is a row after the end")
	}
	return rows, d.Err()
}

func TestStream(t *testing.T) {
	want := []film{{ID: 1, Actors: []actor{{Name: "a"}}}, {ID: 2, Actors: []actor{}}}
	for _, s := range []string{lines, pieces, strings.Replace(pieces, `,"types":["int4",{"actors":["text"]}]`, "", 1),
		pieces + " \n", strings.Replace(lines, ":2", ": 2 ", 1),
		`{"cols":["id",{"actors":[["name"]]}],"rows":[[1,[["a"]]],[2,[]]],"types":1}`} {
		for _, reader := range []io.Reader{strings.NewReader(s), iotest.OneByteReader(strings.NewReader(s)),
			iotest.DataErrReader(strings.NewReader(s))} {
			got, err := readAll(jsonrow.NewDecoder[film](reader))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, %v", s, got, err)
			}
		}
		for n := range strings.TrimSpace(s) {
			got, err := readAll(jsonrow.NewDecoder[film](strings.NewReader(s[:n])))
			var early *jsonrow.EndedEarlyError
			if !errors.As(err, &early) || early.Offset != int64(n) || len(got) > 0 && early.Row != len(got) {
				t.Fatalf("%s: %v, %+v", s[:n], err, early)
			}
		}
	}
	d := jsonrow.NewDecoder[*film](strings.NewReader(`{"cols":["id","title"],"rows":[[1,"a"],null,[2,null]]}`))
	rows, err := readAll(d)
	if err != nil || len(rows) != 3 || rows[1] != nil || rows[2].Title != nil || rows[0].ID != 1 {
		t.Errorf("%v, %v", rows, err)
	}
	for s, message := range map[string]string{
		strings.Replace(lines, ":2", ":3", 1): endedEarly + "2 of 3 rows, row 2 at byte 104",
		strings.Replace(lines, ":2", ":1", 1): endedEarly + "2 of 1 rows, row 2 at byte 104",
		lines + "x":                           notDocument + "something follows the end, row 2 at byte 105",
		strings.Replace(lines, "[2,", "[", 1): fmt.Sprintf(noInt, "array") + "row 1, column id at byte 88",
		"{\"cols\":[\"id\"]}\n[1,2]\n": notDocument +
			"a row has more cells than there are columns, 1, row 0 at byte 18",
		"{\"cols\":[\"id\"]}\n{\"count\":1}":   notDocument + "neither a row nor the number of rows, row 0 at byte 25",
		`{"rows":[]}`:                          notDocument + `"rows" cannot be streamed before the rows at byte 8`,
		`{"cols":["id"],"vals":[]}`:            notDocument + `"vals" cannot be streamed before the rows at byte 22`,
		`{"types":[]}`:                         notDocument + "there is no header at byte 12",
		`{"cols":[],"rows":[],"rows":[]}`:      notDocument + `it has a member "rows" after the rows, row 0 at byte 28`,
		`{"cols":["id"],"rows":[[1],[2],["x"]`: fmt.Sprintf(noInt, "string") + "row 2, column id at byte 32",
	} {
		if _, err := readAll(jsonrow.NewDecoder[film](strings.NewReader(s))); err == nil || err.Error() != message {
			t.Errorf("%s:\n%v, not\n%s", s, err, message)
		}
	}
	broken := errors.New("broken")
	_, err = readAll(jsonrow.NewDecoder[film](io.MultiReader(strings.NewReader(lines), iotest.ErrReader(broken))))
	if err != broken {
		t.Error(err)
	}
	_, err = readAll(jsonrow.NewDecoder[film](io.MultiReader(strings.NewReader(lines[:80]), iotest.ErrReader(broken))))
	if err != broken {
		t.Error(err)
	}
}

// Rows that are longer than the buffer, and many
func TestLongStream(t *testing.T) {
	type row struct {
		ID   int
		Text string
	}
	var b strings.Builder
	b.WriteString(`{"cols":["ID","Text"],"rows":[`)
	size := func(i int) int { return i * i % 1000 * (1 + i%100/99*1000) }
	const n = 2000
	for i := 0; i < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `[%d,"%s"]`, i, strings.Repeat("x", size(i)))
	}
	b.WriteString("]}")
	count := 0
	jsonrow.NewDecoder[row](strings.NewReader(b.String())).All()(func(r row, err error) bool {
		if err != nil || r.ID != count || len(r.Text) != size(count) {
			t.Fatal(count, r.ID, len(r.Text), err)
		}
		count++
		return true
	})
	if count != n {
		t.Error(count)
	}
	all := jsonrow.NewDecoder[row](strings.NewReader(b.String()[:b.Len()-1])).All()
	var last error
	count = 0
	all(func(_ row, err error) bool {
		count++
		last = err
		return true
	})
	if count != n+1 || !errors.Is(last, io.ErrUnexpectedEOF) {
		t.Error(count, last)
	}
}
