package dev.windrow.testing.cycle;

import dev.windrow.testing.cycle.below.Below;

/** Uses the package below, which uses this one. */
public record Above(Below below) {
}
