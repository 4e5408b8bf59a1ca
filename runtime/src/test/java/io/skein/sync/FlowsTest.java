package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Channels as publishers, and publishers into channels: demand, ends, errors and cancels cross over. */
@Crowd.Each
class FlowsTest extends CrowdTest {
    FlowsTest(Crowd crowd) {
        super(crowd);
    }

    /** Notes what it is told. */
    private static class Notes implements Flow.Subscriber<Integer> {
        final ConcurrentLinkedQueue<Object> told = new ConcurrentLinkedQueue<>();
        private volatile Flow.@Nullable Subscription subscription;

        Flow.Subscription subscription() {
            return Objects.requireNonNull(subscription);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(Integer value) {
            told.add(value);
        }

        @Override
        public void onError(Throwable error) {
            told.add(error);
        }

        @Override
        public void onComplete() {
            told.add("complete");
        }
    }

    @Test
    void aSubscriberHearsThatItsCoroutineWasRefused() {
        Notes notes = new Notes();
        Channel<Integer> channel = numbers(5);
        skein.close();

        Flows.publisher(skein, channel).subscribe(notes);
        notes.subscription().request(1);

        assertThat(notes.told).singleElement().isInstanceOf(RejectedExecutionException.class);
        assertThat(channel.tryReceive()).as("nothing was taken").isNotNull();
    }

    @Test
    void aSubscriberThatCancelsAtOnceDoesNotHearThatItsCoroutineWasRefused() {
        Notes notes = new Notes() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                given.cancel();
            }
        };
        skein.close();

        Flows.publisher(skein, numbers(5)).subscribe(notes);

        assertThat(notes.told).isEmpty();
    }

    @Test
    void aSubscriberGetsAsMuchAsItAsksFor() {
        Channel<Integer> channel = numbers(5);
        Notes notes = new Notes();
        Flows.publisher(skein, channel).subscribe(notes);

        notes.subscription().request(2);
        Await.until("two came", () -> notes.told.size() == 2);
        notes.subscription().request(1);
        Await.until("one more came", () -> notes.told.size() == 3);
        notes.subscription().cancel();

        assertThat(notes.told).containsExactly(0, 1, 2);
        assertThat(channel.tryReceive()).as("the rest stays").isEqualTo(3);
    }

    @Test
    void theEndOfAChannelIsTheEndOfTheStream() {
        Channel<Integer> channel = numbers(2);
        channel.close();
        Notes notes = new Notes();
        Flows.publisher(skein, channel).subscribe(notes);

        notes.subscription().request(Long.MAX_VALUE);

        Await.until("it is complete", () -> notes.told.contains("complete"));
        assertThat(notes.told).containsExactly(0, 1, "complete");
    }

    @Test
    void anEndNeedsNoDemand() {
        Notes notes = new Notes();
        Channel<Integer> channel = numbers(2);
        Flows.publisher(skein, channel).subscribe(notes);
        notes.subscription().request(2);
        Await.until("both came", () -> notes.told.size() == 2);

        channel.close();

        Await.until("it is complete", () -> notes.told.contains("complete"));
        assertThat(notes.told).containsExactly(0, 1, "complete");
        Await.until("its coroutine has ended", () -> skein.metrics().liveCoroutines() == 0);
    }

    @Test
    void aFailureNeedsNoDemand() {
        Notes notes = new Notes();
        Channel<Integer> channel = numbers(0);
        IllegalStateException reason = new IllegalStateException("torn");
        channel.closeWith(reason);

        Flows.publisher(skein, channel).subscribe(notes);

        Await.until("the error came", () -> notes.told.contains(reason));
        assertThat(notes.told).containsExactly(reason);
    }

    @Test
    void anEndWaitsUntilSomebodyElseHasReceivedWhatIsLeft() {
        Notes notes = new Notes();
        Channel<Integer> channel = numbers(2);
        Flows.publisher(skein, channel).subscribe(notes);
        channel.close();
        assertThat(channel.tryReceive()).isEqualTo(0);
        assertThat(notes.told).isEmpty();

        assertThat(channel.tryReceive()).isEqualTo(1);

        Await.until("it is complete", () -> notes.told.contains("complete"));
    }

    @Test
    void theEndsOfSubscriptionsAndWatchersNeedNoDemandEither() {
        Broadcast<Integer> broadcast = Broadcast.dropping(4);
        Subscription<Integer> closed = broadcast.subscribe();
        Notes ofBroadcast = new Notes();
        Flows.publisher(skein, broadcast.subscribe()).subscribe(ofBroadcast);
        Notes ofClosed = new Notes();
        Flows.publisher(skein, closed).subscribe(ofClosed);
        Watch<Integer> watch = Watch.of(1);
        Notes ofWatch = new Notes();
        Flows.publisher(skein, watch.watcher()).subscribe(ofWatch);
        ofWatch.subscription().request(1);
        Await.until("the first came", () -> ofWatch.told.size() == 1);

        closed.close();
        Await.until("the subscription's end is told", () -> ofClosed.told.contains("complete"));
        assertThat(ofBroadcast.told).isEmpty();
        broadcast.close();
        watch.close();

        Await.until("the broadcast's end is told", () -> ofBroadcast.told.contains("complete"));
        Await.until("the watch's end is told", () -> ofWatch.told.contains("complete"));
    }

    @Test
    void aSubscriberThatCancelsWithoutDemandLeavesNothingInTheChannel() {
        Channel<Integer> channel = Channel.unbounded();
        Notes notes = new Notes();
        Flows.publisher(skein, channel).subscribe(notes);

        notes.subscription().cancel();

        Await.until("its coroutine has ended", () -> skein.metrics().liveCoroutines() == 0);
        channel.close();
        assertThat(notes.told).isEmpty();
    }

    @Test
    void theReasonOfACloseIsTheErrorOfTheStream() {
        Channel<Integer> channel = numbers(0);
        IllegalStateException reason = new IllegalStateException("torn");
        Notes notes = new Notes();
        Flows.publisher(skein, channel).subscribe(notes);
        notes.subscription().request(1);

        channel.closeWith(reason);

        Await.until("the error came", () -> notes.told.contains(reason));
    }

    @Test
    void aCancelEndsTheWaitForAValue() {
        Channel<Integer> channel = Channel.rendezvous();
        Notes notes = new Notes();
        Flows.publisher(skein, channel).subscribe(notes);
        notes.subscription().request(1);
        Await.until("it waits", () -> !channel.receivers.isEmpty());

        notes.subscription().cancel();

        Await.until("it has left", () -> channel.receivers.isEmpty());
        assertThat(notes.told).isEmpty();
    }

    @Test
    void toAskForNothingIsAnError() {
        Notes notes = new Notes();
        Flows.publisher(skein, numbers(1)).subscribe(notes);

        notes.subscription().request(0);

        Await.until("it is told", () -> notes.told.peek() instanceof IllegalArgumentException);
    }

    @Test
    @SuppressWarnings("try") // the close is what the test is about
    void whatIsPublishedIsSent() throws Exception {
        int count = 1000;
        Channel<Integer> channel = Channel.buffered(3);
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            Running<@Nullable Void> copying = startCopying(publisher, channel);
            Await.until("it has subscribed", publisher::hasSubscribers);
            Running<List<Integer>> received = start(() -> {
                List<Integer> all = new ArrayList<>();
                channel.forEach(all::add);
                return all;
            });

            IntStream.range(0, count).forEach(publisher::submit);
            publisher.close();

            copying.get();
            assertThat(received.get())
                    .isEqualTo(IntStream.range(0, count).boxed().toList());
        }
    }

    @Test
    void anErrorClosesTheChannelWithIt() throws Exception {
        Channel<Integer> channel = Channel.buffered(3);
        IllegalStateException error = new IllegalStateException("torn");
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            Running<?> copying = startCopying(publisher, channel);
            Await.until("it has subscribed", publisher::hasSubscribers);

            publisher.closeExceptionally(error);

            copying.get();
            assertThatExceptionOfType(ChannelClosedException.class)
                    .isThrownBy(channel::receive)
                    .havingCause()
                    .isSameAs(error);
        }
    }

    /** Counts what it is asked for, and publishes nothing by itself. */
    private static final class Silent implements Flow.Publisher<Integer>, Flow.Subscription {
        final AtomicLong asked = new AtomicLong();
        final AtomicBoolean cancelled = new AtomicBoolean();
        private volatile Flow.@Nullable Subscriber<? super Integer> subscriber;

        Flow.Subscriber<? super Integer> subscriber() {
            return Objects.requireNonNull(subscriber);
        }

        @Override
        public void subscribe(Flow.Subscriber<? super Integer> given) {
            subscriber = given;
            given.onSubscribe(this);
        }

        @Override
        public void request(long count) {
            asked.addAndGet(count);
        }

        @Override
        public void cancel() {
            cancelled.set(true);
        }
    }

    @Test
    void aPublisherIsAskedOnlyForWhatTheChannelTakes() throws Exception {
        Silent publisher = new Silent();
        Channel<Integer> channel = Channel.rendezvous();
        Running<?> copying = startCopying(publisher, channel);
        long first = publisher.asked.get();
        for (int i = 0; i < first; i++) {
            publisher.subscriber().onNext(i);
        }
        Await.until("it waits to send", () -> !channel.senders.isEmpty());
        assertThat(publisher.asked).hasValue(first);

        for (int i = 0; i < first; i++) {
            assertThat(call(channel::receive)).isEqualTo(i);
        }

        Await.until("it asks for more", () -> publisher.asked.get() > first);
        publisher.subscriber().onComplete();
        copying.get();
    }

    @Test
    void closingTheChannelCancelsThePublisher() throws Exception {
        Silent publisher = new Silent();
        Channel<Integer> channel = Channel.rendezvous();
        Running<?> copying = startCopying(publisher, channel);
        publisher.subscriber().onNext(1);

        channel.close();

        copying.get();
        assertThat(publisher.cancelled).isTrue();
    }

    @Test
    void anInterruptCancelsThePublisherAndClosesTheChannel() {
        Silent publisher = new Silent();
        Channel<Integer> channel = Channel.rendezvous();
        Running<?> copying = startCopying(publisher, channel);

        copying.thread().interrupt();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(copying::get)
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(publisher.cancelled).isTrue();
        assertThat(channel.isClosed()).isTrue();
    }

    private Running<@Nullable Void> startCopying(Flow.Publisher<Integer> publisher, Channel<Integer> channel) {
        return startWaiting(() -> {
            Flows.copy(publisher, channel);
            return null;
        });
    }

    private static Channel<Integer> numbers(int count) {
        Channel<Integer> channel = Channel.unbounded();
        for (int i = 0; i < count; i++) {
            channel.trySend(i);
        }
        return channel;
    }
}
