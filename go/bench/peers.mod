// The versions of the peers that the benches are meant for. tools/bench-go.mjs reads them, and leaves out the peers that are
// not on this machine; the go command never uses this file as it is.
module github.com/polypack/polypack/go/bench

go 1.25.0

require (
	github.com/freeeve/msgpck v0.3.6
	github.com/fxamacker/cbor/v2 v2.9.3
	github.com/hashicorp/go-msgpack/v2 v2.1.5
	github.com/philhofer/fwd v1.2.0
	github.com/polypack/polypack/go v0.0.0
	github.com/shamaton/msgpack/v3 v3.2.0
	github.com/tinylib/msgp v1.6.3
	github.com/ugorji/go/codec v1.3.0
	github.com/vmihailenco/msgpack/v5 v5.4.1
	github.com/vmihailenco/tagparser/v2 v2.0.0
	github.com/x448/float16 v0.8.4
	golang.org/x/mod v0.18.0
	golang.org/x/sync v0.7.0
	golang.org/x/tools v0.22.0
)

replace github.com/polypack/polypack/go => ../
