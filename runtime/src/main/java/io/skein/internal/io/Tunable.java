package io.skein.internal.io;

import java.io.IOException;
import java.net.SocketOption;
import java.util.Set;

/** Something that has socket options. Any thread may call it that its runtime serves. */
public interface Tunable {
    /**
     * Sets an option.
     *
     * @throws UnsupportedOperationException if this socket has no such option
     */
    <T> void setOption(SocketOption<T> option, T value) throws IOException;

    /**
     * The present value of an option.
     *
     * @throws UnsupportedOperationException if this socket has no such option
     */
    <T> T getOption(SocketOption<T> option) throws IOException;

    Set<SocketOption<?>> supportedOptions();
}
