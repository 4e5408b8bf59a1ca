/**
 * Timers: the wheel that each worker keeps them in, a thread that keeps those of everybody else, and parking until a time.
 *
 * <p>Knows carriers, and nothing of coroutines: who is woken or stopped by a timer is the timer's own business.
 */
@NullMarked
package io.skein.internal.time;

import org.jspecify.annotations.NullMarked;
