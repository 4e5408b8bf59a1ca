package io.skein.internal.io.uring;

/** The numbers and layouts of {@code <linux/io_uring.h>} that Skein uses, under the kernel's own names. */
final class Abi {
    static final long SYS_IO_URING_SETUP = 425;
    static final long SYS_IO_URING_ENTER = 426;
    static final long SYS_IO_URING_REGISTER = 427;

    static final int IORING_SETUP_CQSIZE = 1 << 3;
    static final int IORING_SETUP_CLAMP = 1 << 4;
    static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;
    static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;
    static final int IORING_SETUP_TASKRUN_FLAG = 1 << 9;
    static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;
    static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;
    static final int IORING_SETUP_NO_SQARRAY = 1 << 16;

    static final int IORING_FEAT_SINGLE_MMAP = 1;
    static final int IORING_FEAT_NODROP = 1 << 1;
    static final int IORING_FEAT_FAST_POLL = 1 << 5;
    static final int IORING_FEAT_EXT_ARG = 1 << 8;
    static final int IORING_FEAT_NO_IOWAIT = 1 << 17;

    static final int IORING_ENTER_GETEVENTS = 1;
    static final int IORING_ENTER_EXT_ARG = 1 << 3;
    static final int IORING_ENTER_REGISTERED_RING = 1 << 4;
    static final int IORING_ENTER_NO_IOWAIT = 1 << 7;

    static final int IORING_SQ_CQ_OVERFLOW = 1 << 1;
    static final int IORING_SQ_TASKRUN = 1 << 2;

    static final int IORING_REGISTER_BUFFERS = 0;
    static final int IORING_REGISTER_PROBE = 8;
    static final int IORING_REGISTER_RING_FDS = 20;
    static final int IORING_UNREGISTER_RING_FDS = 21;
    static final int IORING_REGISTER_PBUF_RING = 22;
    static final int IORING_REGISTER_PBUF_STATUS = 26;

    static final int IORING_ASYNC_CANCEL_ALL = 1;
    static final int IORING_ASYNC_CANCEL_FD = 1 << 1;
    static final int IORING_ASYNC_CANCEL_ANY = 1 << 2;

    static final long IORING_OFF_SQ_RING = 0;
    static final long IORING_OFF_SQES = 0x10000000L;

    static final byte IORING_OP_NOP = 0;
    static final byte IORING_OP_READV = 1;
    static final byte IORING_OP_WRITEV = 2;
    static final byte IORING_OP_FSYNC = 3;
    static final byte IORING_OP_READ_FIXED = 4;
    static final byte IORING_OP_WRITE_FIXED = 5;
    static final byte IORING_OP_POLL_ADD = 6;
    static final byte IORING_OP_SENDMSG = 9;
    static final byte IORING_OP_RECVMSG = 10;
    static final byte IORING_OP_ACCEPT = 13;
    static final byte IORING_OP_ASYNC_CANCEL = 14;
    static final byte IORING_OP_CONNECT = 16;
    static final byte IORING_OP_FALLOCATE = 17;
    static final byte IORING_OP_OPENAT = 18;
    static final byte IORING_OP_CLOSE = 19;
    static final byte IORING_OP_STATX = 21;
    static final byte IORING_OP_READ = 22;
    static final byte IORING_OP_WRITE = 23;
    static final byte IORING_OP_FADVISE = 24;
    static final byte IORING_OP_SEND = 26;
    static final byte IORING_OP_RECV = 27;
    static final byte IORING_OP_SPLICE = 30;
    static final byte IORING_OP_SHUTDOWN = 34;
    static final byte IORING_OP_RENAMEAT = 35;
    static final byte IORING_OP_UNLINKAT = 36;
    static final byte IORING_OP_MKDIRAT = 37;
    static final byte IORING_OP_SYMLINKAT = 38;
    static final byte IORING_OP_LINKAT = 39;
    static final byte IORING_OP_SOCKET = 45;
    static final byte IORING_OP_SEND_ZC = 47;
    static final byte IORING_OP_FTRUNCATE = 55;
    static final byte IORING_OP_READV_FIXED = 60;
    static final byte IORING_OP_WRITEV_FIXED = 61;

    static final int IORING_FSYNC_DATASYNC = 1;

    /** In a splice: the descriptor has no offset. */
    static final long NO_OFFSET = -1;

    /** In an entry's flags: the kernel picks the buffer from a group. */
    static final int IOSQE_BUFFER_SELECT = 1 << 5;

    /** In {@code ioprio} of a receive: stay armed. */
    static final int IORING_RECV_MULTISHOT = 1 << 1;

    static final int IORING_ACCEPT_MULTISHOT = 1;
    static final int IORING_CQE_F_BUF_MORE = 1 << 4;
    static final short IOU_PBUF_RING_INC = 2;

    /** In {@code ioprio} of a receive or send: wait for readiness before the first attempt. */
    static final int IORING_RECVSEND_POLL_FIRST = 1;

    /** In a completion's flags: where the number of the picked buffer begins. */
    static final int IORING_CQE_BUFFER_SHIFT = 16;

    /** In a completion: the kernel has taken a buffer for it. */
    static final int IORING_CQE_F_BUFFER = 1;

    /** In a completion: more completions of the same entry follow. */
    static final int IORING_CQE_F_MORE = 1 << 1;

    /** In a receive's completion: the socket holds more bytes. */
    static final int IORING_CQE_F_SOCK_NONEMPTY = 1 << 2;

    /** In a completion: the second one of a send without a copy. */
    static final int IORING_CQE_F_NOTIF = 1 << 3;

    /** {@code struct io_uring_params}, and the two offset tables inside it. */
    static final int PARAMS_SIZE = 120;

    static final int PARAMS_SQ_ENTRIES = 0;
    static final int PARAMS_CQ_ENTRIES = 4;
    static final int PARAMS_FLAGS = 8;
    static final int PARAMS_FEATURES = 20;
    static final int PARAMS_SQ_OFF = 40;
    static final int PARAMS_CQ_OFF = 80;

    static final int OFF_HEAD = 0;
    static final int OFF_TAIL = 4;
    static final int OFF_SQ_FLAGS = 16;
    static final int OFF_SQ_ARRAY = 24;
    static final int OFF_CQES = 20;

    static final int SQE_SIZE = 64;
    static final int CQE_SIZE = 16;
    static final int CQE_USER_DATA = 0;

    /** The result in the low half of a word, the flags in the high half. */
    static final int CQE_RESULT_AND_FLAGS = 8;

    private Abi() {}
}
