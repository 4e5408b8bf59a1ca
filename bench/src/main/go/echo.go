// The rival in Go: an echo server with one goroutine per connection. It says "listening PORT DESCRIPTION", and ends
// when its standard input does.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: echo BUFFER_SIZE WORK_MICROSECONDS")
		os.Exit(2)
	}
	size, _ := strconv.Atoi(os.Args[1])
	micros, _ := strconv.Atoi(os.Args[2])
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Println("unavailable", err)
		os.Exit(1)
	}
	fmt.Printf("listening %d %s, net, one goroutine per connection, GOMAXPROCS=%d\n",
		listener.Addr().(*net.TCPAddr).Port, runtime.Version(), runtime.GOMAXPROCS(0))
	go accept(listener, size, time.Duration(micros)*time.Microsecond)
	io.Copy(io.Discard, os.Stdin)
}

func accept(listener net.Listener, size int, work time.Duration) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go echo(connection, size, work)
	}
}

func echo(connection net.Conn, size int, work time.Duration) {
	defer connection.Close()
	buffer := make([]byte, size)
	for {
		count, err := connection.Read(buffer)
		if err != nil {
			return
		}
		compute(work)
		if _, err := connection.Write(buffer[:count]); err != nil {
			return
		}
	}
}

func compute(work time.Duration) {
	if work > 0 {
		for begun := time.Now(); time.Since(begun) < work; {
		}
	}
}
