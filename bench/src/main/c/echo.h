/*
 * What the two echo servers share: a listening socket on a free loopback port, room for many descriptors, and the
 * line that tells the harness where they listen. Each ends when its standard input does.
 */
#ifndef SKEIN_BENCH_ECHO_H
#define SKEIN_BENCH_ECHO_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* As many connections may wait to be accepted as with all the other servers. */
enum { BACKLOG = 4096 };

/* Says what this machine does not do, in the words that the harness expects, and ends. */
static void unavailable(const char *what, int error) {
    printf("unavailable %s: %s\n", what, strerror(error));
    exit(1);
}

static int buffer_size_of(int count, char **arguments) {
    int size = count > 1 ? atoi(arguments[1]) : 0;
    if (size <= 0) {
        fprintf(stderr, "usage: %s BUFFER_SIZE\n", arguments[0]);
        exit(2);
    }
    return size;
}

/* How many descriptors this process may have, once it has asked for all that it can get. */
static int descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) {
        unavailable("getrlimit", errno);
    }
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur > 1000000 ? 1000000 : (int)limit.rlim_cur;
}

static int listener(int more_flags) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | more_flags, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, BACKLOG) < 0) {
        unavailable("listen", errno);
    }
    signal(SIGPIPE, SIG_IGN);
    return fd;
}

static void no_delay(int fd) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void greet(int listener, const char *description) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("listening %d %s, gcc %s -O2\n", ntohs(address.sin_port), description, __VERSION__);
    fflush(stdout);
}

#endif
