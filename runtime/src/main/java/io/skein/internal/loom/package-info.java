/**
 * The only room that touches JDK internals: which carrier runs here, and virtual threads on an executor of ours.
 *
 * <p>Everything else in Skein is written against public API. What the JDK may change under us is here.
 */
@NullMarked
package io.skein.internal.loom;

import org.jspecify.annotations.NullMarked;
