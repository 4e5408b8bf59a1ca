package io.skein.net;

import io.skein.internal.time.Durations;
import io.skein.time.Time;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Limits on how long a call may wait, told in the exceptions of sockets. Any thread may call it. */
final class Limits {
    private Limits() {}

    /**
     * Makes a call that is interrupted when the time has passed; zero is no limit.
     *
     * @throws SocketTimeoutException if that has ended it
     */
    static <T> T within(Duration limit, Supplier<String> operation, Caller.Call<T> call) throws IOException {
        return limit.isZero() ? call.make() : limited(limit, () -> operation.get() + ": not done", call);
    }

    /**
     * Makes a call that is interrupted when the time has passed.
     *
     * @param missing what there is not, if it has
     * @throws SocketTimeoutException if that has ended it
     */
    static <T> T limited(Duration limit, Supplier<String> missing, Caller.Call<T> call) throws IOException {
        try {
            return Time.timeout(limit, call::make);
        } catch (TimeoutException e) {
            SocketTimeoutException timeout =
                    new SocketTimeoutException(missing.get() + " within " + Durations.text(limit));
            timeout.initCause(e);
            throw timeout;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(missing.get(), e);
        }
    }
}
