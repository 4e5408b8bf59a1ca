/**
 * What coroutines coordinate and talk to each other by. Every wait here suspends a coroutine and never its worker, blocks any other
 * thread, ends at an interrupt, and has a form with a bound.
 */
@NullMarked
package io.skein.sync;

import org.jspecify.annotations.NullMarked;
