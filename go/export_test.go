package polypack

// PlansOnly keeps the engine out: for tests that hold the two against each other.
func PlansOnly() Option {
	return optionFunc(func(s *settings) error {
		s.plans = true
		return nil
	})
}
