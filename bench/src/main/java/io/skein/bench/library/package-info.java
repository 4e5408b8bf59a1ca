/** Programs of other people's libraries, each of which runs in coroutines as well as on the JDK's virtual threads. */
@NullMarked
package io.skein.bench.library;

import org.jspecify.annotations.NullMarked;
