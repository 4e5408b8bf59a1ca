package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** A server socket of the JDK's that is Skein's below, and so are the sockets that it accepts. */
final class SeatedServerSocket extends ServerSocket {
    private final Scheduler scheduler;

    SeatedServerSocket(Scheduler scheduler) {
        super(new ListenerSeat(scheduler));
        this.scheduler = scheduler;
    }

    @Override
    public Socket accept() throws IOException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        if (!isBound()) {
            throw new SocketException("Socket is not bound yet");
        }
        Socket socket = new SeatedSocket(scheduler);
        implAccept(socket);
        return socket;
    }
}
