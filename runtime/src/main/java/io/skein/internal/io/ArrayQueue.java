package io.skein.internal.io;

import org.jspecify.annotations.Nullable;

/**
 * A queue that keeps what it has when there is no memory to grow. One thread uses it.
 *
 * <p>{@link java.util.ArrayDeque} puts an element in before it grows: if it cannot, it takes itself for empty, and all that was queued is
 * lost. This one grows first.
 */
public final class ArrayQueue<E> {
    private static final int FIRST_CAPACITY = 16;

    /** A power of two. From head to tail are the elements, at their index modulo the length. */
    private @Nullable Object[] elements = new Object[FIRST_CAPACITY];

    private int head;
    private int tail;

    public boolean isEmpty() {
        return head == tail;
    }

    public int size() {
        return tail - head;
    }

    /** Adds one at the end. If that fails, for want of memory, nothing has changed. */
    public void add(E element) {
        if (size() == elements.length) {
            grow();
        }
        elements[tail & elements.length - 1] = element;
        tail++;
    }

    private void grow() {
        int size = size();
        @Nullable Object[] larger = new Object[2 * size];
        for (int i = 0; i < size; i++) {
            larger[i] = elements[head + i & elements.length - 1];
        }
        elements = larger;
        head = 0;
        tail = size;
    }

    /** The first, or null if there is none. It stays. */
    @SuppressWarnings("unchecked") // only such are put in
    public @Nullable E peek() {
        return isEmpty() ? null : (E) elements[head & elements.length - 1];
    }

    /** Takes the first; null if there is none. */
    public @Nullable E poll() {
        E first = peek();
        if (first != null) {
            elements[head & elements.length - 1] = null;
            head++;
        }
        return first;
    }

    /** Takes an element out, wherever it is; returns whether it was in. */
    public boolean remove(Object element) {
        for (int i = head; i != tail; i++) {
            if (elements[i & elements.length - 1] == element) {
                for (int next = i + 1; next != tail; next++) {
                    elements[next - 1 & elements.length - 1] = elements[next & elements.length - 1];
                }
                tail--;
                elements[tail & elements.length - 1] = null;
                return true;
            }
        }
        return false;
    }
}
