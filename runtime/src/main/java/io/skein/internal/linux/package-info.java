/**
 * The calls into the C library and the memory they share with the kernel.
 *
 * <p>Only what the kernel offers enters here: system calls, error numbers, socket addresses and raw memory.
 * Nothing in this room knows of rings, workers or coroutines.
 */
@NullMarked
package io.skein.internal.linux;

import org.jspecify.annotations.NullMarked;
