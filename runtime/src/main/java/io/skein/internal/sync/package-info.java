/** What the components of {@code io.skein.sync} are made of: a lock for a few instructions, and queues of waiting threads. */
@NullMarked
package io.skein.internal.sync;

import org.jspecify.annotations.NullMarked;
