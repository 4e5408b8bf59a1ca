package io.skein.bench.sync;

import io.skein.sync.Channel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

/** A way for values from one thread to another. Safe for use by any thread. */
interface Pipe {
    void put(Object value) throws InterruptedException;

    Object take() throws InterruptedException;

    /**
     * A contender's pipe.
     *
     * @param capacity 0 for one that holds nothing
     */
    static Pipe of(String contender, int capacity) {
        return switch (contender) {
            case Contenders.SKEIN, Contenders.SKEIN_APART ->
                new OfSkein(capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity));
            case Contenders.JOX ->
                new OfJox(
                        capacity == 0
                                ? com.softwaremill.jox.Channel.newRendezvousChannel()
                                : com.softwaremill.jox.Channel.newBufferedChannel(capacity));
            case Contenders.JUC, Contenders.SKEIN_JUC ->
                new OfQueue(capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity));
            default -> throw new IllegalArgumentException("'" + contender + "' has no pipes");
        };
    }

    record OfSkein(Channel<Object> channel) implements Pipe {
        @Override
        public void put(Object value) throws InterruptedException {
            channel.send(value);
        }

        @Override
        public Object take() throws InterruptedException {
            return channel.receive();
        }
    }

    record OfJox(com.softwaremill.jox.Channel<Object> channel) implements Pipe {
        @Override
        public void put(Object value) throws InterruptedException {
            channel.send(value);
        }

        @Override
        public Object take() throws InterruptedException {
            return channel.receive();
        }
    }

    record OfQueue(BlockingQueue<Object> queue) implements Pipe {
        @Override
        public void put(Object value) throws InterruptedException {
            queue.put(value);
        }

        @Override
        public Object take() throws InterruptedException {
            return queue.take();
        }
    }
}
