package stores

// Plan of the file: File with Load and Replace; then functions for files. Readers need no lock, because the file is
// replaced by renaming and so has either the old content or the new one. Writers take turns with the lock of
// file_lock.go.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// FileOptions are options of NewFile. A field that is zero stands for its default.
type FileOptions struct {
	// LockTimeout is how long Replace waits for other writers before it fails; 10 s by default.
	LockTimeout time.Duration
	// StaleAfter is the age at which a lock counts as left by a dead holder; 60 s by default. The age counts only if
	// this process can't tell whether the holder is alive, for example because the holder runs on another machine or in
	// another container, or ran before a reboot. A holder that takes longer than half of StaleAfter gives up.
	StaleAfter time.Duration
}

// File keeps a dictionary in a file, for processes on one machine or on a shared file system with hard links. Machines
// that share the file and don't run Linux must have different host names. Only processes that you trust should be able
// to write to the folder of the file. File doesn't follow a symbolic link at the path.
type File struct {
	path    string
	options FileOptions
}

// NewFile returns the store of a file. The folder of the file must exist. Replace also needs the files path.lock,
// path.lock.* and path.new.* in the folder for short times. Errors: a path that is empty or has a zero byte, an option
// below 0, and a relative path if the working directory is gone.
func NewFile(path string, options FileOptions) (*File, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, errors.New("stores: the path of the file is empty or has a zero byte")
	}
	if options.LockTimeout < 0 || options.StaleAfter < 0 {
		return nil, errors.New("stores: LockTimeout and StaleAfter must be at least 0")
	}
	if options.LockTimeout == 0 {
		options.LockTimeout = 10 * time.Second
	}
	if options.StaleAfter == 0 {
		options.StaleAfter = time.Minute
	}
	path, err := filepath.Abs(path) // the working directory may change later
	if err != nil {
		return nil, err
	}
	return &File{path, options}, nil
}

// Load returns the content, or nil if there is no such file. Errors: a ctx that has ended, a file that can't be read,
// and a path that is a link, a folder or a device.
func (f *File) Load(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return read(f.path)
}

// Replace stores next if the content equals expected, and reports whether it did. A nil expected stands for a missing
// file. On Unix, next then survives a loss of power. Errors: a file that can't be read or written, a path that is a
// link, a folder or a device, a lock that other writers hold longer than LockTimeout, and a ctx that has ended or ends
// while Replace waits. Replace also fails if this process has held the lock for more than half of StaleAfter. If it
// reports true and an error, next is stored, but may not survive a loss of power, or the lock couldn't be given back.
func (f *File) Replace(ctx context.Context, expected, next []byte) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	lock, err := f.lock(ctx)
	if err != nil {
		return false, err
	}
	locked := time.Now()
	defer func() { err = errors.Join(err, lock.release()) }()
	if err := errors.Join(lock.sweep(), removeAll(f.path+".new.")); err != nil {
		return false, err
	}
	content, err := read(f.path)
	if err != nil || !isSame(content, expected) {
		return false, err
	}
	return f.write(next, locked)
}

// write replaces the file, and reports whether it did, even if it fails afterwards.
func (f *File) write(content []byte, locked time.Time) (bool, error) {
	// Nobody can have put a link at this path, because the name is random. If this process crashes, the next holder of
	// the lock removes the file.
	fresh := f.path + ".new." + randomToken()
	mode := fs.FileMode(0o666)
	before, err := os.Lstat(f.path)
	if err == nil {
		mode = before.Mode().Perm()
	}
	err = create(fresh, content, mode, true)
	if err == nil && before != nil {
		_ = os.Chmod(fresh, mode) // the umask may have taken bits away; file systems without permissions may refuse
	}
	if err == nil && time.Since(locked) > f.options.StaleAfter/2 {
		err = fmt.Errorf("stores: this process was stopped while it had the lock %s.lock", f.path)
	}
	if err == nil {
		err = os.Rename(fresh, f.path)
	}
	if err != nil {
		return false, errors.Join(err, remove(fresh))
	}
	return true, syncFolder(filepath.Dir(f.path))
}

// read returns the content of a regular file, or nil if there is no such file. It never reads through a link.
func read(path string) ([]byte, error) {
	for attempt := 0; ; attempt++ {
		content, again, err := readOnce(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if !again || attempt == 100 {
			return content, err
		}
	}
}

// readOnce is one attempt of read. again is true if the file was replaced after Lstat and before Open.
func readOnce(path string) (content []byte, again bool, err error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, false, err
	}
	if !before.Mode().IsRegular() {
		return nil, false, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file, and links are not followed")}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	now, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	if !os.SameFile(before, now) {
		return nil, true, &fs.PathError{Op: "read", Path: path, Err: errors.New("it was replaced again and again")}
	}
	content, err = io.ReadAll(file)
	return content, false, err
}

// create creates a file. It fails if the path exists, even as a link. If sync is true, the content survives a loss of
// power. If it can't write the content, it removes the file.
func create(path string, content []byte, mode fs.FileMode, sync bool) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil && sync {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		err = errors.Join(err, remove(path))
	}
	return err
}

// overwrite writes the content that the file already has. This sets the time of its last change to now, by the clock of
// the file system.
func overwrite(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// remove removes a file. It is no error if the file is gone already.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// named returns the paths of all files in the folder of start that begin with start.
func named(start string) ([]string, error) {
	folder, prefix := filepath.Split(start)
	entries, err := os.ReadDir(folder)
	var paths []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			paths = append(paths, folder+entry.Name())
		}
	}
	return paths, err
}

func removeAll(start string) error {
	paths, err := named(start)
	for _, path := range paths {
		err = errors.Join(err, remove(path))
	}
	return err
}

func randomToken() string {
	var token [16]byte
	rand.Read(token[:]) // never fails
	return hex.EncodeToString(token[:])
}
