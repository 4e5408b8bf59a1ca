/**
 * The portable backend: a selector per worker and the JDK's channels, on any system.
 *
 * <p>An operation tries its non-blocking call at once and again whenever the selector says that its channel is ready.
 * {@code LinuxSockets} adds what Linux has and the JDK does not offer.
 */
@NullMarked
package io.skein.internal.io.nio;

import org.jspecify.annotations.NullMarked;
