/** {@code skein doctor}: what this machine and this JVM offer, and what Skein makes of it. */
@NullMarked
package io.skein.cli.doctor;

import org.jspecify.annotations.NullMarked;
