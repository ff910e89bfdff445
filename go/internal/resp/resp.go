// Package resp is a Redis client for tests. It sends one command at a time, and reads all kinds of replies of RESP 2
// except arrays.
package resp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
)

// A Client sends commands over one connection. Several goroutines may use it at once.
type Client struct {
	mutex  sync.Mutex
	conn   net.Conn
	reader *bufio.Reader
}

// NewClient returns a Client that uses the connection, which the caller closes.
func NewClient(conn net.Conn) *Client { return &Client{conn: conn, reader: bufio.NewReader(conn)} }

// Do runs a command and returns its reply: a []byte, an int64, a string for a status, or nil. Errors: those of the
// connection and of Redis.
func (c *Client) Do(args []string) (any, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	command := fmt.Appendf(nil, "*%d\r\n", len(args))
	for _, arg := range args {
		command = fmt.Appendf(command, "$%d\r\n%s\r\n", len(arg), arg)
	}
	if _, err := c.conn.Write(command); err != nil {
		return nil, err
	}
	line, err := c.reader.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	rest := string(bytes.TrimSpace(line[1:]))
	switch line[0] {
	case '-':
		return nil, errors.New(rest)
	case ':':
		return strconv.ParseInt(rest, 10, 64)
	case '$':
		n, err := strconv.Atoi(rest)
		if n < 0 || err != nil {
			return nil, err
		}
		body := make([]byte, n+2)
		_, err = io.ReadFull(c.reader, body)
		return body[:n], err
	}
	return rest, nil
}
