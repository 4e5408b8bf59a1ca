package io.skein.internal.loom;

import java.util.stream.Stream;
import jdk.internal.vm.ScopedValueContainer;
import jdk.internal.vm.ThreadContainer;

/**
 * A group of threads on the stack of groups that its owner keeps. For the owner, except {@link #threads}, which thread
 * dumps call. Loaded only where the JDK's package is exported.
 */
final class OwnedContainer extends ThreadContainer {
    private final Containers.Owned owned;
    private final ScopedValueContainer.BindingsSnapshot bindings = ScopedValueContainer.captureBindings();

    OwnedContainer(Containers.Owned owned) {
        super(false);
        this.owned = owned;
    }

    @Override
    public String name() {
        return owned.name();
    }

    @Override
    public Stream<Thread> threads() {
        return owned.threads();
    }

    @Override
    public ScopedValueContainer.BindingsSnapshot scopedValueBindings() {
        return bindings;
    }

    @Override
    protected boolean tryClose() {
        owned.endForcibly();
        return true;
    }
}
