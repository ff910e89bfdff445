package polypack

// PlansOnly keeps the engine out: for tests that hold the two against each other.
func PlansOnly() Option {
	return optionFunc(func(s *settings) error {
		s.plans = true
		return nil
	})
}

// DirectMethods are what polypack-gen writes for callers who know the type.
type DirectMethods interface {
	AppendPolypack(dst []byte) ([]byte, error)
	UnmarshalPolypack(data []byte) error
}

// CountTargets returns how many structs the first shape of a Dictionary remembers.
func CountTargets(d *Dictionary) (n int) {
	for target := d.shapes[0].targets.Load(); target != nil; target = target.next {
		n++
	}
	return n
}
