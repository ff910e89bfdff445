module github.com/polypack/polypack/go

go 1.24
