//go:build !purego

package polypack

type programs struct{}
