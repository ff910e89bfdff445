module github.com/polypack/polypack/lab/workers/go

go 1.24

require (
	github.com/polypack/polypack/go v0.0.0
	github.com/polypack/polypack/go/bench v0.0.0
)

replace (
	github.com/polypack/polypack/go => ../../../go
	github.com/polypack/polypack/go/bench => ../../../go/bench
)
