/**
 * Time: {@link io.skein.time.Time} sleeps, limits how long something may take, and ticks; a {@link io.skein.time.Deadline} is a
 * limit that is handed down.
 */
@NullMarked
package io.skein.time;

import org.jspecify.annotations.NullMarked;
