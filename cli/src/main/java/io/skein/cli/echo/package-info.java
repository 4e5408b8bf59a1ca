/** {@code skein echo}: a TCP echo server for outside clients. */
@NullMarked
package io.skein.cli.echo;

import org.jspecify.annotations.NullMarked;
