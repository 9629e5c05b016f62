/**
 * A corporate network, for tests: an HTTP proxy that requires a password, TLS endpoints with certificates of a private
 * authority, and names that only the proxy can resolve.
 */
@NullMarked
package dev.windrow.local.network;

import org.jspecify.annotations.NullMarked;
