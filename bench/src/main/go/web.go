// The rival in Go: the smallest of web servers. It says "listening PORT DESCRIPTION", and ends when its standard input
// does.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
)

func main() {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Println("unavailable", err)
		os.Exit(1)
	}
	fmt.Printf("listening %d %s, net/http, GOMAXPROCS=%d\n",
		listener.Addr().(*net.TCPAddr).Port, runtime.Version(), runtime.GOMAXPROCS(0))
	go http.Serve(listener, http.HandlerFunc(hello))
	io.Copy(io.Discard, os.Stdin)
}

func hello(response http.ResponseWriter, request *http.Request) {
	io.WriteString(response, "hello\n")
}
