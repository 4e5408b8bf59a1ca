package io.skein.internal.loom;

import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/** A named group of threads that nobody owns. Any thread may call it. Loaded only where the JDK's package is exported. */
final class SharedContainer extends ThreadContainer {
    private final String name;
    private final Supplier<Stream<Thread>> threads;
    private final Object key;

    @SuppressWarnings("this-escape") // registered when everything else is set
    SharedContainer(String name, Supplier<Stream<Thread>> threads) {
        super(true);
        this.name = name;
        this.threads = threads;
        this.key = ThreadContainers.registerContainer(this);
    }

    void deregister() {
        ThreadContainers.deregisterContainer(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Stream<Thread> threads() {
        return threads.get();
    }
}
