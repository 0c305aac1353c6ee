// Command decode HOW SHAPE FILE TIMES [CHECK] makes values of the JSON text in FILE, so many times; it prints the
// milliseconds of CPU that each took on average, garbage collection included. CHECK is a file of the objects that must
// come out.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/jsonrow/jsonrow/clients/go"
)

type flat struct {
	User          string `json:"user"`
	SessionID     int    `json:"sessionId"`
	Command       string `json:"command"`
	Statement     string `json:"statement"`
	TransactionID int    `json:"transactionId"`
	Time          int    `json:"time"`
}

type award struct {
	Year  int    `json:"year"`
	Prize string `json:"prize"`
}

type actor struct {
	FirstName string  `json:"first_name"`
	LastName  string  `json:"last_name"`
	Awards    []award `json:"awards"`
}

type film struct {
	FilmID int     `json:"film_id"`
	Title  string  `json:"title"`
	Year   int     `json:"year"`
	Rating float64 `json:"rating"`
	Actors []actor `json:"actors"`
}

func objects[T any](text []byte) (any, error) {
	var rows []T
	err := json.Unmarshal(text, &rows)
	return rows, err
}

func document[T any](text []byte) (any, error) {
	var rows []T
	err := jsonrow.Unmarshal(text, &rows)
	return rows, err
}

var ways = map[string]func(text []byte) (any, error){
	"structs of objects flat":   objects[flat],
	"structs of objects nested": objects[film],
	"client's structs flat":     document[flat],
	"client's structs nested":   document[film],
	"parse flat":                objects[map[string]any],
	"parse nested":              objects[map[string]any],
	"client flat":               document[map[string]any],
	"client nested":             document[map[string]any],
}

func main() {
	make := ways[os.Args[1]+" "+os.Args[2]]
	text, err := os.ReadFile(os.Args[3])
	check(err)
	times, err := strconv.Atoi(os.Args[4])
	check(err)
	if len(os.Args) > 5 {
		compare(make, text, os.Args[1], os.Args[2], os.Args[5])
	}
	for i := 0; i < 3; i++ {
		_, err = make(text)
		check(err)
	}
	runtime.GC()
	began := cpu()
	for i := 0; i < times; i++ {
		_, err = make(text)
		check(err)
	}
	fmt.Println(float64(cpu()-began) / float64(time.Millisecond) / float64(times))
}

// compare makes sure that a client makes what encoding/json makes of the objects.
func compare(make func([]byte) (any, error), text []byte, how, shape, file string) {
	of := map[string]string{"client": "parse", "client's structs": "structs of objects"}
	objects, err := os.ReadFile(file)
	check(err)
	want, err := ways[of[how]+" "+shape](objects)
	check(err)
	got, err := make(text)
	check(err)
	if !reflect.DeepEqual(got, want) {
		check(fmt.Errorf("%s: these are not the objects", how))
	}
}

func cpu() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
