package main

// Plan of the file: what one process does. For each workload and operation, the contestants take turns. In each round,
// each of them gets one slot of about slotTime. A ratio compares two slots of the same round, because a slow phase of
// the machine then affects both.

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/bench/payload"
)

const (
	slotTime  = 12 * time.Millisecond
	warmUp    = 30 * time.Millisecond
	minRounds = 5
	maxRounds = 11
)

// A plan says what a process measures.
type plan struct {
	workloads, operations []string
	peers                 []contestant
	budget                time.Duration // for the rounds of one operation; at least minRounds run, at most maxRounds
}

// findings holds the results of one process, or of several after add.
type findings struct {
	Samples []sample
	Costs   []cost
	Notes   []string // what was left out, and why
}

// A sample has the measurements for one row. An element of Ratios is the peer's time divided by ours in one round.
type sample struct {
	Workload, Operation, Against string
	Ratios                       []float64
	Verified                     bool
}

// A cost is the time and memory that one call of a contestant needs.
type cost struct {
	Workload, Operation, Who string
	Nanoseconds              []float64 // per call; one element for each round
	Allocs, Bytes            float64   // per call
	Size                     int       // bytes of the message
}

// A run measures one operation of one contestant on one workload.
type run struct {
	who    string
	own    bool
	do     func(calls int) (any, error)
	check  func(last any) bool
	size   int
	calls  int // calls that fill a slot
	times  []float64
	wrong  bool
	allocs float64
	bytes  float64
}

// A duel compares one of our runs with one run of a peer. It becomes a row of the table.
type duel struct {
	operation  string
	ours, peer *run
}

func (p plan) measure() (findings, error) {
	var found findings
	for _, l := range workloads {
		if !slices.Contains(p.workloads, l.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, " %s", l.name)
		if err := p.measureOne(l.load(), &found); err != nil {
			return found, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return found, nil
}

// An entrant is a contestant with its codec for a workload, and the message that it encoded.
type entrant struct {
	contestant
	codec   *codec
	packed  []byte
	own     bool
	decodes bool // whether the contestant can decode its own message
	right   bool // whether the decoded value equals the encoded one, apart from allowed changes
}

func (p plan) measureOne(w *workload, found *findings) error {
	own := map[string]*entrant{}
	for _, name := range ways {
		c := w.own.named(name)
		if c == nil {
			continue
		}
		e, err := enterWith(w, contestant{name: "polypack " + name}, c)
		if err == nil && !e.right {
			err = fmt.Errorf("the value does not come back")
		}
		if err != nil {
			return fmt.Errorf("polypack, %s: %w", name, err)
		}
		e.own = true
		own[name] = e
	}
	var others []*entrant
	for _, peer := range p.peers {
		c := peer.codecOf(w)
		if c == nil {
			continue
		}
		e, err := enterWith(w, peer, c)
		if err != nil {
			found.Notes = append(found.Notes, fmt.Sprintf("%s, %s: %v", w.name, peer.name, err))
		}
		if e != nil {
			others = append(others, e)
		}
	}
	for _, op := range operations {
		if !slices.Contains(p.operations, op.name) && !slices.Contains(p.operations, op.generated) {
			continue
		}
		duels, runs := p.pair(w, op, own, others)
		if len(duels) == 0 {
			continue
		}
		if err := alternate(runs, p.budget); err != nil {
			return fmt.Errorf("%s: %w", op.name, err)
		}
		for _, d := range duels {
			if d.ours.wrong {
				return fmt.Errorf("%s: polypack gave a wrong result", d.operation)
			}
			s := sample{Workload: w.name, Operation: d.operation, Against: d.peer.who, Verified: !d.peer.wrong}
			for i := range d.peer.times {
				s.Ratios = append(s.Ratios, d.peer.times[i]/d.ours.times[i])
			}
			found.Samples = append(found.Samples, s)
		}
		for _, r := range runs {
			found.Costs = append(found.Costs, cost{w.name, op.name, r.who, r.times, r.allocs, r.bytes, r.size})
		}
	}
	return nil
}

// enterWith encodes the value with a contestant, and checks whether decoding returns the same value. If the contestant
// can't encode the value, e is nil.
func enterWith(w *workload, c contestant, k *codec) (e *entrant, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("it panics: %v", reason)
		}
	}()
	packed, err := k.encode(1)
	if err != nil {
		return nil, fmt.Errorf("it cannot encode: %w", err)
	}
	e = &entrant{contestant: c, codec: k, packed: bytes.Clone(packed)}
	back, err := k.decode(e.packed, 1)
	if err != nil {
		return e, fmt.Errorf("it cannot decode what it encoded: %w", err)
	}
	e.decodes = true
	e.right = payload.Same(w.want, back, c.allowed)
	return e, nil
}

// An operation is one of the functions of a codec. Rows that compare a peer with our general or prepared codec show
// name. Rows that compare a peer with our generated code show generated, which is "" if there are no such rows.
type operation struct {
	name, generated string
	of              func(w *workload, e *entrant) *run
}

var operations = []operation{
	{"encode", "encode-gen", func(w *workload, e *entrant) *run { return e.encoding(w, e.codec.encode) }},
	{"encode-append", "encode-append-gen", func(w *workload, e *entrant) *run { return e.encoding(w, e.codec.reuse) }},
	{"decode", "decode-gen", func(w *workload, e *entrant) *run { return e.decoding(w, e.codec.decode) }},
	{"decode-zerocopy", "", func(w *workload, e *entrant) *run { return e.decoding(w, e.codec.zeroCopy) }},
}

// operationNames returns the possible values of row.Operation.
func operationNames() []string {
	var names []string
	for _, op := range operations {
		names = append(names, op.name)
		if op.generated != "" {
			names = append(names, op.generated)
		}
	}
	return names
}

// pair returns the duels of an operation, as far as p.operations selects them. A prepared peer meets our prepared
// codec, and any other peer our general codec. If there is generated code, each peer also meets our generated codec.
// runs holds each run of the duels once.
func (p plan) pair(w *workload, op operation, own map[string]*entrant, others []*entrant) (duels []duel, runs []*run) {
	wanted := func(name string) bool { return name != "" && slices.Contains(p.operations, name) }
	mine := map[*codec]*run{} // our runs so far; several duels may use the same run
	ourRun := func(name string) *run {
		e := own[name]
		if e == nil {
			return nil
		}
		r, ok := mine[e.codec]
		if !ok {
			if r = op.of(w, e); r != nil {
				runs = append(runs, r)
			}
			mine[e.codec] = r
		}
		return r
	}
	for _, other := range others {
		theirs := op.of(w, other)
		if theirs == nil {
			continue
		}
		met := len(duels)
		which := "general"
		if other.prepared {
			which = "prepared"
		}
		if wanted(op.name) {
			if ours := ourRun(which); ours != nil {
				duels = append(duels, duel{op.name, ours, theirs})
			}
		}
		if wanted(op.generated) {
			if ours := ourRun("generated"); ours != nil {
				duels = append(duels, duel{op.generated, ours, theirs})
			}
		}
		if len(duels) > met {
			runs = append(runs, theirs)
		}
	}
	return duels, runs
}

func (e *entrant) encoding(w *workload, loop func(int) ([]byte, error)) *run {
	if loop == nil {
		return nil
	}
	return &run{
		who:  e.name,
		own:  e.own,
		size: len(e.packed),
		do: func(calls int) (any, error) {
			data, err := loop(calls)
			return data, err
		},
		check: func(last any) bool {
			data := last.([]byte)
			if e.right && bytes.Equal(data, e.packed) {
				return true
			}
			// Most libraries write maps in random order, so the bytes differ from call to call. If the contestant can't
			// decode its own message correctly, polypack decodes the message for the check.
			if e.decodes {
				if back, err := e.codec.decode(data, 1); err == nil && payload.Same(w.want, back, e.allowed) {
					return true
				}
			}
			back := w.target()
			return polypack.Unmarshal(data, back) == nil && payload.Same(w.want, back, e.allowed)
		},
	}
}

func (e *entrant) decoding(w *workload, loop func([]byte, int) (any, error)) *run {
	if loop == nil || !e.decodes {
		return nil
	}
	return &run{
		who:   e.name,
		own:   e.own,
		size:  len(e.packed),
		do:    func(calls int) (any, error) { return loop(e.packed, calls) },
		check: func(last any) bool { return payload.Same(w.want, last, e.allowed) },
	}
}

// alternate times the runs in rounds, and rotates their order by one in each round. It checks the last result of each
// slot.
func alternate(runs []*run, budget time.Duration) error {
	perRound := time.Duration(0)
	for _, r := range runs {
		last, err := r.do(1)
		if err != nil {
			return fmt.Errorf("%s: %w", r.who, err)
		}
		r.wrong = !r.check(last)
		started, done := time.Now(), 0
		for time.Since(started) < warmUp {
			if _, err := r.do(1 + done/8); err != nil {
				return fmt.Errorf("%s: %w", r.who, err)
			}
			done += 1 + done/8
		}
		perCall := time.Since(started) / time.Duration(done)
		r.calls = max(1, int(slotTime/max(perCall, 1)))
		perRound += time.Duration(r.calls+1) * perCall
	}
	rounds := min(maxRounds, max(minRounds, int(budget/max(perRound, 1))))
	for round := range rounds {
		for turn := range runs {
			if err := runs[(turn+round)%len(runs)].slot(); err != nil {
				return err
			}
		}
	}
	for _, r := range runs {
		if err := r.countAllocs(); err != nil {
			return err
		}
	}
	return nil
}

// slot times the calls of one round. First it collects the garbage of the previous run, and makes one untimed call to
// fill pools.
func (r *run) slot() error {
	runtime.GC()
	_, err := r.do(1)
	started := time.Now()
	var last any
	if err == nil {
		last, err = r.do(r.calls)
	}
	r.times = append(r.times, float64(time.Since(started))/float64(r.calls))
	if err != nil {
		return fmt.Errorf("%s: %w", r.who, err)
	}
	r.wrong = !r.check(last) || r.wrong
	return nil
}

// countAllocs measures the allocations and the allocated bytes per call. It subtracts what n calls allocate from what
// 2·n calls allocate, so that allocations outside the loop of r.do cancel out. It keeps the smallest of several
// results, because the garbage collector also allocates.
func (r *run) countAllocs() error {
	const counts = 5
	calls := min(r.calls, 100)
	r.allocs, r.bytes = math.Inf(1), math.Inf(1)
	for range counts {
		var before, between, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := r.do(calls)
		runtime.ReadMemStats(&between)
		last := any(nil)
		if err == nil {
			last, err = r.do(2 * calls)
		}
		runtime.ReadMemStats(&after)
		if err != nil {
			return fmt.Errorf("%s: %w", r.who, err)
		}
		per := func(before, between, after uint64) float64 {
			return max(0, (float64(after-between)-float64(between-before))/float64(calls))
		}
		r.allocs = min(r.allocs, per(before.Mallocs, between.Mallocs, after.Mallocs))
		r.bytes = min(r.bytes, per(before.TotalAlloc, between.TotalAlloc, after.TotalAlloc))
		r.wrong = !r.check(last) || r.wrong
	}
	return nil
}
