package io.skein.internal.loom;

import java.util.stream.Stream;
import jdk.internal.vm.ScopedValueContainer;
import jdk.internal.vm.ThreadContainer;
import org.jspecify.annotations.Nullable;

/**
 * A group of threads on the stack of groups that its owner keeps. For the owner, except {@link #threads}, which thread
 * dumps call. Loaded only where the JDK's package is exported.
 */
final class OwnedContainer extends ThreadContainer {
    /** Never bound. */
    private static final ScopedValue<Object> PROBE = ScopedValue.newInstance();

    /** What the JDK notes for a thread in which nothing was ever bound, and for one in which nothing is bound any more. */
    private static final Object NEVER_BOUND = Thread.class;

    private static final @Nullable Object NO_LONGER_BOUND = ScopedBindings.none();

    private final Containers.Owned owned;
    private final ScopedValueContainer.BindingsSnapshot bindings = callersBindings();

    OwnedContainer(Containers.Owned owned) {
        super(false);
        this.owned = owned;
    }

    private static ScopedValueContainer.BindingsSnapshot callersBindings() {
        ScopedValueContainer.BindingsSnapshot noted = ScopedValueContainer.captureBindings();
        if (noted.scopedValueBindings() != null) {
            return noted;
        }
        boolean _ = PROBE.isBound(); // the JDK lost track in a stack overflow, and now finds them again
        return ScopedValueContainer.captureBindings();
    }

    private static boolean isNothing(ScopedValueContainer.BindingsSnapshot snapshot) {
        Object bound = snapshot.scopedValueBindings();
        return bound == NEVER_BOUND || bound == NO_LONGER_BOUND;
    }

    @Override
    public String name() {
        return owned.name();
    }

    @Override
    public Stream<Thread> threads() {
        return owned.threads();
    }

    /** Called by the thread that forks. The JDK wants the very same object, of which there are two for nothing bound. */
    @Override
    public ScopedValueContainer.BindingsSnapshot scopedValueBindings() {
        if (ScopedBindings.is(bindings.scopedValueBindings())) {
            return bindings;
        }
        ScopedValueContainer.BindingsSnapshot callers = callersBindings();
        return isNothing(callers) && isNothing(bindings) ? callers : bindings;
    }

    @Override
    protected boolean tryClose() {
        owned.endForcibly();
        return true;
    }
}
