/** What is left of the workers while their coroutines block in the JDK: one benchmark, written for JMH. */
@NullMarked
package io.skein.bench.blocking;

import org.jspecify.annotations.NullMarked;
