package dev.windrow.event;

import org.jspecify.annotations.Nullable;

/**
 * An array of a producer's object.
 *
 * @param first its first value; null if there is none, or it is null
 */
public record FormElements(@Nullable Object first, int size) {
}
