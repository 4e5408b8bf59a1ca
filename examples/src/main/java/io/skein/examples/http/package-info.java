/**
 * A small HTTP/1.1 server, in plain blocking code: what the example {@code WebServer} serves with.
 *
 * <p>It shows how a protocol is written on Skein, and real clients talk to it in the tests. It is not a web server for
 * strangers: it keeps bodies in memory and knows nothing of routes, cookies or compression.
 */
@NullMarked
package io.skein.examples.http;

import org.jspecify.annotations.NullMarked;
