package io.skein.sync;

import org.jspecify.annotations.Nullable;

/** Values in the order they came, in an array that grows when it must. Guarded by the lock of its channel. */
final class Ring {
    private static final int SMALLEST = 8;

    /** An array longer than this is given up when the ring has run empty: it was made for a burst. */
    private static final int LARGE = 1024;

    private static final @Nullable Object[] NONE = {};

    /** Its length is a power of two, or zero. */
    private @Nullable Object[] slots = NONE;

    private int head;
    private int size;

    int size() {
        return size;
    }

    void add(Object value) {
        if (size == slots.length) {
            grow();
        }
        slots[(head + size) & (slots.length - 1)] = value;
        size++;
    }

    /** Puts a value in the place of the one that came last. */
    void replaceLast(Object value) {
        slots[(head + size - 1) & (slots.length - 1)] = value;
    }

    @Nullable
    Object poll() {
        if (size == 0) {
            return null;
        }
        Object value = slots[head];
        slots[head] = null;
        head = (head + 1) & (slots.length - 1);
        size--;
        if (size == 0 && slots.length > LARGE) {
            slots = NONE;
            head = 0;
        }
        return value;
    }

    private void grow() {
        int doubled = slots.length << 1;
        if (doubled < 0) {
            throw new IllegalStateException("a channel cannot hold more than " + size + " values");
        }
        Object[] larger = new Object[Math.max(SMALLEST, doubled)];
        int toEnd = slots.length - head;
        System.arraycopy(slots, head, larger, 0, toEnd);
        System.arraycopy(slots, 0, larger, toEnd, head);
        slots = larger;
        head = 0;
    }
}
