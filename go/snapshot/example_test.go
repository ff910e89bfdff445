package snapshot_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"strings"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/snapshot"
)

// What PHP signed with polypack_serialize_signed().
func ExampleDecodeSigned() {
	fromCache, err := hex.DecodeString(
		"c14501010000000000000000000020bdc7ae7082d21e00df74ca9283b797b021f126747e70cf9c2984ac92943fd93ad584104eacc64770" +
			"c1530100cf484170705c5573657200040400426964446e616d6544726f6c6544746167730743416e6ed2484170705c526f6c6545" +
			"41646d696e82436e6577426575")
	if err != nil {
		log.Fatal(err)
	}
	keys := snapshot.Keys{"": []byte(strings.Repeat("32 bytes", 4))}
	value, err := snapshot.DecodeSigned(fromCache, keys, snapshot.Purpose("user:7"))
	if err != nil {
		log.Fatal(err)
	}
	user := value.(*snapshot.Object)
	name, _ := user.Get("name")
	role, _ := user.Get("role")
	tags, _ := user.Get("tags")
	fmt.Println(user.Class.Name, name, role.(snapshot.Case).Name, tags)

	_, err = snapshot.DecodeSigned(fromCache, keys, snapshot.Purpose("user:8"))
	fmt.Println(errors.Is(err, polypack.CodeInvalidSignature))
	// Output:
	// App\User Ann Admin [new eu]
	// true
}
