package broken

type T struct{ A Missing }
