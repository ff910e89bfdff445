module github.com/polypack/polypack/go/x/msgp

go 1.24

require github.com/polypack/polypack/go v0.0.0

replace github.com/polypack/polypack/go => ../..
