/**
 * One small program per idea: read its first sentence for the idea, and run it with
 * {@code ./skein run NAME}. Each ends by itself and uses nothing but Skein's public API.
 */
@NullMarked
package io.skein.examples;

import org.jspecify.annotations.NullMarked;
