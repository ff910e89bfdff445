package polypack_test

import (
	"bytes"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// TestConcurrentPlans compiles types that refer to each other from many goroutines at once; run it with -race.
func TestConcurrentPlans(t *testing.T) {
	type (
		leaf   struct{ N int }
		branch struct {
			Leaves []leaf
			Next   map[string]*branch
		}
		root struct {
			B branch
			R []*root
		}
	)
	v := root{B: branch{Leaves: []leaf{{1}}, Next: map[string]*branch{"k": {}}}, R: []*root{{}, nil}}
	results := make([][]byte, 16)
	var group sync.WaitGroup
	for i := range results {
		group.Add(1)
		go func() {
			defer group.Done()
			data, err := polypack.Marshal(v)
			var back root
			if err == nil {
				err = polypack.Unmarshal(data, &back)
			}
			if err == nil {
				data, err = polypack.Marshal(back)
			}
			if err != nil {
				t.Error(err)
			}
			results[i] = data
		}()
	}
	group.Wait()
	for _, data := range results {
		if !bytes.Equal(data, results[0]) {
			t.Errorf("got %x and %x", data, results[0])
		}
	}
}
