/**
 * Real clients and servers against Skein's sockets. What they need is taken from the machine and started on loopback; where it is
 * missing, a test is skipped and says what is.
 */
package io.skein.integration;
