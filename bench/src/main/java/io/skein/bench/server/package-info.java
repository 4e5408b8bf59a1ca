/** The servers that are compared, each written the way its own documentation would write it. */
@NullMarked
package io.skein.bench.server;

import org.jspecify.annotations.NullMarked;
