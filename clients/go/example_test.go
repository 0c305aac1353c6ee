package jsonrow_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jsonrow/jsonrow/clients/go"
)

type Actor struct {
	Name string `json:"name"`
}

type Film struct {
	ID     int     `json:"id"`
	Title  string  `json:"title"`
	Actors []Actor `json:"actors"`
}

func ExampleUnmarshal() {
	doc := []byte(`{"cols": ["title", {"actors": [["name"]]}],
		"rows": [["Alien", [["Weaver"], ["Hurt"]]], ["Brazil", []]]}`)
	var films []Film
	if err := jsonrow.Unmarshal(doc, &films); err != nil {
		fmt.Println(err)
	}
	fmt.Println(films)
	// Output: [{0 Alien [{Weaver} {Hurt}]} {0 Brazil []}]
}

func ExampleUnmarshal_errors() {
	doc := []byte(`{"cols": ["id", "title"], "rows": [[1, "Alien"], ["two", "Brazil"]]}`)
	var films []Film
	var wrong *jsonrow.CellError
	if err := jsonrow.Unmarshal(doc, &films); errors.As(err, &wrong) {
		fmt.Println(wrong.Row, wrong.Column)
		fmt.Println(err)
	}
	// Output:
	// 1 id
	// jsonrow: json: cannot unmarshal string into Go value of type int, row 1, column id at byte 50
}

func ExampleMarshal() {
	doc, err := jsonrow.Marshal([]Film{{1, "Alien", []Actor{{"Weaver"}, {"Hurt"}}}})
	fmt.Println(string(doc), err)
	// Output: {"cols":["id","title",{"actors":[["name"]]}],"rows":[[1,"Alien",[["Weaver"],["Hurt"]]]]} <nil>
}

func ExampleDecoder() {
	file := strings.NewReader("{\"cols\":[\"id\",\"title\"]}\n[1,\"Alien\"]\n[2,\"Brazil\"]\n{\"rows\":3}\n")
	films := jsonrow.NewDecoder[Film](file)
	for films.Next() {
		fmt.Println(films.Row().Title)
	}
	if err := films.Err(); errors.Is(err, io.ErrUnexpectedEOF) {
		fmt.Println(err)
	}
	// Output:
	// Alien
	// Brazil
	// jsonrow: ended early: 2 of 3 rows, row 2 at byte 59
}
