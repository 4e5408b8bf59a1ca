/**
 * The io_uring backend: a ring per worker, spoken to with raw system calls.
 *
 * <p>{@link io.skein.internal.io.uring.Ring} is the kernel interface and knows nothing of operations;
 * {@link io.skein.internal.io.uring.UringDriver} maps operations to ring entries; each operation is a small class
 * that fills its entry.
 */
@NullMarked
package io.skein.internal.io.uring;

import org.jspecify.annotations.NullMarked;
