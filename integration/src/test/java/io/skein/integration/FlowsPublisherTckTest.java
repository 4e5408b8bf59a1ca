package io.skein.integration;

import io.skein.Skein;
import io.skein.sync.Channel;
import io.skein.sync.Flows;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** A channel's publisher by the rules of Reactive Streams. Subscribers share the values of a channel: it is no multicast. */
public final class FlowsPublisherTckTest extends FlowPublisherVerification<Long> {
    /** So many values are put into the channel at once; of more, a coroutine sends the rest. */
    private static final int ROOM = 1024;

    @SuppressWarnings("NullAway.Init") // by TestNG
    private Skein skein;

    public FlowsPublisherTckTest() {
        super(new TestEnvironment(TckTiming.ANSWER_MILLIS, TckTiming.SILENCE_MILLIS));
    }

    @BeforeClass
    void start() {
        skein = Skein.builder().name("tck").start();
    }

    @AfterClass
    void stop() {
        skein.shutdownNow(); // endless publishers
        skein.close();
    }

    @Override
    public Flow.Publisher<Long> createFlowPublisher(long elements) {
        Channel<Long> channel = Channel.buffered(ROOM);
        long sent = 0;
        while (sent < Math.min(elements, ROOM)) {
            channel.trySend(sent++);
        }
        if (sent == elements) {
            channel.close();
        } else {
            sendRest(channel, sent, elements);
        }
        return Flows.publisher(skein, channel);
    }

    private void sendRest(Channel<Long> channel, long first, long end) {
        var _ = skein.spawn(() -> {
            for (long value = first; value < end; value++) {
                channel.send(value);
            }
            channel.close();
        });
    }

    @Override
    public Flow.Publisher<Long> createFailedFlowPublisher() {
        Channel<Long> channel = Channel.rendezvous();
        channel.closeWith(new IllegalStateException("meant to fail"));
        return Flows.publisher(skein, channel);
    }
}
