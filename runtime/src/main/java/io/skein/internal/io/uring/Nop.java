package io.skein.internal.io.uring;

/** Does nothing, by way of the kernel: proves that a ring works. */
final class Nop extends UringOperation {
    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_NOP);
    }
}
