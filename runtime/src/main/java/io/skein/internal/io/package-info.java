/**
 * What every I/O backend speaks: a driver per worker, operations, and the sockets and files made of them.
 *
 * <p>This room knows threads that park and are unparked, and nothing of schedulers or coroutines. The rooms below
 * it, {@code uring} and {@code nio}, implement it; the public {@code io.skein.net} is written against it.
 */
@NullMarked
package io.skein.internal.io;

import org.jspecify.annotations.NullMarked;
