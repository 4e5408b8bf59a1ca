package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests to cancel, and which runs of which operations they reach. The test plays the driver's thread. */
@Timeout(30)
class CancelRequestsTest {
    private final CancelRequests requests = new CancelRequests();
    private final List<Operation> cancelled = new ArrayList<>();
    private final Operation first = new Operation() {};
    private final Operation second = new Operation() {};
    private final Operation third = new Operation() {};

    /** What the driver does besides noting the cancel. */
    private Runnable onCancel = () -> {};

    private final Driver driver = new Driver() {
        @Override
        public void start(Operation operation) {}

        @Override
        public void cancel(Operation operation) {
            onCancel.run();
            cancelled.add(operation);
        }

        @Override
        public void drive(long timeoutNanos) {}

        @Override
        public void wakeUp() {}

        @Override
        public void close() {}
    };

    /** Makes the next run of an operation, which is in flight while something else is done. */
    private static void run(Operation operation, Runnable inFlight) {
        Lane lane = new Lane() {
            @Override
            public void start(Operation started) {
                inFlight.run();
                started.complete(0, 0);
            }

            @Override
            public void cancel(Operation cancelled, int run) {}

            @Override
            public void driveInPlace() {}
        };
        operation.perform(new Submitter() {
            @Override
            public boolean serves() {
                return true;
            }

            @Override
            public Lane lane() {
                return lane;
            }

            @Override
            public Executor blocking() {
                return Runnable::run;
            }
        });
    }

    private void carryOut() {
        requests.carryOut(driver);
    }

    @Test
    void aRunThatIsInFlightIsCancelledOnceHoweverOftenThatIsAskedFor() {
        run(first, () -> {
            requests.add(first, 1);
            requests.add(first, 1);
            carryOut();
            requests.add(first, 1);
            carryOut();
        });

        assertThat(cancelled).containsExactly(first);
        assertThat(requests.isEmpty()).isTrue();
    }

    @Test
    void aRunThatHasEndedIsNotCancelled() {
        run(first, () -> requests.add(first, 1));

        carryOut();

        assertThat(cancelled).isEmpty();
    }

    @Test
    void aRequestThatComesLateDoesNotHitTheNextRun() {
        run(first, () -> requests.add(first, 1));
        run(first, () -> {
            carryOut();
            requests.add(first, 1);
            carryOut();
        });

        assertThat(cancelled).isEmpty();
    }

    @Test
    void aRequestForALaterRunIsCarriedOutThoughTheOperationIsQueuedForAnEarlierOne() {
        run(first, () -> requests.add(first, 1));
        run(first, () -> {
            requests.add(first, 2);
            carryOut();
        });

        assertThat(cancelled).containsExactly(first);
    }

    @Test
    void aRequestForAnEarlierRunDoesNotTakeThePlaceOfOneForALater() {
        run(first, () -> {});
        run(first, () -> {
            requests.add(first, 2);
            requests.add(first, 1);
            carryOut();
        });

        assertThat(cancelled).containsExactly(first);
    }

    @Test
    void eachRunCanBeCancelled() {
        for (int run = 1; run <= 3; run++) {
            int number = run;
            run(first, () -> {
                requests.add(first, number);
                carryOut();
            });
        }

        assertThat(cancelled).containsExactly(first, first, first);
    }

    /** Makes a run of all three. */
    private void runAll(Runnable inFlight) {
        run(first, () -> run(second, () -> run(third, inFlight)));
    }

    private void addAll() {
        requests.add(first, 1);
        requests.add(second, 1);
        requests.add(third, 1);
    }

    @Test
    void anOperationThatIsAskedForAgainIsQueuedOnceAndTheOthersAreNotLost() {
        runAll(() -> {
            addAll();
            requests.add(third, 1); // on top of the stack
            requests.add(first, 1);
            carryOut();
        });

        assertThat(cancelled).containsExactlyInAnyOrder(first, second, third);
    }

    @Test
    void whatADriverFailsAtIsTriedAgainAndSoAreTheRest() {
        runAll(() -> {
            addAll();
            onCancel = () -> {
                throw new OutOfMemoryError("on purpose");
            };
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::carryOut);
                assertThat(requests.isEmpty()).as("something is left to do").isFalse();
            }
            onCancel = () -> {};
            carryOut();
        });

        assertThat(cancelled).containsExactlyInAnyOrder(first, second, third);
        assertThat(requests.isEmpty()).isTrue();
    }

    @Test
    void aRequestThatComesWhileTheOthersAreCarriedOutIsKept() {
        runAll(() -> {
            requests.add(first, 1);
            onCancel = () -> {
                onCancel = () -> {};
                requests.add(second, 1);
            };
            carryOut();
            assertThat(requests.isEmpty()).isFalse();
            carryOut();
        });

        assertThat(cancelled).containsExactly(first, second);
    }
}
