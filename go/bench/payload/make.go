package payload

// Plan of the file: a function for each payload. Random parts have a fixed seed, so every run and every process has the
// same payloads.
//
// A payload survives encoding and decoding by encoding/json and encoding/gob, except that encoding/json makes float64s
// of ints in an any. That is why empty slices and maps are nil, no pointer leads to a zero value, no any holds nil, and
// times are in UTC without a monotonic part.

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// columnLength is the number of values in a column.
const columnLength = 1_000_000

var (
	words = strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau")
	names = strings.Fields("Ada Grace Alan Edsger Barbara Donald Margaret Niklaus Radia Ken Frances Dennis Zoë Søren Łukasz")
	towns = strings.Fields("Lisbon Vienna Oslo Kraków Zürich Utrecht Ghent Turin Malmö Porto Graz Bergen")
)

type maker struct{ *rand.Rand }

// newMaker returns a maker for one payload. Each payload has its own seed, so the order of making doesn't matter.
func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 4))} }

// NewSmall returns a struct whose encoding has about 20 bytes.
func NewSmall() Small { return Small{Name: "Hypatia", Age: 45} }

// NewMedium returns a struct whose encoding has about 150 bytes.
func NewMedium() Medium {
	return Medium{
		ID: 48_213, Name: "Ada Lovelace", Email: "ada.lovelace@example.org", Age: 36, Active: true, Score: 97.25,
		Tags:   []string{"author", "editor", "reviewer"},
		Labels: map[string]string{"team": "analysis", "office": "London"},
	}
}

// NewLarge returns a struct whose encoding has about 480 bytes.
func NewLarge() Large {
	return Large{
		ID: 48_213, UUID: "7b1f3c52-9a64-4f0e-8d37-2c5be1a0f946",
		Name: "Ada Lovelace", Email: "ada.lovelace@example.org", Phone: "+44-20-5550-0136",
		Street: "12 St James's Square", City: "London", Country: "United Kingdom", Postcode: "SW1Y 4JH",
		Age: 36, Balance: 1024.75, Rating: 4.5, Active: true, Verified: true, Paying: true,
		Created: 1_577_836_800, Changed: 1_735_689_600, Visits: 1815, Failures: 3,
		Tags:   []string{"author", "editor", "reviewer", "founder", "night-owl"},
		Groups: []string{"engines", "notes", "poetry"},
		Points: []int64{12, 99, 1843, 7, 64, 255, 1000, 36},
		Labels: map[string]string{"team": "analysis", "office": "London", "level": "principal", "track": "research"},
	}
}

// NewSmallMap returns a map of two entries.
func NewSmallMap() map[string]any { return map[string]any{"name": "Hypatia", "age": int64(45)} }

// NewMediumMap returns the value of NewMedium as a map.
func NewMediumMap() map[string]any {
	return map[string]any{
		"id": int64(48_213), "name": "Ada Lovelace", "email": "ada.lovelace@example.org", "age": int64(36),
		"active": true, "score": 97.25,
		"tags":   []any{"author", "editor", "reviewer"},
		"labels": map[string]any{"team": "analysis", "office": "London"},
	}
}

// NewStringMap returns a map of four entries.
func NewStringMap() map[string]string {
	return map[string]string{"name": "Hypatia", "email": "hypatia@example.org", "role": "teacher", "city": "Alexandria"}
}

// NewMultiples returns the first million multiples of seven, beginning with 0.
func NewMultiples() Int64s {
	values := make([]int64, columnLength)
	for i := range values {
		values[i] = int64(i) * 7
	}
	return Int64s{values, columnLength - 1}
}

// NewMixedInts returns a million integers of random width and sign.
func NewMixedInts() Int64s {
	m := newMaker(8)
	values := make([]int64, columnLength)
	for i := range values {
		values[i] = int64(m.Uint64()) >> m.IntN(64)
	}
	return Int64s{values, columnLength - 1}
}

// NewUint16s returns the integers from 0 to 999,999 modulo 65,536.
func NewUint16s() Uint16s {
	values := make([]uint16, columnLength)
	for i := range values {
		values[i] = uint16(i)
	}
	return Uint16s{values, columnLength - 1}
}

// NewFloats returns a million random numbers from −1000 to 1000.
func NewFloats() Float64s {
	m := newMaker(10)
	values := make([]float64, columnLength)
	for i := range values {
		values[i] = m.Float64()*2000 - 1000
	}
	return Float64s{values, columnLength - 1}
}

// NewStrings returns a million strings of 4 to 22 bytes.
func NewStrings() Strings {
	m := newMaker(11)
	values := make([]string, columnLength)
	for i := range values {
		values[i] = m.of(words) + "-" + strconv.Itoa(m.IntN(columnLength))
		if i%4 == 0 {
			values[i] += "." + m.of(words)
		}
	}
	return Strings{values, columnLength - 1}
}

// NewPage returns a page of a thousand rows, whose encoding has about 170 KB.
func NewPage() Page {
	m := newMaker(12)
	page := Page{Rows: make([]Row, 1000), Total: 48_213}
	for i := range page.Rows {
		name := m.of(names)
		page.Rows[i] = Row{
			ID:      int64(1_000_000 + i),
			Name:    name + " " + m.of(names) + "son",
			Email:   fmt.Sprintf("user%d.%s@customers.mail.example.org", i, m.of(words)),
			City:    m.of(towns),
			Phone:   fmt.Sprintf("+43-1-555-%04d", m.IntN(10_000)),
			Age:     18 + m.IntN(70),
			Active:  m.IntN(10) < 7,
			Score:   m.Float64() * 100,
			Created: 1_700_000_000_000 + m.Int64N(30_000_000_000),
			Tags:    m.list(words, i%4), // three in four rows have tags
		}
	}
	return page
}

// NewConfig returns a configuration whose encoding has about 4.1 KB.
func NewConfig() Config {
	m := newMaker(13)
	config := Config{
		Origin: Origin{Version: 3, Author: "ops@example.org", Written: time.Date(2024, 5, 17, 9, 30, 0, 0, time.UTC)},
		Name:   "gateway", Debug: true,
		Server: &Server{
			Host: "0.0.0.0", Port: 8443, Timeout: 30 * time.Second, Secret: []byte("\x01\x80not\xfftext\x10\x00\x7f\xee."),
			TLS: &TLS{
				Cert: "/etc/gateway/tls/server.pem", Key: "/etc/gateway/tls/server.key",
				Ciphers: []uint16{0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f},
			},
		},
		Backends: map[string]*Backend{},
		Features: map[string]bool{},
		Limits:   map[string]int64{},
		Menu:     m.node(3, "home"),
	}
	for i := range 14 {
		url := fmt.Sprintf("https://%s-%d.internal.example.org:9%03d/", m.of(words), i, i)
		backend := &Backend{URL: url, Weight: float64(1+i) / 8}
		if i%3 != 0 {
			retries := 1 + i
			backend.Retries = &retries
		}
		if i%2 == 0 {
			backend.Headers = map[string]string{"X-Backend": "b" + strconv.Itoa(i), "X-Zone": m.of(towns)}
		}
		config.Backends["backend-"+strconv.Itoa(i)] = backend
	}
	for i := range 10 {
		config.Features[m.of(words)+"-"+strconv.Itoa(i)] = i%3 == 0
		config.Limits[m.of(words)+"."+strconv.Itoa(i)] = int64(1) << (4 * i)
	}
	for i := range 19 {
		route := Route{
			Path:    "/api/v1/" + m.of(words) + "/" + m.of(words),
			Methods: []string{"GET", "POST", "DELETE"}[:1+i%3],
			Backend: "backend-" + strconv.Itoa(i%14),
			Public:  i%4 == 0,
		}
		if i%2 == 0 {
			seconds := int32(60 * (1 + i))
			route.Cache = &seconds
		}
		config.Routes = append(config.Routes, route)
	}
	return config
}

// node returns a tree of the given depth. Nodes have three children each, except for the leaves.
func (m maker) node(depth int, title string) *Node {
	n := &Node{Title: title}
	if depth == 0 {
		n.Link = "/" + title
		return n
	}
	for i := range 3 {
		n.Children = append(n.Children, m.node(depth-1, m.of(words)+strconv.Itoa(i)))
	}
	return n
}

// NewSeries returns a series of a thousand points, whose encoding has about 28 KB.
func NewSeries() Series {
	m := newMaker(14)
	series := Series{Name: "temperature", Unit: "°C", Points: make([]Point, 1000)}
	for i := range series.Points {
		at := time.Unix(1_700_000_000+int64(i)*15, m.Int64N(1_000_000)*1000).UTC()
		series.Points[i] = Point{At: at, Mean: 18 + 6*m.Float64()}
	}
	return series
}

// NewDoc returns a document without a schema, whose encoding has about 5.3 KB.
func NewDoc() map[string]any {
	m := newMaker(15)
	items := make([]any, 31)
	for i := range items {
		items[i] = map[string]any{
			"sku":   fmt.Sprintf("%s-%04d", strings.ToUpper(m.of(words)), i),
			"title": m.of(words) + " " + m.of(words) + " " + m.of(words),
			"price": float64(100+m.IntN(100_000)) / 100,
			"count": int64(1 + m.IntN(400)),
			"sizes": []any{int64(1 + m.IntN(9)), int64(100 + m.IntN(900)), int64(10_000 + m.IntN(90_000))},
			"stock": map[string]any{"warehouse": m.of(towns), "shelf": m.of(words), "left": int64(m.IntN(5000)), "open": i%2 == 0},
			"notes": m.of(names) + " asked for " + m.of(words) + " in " + m.of(towns),
		}
	}
	return map[string]any{
		"id": "01HF7Z9Q3M6T5W8K2X4C7V9B1N", "type": "order.placed", "revision": int64(3), "total": 18_250.75, "paid": true,
		"placed": int64(1_700_000_000_123),
		"customer": map[string]any{
			"id": int64(48_213), "name": "Ada Lovelace", "email": "ada.lovelace@example.org",
			"address": map[string]any{"street": "12 St James's Square", "city": "London", "postcode": "SW1Y 4JH"},
			"loyal":   true, "rating": 4.75,
		},
		"items": items,
	}
}

// NewMaps returns 500 small maps, whose encoding has about 75 KB.
func NewMaps() []map[string]any {
	m := newMaker(16)
	maps := make([]map[string]any, 500)
	for i := range maps {
		maps[i] = map[string]any{
			"id": int64(1_000_000 + i), "name": m.of(names) + " " + m.of(names) + "son",
			"email":  fmt.Sprintf("user%d.%s@mail.example.org", i, m.of(words)),
			"age":    int64(18 + m.IntN(70)),
			"active": m.IntN(10) < 7, "score": m.Float64() * 100, "city": m.of(towns),
			"created": 1_700_000_000_000 + m.Int64N(30_000_000_000),
			"tags":    []any{m.of(words), m.of(words), m.of(words), m.of(words)},
		}
	}
	return maps
}

func (m maker) of(list []string) string { return list[m.IntN(len(list))] }

// list returns count random elements of the slice from, or nil if count is 0.
func (m maker) list(from []string, count int) []string {
	if count == 0 {
		return nil
	}
	list := make([]string, count)
	for i := range list {
		list[i] = m.of(from)
	}
	return list
}
