/**
 * A network as companies have it, for tests: an HTTP proxy that wants a password, TLS endpoints with certificates of a
 * private authority, and names that only the proxy can resolve.
 */
@NullMarked
package dev.windrow.local.network;

import org.jspecify.annotations.NullMarked;
