package io.skein.process;

import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * A server that greets whoever connects. It holds all the descriptors that it can have, and lets some of them go when it is
 * told to on its input. The end of its input is its own.
 */
final class FewDescriptors {
    private FewDescriptors() {}

    public static void main(String[] arguments) throws Exception {
        loadClasses(Path.of(arguments[1]));
        System.getLogger("io.skein").log(System.Logger.Level.INFO, "begins"); // it reads files for its first line
        try (Skein skein = Skein.builder()
                .driver(DriverKind.valueOf(arguments[0]))
                .workers(1)
                .start()) {
            TcpListener listener = TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            greet(skein, listener);
            var acceptor = skein.spawn(() -> {
                while (true) {
                    greetNext(listener);
                }
            });
            Deque<FileInputStream> hoard = new ArrayDeque<>();
            hoard(hoard);
            System.out.println("port " + listener.localAddress().getPort());
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                switch (line) {
                    case "hoard" -> hoard(hoard);
                    case "release" -> release(hoard);
                    case "close" -> {
                        listener.close();
                        while (!acceptor.isDone()) {
                            Thread.onSpinWait();
                        }
                        System.out.println("ended " + acceptor.exceptionNow());
                    }
                    default -> throw new IllegalArgumentException(line);
                }
                System.out.println("done " + line);
            }
            release(hoard);
            listener.close();
        }
    }

    /** Classes that lie in folders need a descriptor each when they are first used. */
    private static void loadClasses(Path folder) throws IOException {
        boolean _ = Loom.available(); // opens what some of them extend
        if (!Files.isDirectory(folder)) {
            return; // an archive is open already
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = folder.relativize(file).toString();
                if (!name.equals("module-info.class")) {
                    loadClass(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'));
                }
            }
        }
    }

    private static void loadClass(String name) {
        try {
            Class.forName(name, false, FewDescriptors.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        } catch (IllegalAccessError e) {
            // It extends a class of the JDK's that only the flags open, and is not used without them.
        }
    }

    private static void greet(Skein skein, TcpListener listener) throws IOException, InterruptedException {
        try (TcpStream client = TcpStream.connect(skein, listener.localAddress())) {
            skein.blockOn(() -> greetNext(listener));
            client.read(ByteBuffer.allocate(1));
        }
    }

    private static void greetNext(TcpListener listener) throws IOException {
        try (TcpStream stream = listener.accept()) {
            stream.write(ByteBuffer.wrap(new byte[] {'!'}));
        }
    }

    private static void hoard(Deque<FileInputStream> hoard) {
        try {
            while (true) {
                hoard.push(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            return;
        }
    }

    private static void release(Deque<FileInputStream> hoard) throws IOException {
        while (!hoard.isEmpty()) {
            hoard.pop().close();
        }
    }
}
