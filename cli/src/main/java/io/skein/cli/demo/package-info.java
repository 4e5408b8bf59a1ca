/**
 * {@code skein demo}: the same swarm of echo clients on Skein and on the JDK's virtual threads, side by side.
 *
 * <p>Server and clients are written once, against {@link io.skein.cli.demo.Contender}, so both sides run the
 * same code and differ only in what carries it.
 */
@NullMarked
package io.skein.cli.demo;

import org.jspecify.annotations.NullMarked;
