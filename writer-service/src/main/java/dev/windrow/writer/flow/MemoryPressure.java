package dev.windrow.writer.flow;

import dev.windrow.writer.inflight.InFlightLimiter;

/**
 * Whether memory is so short that everything is claimed and applied at once.
 *
 * @param maxBytes in flight without pressure
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes) {

    boolean isHigh() {
        return limiter.isFull() || limiter.bytes() >= maxBytes;
    }
}
