//go:build unix

package snapshot_test

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/polypack/polypack/go/snapshot"
)

// cpuTime returns the processor time that the process has used.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// decodeTime returns the least processor time that decoding takes, for each byte of the data.
func decodeTime(t *testing.T, data []byte, calls int) float64 {
	t.Helper()
	least := time.Hour
	for range 3 {
		runtime.GC()
		before := cpuTime(t)
		for range calls {
			if _, err := snapshot.Decode(data); err != nil {
				t.Fatal(err)
			}
		}
		least = min(least, cpuTime(t)-before)
	}
	return float64(least) / float64(calls) / float64(len(data))
}

// A byte of input costs about as much in a long snapshot as in a short one, whatever it is. If each value were compared
// with all before it, a byte would take 16 times as long where there are 16 times as many.
func TestTimePerByte(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // its time depends on what lives, not on the input alone
	const longer, most = 16, 6
	const times = 1 << 16
	row, object, empty := "ce 01 41 61", "cf 41 41 00 01 00 00 41 61", "82 cf 41 41 00 00 00 00"
	units := map[string]func(times int) []byte{
		"table of nulls":             func(n int) []byte { return cellsOf(t, "", row, "c0", n) },
		"table of rows with objects": func(n int) []byte { return cellsOf(t, empty, object, "60", n) },
		"charged columns": func(n int) []byte {
			return wideTable(t, n/4, 31, "03 fe ff ff ff ff ff ff ff ff 01 00 00")
		},
		"constant lists": func(n int) []byte { return wideTable(t, n/4, 15, "01 81 05") },
		"map of ints": func(n int) []byte {
			data := append(repeated(t, "", "", 0)[:4], 0xd6)
			data = appendCount(data, n)
			data = append(data, unhex(t, "03 00 02 00")...) // 0, 1, 2 …: the keys are charged
			return append(data, slices.Repeat([]byte{5}, n)...)
		},
		"map of mixed keys": func(n int) []byte {
			data := append(repeated(t, "", "", 0)[:4], 0xd6)
			data = append(appendCount(data, n), 0)
			for i := range n {
				data = append(data, 0xc6, byte(i), byte(i>>8), byte(i>>16), 0)
			}
			return append(data, slices.Repeat([]byte{5}, n)...)
		},
		"distinct strings": func(n int) []byte {
			data := appendCount(append(repeated(t, "", "", 0)[:4], 0xd3), n)
			for i := range n {
				data = append(data, 0x44, 's', byte(i), byte(i>>8), byte(i>>16))
			}
			return data
		},
		"deep lists": func(n int) []byte { return repeated(t, "", strings.Repeat("81", 500)+"c0", n/512) },
	}
	for name, unit := range map[string][2]string{
		"ints": {"", "05"}, "empty lists": {"", "80"}, "lists": {"", "81 05"}, "rows": {"ce 01 41 61 05", "60 05"},
		"objects": {"cf 41 41 00 01 01 00 41 61 05", "60 05"}, "strings again": {"42 7878", "90"}, "maps": {"", "d6 01 00 05 05"},
		"arrays again": {"ce 01 41 61 81 05", "60 d9"}, "shapes": {"", "ce 01 41 61 05"}, "cases": {"", "d2 40 40"},
		"references": {"", "da 05"}, "objects again": {"cf 41 41 00 00 00 00", "dc 00"}, "many properties": {"d0 41 41 01 80", "60 80"},
	} {
		units[name] = func(n int) []byte { return repeated(t, unit[0], unit[1], n) }
	}
	for name, of := range units {
		short, long := of(times/longer), of(times)
		var ratio float64
		for range 3 { // whoever shares the machine may disturb one
			if ratio = decodeTime(t, long, 1) / decodeTime(t, short, longer); ratio < most {
				break
			}
		}
		t.Logf("%s: %.2f", name, ratio)
		if ratio >= most {
			t.Errorf("%s: a byte of %d takes %.1f times as long as one of %d", name, len(long), ratio, len(short))
		}
	}
}

func appendCount(data []byte, count int) []byte {
	for ; count >= 0x80; count >>= 7 {
		data = append(data, byte(count)|0x80)
	}
	return append(data, byte(count))
}
