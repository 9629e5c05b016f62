/**
 * Writes to the table at the rate it sustains (rate limiter, retries, circuit breaker), reads from it, and the registry of
 * the datasets it was written with.
 */
@NullMarked
package dev.windrow.writer.store;

import org.jspecify.annotations.NullMarked;
