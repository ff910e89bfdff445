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
