/**
 * The door of the {@code skein} program: the root command, and how it says what went wrong.
 *
 * <p>Each command lives in a package of its own beside this one. What several commands need may enter here;
 * what only one needs stays with it. Everything uses the runtime through its public API.
 */
@NullMarked
package io.skein.cli;

import org.jspecify.annotations.NullMarked;
