package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Scope;
import io.skein.Scope.Policy;
import io.skein.Setup;
import io.skein.time.Time;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Cancels and limits that reach a coroutine in a {@code java.net.Socket}, which makes a bare SocketException of the
 * interrupt.
 */
@Setup.Each
class SeatCancelTest extends SeatTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    SeatCancelTest(Setup setup) {
        super(setup);
    }

    @Test
    void aCoroutineCancelledInAReadIsCancelledByWhatTheSocketThrew() throws Exception {
        try (Ends ends = ends()) {
            Coroutine<Integer> reader =
                    skein.spawn(() -> ends.client().getInputStream().read());
            Await.untilWaiting(reader);

            reader.cancel(true);

            assertThatExceptionOfType(CancellationException.class)
                    .isThrownBy(reader::join)
                    .withCauseInstanceOf(SocketException.class);
            assertThat(reader.state()).isEqualTo(Future.State.CANCELLED);
        }
    }

    @Test
    void aCancelledReaderThatNobodyWaitsForIsNotReported() throws Exception {
        try (Ends ends = ends()) {
            Coroutine<Integer> reader =
                    skein.spawn(() -> ends.client().getInputStream().read());
            Await.untilWaiting(reader);

            reader.cancel(true);
            skein.close();

            assertThat(unheardFailures).isEmpty();
        }
    }

    @Test
    void aCoroutineCancelledInAnAcceptIsCancelled() throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            Coroutine<Socket> acceptor = skein.spawn(listening::accept);
            Await.untilWaiting(acceptor);

            acceptor.cancel(true);

            assertThatExceptionOfType(CancellationException.class).isThrownBy(acceptor::join);
        }
    }

    @Test
    void aReadThatIsLateThrowsATimeoutExceptionWithWhatTheSocketThrew() throws Exception {
        skein.blockOn(() -> {
            try (Ends ends = ends()) {
                assertThatExceptionOfType(TimeoutException.class)
                        .isThrownBy(() -> Time.timeout(
                                SHORT, () -> ends.client().getInputStream().read()))
                        .withCauseInstanceOf(SocketException.class);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
        });
    }

    @Test
    void aScopeThatIsLateTellsOfItsTimeoutAndKeepsWhatTheSocketThrew() throws Exception {
        skein.blockOn(() -> {
            try (Ends ends = ends();
                    Scope<Integer, ?> scope = Scope.open(Policy.allSucceed(), options -> options.withTimeout(SHORT))) {
                Coroutine<Integer> reader =
                        scope.fork(() -> ends.client().getInputStream().read());

                Throwable late = catchThrowable(scope::join);

                assertThat(late).isInstanceOf(CompletionException.class).hasCauseInstanceOf(TimeoutException.class);
                assertThat(late.getSuppressed()).hasOnlyElementsOfType(SocketException.class);
                assertThat(reader.state()).isEqualTo(Future.State.CANCELLED);
            }
        });
    }
}
