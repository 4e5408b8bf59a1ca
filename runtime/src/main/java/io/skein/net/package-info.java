/**
 * Networking: sockets whose calls suspend the coroutine and never its worker.
 *
 * <p>Written against {@code internal.io}; the same code runs over every driver.
 */
@NullMarked
package io.skein.net;

import org.jspecify.annotations.NullMarked;
