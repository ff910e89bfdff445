package stores

// Plan of the file: the lock of a File (spec/05-records.md#stores); locks of dead holders; owner, the holder of a lock.
// Processes of other languages use the same lock in the same steps. A rescuer is a writer that removes the lock of a
// dead holder. The steps keep a rescuer from removing the lock of the next holder instead, even if rescuers crash or
// work at the same time:
//
//   - A lock is a hard link to a complete file, so it appears with its content.
//   - Before a rescuer removes the lock of a dead holder, it links PATH.lock.TOKEN.0. TOKEN is the token of the dead
//     holder, and only one rescuer can make this link. If that rescuer dies as well, the next one links
//     PATH.lock.TOKEN.1, and so on. A rescuer removes the lock only if the lock still has the token TOKEN.
//   - A rescuer also removes the links of dead rescuers that came before it. Only a holder of the lock removes other
//     files that crashes have left.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"os"
	"regexp"
	"strings"
	"time"
)

const (
	shortestPause = 2 * time.Millisecond
	longestPause  = 40 * time.Millisecond
)

// A fileLock is a lock that this process holds or waits for.
type fileLock struct {
	path       string
	token      string
	own        string // path of a file that names this process as the owner; the lock is a hard link to it
	staleAfter time.Duration
}

// lock waits for the lock of f and takes it.
func (f *File) lock(ctx context.Context) (*fileLock, error) {
	owner := self()
	l := &fileLock{path: f.path + ".lock", token: owner.Token, staleAfter: f.options.StaleAfter}
	l.own = l.path + "." + l.token
	content, err := json.Marshal(owner)
	if err != nil {
		return nil, err
	}
	if err := create(l.own, content, 0o666, false); err != nil {
		return nil, err
	}
	// Don't fail, because this process may hold the lock by then. After it has ended, a writer removes the file.
	defer func() { _ = remove(l.own) }()
	deadline := time.Now().Add(f.options.LockTimeout)
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		taken, err := link(l.own, l.path)
		if taken || err != nil {
			return l, err
		}
		free, err := l.rescue()
		if err != nil {
			return nil, err
		}
		if free {
			continue
		}
		if time.Now().After(deadline) {
			return nil, l.timedOut(f.options.LockTimeout)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause/2 + mathrand.N(pause)):
		}
		if err := overwrite(l.own, content); err != nil { // a lock that is taken next is as old as this change
			return nil, err
		}
	}
}

func (l *fileLock) timedOut(timeout time.Duration) error {
	who := "somebody"
	if holder, err := ownerOf(l.path); err == nil && holder != nil {
		who = fmt.Sprintf("process %d of %s", holder.PID, holder.Host)
	}
	return fmt.Errorf("stores: %s has held %s for %v; if it is gone, delete the file", who, l.path, timeout)
}

// release removes the lock if this process still holds it. If this process was suspended for long, another process may
// hold the lock by now.
func (l *fileLock) release() error {
	holder, err := ownerOf(l.path)
	if err != nil || holder == nil || holder.Token != l.token {
		return err
	}
	return remove(l.path)
}

// sweep removes files that dead writers have left. The caller holds the lock.
func (l *fileLock) sweep() error {
	var oldest time.Time
	if lock, err := os.Lstat(l.path); err == nil {
		oldest = lock.ModTime().Add(-l.staleAfter)
	}
	paths, err := named(l.path + ".")
	for _, path := range paths {
		owner, failure := ownerOf(path)
		isOurs := suffixes.MatchString(strings.TrimPrefix(path, l.path+"."))
		if failure == nil && owner != nil && (owner.state() == dead || isAbandoned(path, owner, isOurs, oldest)) {
			err = errors.Join(err, remove(path))
		}
	}
	return err
}

// suffixes matches what follows PATH.lock. in the names of files that writers create.
var suffixes = regexp.MustCompile(`\A[0-9a-f-]+(\.[0-9]+|\.now)?\z`)

// isAbandoned reports whether a file is older than oldest, and names no owner or one of another boot of this host. The
// writer of a file that names no owner was killed, or the disk was full, before it had written its name there. isOurs
// tells whether the file has the name of a file that writers create. Other files may be of other programs.
func isAbandoned(path string, owner *owner, isOurs bool, oldest time.Time) bool {
	info, err := os.Lstat(path)
	return err == nil && info.ModTime().Before(oldest) && (owner.PID == 0 && isOurs || owner.isOfAnotherBoot())
}

// rescue removes the lock if its holder is dead, and reports whether the lock may be free now.
func (l *fileLock) rescue() (free bool, err error) {
	holder, err := ownerOf(l.path)
	if err != nil || holder == nil {
		return err == nil, err
	}
	if gone, err := l.isDead(holder, l.path); err != nil || !gone {
		return false, err
	}
	var claims []string
	for {
		claim := fmt.Sprintf("%s.%s.%d", l.path, holder.Token, len(claims))
		claims = append(claims, claim)
		if claimed, err := link(l.own, claim); err != nil {
			return false, err
		} else if claimed {
			break
		}
		rescuer, err := ownerOf(claim)
		if err != nil || rescuer == nil { // another writer has removed the lock and then the claim
			return err == nil, err
		}
		if gone, err := l.isDead(rescuer, claim); err != nil || !gone {
			return false, err
		}
	}
	now, err := ownerOf(l.path)
	if err == nil && now != nil && now.Token == holder.Token {
		err = remove(l.path)
	}
	for _, claim := range claims {
		err = errors.Join(err, remove(claim))
	}
	return err == nil, err
}

// isDead reports whether the owner that the file at path names is dead. If this process can't tell, the age of the file
// decides, by the clock of the file system.
func (l *fileLock) isDead(owner *owner, path string) (bool, error) {
	if state := owner.state(); state != unknown {
		return state == dead, nil
	}
	then, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	probe := l.own + ".now"
	if err := create(probe, nil, 0o666, false); err != nil {
		return false, err
	}
	now, err := os.Lstat(probe)
	if err = errors.Join(err, remove(probe)); err != nil {
		return false, err
	}
	return now.ModTime().Sub(then.ModTime()) > l.staleAfter, nil
}

// link links a file to a second name, and reports false if that name is taken.
func link(path, name string) (bool, error) {
	err := os.Link(path, name)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// An owner names a process. Start, Host, Boot and Space are "" if the system can't tell them.
type owner struct {
	Token string `json:"token"`
	PID   int    `json:"pid"`
	Start string `json:"start"` // time when the process started, in clock ticks since the boot
	Host  string `json:"host"`
	Boot  string `json:"boot"`  // id of the current boot of the machine
	Space string `json:"space"` // id of the pid namespace
}

type vitality uint8

const (
	unknown vitality = iota // this process can't tell, for example about another machine, boot or container
	alive
	dead
)

// self returns the owner for this process, with a new token.
func self() *owner {
	_, start := processState(os.Getpid())
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return &owner{randomToken(), os.Getpid(), start, host, strings.TrimSpace(string(boot)), space}
}

var tokens = regexp.MustCompile(`\A[0-9a-f-]+\z`)

// ownerOf returns the owner that a file names, or nil if there is no such file. If the file names no owner, for example
// because its writer hasn't finished, the result is an owner with the token "unknown".
func ownerOf(path string) (*owner, error) {
	text, err := read(path)
	if err != nil || text == nil {
		return nil, err
	}
	var o owner
	if json.Unmarshal(text, &o) != nil || !tokens.MatchString(o.Token) || o.PID <= 0 {
		return &owner{Token: "unknown"}, nil
	}
	return &o, nil
}

// isOfAnotherBoot reports whether the process ran before a reboot of this machine, or runs on another machine with the
// same host name.
func (o *owner) isOfAnotherBoot() bool {
	here := self()
	return o.Host != "" && o.Host == here.Host && o.Boot != here.Boot
}

// state reports whether the process is alive, dead or unknown.
func (o *owner) state() vitality { return o.seenBy(self()) }

// seenBy returns the state of o as the process here can tell it. Another boot id doesn't mean that o is dead, because
// machines that share a folder may have the same host name.
func (o *owner) seenBy(here *owner) vitality {
	if o.Host == "" || o.Host != here.Host || o.Boot != here.Boot || o.Space != here.Space {
		return unknown
	}
	if letter, start := processState(o.PID); letter != "" {
		// The pid may belong to another process by now. A process that has ended may still exist as a zombie.
		if o.Start != "" && start != o.Start || letter == "Z" || letter == "X" {
			return dead
		}
		return alive
	}
	return signalled(o.PID) // /proc may hide the process, or be missing
}

// processState returns the state of a process on Linux, as a letter, and the time when it started, in clock ticks
// since the boot. Both are "" on other systems, or if /proc doesn't show the process.
func processState(pid int) (letter, start string) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", ""
	}
	// The second field is the name of the program in parentheses. It may contain any character.
	text := string(stat)
	fields := strings.Split(text[min(strings.LastIndexByte(text, ')')+2, len(text)):], " ")
	if len(fields) < 20 {
		return "", ""
	}
	return fields[0], fields[19]
}
