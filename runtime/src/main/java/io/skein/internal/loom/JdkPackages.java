package io.skein.internal.loom;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Packages of the JDK that only the JDK may reach into. Whoever opens {@code java.lang} to us lets us open others too, so that no
 * flag is needed for each.
 */
final class JdkPackages {
    private JdkPackages() {}

    /**
     * Opens a package of {@code java.base} to this module.
     *
     * @throws ReflectiveOperationException if {@code java.lang} is not open to us, or the JDK has no way to do that
     */
    static void open(String name) throws ReflectiveOperationException {
        try {
            MethodHandles.privateLookupIn(Module.class, MethodHandles.lookup())
                    .findVirtual(
                            Module.class, "implAddOpens", MethodType.methodType(void.class, String.class, Module.class))
                    .invokeExact(Object.class.getModule(), name, JdkPackages.class.getModule());
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }
}
