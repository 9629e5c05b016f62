package dev.windrow.aws;

import java.time.Duration;

/**
 * @param connections maximum number of connections, including pending ones
 * @param connecting maximum number of pending connections. A cold process that starts hundreds of TLS handshakes at once
 *        has none ready before all are; a few are ready soon, and serve many exchanges.
 * @param waiting maximum number of exchanges that wait for a connection, not counting those that have a pending one
 * @param keepAlive how long a connection may be idle
 */
record ConnectionLimits(int connections, int connecting, int waiting, Duration keepAlive) {
}
