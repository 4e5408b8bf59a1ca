/**
 * What coroutines coordinate by. Every wait here suspends a coroutine and blocks any other thread, ends at an interrupt, and has
 * a form with a bound.
 */
@NullMarked
package io.skein.sync;

import org.jspecify.annotations.NullMarked;
