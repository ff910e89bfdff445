package polypack_test

// Plan of the file: many goroutines at once: on types that nobody has compiled yet, and on codecs, options and
// dictionaries that they share. The race detector is the judge of what the values do not show.

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// atOnce calls do in many goroutines, which all wait for the last one to start, and reports the errors.
func atOnce(t *testing.T, count int, do func(i int) error) {
	t.Helper()
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range count {
		ready.Add(1)
		done.Add(1)
		go func() {
			defer done.Done()
			ready.Done()
			<-start
			if err := do(i); err != nil {
				t.Error(err)
			}
		}()
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// freshType returns a struct type that differs for every number, with parts that are types of their own.
func freshType(number int) reflect.Type {
	inner := reflect.StructOf([]reflect.StructField{
		{Name: "ID", Type: reflect.TypeFor[int64](), Tag: reflect.StructTag(fmt.Sprintf(`msgpack:"id%d"`, number))},
		{Name: "Name", Type: reflect.TypeFor[string]()},
	})
	return reflect.StructOf([]reflect.StructField{
		{Name: "One", Type: inner},
		{Name: "Many", Type: reflect.SliceOf(inner)},
		{Name: "Named", Type: reflect.MapOf(reflect.TypeFor[string](), reflect.PointerTo(inner))},
		{Name: "Fixed", Type: reflect.ArrayOf(2, inner)},
		{Name: "Own", Type: reflect.TypeFor[*deepMethod]()},
	})
}

func TestFreshTypesAtOnce(t *testing.T) {
	rounds := 40
	if fewRounds() {
		rounds = 8
	}
	extension := polypack.Extensions() // no types are registered, but types are compiled anew
	for round := range rounds {
		typ := freshType(round)
		value := reflect.New(typ)
		value.Elem().Field(0).Field(0).SetInt(int64(round))
		value.Elem().Field(1).Set(reflect.MakeSlice(typ.Field(1).Type, 3, 3))
		value.Elem().Field(1).Index(2).Field(1).SetString("last")
		for _, opts := range [][]polypack.Option{nil, {extension}, {polypack.PlansOnly()}, {polypack.Records(polypack.RecordsInline)}} {
			want := mustMarshal(t, value.Interface(), append([]polypack.Option{polypack.PlansOnly()}, opts...)...)
			atOnce(t, 16, func(i int) error {
				data, err := polypack.Marshal(value.Interface(), opts...)
				if err != nil || !bytes.Equal(data, want) {
					return fmt.Errorf("%x, %v; want %x", data, err, want)
				}
				got := reflect.New(typ)
				if err := polypack.Unmarshal(data, got.Interface(), opts...); err != nil {
					return err
				}
				if again, err := polypack.Marshal(got.Interface(), opts...); err != nil || !bytes.Equal(again, want) {
					return fmt.Errorf("decoded and encoded again %x, %v; want %x", again, err, want)
				}
				return nil
			})
		}
	}
}

func TestSharedCodecsAtOnce(t *testing.T) {
	type row struct {
		ID    int
		Name  string
		Tags  []string
		Attrs map[string]any
	}
	dictionary, err := polypack.NewDictionary([][]string{{"ID", "Name", "Tags", "Attrs"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string][]polypack.Option{
		"engine": nil, "plans": {polypack.PlansOnly()}, "strict": {polypack.Strict}, "records": {polypack.Records(polypack.RecordsInline)},
		"shared records": {polypack.SharedRecords(dictionary)}, "separate": {polypack.Strings(polypack.StringsSeparate)},
	} {
		codec := polypack.MustCodecOf[[]row](opts...)
		atOnce(t, 16, func(i int) error {
			for round := range 20 {
				rows := make([]row, round%5+1)
				for k := range rows {
					rows[k] = row{i*1000 + k, fmt.Sprint("name ", i), []string{"a", fmt.Sprint(k)}, map[string]any{fmt.Sprint("k", i%3): int64(k), "name": fmt.Sprint(i)}}
				}
				data, err := codec.Marshal(&rows)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				var got []row
				if err := codec.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, rows) {
					return fmt.Errorf("%s: %v, got %v; want %v", name, err, got, rows)
				}
				encoder, decoder := polypack.GetStructEncoder[row](), polypack.GetStructDecoder[row](i%2 == 0)
				one, err := encoder.Encode(&rows[0])
				if err != nil {
					return err
				}
				var back row
				if err := decoder.Decode(one, &back); err != nil || !reflect.DeepEqual(back, rows[0]) {
					return fmt.Errorf("%s: %v, got %v; want %v", name, err, back, rows[0])
				}
			}
			return nil
		})
	}
}
