package dev.windrow.writer.flow;

import dev.windrow.writer.inflight.InFlightLimiter;

/**
 * When memory is so short that everything is claimed and applied at once.
 *
 * @param maxBytes held before
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes) {

    boolean isHigh() {
        return limiter.isFull() || limiter.bytes() >= maxBytes;
    }
}
