/**
 * Skein beside its rivals, measured in the same run. The harness of this package starts every server and the load
 * generator as processes of their own, drives one server at a time in interleaved rounds, and publishes where Skein
 * is behind before where it is ahead. Nothing here is published as a library.
 */
@NullMarked
package io.skein.bench;

import org.jspecify.annotations.NullMarked;
