package polypack_test

import (
	"bytes"
	"math"
	"strconv"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

func TestTimestampForms(t *testing.T) {
	for _, c := range []struct {
		seconds     int64
		nanoseconds uint32
		want        string
	}{
		{0, 0, "d6ff00000000"}, {1<<32 - 1, 0, "d6ffffffffff"}, {1 << 32, 0, "d7ff0000000100000000"}, {0, 1, "d7ff0000000400000000"},
		{1<<34 - 1, 999_999_999, "d7ffee6b27ffffffffff"}, {1 << 34, 0, "c70cff000000000000000400000000"},
		{-1, 0, "c70cff00000000ffffffffffffffff"}, {-1, 999_999_999, "c70cff3b9ac9ffffffffffffffffff"},
		{math.MaxInt64, 0, "c70cff000000007fffffffffffffff"}, {math.MinInt64, 1, "c70cff000000018000000000000000"},
	} {
		ts := polypack.Timestamp{Seconds: c.seconds, Nanoseconds: c.nanoseconds}
		data := mustMarshal(t, ts)
		if !bytes.Equal(data, unhex(t, c.want)) {
			t.Errorf("%+v: %x, want %s", ts, data, c.want)
		}
		var back polypack.Timestamp
		if err := polypack.Unmarshal(data, &back); err != nil || back != ts {
			t.Errorf("%+v came back as %+v, %v", ts, back, err)
		}
		moment, err := ts.Time()
		if err != nil {
			continue
		}
		if !bytes.Equal(polypack.MarshalTimestamp(moment), data) || polypack.TimestampOf(moment) != ts {
			t.Errorf("%v encodes differently", moment)
		}
		if back, err := polypack.UnmarshalTimestamp(data); err != nil || !back.Equal(moment) || back.Location() != time.UTC {
			t.Errorf("%v came back as %v, %v", moment, back, err)
		}
	}
}

// TestTimeRange asserts where the range of time.Time ends: as far as its calendar counts on.
func TestTimeRange(t *testing.T) {
	const first, last = -9223372028715321600, 1<<63 - 1 - 62135596800
	for _, seconds := range []int64{first, first + 1, last - 1, last} {
		moment, err := polypack.Timestamp{Seconds: seconds}.Time()
		if err != nil || moment.Unix() != seconds {
			t.Fatalf("%d: %v, %v", seconds, moment, err)
		}
		date := moment.AddDate(0, 0, 0) // there and back through the calendar, whose year is an int
		if strconv.IntSize == 64 && !date.Equal(moment) {
			t.Errorf("%d: %v is no date", seconds, moment)
		}
	}
	for _, seconds := range []int64{math.MinInt64, first - 1, last + 1, math.MaxInt64} {
		_, err := polypack.Timestamp{Seconds: seconds}.Time()
		wantFault(t, err, polypack.CodeOutOfRange, -1, "")
		data := mustMarshal(t, polypack.Timestamp{Seconds: seconds})
		_, err = polypack.UnmarshalTimestamp(data)
		wantFault(t, err, polypack.CodeOutOfRange, 0, "")
		var v any
		wantFault(t, polypack.Unmarshal(data, &v), polypack.CodeOutOfRange, 0, "")
	}
}

func TestTimestampFaults(t *testing.T) {
	for in, code := range map[string]polypack.Code{
		"d5ff0000": polypack.CodeInvalidTimestamp, "c700ff": polypack.CodeInvalidTimestamp, "d7ffee6b280000000000": polypack.CodeInvalidTimestamp,
		"c70cff3b9aca000000000000000000": polypack.CodeInvalidTimestamp, "d505ffff": polypack.CodeTypeMismatch, "c0": polypack.CodeTypeMismatch,
		"": polypack.CodeUnexpectedEnd, "d6ff000000": polypack.CodeUnexpectedEnd,
	} {
		_, err := polypack.UnmarshalTimestamp(unhex(t, in))
		wantFault(t, err, code, 0, "")
	}
	_, err := polypack.UnmarshalTimestamp(unhex(t, "d6ff00000000c0"))
	wantFault(t, err, polypack.CodeTrailingData, 6, "")
	_, err = polypack.Timestamp{Nanoseconds: 1e9}.Time()
	wantFault(t, err, polypack.CodeInvalidTimestamp, -1, "")
}

func TestExtToTimestamp(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "d6ff00000001 d50500ff"))
	e, err := d.DecodeExt()
	if err != nil || !polypack.IsTimestamp(e) {
		t.Fatal(e, err)
	}
	if moment, err := polypack.ExtToTimestamp(e); err != nil || !moment.Equal(time.Unix(1, 0)) {
		t.Error(moment, err)
	}
	other, err := d.DecodeExt()
	if err != nil || polypack.IsTimestamp(other) {
		t.Fatal(other, err)
	}
	_, err = polypack.ExtToTimestamp(other)
	wantFault(t, err, polypack.CodeTypeMismatch, -1, "")
	_, err = polypack.ExtToTimestamp(polypack.Ext{Type: -1, Data: []byte{1}})
	wantFault(t, err, polypack.CodeInvalidTimestamp, -1, "")
}
