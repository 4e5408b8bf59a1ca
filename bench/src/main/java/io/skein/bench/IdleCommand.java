package io.skein.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A process whose connections do nothing, once each has had one request answered. It opens them as often as it is told, and lets
 * them make more requests; the last time it says {@code open COUNT} and holds them until its standard input ends.
 */
@Command(name = "idle", hidden = true, description = "Holds idle connections until standard input ends.")
@SuppressWarnings("NullAway.Init") // picocli sets the parameters before call()
final class IdleCommand implements Callable<Integer> {
    static final String OPEN = "open";

    /** Fewer than a source address has ports. */
    private static final int PER_SOURCE = 20_000;

    private static final int REQUEST = 128;

    /** How many each connection makes while the server is warmed up. */
    private static final int REQUESTS = 30;

    /** So many are asked before the first answer is awaited, so that the two processes need not take turns. */
    private static final int TOGETHER = 1000;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PORT")
    private int port;

    @Parameters(index = "1", paramLabel = "COUNT")
    private int count;

    @Parameters(index = "2", paramLabel = "TIMES")
    private int times;

    @Override
    public Integer call() throws IOException {
        for (int i = 1; i < times; i++) {
            hold(IdleCommand::converse);
        }
        hold(_ -> untilTheEnd());
        return ExitCode.OK;
    }

    /** What is done while all are open. */
    private interface Action {
        void run(List<SocketChannel> connections) throws IOException;
    }

    /** So that the server's code is compiled as that of any server which has been up for a while. */
    private static void converse(List<SocketChannel> connections) throws IOException {
        for (int i = 0; i < REQUESTS; i++) {
            for (int first = 0; first < connections.size(); first += TOGETHER) {
                exchange(connections.subList(first, Math.min(connections.size(), first + TOGETHER)));
            }
        }
    }

    private void untilTheEnd() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println(OPEN + " " + count);
        out.flush();
        System.in.transferTo(OutputStream.nullOutputStream());
    }

    private void hold(Action action) throws IOException {
        List<SocketChannel> connections = new ArrayList<>(count);
        try {
            while (connections.size() < count) {
                int first = connections.size();
                int next = Math.min(count, first + TOGETHER);
                for (int i = first; i < next; i++) {
                    connections.add(connect(i));
                }
                exchange(connections.subList(first, next));
            }
            action.run(connections);
        } finally {
            for (SocketChannel connection : connections) {
                connection.close();
            }
        }
    }

    /** Loopback addresses other than the server's, of which Linux has millions. */
    private static InetSocketAddress source(int number) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 2, (byte) (1 + number)}), 0);
    }

    private SocketChannel connect(int number) throws IOException {
        SocketChannel connection = SocketChannel.open();
        connection.setOption(StandardSocketOptions.SO_LINGER, 0); // or its port would be taken for a minute afterwards
        connection.bind(source(number / PER_SOURCE));
        connection.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return connection;
    }

    private static void exchange(List<SocketChannel> connections) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(REQUEST);
        for (SocketChannel connection : connections) {
            ask(connection, buffer.clear());
        }
        for (SocketChannel connection : connections) {
            awaitAnswer(connection, buffer.clear());
        }
    }

    private static void ask(SocketChannel connection, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            connection.write(buffer);
        }
    }

    private static void awaitAnswer(SocketChannel connection, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (connection.read(buffer) < 0) {
                throw new SocketException("the server closed a connection");
            }
        }
    }
}
