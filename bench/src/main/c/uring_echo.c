/*
 * A plain io_uring echo server: one thread, raw system calls, one io_uring_enter per turn. A multishot accept and a
 * multishot receive for each connection stay armed; receives take buffers from a ring of provided buffers, and a
 * buffer is sent from where it lies and then given back.
 *
 * A connection's received buffers form a queue, linked by buffer number, and at most its first one is being sent, so
 * that bytes keep their order. A descriptor is closed when neither its receive nor a send is under way, so that a
 * completion never meets the next connection of the same number.
 */
#include "echo.h"
#include <linux/io_uring.h>
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY (1U << 16)
#endif

enum { ENTRIES = 4096, COMPLETIONS = 16384, MOST_BUFFERS = 128, LEAST_BUFFERS = 64, MOST_BYTES = 64 << 20 };
enum { GROUP = 0, NONE = -1 };
enum kind { ACCEPT, RECEIVE, SEND, STOP };

static struct {
    int fd;
    unsigned *sq_head, *sq_tail, sq_mask, sq_entries, tail;
    struct io_uring_sqe *sqes;
    unsigned *cq_head, *cq_tail, cq_mask;
    struct io_uring_cqe *cqes;
} ring;

static struct {
    struct io_uring_buf_ring *ring;
    char *memory;
    int size, count, queued;
    uint16_t tail;
    int *next;   /* by buffer: the one behind it in its connection's queue */
    int *length; /* by buffer: the bytes it holds */
} buffers;

struct connection {
    int first, last; /* the queue of buffers */
    int sent;        /* bytes of the first that have gone */
    int receiving, sending, broken;
    int starved_next; /* the next one that waits for a buffer */
};

static struct connection *connections; /* by descriptor */
static int starved = NONE;

/* ---- The ring ---- */

static int enter(unsigned wait) {
    __atomic_store_n(ring.sq_tail, ring.tail, __ATOMIC_RELEASE);
    unsigned submit = ring.tail - __atomic_load_n(ring.sq_head, __ATOMIC_ACQUIRE);
    return (int)syscall(__NR_io_uring_enter, ring.fd, submit, wait, IORING_ENTER_GETEVENTS, NULL, 0);
}

static struct io_uring_sqe *next_sqe(enum kind kind, int opcode, int fd) {
    while (ring.tail - __atomic_load_n(ring.sq_head, __ATOMIC_ACQUIRE) == ring.sq_entries) {
        enter(0);
    }
    struct io_uring_sqe *sqe = &ring.sqes[ring.tail++ & ring.sq_mask];
    memset(sqe, 0, sizeof *sqe);
    sqe->opcode = (uint8_t)opcode;
    sqe->fd = fd;
    sqe->user_data = (uint64_t)kind << 32 | (uint32_t)fd;
    return sqe;
}

static void *map(size_t length, off_t offset) {
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, offset);
    if (memory == MAP_FAILED) {
        unavailable("mmap of the ring", errno);
    }
    return memory;
}

static void open_ring(void) {
    unsigned wanted = IORING_SETUP_CQSIZE | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
    struct io_uring_params params = {.flags = wanted | IORING_SETUP_NO_SQARRAY, .cq_entries = COMPLETIONS};
    ring.fd = (int)syscall(__NR_io_uring_setup, ENTRIES, &params);
    if (ring.fd < 0 && errno == EINVAL) {
        params = (struct io_uring_params){.flags = wanted, .cq_entries = COMPLETIONS};
        ring.fd = (int)syscall(__NR_io_uring_setup, ENTRIES, &params);
    }
    if (ring.fd < 0) {
        unavailable("io_uring_setup", errno);
    }
    size_t sq_bytes = params.sq_off.array + params.sq_entries * sizeof(unsigned);
    size_t cq_bytes = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
    char *both = map(sq_bytes > cq_bytes ? sq_bytes : cq_bytes, IORING_OFF_SQ_RING);
    ring.sqes = map(params.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
    ring.sq_head = (unsigned *)(both + params.sq_off.head);
    ring.sq_tail = (unsigned *)(both + params.sq_off.tail);
    ring.sq_mask = *(unsigned *)(both + params.sq_off.ring_mask);
    ring.sq_entries = params.sq_entries;
    ring.cq_head = (unsigned *)(both + params.cq_off.head);
    ring.cq_tail = (unsigned *)(both + params.cq_off.tail);
    ring.cq_mask = *(unsigned *)(both + params.cq_off.ring_mask);
    ring.cqes = (struct io_uring_cqe *)(both + params.cq_off.cqes);
    if (!(params.flags & IORING_SETUP_NO_SQARRAY)) {
        unsigned *array = (unsigned *)(both + params.sq_off.array);
        for (unsigned i = 0; i < params.sq_entries; i++) {
            array[i] = i;
        }
    }
}

/* ---- The buffers ---- */

static void provide(int id) {
    struct io_uring_buf *entry = &buffers.ring->bufs[buffers.tail++ & (buffers.count - 1)];
    entry->addr = (uintptr_t)(buffers.memory + (size_t)id * buffers.size);
    entry->len = buffers.size;
    entry->bid = (uint16_t)id;
    __atomic_store_n(&buffers.ring->tail, buffers.tail, __ATOMIC_RELEASE);
}

static void open_buffers(int size) {
    buffers.size = size;
    buffers.count = MOST_BUFFERS;
    while (buffers.count > LEAST_BUFFERS && (long)buffers.count * size > MOST_BYTES) {
        buffers.count /= 2;
    }
    size_t ring_bytes = buffers.count * sizeof(struct io_uring_buf);
    int protection = PROT_READ | PROT_WRITE, flags = MAP_ANONYMOUS | MAP_PRIVATE;
    buffers.ring = mmap(NULL, ring_bytes, protection, flags, -1, 0);
    buffers.memory = mmap(NULL, (size_t)buffers.count * size, protection, flags, -1, 0);
    buffers.next = calloc(buffers.count, sizeof(int));
    buffers.length = calloc(buffers.count, sizeof(int));
    struct io_uring_buf_reg registration = {
        .ring_addr = (uintptr_t)buffers.ring, .ring_entries = buffers.count, .bgid = GROUP};
    if (syscall(__NR_io_uring_register, ring.fd, IORING_REGISTER_PBUF_RING, &registration, 1) < 0) {
        unavailable("a ring of buffers", errno);
    }
    for (int id = 0; id < buffers.count; id++) {
        provide(id);
    }
}

/* ---- Connections ---- */

static void accept_always(int listener) {
    struct io_uring_sqe *sqe = next_sqe(ACCEPT, IORING_OP_ACCEPT, listener);
    sqe->ioprio = IORING_ACCEPT_MULTISHOT;
    sqe->accept_flags = SOCK_CLOEXEC;
}

static void receive_always(int fd) {
    struct io_uring_sqe *sqe = next_sqe(RECEIVE, IORING_OP_RECV, fd);
    sqe->ioprio = IORING_RECV_MULTISHOT;
    sqe->flags = IOSQE_BUFFER_SELECT;
    sqe->buf_group = GROUP;
    connections[fd].receiving = 1;
}

static void send_first(int fd) {
    struct connection *connection = &connections[fd];
    int id = connection->first;
    struct io_uring_sqe *sqe = next_sqe(SEND, IORING_OP_SEND, fd);
    sqe->addr = (uintptr_t)(buffers.memory + (size_t)id * buffers.size + connection->sent);
    sqe->len = buffers.length[id] - connection->sent;
    sqe->msg_flags = MSG_WAITALL | MSG_NOSIGNAL;
    connection->sending = 1;
}

static void give_back_first(struct connection *connection) {
    int id = connection->first;
    connection->first = buffers.next[id];
    connection->sent = 0;
    provide(id);
    buffers.queued--;
    while (starved != NONE) { /* all: one that turns out to have nothing to read would keep the buffer from the rest */
        int fd = starved;
        starved = connections[fd].starved_next;
        receive_always(fd);
    }
}

static void close_when_over(int fd) {
    if (!connections[fd].sending && !connections[fd].receiving) {
        close(fd);
    }
}

static void accepted(int listener, int result, unsigned flags) {
    if (!(flags & IORING_CQE_F_MORE)) {
        accept_always(listener);
    }
    if (result >= 0) {
        no_delay(result);
        connections[result] = (struct connection){.first = NONE, .last = NONE};
        receive_always(result);
    }
}

static void append(struct connection *connection, int id, int length) {
    buffers.length[id] = length;
    buffers.next[id] = NONE;
    buffers.queued++;
    if (connection->first == NONE) {
        connection->first = id;
    } else {
        buffers.next[connection->last] = id;
    }
    connection->last = id;
}

static void received(int fd, int result, unsigned flags) {
    struct connection *connection = &connections[fd];
    int armed = (flags & IORING_CQE_F_MORE) != 0;
    connection->receiving = armed;
    if (result > 0) {
        append(connection, (int)(flags >> IORING_CQE_BUFFER_SHIFT), result);
        if (connection->broken) {
            give_back_first(connection);
        } else if (!connection->sending) {
            send_first(fd);
        }
    }
    if (armed) {
        return;
    }
    if (result == -ENOBUFS && buffers.queued > 0) {
        connection->receiving = 1; /* when one of them is given back, so it must not be closed meanwhile */
        connection->starved_next = starved;
        starved = fd;
    } else if ((result > 0 || result == -ENOBUFS) && !connection->broken) {
        receive_always(fd);
    } else {
        connection->broken |= result < 0;
        close_when_over(fd);
    }
}

static void sent(int fd, int result) {
    struct connection *connection = &connections[fd];
    connection->sending = 0;
    if (result <= 0) {
        connection->broken = 1;
        shutdown(fd, SHUT_RDWR); /* ends the receive */
    } else {
        connection->sent += result;
        if (connection->sent == buffers.length[connection->first]) {
            give_back_first(connection);
        }
    }
    while (connection->broken && connection->first != NONE) {
        give_back_first(connection);
    }
    if (connection->first != NONE) {
        send_first(fd);
    }
    close_when_over(fd);
}

static void complete(const struct io_uring_cqe *cqe) {
    int fd = (int)(uint32_t)cqe->user_data;
    switch ((enum kind)(cqe->user_data >> 32)) {
    case ACCEPT:
        accepted(fd, cqe->res, cqe->flags);
        break;
    case RECEIVE:
        received(fd, cqe->res, cqe->flags);
        break;
    case SEND:
        sent(fd, cqe->res);
        break;
    case STOP:
        exit(0);
    }
}

int main(int count, char **arguments) {
    int size = buffer_size_of(count, arguments);
    connections = calloc(descriptor_limit(), sizeof *connections);
    open_ring();
    open_buffers(size);
    int listening = listener(0);
    accept_always(listening);
    next_sqe(STOP, IORING_OP_POLL_ADD, STDIN_FILENO)->poll32_events = POLLIN;
    char description[128];
    snprintf(description, sizeof description,
             "C, io_uring, multishot accept and receive, %d buffers of %d bytes, one thread", buffers.count, size);
    greet(listening, description);
    for (;;) {
        if (enter(1) < 0 && errno != EINTR && errno != EAGAIN && errno != EBUSY) {
            perror("io_uring_enter");
            return 1;
        }
        unsigned head = *ring.cq_head;
        unsigned tail = __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE);
        while (head != tail) {
            complete(&ring.cqes[head++ & ring.cq_mask]);
            __atomic_store_n(ring.cq_head, head, __ATOMIC_RELEASE);
        }
    }
}
