package stores_test

// Plan of the file: a redis-server; then the store with them, and with clients whose
// replies are odd.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/resp"
	"github.com/polypack/polypack/go/stores"
)

// redisServer starts a redis-server and returns a function that runs commands on it.
func redisServer(t *testing.T) stores.Do {
	t.Helper()
	folder := t.TempDir()
	socket := filepath.Join(folder, "s")
	cmd := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder)
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("no redis-server on this machine; tools/setup installs it")
		}
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var conn net.Conn
	for tries := 0; conn == nil; tries++ {
		var err error
		if conn, err = net.Dial("unix", socket); err != nil && tries == 4000 {
			t.Fatal("redis-server does not start: ", err)
		} else if err != nil {
			time.Sleep(25 * time.Millisecond)
		}
	}
	t.Cleanup(func() { conn.Close() })
	client := resp.NewClient(conn)
	return func(_ context.Context, args ...any) (any, error) { return client.Do(stores.Strings(args)) }
}

func redisStore(t testing.TB, do stores.Do, key string) *stores.Redis {
	t.Helper()
	store, err := stores.NewRedis(do, key)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestRedis(t *testing.T) {
	do := redisServer(t)
	sameStore(t, redisStore(t, do, "a"))

	// Other languages use the same key and bytes.
	ctx := context.Background()
	if _, err := do(ctx, "SET", "b", "\x91\x91\xa1a"); err != nil {
		t.Fatal(err)
	}
	stored, err := polypack.NewStoredDictionary(redisStore(t, do, "b"), 32)
	if err != nil {
		t.Fatal(err)
	}
	if err := stored.Publish(ctx, []string{"b"}); err != nil {
		t.Fatal(err)
	}
	if kept, err := do(ctx, "GET", "b"); err != nil || string(kept.([]byte)) != "\x92\x91\xa1a\x91\xa1b" {
		t.Errorf("%q, %v", kept, err)
	}

	if _, err := do(ctx, "LPUSH", "list", "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := redisStore(t, do, "list").Load(ctx); err == nil {
		t.Error("a list was read")
	}
	if _, err := redisStore(t, do, "list").Replace(ctx, nil, []byte("a")); err == nil {
		t.Error("a list was replaced")
	}
}

func TestRedisWritersAtOnce(t *testing.T) {
	do := redisServer(t)
	var group sync.WaitGroup
	for i := range 6 {
		stored, err := polypack.NewStoredDictionary(redisStore(t, do, "shapes"), 8000)
		if err != nil {
			t.Fatal(err)
		}
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range 30 {
				if err := stored.Publish(context.Background(), []string{fmt.Sprint(n)}, []string{fmt.Sprint(n), fmt.Sprint("writer", i)}); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	content, err := redisStore(t, do, "shapes").Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	dictionary, err := polypack.ParseDictionary(content)
	if err != nil || dictionary.Len() != 7*30 {
		t.Errorf("%d shapes, error %v", dictionary.Len(), err)
	}
}

func TestRedisReplies(t *testing.T) {
	ctx := context.Background()
	replies := func(reply any, err error) *stores.Redis {
		return redisStore(t, func(context.Context, ...any) (any, error) { return reply, err }, "k")
	}
	for _, reply := range []any{"+6162", []byte("+6162")} {
		if got, err := replies(reply, nil).Load(ctx); err != nil || string(got) != "ab" {
			t.Errorf("%v: %q, %v", reply, got, err)
		}
	}
	for _, reply := range []any{nil, "", "6162", "+6", "+xy", 1, 1.5, []any{"+61"}} {
		if got, err := replies(reply, nil).Load(ctx); err == nil {
			t.Errorf("%v was loaded as %q", reply, got)
		}
		if reply != 1 {
			if _, err := replies(reply, nil).Replace(ctx, nil, nil); err == nil {
				t.Errorf("%v was taken for a reply", reply)
			}
		}
	}
	if _, err := replies("+61", io.ErrClosedPipe).Load(ctx); err != io.ErrClosedPipe {
		t.Error(err)
	}
	if _, err := replies(int64(1), io.ErrClosedPipe).Replace(ctx, nil, nil); err != io.ErrClosedPipe {
		t.Error(err)
	}
	if _, err := stores.NewRedis(nil, "k"); err == nil {
		t.Error("no client was accepted")
	}
	if _, err := stores.NewRedis(func(context.Context, ...any) (any, error) { return nil, nil }, ""); err == nil {
		t.Error("an empty key was accepted")
	}
}
