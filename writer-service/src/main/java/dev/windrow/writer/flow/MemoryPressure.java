package dev.windrow.writer.flow;

import dev.windrow.writer.inflight.InFlightLimiter;

/**
 * When memory is so short that everything aggregated is flushed, whatever its age.
 *
 * @param maxBytes held before
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes) {

    boolean isHigh() {
        return limiter.isFull() || limiter.bytes() >= maxBytes;
    }
}
