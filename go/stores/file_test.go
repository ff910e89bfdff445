package stores_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/stores"
)

// Tests that need a process run this program again with this variable.
const roleVariable = "POLYPACK_STORES_TEST"

func TestMain(m *testing.M) {
	switch role, place, _ := strings.Cut(os.Getenv(roleVariable), "="); role {
	case "publish":
		publishFor(place)
	case "exit":
	default:
		os.Exit(m.Run())
	}
}

func fileStore(t testing.TB, path string, options stores.FileOptions) *stores.File {
	t.Helper()
	store, err := stores.NewFile(path, options)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// sameStore asserts what every store does.
func sameStore(t *testing.T, store polypack.DictionaryStore) {
	ctx := context.Background()
	load := func(want []byte) {
		t.Helper()
		if got, err := store.Load(ctx); err != nil || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("the content is %x, want %x, error %v", got, want, err)
		}
	}
	replace := func(expected, next []byte, want bool) {
		t.Helper()
		if got, err := store.Replace(ctx, expected, next); err != nil || got != want {
			t.Errorf("replace %x by %x: %v, want %v, error %v", expected, next, got, want, err)
		}
	}
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	load(nil)
	replace([]byte{}, []byte("a"), false)
	replace([]byte("a"), []byte("b"), false)
	load(nil)
	replace(nil, []byte{}, true)
	load([]byte{})
	replace(nil, []byte("a"), false)
	replace([]byte{}, all, true)
	replace(all[1:], []byte("a"), false)
	load(all)
	replace(all, []byte("b"), true)
	load([]byte("b"))
}

func TestMemory(t *testing.T) { sameStore(t, new(stores.Memory)) }

func TestFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "shapes.mp")
	sameStore(t, fileStore(t, path, stores.FileOptions{}))
	wantFiles(t, folder, "shapes.mp")
	for _, mode := range []os.FileMode{0o664, 0o666, 0o600, 0o640} { // of which the umask would take some away
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if done, err := fileStore(t, path, stores.FileOptions{}).Replace(context.Background(), []byte("b"), []byte("b")); err != nil || !done {
			t.Error(done, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("the mode %v became %v, %v", mode, info.Mode(), err)
		}
	}
	for _, options := range []stores.FileOptions{{LockTimeout: -1}, {StaleAfter: -1}} {
		if _, err := stores.NewFile(path, options); err == nil {
			t.Errorf("%v was accepted", options)
		}
	}
	if _, err := stores.NewFile("", stores.FileOptions{}); err == nil {
		t.Error("an empty path was accepted")
	}
}

func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
}

func TestFileFollowsNoLinks(t *testing.T) {
	folder := t.TempDir()
	path, victim := filepath.Join(folder, "shapes.mp"), filepath.Join(folder, "victim")
	if err := os.WriteFile(victim, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shapes.mp", "shapes.mp.new.0123"} {
		if err := os.Symlink(victim, filepath.Join(folder, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
		store := fileStore(t, path, stores.FileOptions{})
		content, err := store.Load(context.Background())
		done, replaceErr := store.Replace(context.Background(), []byte("secret"), []byte("overwritten"))
		if name == "shapes.mp" && (content != nil || err == nil || done || replaceErr == nil) {
			t.Errorf("read through a link: %q, %v, %v, %v", content, err, done, replaceErr)
		}
		if kept, err := os.ReadFile(victim); err != nil || string(kept) != "secret" {
			t.Errorf("written through a link: %q, %v", kept, err)
		}
		os.Remove(filepath.Join(folder, name))
	}
	// A link as lock names no holder, and is not read.
	if err := os.Symlink(victim, path+".lock"); err != nil {
		t.Fatal(err)
	}
	if _, err := fileStore(t, path, stores.FileOptions{LockTimeout: time.Millisecond}).Replace(context.Background(), nil, []byte("a")); err == nil {
		t.Error("a link was taken for a lock")
	}
}

// deadPID returns the number of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=exit")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// holder returns the content of a lock of a process of this machine.
func holder(t *testing.T, pid int) map[string]any {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return map[string]any{"token": "0a-1b", "pid": pid, "start": "", "host": host, "boot": strings.TrimSpace(string(boot)), "space": space}
}

func TestFileLock(t *testing.T) {
	gone := deadPID(t)
	mine := holder(t, os.Getpid())
	with := func(changes ...any) map[string]any {
		changed := map[string]any{}
		for name, value := range mine {
			changed[name] = value
		}
		for i := 0; i < len(changes); i += 2 {
			changed[changes[i].(string)] = changes[i+1]
		}
		return changed
	}
	old := time.Now().Add(-2 * time.Minute)
	for name, one := range map[string]struct {
		lock  any
		age   time.Time
		claim any // of a rescuer
		free  bool
	}{
		"of a living process":              {lock: mine, age: old},
		"of a dead process":                {lock: with("pid", gone), free: true},
		"of another boot":                  {lock: with("boot", "another")}, // maybe of a machine with the same name
		"of another boot, old":             {lock: with("boot", "another"), age: old, free: true},
		"of another process of the number": {lock: with("start", "1"), free: true},
		"of another machine":               {lock: with("host", "another")},
		"of another machine, old":          {lock: with("host", "another"), age: old, free: true},
		"of another container, old":        {lock: with("space", "pid:[1]"), age: old, free: true},
		"that is no lock":                  {lock: "?"},
		"that is no lock, old":             {lock: "?", age: old, free: true},
		"with a path as token":             {lock: with("token", "../../x", "pid", gone)},
		"that a dead process was removing": {lock: with("pid", gone), claim: with("pid", gone, "token", "2c"), free: true},
		"that a living one is removing":    {lock: with("pid", gone), claim: with("token", "2c")},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "shapes.mp")
			put := func(path string, owner any) {
				text, err := json.Marshal(owner)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, text, 0o600); err != nil {
					t.Fatal(err)
				}
				if !one.age.IsZero() {
					if err := os.Chtimes(path, one.age, one.age); err != nil {
						t.Fatal(err)
					}
				}
			}
			put(path+".lock", one.lock)
			if one.claim != nil {
				put(path+".lock.0a-1b.0", one.claim)
			}
			timeout := 30 * time.Second
			if !one.free {
				timeout = time.Millisecond
			}
			store := fileStore(t, path, stores.FileOptions{LockTimeout: timeout})
			done, err := store.Replace(context.Background(), nil, []byte("a"))
			if done != one.free || (err == nil) != one.free {
				t.Fatalf("done %v, error %v; want %v", done, err, one.free)
			}
			if one.free {
				wantFiles(t, folder, "shapes.mp")
			} else if !strings.Contains(err.Error(), path+".lock") {
				t.Errorf("the error doesn't name the lock: %v", err)
			}
		})
	}
}

// TestFilesOfDeadWriters has files of writers that died while they waited for the lock. Some are empty because their
// writer hadn't named itself yet.
func TestFilesOfDeadWriters(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "shapes.mp")
	old := time.Now().Add(-2 * time.Minute)
	of := func(name, value string) string {
		owner := holder(t, os.Getpid())
		owner[name] = value
		text, err := json.Marshal(owner)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	files := map[string]struct {
		content string
		age     time.Time
	}{
		"0a":     {age: old},
		"0b.now": {age: old},
		"0c":     {},
		"0d":     {content: "?", age: old},
		"0e":     {content: "?"},
		"0f.txt": {content: "?", age: old},
		"txt":    {age: old},
		"1a":     {content: of("boot", "another"), age: old},
		"1b":     {content: of("boot", "another")},
		"1c":     {content: of("host", "another"), age: old},
	}
	// A file may be cut anywhere while it is written. A lock of another host has nothing that could be looked for.
	for length, whole := 1, of("host", "another"); length < len(whole); length += 7 {
		cut := files["0d"]
		cut.content = whole[:length]
		files[fmt.Sprintf("2a-%d", length)] = cut
		files[fmt.Sprintf("2b.%d", length)] = cut
	}
	for name, one := range files {
		if err := os.WriteFile(path+".lock."+name, []byte(one.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if !one.age.IsZero() {
			if err := os.Chtimes(path+".lock."+name, one.age, one.age); err != nil {
				t.Fatal(err)
			}
		}
	}
	if done, err := fileStore(t, path, stores.FileOptions{}).Replace(context.Background(), nil, []byte("a")); !done || err != nil {
		t.Fatalf("%v, %v", done, err)
	}
	// 0c, 0e, 1b and 1c may be of living writers, and those with txt of other programs.
	var want []string
	for _, name := range []string{"0c", "0e", "0f.txt", "1b", "1c", "txt"} {
		want = append(want, "shapes.mp.lock."+name)
	}
	wantFiles(t, folder, append([]string{"shapes.mp"}, want...)...)
}

func TestFileLockEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shapes.mp")
	text, _ := json.Marshal(holder(t, os.Getpid()))
	if err := os.WriteFile(path+".lock", text, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fileStore(t, path, stores.FileOptions{}).Replace(ctx, nil, []byte("a")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFileLockAge asserts that the age of a lock starts when it is taken, not when its holder began to wait.
func TestFileLockAge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shapes.mp")
	text, _ := json.Marshal(holder(t, os.Getpid()))
	if err := os.WriteFile(path+".lock", text, 0o600); err != nil {
		t.Fatal(err)
	}
	replaced := make(chan error)
	go func() {
		_, err := fileStore(t, path, stores.FileOptions{LockTimeout: time.Hour}).Replace(context.Background(), nil, []byte("a"))
		replaced <- err
	}()
	var own []string
	for len(own) == 0 {
		time.Sleep(time.Millisecond)
		own, _ = filepath.Glob(path + ".lock.*")
	}
	past := time.Unix(1, 0)
	if err := os.Chtimes(own[0], past, past); err != nil {
		t.Fatal(err)
	}
	for {
		info, err := os.Stat(own[0])
		if err != nil {
			t.Fatal(err)
		}
		if !info.ModTime().Equal(past) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	if err := <-replaced; err != nil {
		t.Error(err)
	}
}

// TestFileFaults has what the file system refuses, to the administrator as well: a folder that is missing, or a folder
// where a file or link has to be.
func TestFileFaults(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	store := fileStore(t, filepath.Join(t.TempDir(), "shapes.mp"), stores.FileOptions{})
	if _, err := store.Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Load after the end of its context: %v", err)
	}
	if done, err := store.Replace(ctx, nil, []byte("a")); done || !errors.Is(err, context.Canceled) {
		t.Errorf("Replace after the end of its context: %v, %v", done, err)
	}
	if content, err := store.Load(context.Background()); content != nil || err != nil {
		t.Errorf("Replace has written %q, %v", content, err)
	}
	for name, test := range map[string]struct {
		prepare func(path string) error
		loads   bool
	}{
		"no folder":              {func(path string) error { return os.Remove(filepath.Dir(path)) }, true},
		"a folder is the file":   {func(path string) error { return os.Mkdir(path, 0o777) }, false},
		"a folder is the lock":   {func(path string) error { return os.Mkdir(path+".lock", 0o777) }, true},
		"a full folder is fresh": {func(path string) error { return os.MkdirAll(path+".new.1/x", 0o777) }, true},
		"the path is not a folder": {func(path string) error {
			if err := os.Remove(filepath.Dir(path)); err != nil {
				return err
			}
			return os.WriteFile(filepath.Dir(path), nil, 0o666)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder", "shapes.mp")
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o777), test.prepare(path)); err != nil {
				t.Fatal(err)
			}
			store := fileStore(t, path, stores.FileOptions{LockTimeout: time.Millisecond})
			if content, err := store.Load(context.Background()); (err == nil) != test.loads || content != nil {
				t.Errorf("Load gives %q, %v", content, err)
			}
			if done, err := store.Replace(context.Background(), nil, []byte("a")); err == nil || done {
				t.Errorf("Replace gives %v, %v", done, err)
			}
		})
	}
}

// TestFileKeptTooLong stops a writer for longer than its lock is respected, so another one may have written since.
func TestFileKeptTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shapes.mp")
	done, err := fileStore(t, path, stores.FileOptions{StaleAfter: time.Nanosecond}).Replace(context.Background(), nil, []byte("a"))
	if done || err == nil || !strings.Contains(err.Error(), "was stopped while it had the lock") {
		t.Errorf("done %v, error %v", done, err)
	}
	wantFiles(t, filepath.Dir(path))
}

// publishFor publishes shapes until it is killed.
func publishFor(path string) {
	store, err := stores.NewFile(path, stores.FileOptions{LockTimeout: time.Minute})
	if err != nil {
		panic(err)
	}
	stored, err := polypack.NewStoredDictionary(store, 8000)
	if err != nil {
		panic(err)
	}
	for n := 0; ; n++ {
		name := fmt.Sprintf("p%d-%d", os.Getpid(), n)
		if err := stored.Publish(context.Background(), []string{name}); err != nil {
			panic(err)
		}
		fmt.Println(name)
	}
}

// Writers that are killed at any moment leave a whole dictionary with all that they have published, and stop nobody.
func TestFileSurvivesCrashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shapes.mp")
	var group sync.WaitGroup
	var mutex sync.Mutex
	published := map[string]bool{}
	for range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleVariable+"=publish="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		group.Add(1)
		go func() {
			defer group.Done()
			var text bytes.Buffer
			buffer := make([]byte, 64)
			for killed := false; ; {
				n, err := out.Read(buffer)
				text.Write(buffer[:n])
				if !killed && bytes.Count(text.Bytes(), []byte("\n")) >= 12 {
					killed = true
					cmd.Process.Kill()
				}
				if err != nil {
					break
				}
			}
			cmd.Wait()
			lines := strings.Split(text.String(), "\n")
			mutex.Lock()
			defer mutex.Unlock()
			for _, line := range lines[:len(lines)-1] {
				published[line] = true
			}
		}()
	}
	group.Wait()
	stored, err := polypack.NewStoredDictionary(fileStore(t, path, stores.FileOptions{}), 8000)
	if err != nil {
		t.Fatal(err)
	}
	if err := stored.Publish(context.Background(), []string{"last"}); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, names := range stored.Dictionary().Shapes() {
		counts[names[0]]++
	}
	for name := range published {
		if counts[name] != 1 {
			t.Errorf("%s is there %d times", name, counts[name])
		}
	}
	if len(published) < 36 {
		t.Errorf("only %d were published", len(published))
	}
	// Who was killed before it named itself is dead for others only after StaleAfter.
	old := time.Now().Add(-time.Hour)
	left, err := filepath.Glob(path + ".lock.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range left {
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := stored.Publish(context.Background(), []string{"after the last"}); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, filepath.Dir(path), "shapes.mp")
}
