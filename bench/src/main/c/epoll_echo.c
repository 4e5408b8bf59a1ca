/*
 * A plain epoll echo server: one thread, level-triggered. A ready connection is read once, into a buffer that all
 * share, and written at once; a short read has emptied the socket, so no second read is made to learn that. What the
 * peer does not take is kept, and the connection is not read until it has been written.
 */
#include "echo.h"
#include <sys/epoll.h>

enum { EVENTS = 1024 };

struct connection {
    char *rest; /* what could not be written yet */
    int length;
    int written;
};

static int epoll;
static int buffer_size;
static char *buffer;
static struct connection *connections; /* by descriptor */

static void watch(int operation, int fd, unsigned events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    epoll_ctl(epoll, operation, fd, &event);
}

static void hang_up(int fd) {
    free(connections[fd].rest);
    connections[fd] = (struct connection){0};
    close(fd);
}

static void accept_all(int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        no_delay(fd);
        watch(EPOLL_CTL_ADD, fd, EPOLLIN);
    }
}

/* How much of it the socket took; -1 when the connection is broken. */
static int send_what_fits(int fd, const char *bytes, int length) {
    int sent = 0;
    while (sent < length) {
        ssize_t n = send(fd, bytes + sent, length - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return errno == EAGAIN ? sent : -1;
        }
        sent += (int)n;
    }
    return sent;
}

static void keep_rest(int fd, int sent, int length) {
    struct connection *connection = &connections[fd];
    connection->length = length - sent;
    connection->written = 0;
    connection->rest = malloc(connection->length);
    memcpy(connection->rest, buffer + sent, connection->length);
    watch(EPOLL_CTL_MOD, fd, EPOLLOUT);
}

static void echo(int fd) {
    for (;;) {
        ssize_t n = recv(fd, buffer, buffer_size, 0);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && errno == EAGAIN) {
            return;
        }
        int sent = n <= 0 ? -1 : send_what_fits(fd, buffer, (int)n);
        if (sent < 0) {
            hang_up(fd);
            return;
        }
        if (sent < n) {
            keep_rest(fd, sent, (int)n);
            return;
        }
        if (n < buffer_size) {
            return;
        }
    }
}

static void write_rest(int fd) {
    struct connection *connection = &connections[fd];
    int left = connection->length - connection->written;
    int sent = send_what_fits(fd, connection->rest + connection->written, left);
    if (sent < 0) {
        hang_up(fd);
    } else if (sent < left) {
        connection->written += sent;
    } else {
        free(connection->rest);
        connection->rest = NULL;
        watch(EPOLL_CTL_MOD, fd, EPOLLIN);
    }
}

int main(int count, char **arguments) {
    buffer_size = buffer_size_of(count, arguments);
    buffer = malloc(buffer_size);
    connections = calloc(descriptor_limit(), sizeof *connections);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    int listening = listener(SOCK_NONBLOCK);
    watch(EPOLL_CTL_ADD, listening, EPOLLIN);
    watch(EPOLL_CTL_ADD, STDIN_FILENO, EPOLLIN);
    greet(listening, "C, epoll, level-triggered, one thread");
    struct epoll_event events[EVENTS];
    for (;;) {
        int ready = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == STDIN_FILENO) {
                return 0;
            } else if (fd == listening) {
                accept_all(listening);
            } else if (connections[fd].rest) {
                write_rest(fd);
            } else {
                echo(fd);
            }
        }
    }
}
