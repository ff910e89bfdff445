module github.com/polypack/polypack/go/x/vmihailenco

go 1.24

require (
	github.com/polypack/polypack/go v0.0.0
	github.com/vmihailenco/msgpack/v5 v5.4.1
)

require github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect

replace github.com/polypack/polypack/go => ../..
