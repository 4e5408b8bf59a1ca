package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import java.net.Socket;
import java.net.SocketException;

/** A socket of the JDK's that is Skein's below. */
final class SeatedSocket extends Socket {
    SeatedSocket(Scheduler scheduler) throws SocketException {
        super(StreamSeat.ofSocket(scheduler));
    }
}
