package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import java.util.function.Consumer;

/** An operation that fills its entry as a test says. */
final class AnyOperation extends UringOperation {
    private final Consumer<Sqe> filling;

    AnyOperation(Consumer<Sqe> filling) {
        this.filling = filling;
    }

    static AnyOperation read(int fd, long address, int length) {
        return new AnyOperation(sqe ->
                sqe.opcode(Abi.IORING_OP_READ).fd(fd).buffer(address, length).offset(Abi.NO_OFFSET));
    }

    static AnyOperation write(int fd, long address, int length) {
        return new AnyOperation(sqe ->
                sqe.opcode(Abi.IORING_OP_WRITE).fd(fd).buffer(address, length).offset(Abi.NO_OFFSET));
    }

    static AnyOperation send(int fd, long address, int length) {
        return new AnyOperation(sqe ->
                sqe.opcode(Abi.IORING_OP_SEND).fd(fd).buffer(address, length).operationFlags(Libc.MSG_NOSIGNAL));
    }

    @Override
    public void fill(Sqe sqe) {
        filling.accept(sqe);
    }
}
