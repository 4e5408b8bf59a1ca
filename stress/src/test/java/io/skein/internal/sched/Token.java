package io.skein.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Stands for a coroutine. Its weight is a power of ten, so the weights of all that came out, added up, show a digit for
 * each token: how often it came.
 */
record Token(int weight) implements Runnable {
    static final Token A = new Token(1);
    static final Token B = new Token(10);
    static final Token C = new Token(100);
    static final Token D = new Token(1_000);
    static final Token E = new Token(10_000);
    static final Token F = new Token(100_000);

    @Override
    public void run() {
        throw new UnsupportedOperationException("only ever queued");
    }

    static int weight(@Nullable Runnable token) {
        return token == null ? 0 : ((Token) token).weight;
    }
}
