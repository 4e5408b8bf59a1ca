/**
 * Outcomes: how a task or a coroutine ends, and who waits for that. Nothing here knows of schedulers or of I/O.
 */
@NullMarked
package io.skein.internal.task;

import org.jspecify.annotations.NullMarked;
