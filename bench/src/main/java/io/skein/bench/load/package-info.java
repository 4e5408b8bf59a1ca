/** The client's side: what drives a server, what it measures meanwhile, and the process it runs in. */
@NullMarked
package io.skein.bench.load;

import org.jspecify.annotations.NullMarked;
