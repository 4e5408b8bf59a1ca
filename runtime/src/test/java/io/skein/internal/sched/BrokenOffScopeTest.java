package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.LittleStack;
import io.skein.Scope;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scope whose close finds no stack, in a coroutine that goes on. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class BrokenOffScopeTest {
    @BeforeEach
    void needFlags() {
        assumeTrue(Loom.available(), "without flags the stack is another");
    }

    private static void openForkAndClose() throws InterruptedException {
        try (var scope = Scope.<Object>open()) {
            Coroutine<Object> child = scope.fork(() -> "done");
            scope.join();
            assertThat(child.isDone()).isTrue();
        }
    }

    private static int openScopes() {
        int count = 0;
        for (OpenScope scope = SpawnedCoroutine.current().innermost(); scope != null; scope = scope.outer()) {
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void itIsEndedBeforeTheNextOneIsOpened(int workers) throws Exception {
        LittleStack stack = new LittleStack(100);
        try (Skein skein = Skein.builder()
                .workers(workers)
                .stackSize(LittleStack.SIZE)
                .watchdog(Duration.ZERO)
                .start()) {
            skein.blockOn(() -> {
                try (var outermost = Scope.<Object>open()) {
                    stack.run(BrokenOffScopeTest::openForkAndClose);
                    assertThat(openScopes()).as("open scopes").isLessThanOrEqualTo(2);

                    openForkAndClose();
                    assertThat(openScopes()).as("open scopes").isEqualTo(1);
                    outermost.join();
                }
            });
        }
        assertThat(stack.overflows()).isPositive();
    }
}
