package io.skein;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A class that nobody has touched yet, in a class loader of its own. The first to touch it runs an action in its static initialiser. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public final class UntouchedClass {
    private final Loader loader;
    private final Callable<?> toucher;

    private UntouchedClass(Loader loader, Callable<?> toucher) {
        this.loader = loader;
        this.toucher = toucher;
    }

    public static UntouchedClass with(Action initialiser) {
        Loader loader = new Loader(initialiser);
        try {
            Class<?> toucher = Class.forName(Toucher.class.getName(), true, loader);
            return new UntouchedClass(
                    loader, (Callable<?>) toucher.getConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a class that is defined anew", e);
        }
    }

    /** Uses the class. All who do wait for the initialiser's end; what it threw is thrown. */
    public void touch() throws Exception {
        Objects.requireNonNull(toucher.call());
        Exception failure = loader.failure;
        if (failure != null) {
            throw failure;
        }
    }

    /** Touches the class by plain bytecode, as programs do. Both are defined anew. */
    public static final class Toucher implements Callable<Object> {
        /** By reflection. */
        public Toucher() {}

        @Override
        public Object call() {
            return Touched.VALUE;
        }
    }

    /** The class to be touched. */
    public static final class Touched {
        static final Object VALUE = ((Loader) Touched.class.getClassLoader()).initialise();

        private Touched() {}
    }

    /** Defines the two classes anew and leaves all others to its parent. */
    public static final class Loader extends ClassLoader {
        private static final List<String> OWN = List.of(Toucher.class.getName(), Touched.class.getName());

        private final Action initialiser;
        private volatile @Nullable Exception failure;

        Loader(Action initialiser) {
            super(UntouchedClass.class.getClassLoader());
            this.initialiser = initialiser;
        }

        /** Called by the static initialiser. */
        public Object initialise() {
            try {
                initialiser.run();
            } catch (Exception e) {
                failure = e;
            }
            return this;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!OWN.contains(name)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
            try (InputStream in = UntouchedClass.class.getResourceAsStream(file)) {
                byte[] bytes = Objects.requireNonNull(in, file).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
