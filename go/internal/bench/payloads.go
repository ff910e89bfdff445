package main

// Payloads, made by a formula, so that every run has the same. encoding/json and encoding/gob keep all of them as they are:
// no empty slice that is not nil, no pointer to a zero, no nil in an any, and the numbers in an any are floats.

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

type row struct {
	ID      int64     `msgpack:"id" json:"id"`
	Name    string    `msgpack:"name" json:"name"`
	Email   string    `msgpack:"email" json:"email"`
	Active  bool      `msgpack:"active" json:"active"`
	Score   float64   `msgpack:"score" json:"score"`
	Created time.Time `msgpack:"created" json:"created"`
	Tags    []string  `msgpack:"tags" json:"tags"`
	Address address   `msgpack:"address" json:"address"`
	Parent  *int32    `msgpack:"parent" json:"parent"`
}

type address struct {
	Street string `msgpack:"street" json:"street"`
	City   string `msgpack:"city" json:"city"`
	Zip    string `msgpack:"zip" json:"zip"`
}

type event struct {
	ID    string    `msgpack:"id" json:"id"`
	Type  string    `msgpack:"type" json:"type"`
	At    int64     `msgpack:"at" json:"at"`
	User  user      `msgpack:"user" json:"user"`
	Total float64   `msgpack:"total" json:"total"`
	Lines []product `msgpack:"lines" json:"lines"`
}

type user struct {
	ID    uint32 `msgpack:"id" json:"id"`
	Name  string `msgpack:"name" json:"name"`
	Admin bool   `msgpack:"admin" json:"admin"`
}

type product struct {
	SKU   string `msgpack:"sku" json:"sku"`
	Count int    `msgpack:"count" json:"count"`
}

var words = strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu Ångström façade naïve 東京 Москва")

type maker struct{ *rand.Rand }

func workloads() []workload {
	m := maker{rand.New(rand.NewPCG(1, 2))}
	return []workload{
		newWorkload("rows", m.rows(200)),
		newWorkload("tree", m.tree(5)),
		newWorkload("ints", m.ints(4000)),
		newWorkload("floats", m.floats(4000)),
		newWorkload("texts", m.texts(200)),
		newWorkload("event", m.event()),
	}
}

// rows returns rows of one shape, as an API lists them.
func (m maker) rows(count int) []row {
	rows := make([]row, count)
	for i := range rows {
		rows[i] = row{
			ID:      int64(100_000 + i),
			Name:    m.word() + " " + m.word(),
			Email:   fmt.Sprintf("user%d@example.org", i),
			Active:  m.IntN(100) < 70,
			Score:   float64(m.IntN(10_000)) / 128,
			Created: time.Unix(1_700_000_000+m.Int64N(1_000_000), m.Int64N(1_000_000_000)).UTC(),
			Tags:    m.words(1 + m.IntN(3)),
			Address: address{fmt.Sprintf("%s %d", m.word(), m.IntN(200)), m.word(), strconv.Itoa(10_000 + i)},
		}
		if m.IntN(100) < 80 {
			parent := int32(1 + i>>1)
			rows[i].Parent = &parent
		}
	}
	return rows
}

// tree returns a tree of many shapes, as a configuration is.
func (m maker) tree(depth int) map[string]any {
	tree := map[string]any{}
	for range 3 + m.IntN(6) {
		name := m.word() + strconv.Itoa(m.IntN(10))
		switch {
		case depth > 0 && m.IntN(2) == 0:
			tree[name] = m.tree(depth - 1)
		case m.IntN(4) == 0:
			tree[name] = m.IntN(2) == 0
		case m.IntN(3) == 0:
			tree[name] = float64(m.IntN(100_000)) / 8
		case m.IntN(2) == 0:
			tree[name] = name + " value"
		default:
			tree[name] = []any{m.word(), m.word(), m.word()}
		}
	}
	return tree
}

// ints returns integers of random sign and width.
func (m maker) ints(count int) []int64 {
	ints := make([]int64, count)
	for i := range ints {
		ints[i] = int64(m.Uint64()) >> m.IntN(63)
	}
	return ints
}

func (m maker) floats(count int) []float64 {
	floats := make([]float64, count)
	for i := range floats {
		floats[i] = m.Float64()*512 - 256
	}
	return floats
}

// texts returns texts of 20 to 400 bytes.
func (m maker) texts(count int) []string {
	texts := make([]string, count)
	for i := range texts {
		texts[i] = strings.Join(m.words(4+m.IntN(47)), " ")
	}
	return texts
}

// event returns one small message, as a queue carries it.
func (m maker) event() event {
	return event{
		ID: "01HF7Z9Q3M6T5W8K2X4C7V9B1N", Type: "order.paid", At: 1_700_000_000_123,
		User: user{ID: 48_213, Name: "Ada Ångström"}, Total: 129.95,
		Lines: []product{{"A-17", 2}, {"B-4", 1}},
	}
}

func (m maker) word() string { return words[m.IntN(len(words))] }

func (m maker) words(count int) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = m.word()
	}
	return list
}
