package io.skein.internal.io.uring;

import java.util.List;

/** The kernel's names for its features and operations, by bit and by number, for people to read. */
final class KernelNames {
    static final List<String> FEATURES = List.of(
            "SINGLE_MMAP",
            "NODROP",
            "SUBMIT_STABLE",
            "RW_CUR_POS",
            "CUR_PERSONALITY",
            "FAST_POLL",
            "POLL_32BITS",
            "SQPOLL_NONFIXED",
            "EXT_ARG",
            "NATIVE_WORKERS",
            "RSRC_TAGS",
            "CQE_SKIP",
            "LINKED_FILE",
            "REG_REG_RING",
            "RECVSEND_BUNDLE",
            "MIN_TIMEOUT",
            "RW_ATTR",
            "NO_IOWAIT");

    static final List<String> OPERATIONS = List.of(
            ("NOP READV WRITEV FSYNC READ_FIXED WRITE_FIXED POLL_ADD POLL_REMOVE SYNC_FILE_RANGE SENDMSG RECVMSG"
                            + " TIMEOUT TIMEOUT_REMOVE ACCEPT ASYNC_CANCEL LINK_TIMEOUT CONNECT FALLOCATE OPENAT CLOSE"
                            + " FILES_UPDATE STATX READ WRITE FADVISE MADVISE SEND RECV OPENAT2 EPOLL_CTL SPLICE"
                            + " PROVIDE_BUFFERS REMOVE_BUFFERS TEE SHUTDOWN RENAMEAT UNLINKAT MKDIRAT SYMLINKAT LINKAT"
                            + " MSG_RING FSETXATTR SETXATTR FGETXATTR GETXATTR SOCKET URING_CMD SEND_ZC SENDMSG_ZC"
                            + " READ_MULTISHOT WAITID FUTEX_WAIT FUTEX_WAKE FUTEX_WAITV FIXED_FD_INSTALL FTRUNCATE BIND"
                            + " LISTEN RECV_ZC EPOLL_WAIT READV_FIXED WRITEV_FIXED PIPE")
                    .split(" "));

    private KernelNames() {}
}
