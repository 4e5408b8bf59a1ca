package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.DriverKind;
import io.skein.Setup;
import io.skein.internal.loom.ChannelDescriptors;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers whose names are made to do harm: to a log, to a terminal, or to who takes them for text. */
@Setup.OnePerDriver
class OddPeersTest extends NetworkTest {
    @TempDir
    Path folder;

    OddPeersTest(Setup setup) {
        super(setup);
    }

    private byte[] bytes(Path directory, byte[] name) {
        byte[] before = (directory + "/").getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[before.length + name.length];
        System.arraycopy(before, 0, whole, 0, before.length);
        System.arraycopy(name, 0, whole, before.length, name.length);
        return whole;
    }

    /** What a server's handler and its thread call a client with that name. */
    private String[] seen(byte[] name) throws Exception {
        Path path = folder.resolve("socket");
        BlockingQueue<String[]> seen = new LinkedBlockingQueue<>();
        try (UnixListener listener = UnixListener.bind(skein, path);
                Server _ = Server.serve(
                        skein,
                        listener,
                        stream -> seen.add(new String[] {
                            stream.toString(), Thread.currentThread().getName()
                        }));
                RawUnixSocket peer = new RawUnixSocket()) {
            peer.bindPath(bytes(folder, name));
            peer.connectPath(path.toString().getBytes(StandardCharsets.UTF_8));
            return seen.take();
        }
    }

    @Test
    void aNameWithControlCharactersIsEscapedInThreadNamesAndTexts() throws Exception {
        for (String text : seen("a\nERROR \u001b[31mb\u0085c\u202ed\\\u007f".getBytes(StandardCharsets.UTF_8))) {
            assertThat(text).contains("a\\u000aERROR \\u001b[31mb\\u0085c\\u202ed\\\\\\u007f");
            assertThat(text.codePoints()).noneMatch(Character::isISOControl);
        }
    }

    @Test
    void aNameOfOrdinaryLettersStaysAsItIs() throws Exception {
        for (String text : seen("Grüße an alle".getBytes(StandardCharsets.UTF_8))) {
            assertThat(text).contains("Grüße an alle");
        }
    }

    @Test
    void aNameThatIsNoTextIsServedLikeAnyOther() throws Exception {
        for (String text : seen(new byte[] {'a', (byte) 0xff, '\n', (byte) 0xfe, 'b'})) {
            assertThat(text)
                    .contains(setup.driver() == DriverKind.URING ? "a\\xff\\x0a\\xfeb" : "a\ufffd\\u000a\ufffdb");
        }
    }

    @Test
    void anAbstractNameIsEscapedToo() throws Exception {
        assumeTrue(
                setup.driver() == DriverKind.URING || ChannelDescriptors.available(), "nio has no abstract names here");
        String name = "skein-" + UUID.randomUUID();
        try (UnixListener listener = UnixListener.bindAbstract(skein, name);
                RawUnixSocket peer = new RawUnixSocket()) {
            peer.bind(name + "\n\0x");
            assertThat(peer.connect(name)).isZero();
            try (UnixStream server = listener.accept()) {
                SocketAddress remote = server.remoteAddress();
                assertThat(remote).hasToString("@" + name + "\\u000a\\u0000x");
                assertThat(server.toString()).contains("@" + name + "\\u000a\\u0000x");
            }
        }
    }
}
