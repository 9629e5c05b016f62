package dev.windrow.testing.cycle.below;

import java.time.Instant;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.testing.cycle.Above;

/** Uses the package above, and reads the clock. */
public record Below(@Nullable Above above) {

    Instant now() {
        return Instant.now();
    }

    LongSupplier nanoTime() {
        return System::nanoTime;
    }
}
