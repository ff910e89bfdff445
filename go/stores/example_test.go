package stores_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/stores"
)

// A writer publishes the shapes of its types; a reader loads them when it meets the first id that it doesn't know.
func ExampleNewFile() {
	type Event struct {
		ID   int    `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	folder, err := os.MkdirTemp("", "shapes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	open := func() *polypack.StoredDictionary { // in each process
		store, err := stores.NewFile(filepath.Join(folder, "shapes.mp"), stores.FileOptions{})
		if err != nil {
			log.Fatal(err)
		}
		stored, err := polypack.NewStoredDictionary(store, 32)
		if err != nil {
			log.Fatal(err)
		}
		return stored
	}

	writer := open()
	if err := writer.PublishShapesOf(context.Background(), Event{}); err != nil {
		log.Fatal(err)
	}
	data, err := polypack.Marshal(Event{1, "Ada"}, polypack.StoredRecords(writer))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", data)

	var event Event
	if err := polypack.Unmarshal(data, &event, polypack.StoredRecords(open())); err != nil {
		log.Fatal(err)
	}
	fmt.Println(event)
	// Output:
	// 4001a3416461
	// {1 Ada}
}
