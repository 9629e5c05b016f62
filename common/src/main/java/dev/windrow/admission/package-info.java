/**
 * Admission of asynchronous work: bounded concurrency, weighted limits and rate limits share one queue, which is first come,
 * first served, and survives cancellation; a circuit breaker admits none while most of it fails. Uses Mutiny, and no thread,
 * clock or timer of its own.
 */
@NullMarked
package dev.windrow.admission;

import org.jspecify.annotations.NullMarked;
