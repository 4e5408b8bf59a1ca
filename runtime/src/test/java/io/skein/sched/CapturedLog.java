package io.skein.sched;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What is logged through {@code System.getLogger("io.skein")} while this is open; it is kept from the console.
 *
 * <p>The JDK passes such lines on to java.util.logging. The module under test does not read that module, so it is reached
 * by reflection: a filter on the logger sees every record, on the thread that logs it.
 */
public final class CapturedLog implements AutoCloseable {
    /** A logged line and who logged it. */
    public record Line(String level, String message, Thread thread) {}

    private final Queue<Line> lines = new ConcurrentLinkedQueue<>();
    private final Object logger;
    private final Method setFilter;

    public CapturedLog() throws ReflectiveOperationException {
        Class<?> filterType = Class.forName("java.util.logging.Filter");
        Class<?> loggerType = Class.forName("java.util.logging.Logger");
        System.Logger unused = System.getLogger("io.skein"); // Makes sure that the logger is there.
        logger = loggerType.getMethod("getLogger", String.class).invoke(null, unused.getName());
        setFilter = loggerType.getMethod("setFilter", filterType);
        Object filter = Proxy.newProxyInstance(
                CapturedLog.class.getClassLoader(),
                new Class<?>[] {filterType},
                (_, _, arguments) -> keep(arguments[0]));
        setFilter.invoke(logger, filter);
    }

    private boolean keep(Object logRecord) throws ReflectiveOperationException {
        String message = (String) logRecord.getClass().getMethod("getMessage").invoke(logRecord);
        String level =
                logRecord.getClass().getMethod("getLevel").invoke(logRecord).toString();
        lines.add(new Line(level, message, Thread.currentThread()));
        return false;
    }

    /** The lines that contain a text. */
    public List<Line> linesWith(String text) {
        return lines.stream().filter(line -> line.message().contains(text)).toList();
    }

    @Override
    public void close() throws ReflectiveOperationException {
        setFilter.invoke(logger, (Object) null);
    }
}
