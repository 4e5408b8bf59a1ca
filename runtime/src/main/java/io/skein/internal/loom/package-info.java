/**
 * The only room that touches JDK internals: which carrier runs here, virtual threads on an executor of ours, and
 * continuations of our own, on which a generator and its consumer take turns; and the descriptors under channels.
 *
 * <p>Everything else in Skein is written against public API. What the JDK may change under us is here.
 */
@NullMarked
package io.skein.internal.loom;

import org.jspecify.annotations.NullMarked;
