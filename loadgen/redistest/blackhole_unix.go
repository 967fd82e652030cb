//go:build unix

package redistest

import (
	"errors"
	"net"
	"strconv"
	"syscall"
)

// listenShort listens on loopback with the shortest queue that the system has.
func listenShort() (addr string, closeListener func(), err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return "", nil, err
	}
	name := &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	closeListener = func() { _ = syscall.Close(fd) } // nobody is left to be told
	if err := errors.Join(syscall.Bind(fd, name), syscall.Listen(fd, 0)); err != nil {
		closeListener()
		return "", nil, err
	}
	bound, err := syscall.Getsockname(fd)
	if err != nil {
		closeListener()
		return "", nil, err
	}
	port := bound.(*syscall.SockaddrInet4).Port
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), closeListener, nil
}
