package io.skein.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.LittleStack;
import org.junit.jupiter.api.Test;

/** Who asks for stack is told, whether the interpreter runs him or compiled code; and who does not ask needs none. */
class HeadroomTest {
    /** The compiler is done long before the last of them. */
    private static final int CALLS_UNTIL_COMPILED = 5_000_000;

    private static void ask() {
        Headroom.toNest();
    }

    private static void askIf(boolean wanted) {
        if (wanted) {
            Headroom.toNest();
        }
    }

    private interface Step {
        void take();
    }

    /** Whether a step can be taken where the interpreter finds too little stack. */
    private static boolean isPossibleInLittleStack(Step step) throws InterruptedException {
        boolean[] possible = new boolean[1];
        Thread thread = new Thread(null, () -> possible[0] = descend(step), "little stack", LittleStack.SIZE);
        thread.start();
        thread.join();
        return possible[0];
    }

    @SuppressWarnings("InfiniteRecursion") // it ends where there is too little stack
    private static boolean descend(Step step) {
        try {
            Headroom.toNest();
        } catch (StackOverflowError e) {
            return isPossible(step);
        }
        return descend(step);
    }

    private static boolean isPossible(Step step) {
        try {
            step.take();
            return true;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    @Test
    void compiledCodeIsToldOfTooLittleStack() throws Exception {
        for (int i = 0; i < CALLS_UNTIL_COMPILED; i++) {
            ask();
        }

        assertThat(isPossibleInLittleStack(HeadroomTest::ask)).isFalse();
    }

    @Test
    void compiledCodeIsEnteredInLittleStackIfItDoesNotAsk() throws Exception {
        for (int i = 0; i < CALLS_UNTIL_COMPILED; i++) {
            askIf(i % 2 == 0);
        }

        assertThat(isPossibleInLittleStack(() -> askIf(false))).isTrue();
        assertThat(isPossibleInLittleStack(() -> askIf(true))).isFalse();
    }
}
