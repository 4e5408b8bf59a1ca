package io.skein.internal.loom;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's own continuations, which virtual threads are made of, as plain objects.
 * Only to be called where {@link #available}.
 *
 * <p>A continuation is made for virtual threads, and then has the scope of the thread's own, or for platform threads, and
 * then has a scope that is Skein's. Suspending is always up to the innermost of a scope; see {@link ContinuationTurns}.
 *
 * <p>Where a continuation is pinned, its {@code onPinned} is called. As the JDK has it, that throws; for a wait it must do
 * nothing, so that the thread waits on its carrier, as it would without us. That takes a subclass, and javac cannot
 * see the class that it extends; so it is put together here.
 */
final class Continuations {
    private static final ClassDesc RUNNABLE = ClassDesc.of("java.lang.Runnable");
    private static final String PACKAGE = "jdk.internal.vm";

    private static final MethodType CREATE = MethodType.methodType(Object.class, Object.class, Runnable.class);
    private static final MethodType RUN = MethodType.methodType(void.class, Object.class);
    private static final MethodType SUSPEND = MethodType.methodType(boolean.class, Object.class);
    private static final MethodType CURRENT = MethodType.methodType(Object.class, Object.class);
    private static final MethodType FAIL = MethodType.methodType(void.class, Object.class, Object.class);
    private static final MethodType STATE = MethodType.methodType(int.class, Thread.class);

    // States of the JDK's virtual threads while they are about to be suspended, other than for a monitor.
    private static final int PARKING = 3;
    private static final int TIMED_PARKING = 6;
    private static final int YIELDING = 10;

    /** What the JDK calls pinned by a native frame. */
    private static final Object PINNED = 3;

    /** A record, because the JIT trusts its fields as it trusts constants. */
    private record Handles(
            Object ownScope,
            Object scopeOfVirtualThreads,
            MethodHandle create,
            MethodHandle run,
            MethodHandle suspend,
            MethodHandle current,
            MethodHandle fail,
            MethodHandle state) {
        Object scope(boolean ofVirtualThreads) {
            return ofVirtualThreads ? scopeOfVirtualThreads : ownScope;
        }
    }

    private static final Handles NONE = new Handles(
            "none",
            "none",
            MethodHandles.empty(CREATE),
            MethodHandles.empty(RUN),
            MethodHandles.empty(SUSPEND),
            MethodHandles.empty(CURRENT),
            MethodHandles.empty(FAIL),
            MethodHandles.empty(STATE));

    private static final Handles HANDLES = Loom.available() ? find() : NONE;

    private Continuations() {}

    static boolean available() {
        return HANDLES != NONE;
    }

    /**
     * A continuation that has not started, for a virtual thread or for a platform thread.
     *
     * @throws IllegalStateException where there are none: they would neither run nor end
     */
    static Object create(boolean virtual, Runnable body) {
        if (!available()) {
            throw new IllegalStateException("no continuations without " + Loom.missingFlags());
        }
        try {
            return (Object) HANDLES.create.invokeExact(HANDLES.scope(virtual), body);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Runs a continuation until it is suspended or ends. */
    static void run(Object continuation) {
        try {
            HANDLES.run.invokeExact(continuation);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Suspends the innermost continuation of that scope, which may be a virtual thread's; false where it is pinned. */
    static boolean suspend(boolean virtual) {
        try {
            return (boolean) HANDLES.suspend.invokeExact(HANDLES.scope(virtual));
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** The innermost continuation of that scope that the caller runs in, which may be a virtual thread's; or null. */
    static @Nullable Object current(boolean virtual) {
        try {
            return (@Nullable Object) HANDLES.current.invokeExact(HANDLES.scope(virtual));
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Whether a virtual thread was about to be suspended for another reason than a monitor. */
    static boolean isParking(Thread virtualThread) {
        try {
            int state = (int) HANDLES.state.invokeExact(virtualThread);
            return state == PARKING || state == TIMED_PARKING || state == YIELDING;
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Makes the suspension that a continuation is in fail, as that of a pinned one, when it is next run. */
    static void failSuspension(Object continuation) {
        try {
            HANDLES.fail.invokeExact(continuation, PINNED);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** Stack overflow and the like; nothing here throws a checked exception. */
    static RuntimeException failure(Throwable thrown) {
        switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("a continuation failed", thrown);
        }
    }

    private static Handles find() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            JdkPackages.open(PACKAGE);
            Class<?> scopes = Class.forName(PACKAGE + ".ContinuationScope");
            Class<?> continuations = Class.forName(PACKAGE + ".Continuation");
            Class<?> virtualThreads = Class.forName("java.lang.VirtualThread");
            MethodHandles.Lookup subclass = defineSubclass(lookup);
            MethodHandles.Lookup inContinuation = MethodHandles.privateLookupIn(continuations, lookup);
            MethodHandles.Lookup inVirtualThread = MethodHandles.privateLookupIn(virtualThreads, lookup);
            return new Handles(
                    lookup.findConstructor(scopes, MethodType.methodType(void.class, String.class))
                            .invoke("Skein"),
                    inVirtualThread
                            .findStatic(virtualThreads, "continuationScope", MethodType.methodType(scopes))
                            .invoke(),
                    subclass.findConstructor(
                                    subclass.lookupClass(), MethodType.methodType(void.class, scopes, Runnable.class))
                            .asType(CREATE),
                    lookup.findVirtual(continuations, "run", MethodType.methodType(void.class))
                            .asType(RUN),
                    lookup.findStatic(continuations, "yield", MethodType.methodType(boolean.class, scopes))
                            .asType(SUSPEND),
                    lookup.findStatic(
                                    continuations,
                                    "getCurrentContinuation",
                                    MethodType.methodType(continuations, scopes))
                            .asType(CURRENT),
                    inContinuation
                            .findSetter(continuations, "yieldInfo", Object.class)
                            .asType(FAIL),
                    inVirtualThread
                            .findGetter(virtualThreads, "state", int.class)
                            .asType(STATE));
        } catch (Throwable e) { // a JDK that has them otherwise, or not at all: then without
            return NONE;
        }
    }

    /** A continuation whose {@code onPinned} does nothing. */
    private static MethodHandles.Lookup defineSubclass(MethodHandles.Lookup lookup) throws IllegalAccessException {
        ClassDesc continuation = ClassDesc.of(PACKAGE, "Continuation");
        MethodTypeDesc constructor = MethodTypeDesc.of(CD_void, ClassDesc.of(PACKAGE, "ContinuationScope"), RUNNABLE);
        byte[] definition = ClassFile.of()
                .build(
                        ClassDesc.of(Continuations.class.getPackageName(), "BodyContinuation"),
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                                .withSuperclass(continuation)
                                .withMethodBody(
                                        INIT_NAME,
                                        constructor,
                                        0,
                                        code -> code.aload(0)
                                                .aload(1)
                                                .aload(2)
                                                .invokespecial(continuation, INIT_NAME, constructor)
                                                .return_())
                                .withMethodBody(
                                        "onPinned",
                                        MethodTypeDesc.of(CD_void, continuation.nested("Pinned")),
                                        ClassFile.ACC_PROTECTED,
                                        CodeBuilder::return_));
        return lookup.defineHiddenClass(definition, true);
    }
}
