package io.skein.internal.io;

import java.net.SocketOption;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Socket options that {@link java.net.StandardSocketOptions} has not. Immutable.
 *
 * <p>The JDK has some of them too, in the module {@code jdk.net}, which need not be there. An option of either kind is
 * {@linkplain #ours found} by its name.
 */
public record ExtraOption<T>(String name, Class<T> type) implements SocketOption<T> {
    public static final SocketOption<Integer> TCP_USER_TIMEOUT = new ExtraOption<>("TCP_USER_TIMEOUT", Integer.class);
    public static final SocketOption<Integer> TCP_KEEPIDLE = new ExtraOption<>("TCP_KEEPIDLE", Integer.class);
    public static final SocketOption<Integer> TCP_KEEPINTVL = new ExtraOption<>("TCP_KEEPINTVL", Integer.class);
    public static final SocketOption<Integer> TCP_KEEPCNT = new ExtraOption<>("TCP_KEEPCNT", Integer.class);
    public static final SocketOption<Boolean> TCP_QUICKACK = new ExtraOption<>("TCP_QUICKACK", Boolean.class);
    public static final SocketOption<Boolean> SO_OOBINLINE = new ExtraOption<>("SO_OOBINLINE", Boolean.class);

    private static final Map<String, SocketOption<?>> BY_NAME_OF_THE_JDK = Map.of(
            "TCP_KEEPIDLE", TCP_KEEPIDLE,
            "TCP_KEEPINTERVAL", TCP_KEEPINTVL,
            "TCP_KEEPCOUNT", TCP_KEEPCNT,
            "TCP_QUICKACK", TCP_QUICKACK,
            "SO_OOBINLINE", SO_OOBINLINE);

    /** Initialised by whoever first asks for them. */
    private static final class OfTheJdk {
        static final Map<SocketOption<?>, SocketOption<?>> BY_OURS = byOurs();

        private static Map<SocketOption<?>, SocketOption<?>> byOurs() {
            try {
                return Map.of(
                        TCP_KEEPIDLE, ExtendedSocketOptions.TCP_KEEPIDLE,
                        TCP_KEEPINTVL, ExtendedSocketOptions.TCP_KEEPINTERVAL,
                        TCP_KEEPCNT, ExtendedSocketOptions.TCP_KEEPCOUNT,
                        TCP_QUICKACK, ExtendedSocketOptions.TCP_QUICKACK);
            } catch (NoClassDefFoundError e) { // then nobody has such an option to ask for
                return Map.of();
            }
        }
    }

    /** The option of ours that is the same as one of the JDK's; any other option is its own. */
    @SuppressWarnings("unchecked") // the same name and type
    public static <T> SocketOption<T> ours(SocketOption<T> option) {
        SocketOption<?> same = BY_NAME_OF_THE_JDK.get(option.name());
        return same != null && same.type() == option.type() ? (SocketOption<T>) same : option;
    }

    /** Options, and beside each of ours the same one of the JDK's. */
    public static Set<SocketOption<?>> withThoseOfTheJdk(Collection<? extends SocketOption<?>> options) {
        Set<SocketOption<?>> all = new LinkedHashSet<>();
        for (SocketOption<?> option : options) {
            all.add(option);
            SocketOption<?> same = OfTheJdk.BY_OURS.get(option);
            if (same != null) {
                all.add(same);
            }
        }
        return Collections.unmodifiableSet(all);
    }

    @Override
    public String toString() {
        return name;
    }
}
