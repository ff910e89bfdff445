//go:build unix

package stores

import (
	"errors"
	"os"
	"syscall"
)

// signalled returns dead if there is no process with the pid, and alive otherwise.
func signalled(pid int) vitality {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return dead
	}
	return alive
}

// syncFolder makes sure that a file that was renamed in the folder stays renamed after a loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
