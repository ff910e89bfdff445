package stores

// Plan of the file: Redis, and its scripts. Redis runs a script atomically, so a script can compare and set. The key
// holds plain bytes, which are the same for all languages. Client and script exchange these bytes as hexadecimal
// digits.

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
)

// A Do runs a command of Redis with the client of your choice, and returns the reply. The arguments are strings and
// ints, and the first one is the name of the command. Several goroutines may call a Do at once.
type Do func(ctx context.Context, args ...any) (any, error)

// Redis keeps a dictionary under one key. Give the key no expiry, and make sure that Redis doesn't evict it.
type Redis struct {
	do  Do
	key string
}

// NewRedis returns the store of a key. The body of do is one line, for example with one of these clients:
//
//	return redis.DoContext(conn, ctx, "EVAL", args[1:]...)                         // redigo, conn from a pool
//	return client.Do(ctx, args...).Result()                                        // go-redis
//	return client.Do(ctx, client.B().Arbitrary(stores.Strings(args)...).Build()).ToAny() // rueidis
//
// Errors: a nil do or an empty key.
func NewRedis(do Do, key string) (*Redis, error) {
	if do == nil {
		return nil, errors.New("stores: the function that runs commands is nil")
	}
	if key == "" {
		return nil, errors.New("stores: the key of Redis is empty")
	}
	return &Redis{do, key}, nil
}

// Strings returns the arguments of a command as strings, for clients that accept only strings.
func Strings(args []any) []string {
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = fmt.Sprint(arg)
	}
	return texts
}

const (
	nothing = "-" // stands for a missing key

	hexScript = `local function hex(bytes)
  return (bytes:gsub('.', function(byte) return string.format('%02x', byte:byte()) end))
end
local kept = redis.call('GET', KEYS[1])
`
	// The prefix "+" marks content. A missing key gets the reply "-", because clients represent a nil reply in
	// different ways.
	loadScript    = hexScript + `return kept and '+' .. hex(kept) or '` + nothing + `'`
	replaceScript = hexScript + `if (kept and hex(kept) or '` + nothing + `') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], (ARGV[2]:gsub('..', function(digits) return string.char(tonumber(digits, 16)) end)))
return 1`
)

// Load returns the content, or nil if there is no such key. Errors: those of Do, and an error for a reply that the
// script can't have sent.
func (r *Redis) Load(ctx context.Context) ([]byte, error) {
	reply, err := r.do(ctx, "EVAL", loadScript, 1, r.key)
	if err != nil {
		return nil, err
	}
	text := textOf(reply)
	if text == nothing {
		return nil, nil
	}
	if len(text) == 0 || text[0] != '+' {
		return nil, unexpected(reply)
	}
	content, err := hex.DecodeString(text[1:])
	if err != nil {
		return nil, unexpected(reply)
	}
	return append([]byte{}, content...), nil
}

// Replace stores next if the content equals expected, and reports whether it did. A nil expected stands for a missing
// key. Errors: those of Load.
func (r *Redis) Replace(ctx context.Context, expected, next []byte) (bool, error) {
	before := nothing
	if expected != nil {
		before = hex.EncodeToString(expected)
	}
	reply, err := r.do(ctx, "EVAL", replaceScript, 1, r.key, before, hex.EncodeToString(next))
	if err != nil {
		return false, err
	}
	switch textOf(reply) {
	case "1":
		return true, nil
	case "0":
		return false, nil
	}
	return false, unexpected(reply)
}

// textOf returns a reply that is a string, bytes or an int as text. It returns "" for any other reply.
func textOf(reply any) string {
	switch reply := reply.(type) {
	case string:
		return reply
	case []byte:
		return string(reply)
	case int64:
		return strconv.FormatInt(reply, 10)
	case int:
		return strconv.Itoa(reply)
	}
	return ""
}

func unexpected(reply any) error {
	return fmt.Errorf("stores: the client returned a %T that is not the reply of the script", reply)
}
