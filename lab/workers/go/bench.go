package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/polypack/polypack/go/bench/payload"
)

// The payloads of go/bench.
var payloads = map[string]func() any{
	"01Small":      func() any { return payload.NewSmall() },
	"02Medium":     func() any { return payload.NewMedium() },
	"03Large":      func() any { return payload.NewLarge() },
	"04SmallMap":   func() any { return payload.NewSmallMap() },
	"05MediumMap":  func() any { return payload.NewMediumMap() },
	"06StringMap":  func() any { return payload.NewStringMap() },
	"07Int64x1M":   func() any { return payload.NewMultiples() },
	"08Mixed64x1M": func() any { return payload.NewMixedInts() },
	"09Uint16x1M":  func() any { return payload.NewUint16s() },
	"10Float64x1M": func() any { return payload.NewFloats() },
	"11Stringx1M":  func() any { return payload.NewStrings() },
	"12Rows1000":   func() any { return payload.NewPage() },
	"13Config":     func() any { return payload.NewConfig() },
	"14Series":     func() any { return payload.NewSeries() },
	"15Doc":        func() any { return payload.NewDoc() },
	"16Maps500":    func() any { return payload.NewMaps() },
}

// printPayload writes a payload as JSON.
func printPayload(name string) error {
	make, found := payloads[name]
	if !found {
		return fmt.Errorf("the bench has no payload called %q here", name)
	}
	text, err := payloadText(make())
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

func payloadText(value any) ([]byte, error) { return json.Marshal(withPoints(value)) }

// withPoints gives each whole float in maps a point, without which it would be read as an integer.
func withPoints(value any) any {
	switch value := value.(type) {
	case float64:
		text := strconv.FormatFloat(value, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return json.Number(text)
	case map[string]any:
		copied := make(map[string]any, len(value))
		for key, entry := range value {
			copied[key] = withPoints(entry)
		}
		return copied
	case []any:
		copied := make([]any, len(value))
		for i, element := range value {
			copied[i] = withPoints(element)
		}
		return copied
	case []map[string]any:
		copied := make([]any, len(value))
		for i, element := range value {
			copied[i] = withPoints(element)
		}
		return copied
	}
	return value
}
