package io.skein.net;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SNIHostName;

/**
 * The first message of a TLS client, as far as it tells whom the client wants. Immutable.
 *
 * <p>It is only looked at. What is wrong with it, the engine that gets it afterwards will say.
 *
 * @param isComplete whether all of it has come, or it is none; otherwise more bytes are needed to tell
 * @param serverName the name that it asks for (SNI), in lower case
 */
record ClientHello(boolean isComplete, Optional<String> serverName) {
    private static final ClientHello UNFINISHED = new ClientHello(false, Optional.empty());
    private static final ClientHello NAMELESS = new ClientHello(true, Optional.empty());

    private static final byte HANDSHAKE_RECORD = 22;
    private static final byte CLIENT_HELLO = 1;
    private static final short SERVER_NAME = 0;
    private static final byte HOST_NAME = 0;

    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int VERSION_AND_RANDOM = 2 + 32;

    /** Looks at what has come so far, which stays as it is. */
    static ClientHello in(ByteBuffer received) {
        ByteBuffer records = received.slice();
        ByteBuffer message = ByteBuffer.allocate(records.remaining());
        while (records.remaining() >= RECORD_HEADER) { // a message may come in several
            if (records.get(records.position()) != HANDSHAKE_RECORD) {
                return NAMELESS;
            }
            int length = records.getShort(records.position() + RECORD_HEADER - Short.BYTES) & 0xffff;
            records.position(records.position() + RECORD_HEADER);
            int here = Math.min(length, records.remaining());
            message.put(records.slice(records.position(), here));
            records.position(records.position() + here);
        }
        return ofMessage(message.flip());
    }

    private static ClientHello ofMessage(ByteBuffer message) {
        if (message.remaining() < MESSAGE_HEADER) {
            return UNFINISHED;
        }
        int header = message.getInt();
        if (header >>> 24 != CLIENT_HELLO) {
            return NAMELESS;
        }
        int length = header & 0xffffff;
        if (message.remaining() < length) {
            return UNFINISHED;
        }
        try {
            return new ClientHello(true, nameIn(message.limit(MESSAGE_HEADER + length)));
        } catch (BufferUnderflowException | IllegalArgumentException e) { // lengths, or a name, that cannot be
            return NAMELESS;
        }
    }

    private static Optional<String> nameIn(ByteBuffer body) {
        skip(body, VERSION_AND_RANDOM);
        skip(body, body.get() & 0xff); // the session
        skip(body, body.getShort() & 0xffff); // cipher suites
        skip(body, body.get() & 0xff); // compression
        ByteBuffer extensions = body.hasRemaining() ? part(body) : body;
        while (extensions.hasRemaining()) {
            short type = extensions.getShort();
            ByteBuffer extension = part(extensions);
            if (type == SERVER_NAME) {
                return hostIn(part(extension));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> hostIn(ByteBuffer names) {
        while (names.hasRemaining()) {
            byte type = names.get();
            ByteBuffer name = part(names);
            if (type == HOST_NAME) {
                byte[] ascii = new byte[name.remaining()];
                name.get(ascii);
                return Optional.of(new SNIHostName(ascii).getAsciiName().toLowerCase(Locale.ROOT));
            }
        }
        return Optional.empty();
    }

    /** What follows its own length. */
    private static ByteBuffer part(ByteBuffer source) {
        int length = source.getShort() & 0xffff;
        ByteBuffer part = source.slice().limit(length); // refuses what is not there
        skip(source, length);
        return part;
    }

    private static void skip(ByteBuffer source, int count) {
        source.position(source.position() + count);
    }
}
