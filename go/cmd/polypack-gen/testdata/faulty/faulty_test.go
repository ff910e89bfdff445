package faulty

type Tested struct{ A int }
