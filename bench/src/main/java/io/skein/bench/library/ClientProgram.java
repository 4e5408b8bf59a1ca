package io.skein.bench.library;

import io.skein.bench.load.ClientLoad;
import io.skein.bench.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program that is a client: its threads ask a server of the machine's, over and over, each for itself. The load generator drives it by
 * a connection, as {@link ClientLoad} says.
 *
 * <p>States: idle → open (a first order has named the server, and the client of the library stays for all that follow) → closed. One
 * thread of its own, which waits for orders, has all of that.
 */
final class ClientProgram implements LibraryServer.Program {
    private static final Pattern BLANK = Pattern.compile(" ");

    private final Threads threads;
    private final String description;
    private final Library library;
    private final ServerSocket orders = new ServerSocket(0, Server.BACKLOG, InetAddress.getLoopbackAddress());
    private final Thread obeying = Thread.ofPlatform().name("orders").daemon().unstarted(this::obey);
    private @Nullable Client client;

    /** The library that makes a client for a server. */
    interface Library {
        Client open(int port, int users);
    }

    /** A library's client, for many threads. */
    interface Client extends AutoCloseable {
        /** Asks, and looks at the answer. */
        void ask() throws Exception;

        @Override
        void close();
    }

    ClientProgram(Threads threads, String description, Library library) throws IOException {
        this.threads = threads;
        this.description = description;
        this.library = library;
        obeying.start();
    }

    private void obey() {
        while (!orders.isClosed()) {
            try (Socket connection = orders.accept()) {
                obey(connection);
            } catch (IOException gone) {
                // The load generator, or this program.
            }
        }
    }

    private void obey(Socket connection) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
        PrintWriter answers = new PrintWriter(connection.getOutputStream(), true, StandardCharsets.US_ASCII);
        try {
            Users users = use(lines);
            try {
                answers.println(ClientLoad.READY);
                for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
                    answers.println(users.sinceLastAsked());
                }
            } finally {
                users.stop();
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            answers.println(failure); // for the load generator to tell
        }
    }

    /** Has the threads begin that an order asks for. */
    private Users use(BufferedReader lines) throws Exception {
        String[] order = BLANK.split(String.valueOf(lines.readLine()), 2);
        int port = Integer.parseInt(order[0]);
        int count = Integer.parseInt(order[1]);
        Client used = client;
        if (used == null) {
            used = library.open(port, count);
            used.ask(); // loads classes, which would hold up a worker
            client = used;
        }
        return Users.start(threads.executor(), used, count);
    }

    @Override
    public int port() {
        return orders.getLocalPort();
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public void close() throws Exception {
        orders.close();
        obeying.join();
        if (client != null) {
            client.close();
        }
    }
}
