/**
 * The runtime and its coroutines: {@link io.skein.Skein} starts workers, {@link io.skein.Coroutine} is the handle of
 * what they run.
 */
@NullMarked
package io.skein;

import org.jspecify.annotations.NullMarked;
