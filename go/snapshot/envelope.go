package snapshot

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	polypack "github.com/polypack/polypack/go"
)

// Keys holds the keys that may have signed a value, by their ids. An id has 1 to 32 letters, digits, dots, underscores
// or hyphens. A key that PHP used without a KeyRing has the id "". Each key must have at least 16 bytes.
type Keys map[string][]byte

const (
	// start is the beginning of every envelope of version 1: c1 45, version, algorithm and the reserved fields.
	start = "\xc1\x45\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	// fixed is the offset of the byte that has the length of the key's id.
	fixed       = 22
	purposeHash = 8
	tagLength   = sha256.Size
	shortestKey = 16
	longestID   = 32
)

func (k Keys) check() error {
	if len(k) == 0 {
		return &polypack.UsageError{Call: "Keys", Reason: "there is no key"}
	}
	for id, key := range k {
		if !isID(id) {
			return &polypack.UsageError{Call: "Keys", Reason: "an id is not 1 to 32 letters, digits, dots, underscores or hyphens"}
		}
		if len(key) < shortestKey {
			return &polypack.UsageError{Call: "Keys", Reason: fmt.Sprintf("a key has %d bytes; use at least 16, better 32 random ones", len(key))}
		}
	}
	return nil
}

func isID(id string) bool {
	for i := range len(id) {
		c := id[i]
		isLetter := (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		if !isLetter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return len(id) <= longestID
}

// verify checks the signature of data and returns the payload and the offset of the payload.
func verify(data []byte, keys Keys, s settings) ([]byte, int, error) {
	if s.isPlain {
		payload, err := verifyPlain(data, keys)
		return payload, 0, err
	}
	length := 0
	if len(data) > fixed {
		length = int(data[fixed])
	}
	tagAt := fixed + 1 + length
	end := tagAt + tagLength
	if !bytes.HasPrefix(data, []byte(start)) || len(data) < end || length > longestID {
		if bytes.HasPrefix(data, []byte("\xc1\x53")) {
			return nil, 0, notSigned("the input is a snapshot without a signature")
		}
		return nil, 0, notSigned("the input is not signed as this version signs")
	}
	key, ok := keys[string(data[fixed+1:tagAt])]
	if !ok {
		return nil, 0, notSigned("the input is signed with a key that is not in the ring")
	}
	// The tag is computed over the expected head, which has the hash of s.purpose. So an envelope for another purpose
	// fails, whatever its own head says.
	hash := sha256.Sum256([]byte(s.purpose))
	expected := bytes.Clone(data[:tagAt])
	copy(expected[len(start):], hash[:purposeHash])
	mac := hmac.New(sha256.New, key)
	mac.Write(expected)
	mac.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s.purpose))))
	mac.Write([]byte(s.purpose))
	mac.Write(data[end:])
	if !hmac.Equal(mac.Sum(nil), data[tagAt:end]) || !bytes.Equal(expected, data[:tagAt]) {
		return nil, 0, notSigned("the signature does not hold")
	}
	return data[end:], end, nil
}

func verifyPlain(data []byte, keys Keys) ([]byte, error) {
	if len(data) < tagLength {
		return nil, notSigned("the input is shorter than a signature")
	}
	payload, tag := data[:len(data)-tagLength], data[len(data)-tagLength:]
	holds := false
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(payload)
		holds = hmac.Equal(mac.Sum(nil), tag) || holds
	}
	if !holds {
		return nil, notSigned("the signature does not hold")
	}
	return payload, nil
}

func notSigned(what string) error {
	f := failure{code: polypack.CodeInvalidSignature, what: what, mend: "read it with the key and the purpose it was signed for"}
	return f.toError(0)
}
