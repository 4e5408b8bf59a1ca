package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Action;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Scope;
import io.skein.Skein;
import io.skein.SkeinBuilder;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Code in {@code Skein.blocking} finds what a thread would inherit from the caller, and the pool's thread keeps nothing
 * of it.
 */
@Mode.Each
class BlockingContextTest extends ModeTest {
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final ScopedValue<String> TENANT = ScopedValue.newInstance();
    private static final InheritableThreadLocal<String> REQUEST = new InheritableThreadLocal<>() {
        @Override
        protected String childValue(String parentValue) {
            return parentValue + "'s child";
        }
    };
    private static final ThreadLocal<String> DIAGNOSTIC = new ThreadLocal<>();

    BlockingContextTest(Mode mode) {
        super(mode);
    }

    /** One thread, so that each call gets what the one before has left. */
    @Override
    protected SkeinBuilder adjust(SkeinBuilder builder) {
        return builder.blockingThreads(1);
    }

    private static void assumeFlags() {
        assumeTrue(Loom.available(), "without the flags there is no way to inherit them");
    }

    @Test
    void theContextClassLoaderIsTheCallers() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
            ClassLoader before = skein.blockOn(
                    () -> Skein.blocking(() -> Thread.currentThread().getContextClassLoader()));
            skein.blockOn(() -> {
                Thread.currentThread().setContextClassLoader(loader);
                assertThat(Skein.blocking(() -> Thread.currentThread().getContextClassLoader()))
                        .isSameAs(loader);
            });

            AtomicReference<ClassLoader> after = new AtomicReference<>();
            skein.spawn(() -> {
                        Thread.currentThread().setContextClassLoader(before);
                        after.set(Skein.blocking(() -> Thread.currentThread().getContextClassLoader()));
                    })
                    .join();
            assertThat(after.get()).isSameAs(before).isNotSameAs(loader);
        }
    }

    @Test
    void inheritableThreadLocalsComeAsToAChildAndStayWithTheCaller() throws Exception {
        assumeFlags();
        skein.blockOn(() -> {
            REQUEST.set("request");
            String inside = Skein.blocking(() -> {
                String inherited = REQUEST.get();
                REQUEST.set("changed");
                return inherited;
            });
            assertThat(inside).isEqualTo("request's child");
            assertThat(REQUEST.get()).isEqualTo("request");
        });
        assertThat(skein.blockOn(() -> Skein.blocking(REQUEST::get))).isNull();
    }

    @Test
    void scopedValuesAreBoundAsAtTheCall() throws Exception {
        assumeFlags();
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            assertThat(Skein.blocking(USER::get)).isEqualTo("ada");
            ScopedValue.where(USER, "grace").call(() -> {
                assertThat(Skein.blocking(USER::get)).isEqualTo("grace");
                return true;
            });
            assertThat(Skein.blocking(USER::get)).isEqualTo("ada");
            return true;
        }));
        assertThat(skein.blockOn(() -> Skein.blocking(USER::isBound))).isFalse();
    }

    @Test
    void theCodeMayBindOthersAndHandThemOn() throws Exception {
        assumeFlags();
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            String both = Skein.blocking(
                    () -> ScopedValue.where(TENANT, "acme").call(() -> USER.get() + " of " + TENANT.get()));
            assertThat(both).isEqualTo("ada of acme");
            assertThat(TENANT.isBound()).isFalse();
            return true;
        }));
        assertThat(skein.blockOn(() -> Skein.blocking(() -> USER.isBound() || TENANT.isBound())))
                .isFalse();
    }

    @Test
    void scopedValuesAreFoundAgainAfterAStackOverflow() throws Exception {
        assumeFlags();
        String found = skein.blockOn(() -> ScopedValue.where(USER, "ada")
                .call(() -> Skein.blocking(() -> {
                    try {
                        return dig(1);
                    } catch (StackOverflowError e) {
                        return USER.get();
                    }
                })));
        assertThat(found).isEqualTo("ada");
    }

    private static String dig(int depth) {
        return depth < 0 ? "bottom" : dig(depth + 1) + depth;
    }

    @Test
    void threadLocalsThatTheCodeHasSetAreGone() throws Exception {
        assumeFlags();
        skein.blockOn(() -> {
            Skein.blocking(() -> {
                DIAGNOSTIC.set("left behind");
                return true;
            });
            assertThat(Skein.blocking(DIAGNOSTIC::get)).isNull();
        });
    }

    @Test
    void codeThatFailsLeavesNothingEither() throws Exception {
        assumeFlags();
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            REQUEST.set("request");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> Skein.blocking(() -> {
                        throw new IOException(USER.get());
                    }))
                    .withMessage("ada");
            return true;
        }));
        skein.blockOn(() -> {
            assertThat(Skein.blocking(USER::isBound)).isFalse();
            assertThat(Skein.blocking(REQUEST::get)).isNull();
        });
    }

    @Test
    void aCarrierBringsAnyOtherContext() throws Exception {
        Scope.Carrier carrier = new Scope.Carrier() {
            @Override
            public <T extends @Nullable Object> Callable<T> wrap(Callable<T> body) {
                String callers = DIAGNOSTIC.get();
                return () -> {
                    DIAGNOSTIC.set(callers);
                    try {
                        return body.call();
                    } finally {
                        DIAGNOSTIC.remove();
                    }
                };
            }
        };
        Action caller = () -> {
            DIAGNOSTIC.set("order 7");
            assertThat(Skein.blocking(carrier, DIAGNOSTIC::get)).isEqualTo("order 7");
        };
        skein.blockOn(caller);
    }
}
