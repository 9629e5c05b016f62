package dev.windrow.writer.flow;

import dev.windrow.writer.inflight.InFlightLimiter;

/**
 * When memory is so short that all that was aggregated is written, however young.
 *
 * @param maxBytes held before
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes) {

    boolean isHigh() {
        return limiter.isFull() || limiter.bytes() >= maxBytes;
    }
}
