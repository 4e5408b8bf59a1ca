package io.skein.integration;

import io.skein.Skein;
import io.skein.sync.Channel;
import io.skein.sync.Flows;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** The subscriber that copies a publisher into a channel, by the rules of Reactive Streams. */
public final class FlowsSubscriberTckTest extends FlowSubscriberBlackboxVerification<Long> {
    @SuppressWarnings("NullAway.Init") // by TestNG
    private Skein skein;

    public FlowsSubscriberTckTest() {
        super(new TestEnvironment(TckTiming.ANSWER_MILLIS, TckTiming.SILENCE_MILLIS));
    }

    @BeforeClass
    void start() {
        skein = Skein.builder().name("tck").failureHandler((_, _) -> {}).start();
    }

    @AfterClass
    void stop() {
        skein.shutdownNow(); // copies whose publisher has not ended
        skein.close();
    }

    /** The one that a copy subscribes with, while a coroutine receives what it sends. */
    @Override
    public Flow.Subscriber<Long> createFlowSubscriber() {
        CompletableFuture<Flow.Subscriber<? super Long>> subscribed = new CompletableFuture<>();
        Channel<Long> channel = Channel.buffered(1);
        Flow.Publisher<Long> publisher = subscribed::complete;
        var _ = skein.spawn(() -> Flows.copy(publisher, channel));
        var _ = skein.spawn(() -> channel.forEach(_ -> {}));
        Flow.Subscriber<? super Long> subscriber = subscribed.join();
        return new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscriber.onSubscribe(subscription);
            }

            @Override
            public void onNext(Long value) {
                subscriber.onNext(value);
            }

            @Override
            public void onError(Throwable error) {
                subscriber.onError(error);
            }

            @Override
            public void onComplete() {
                subscriber.onComplete();
            }
        };
    }

    @Override
    public Long createElement(int element) {
        return (long) element;
    }
}
