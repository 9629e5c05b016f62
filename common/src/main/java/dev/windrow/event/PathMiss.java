package dev.windrow.event;

/** Why there is no usable value at a path although there is one on the way. */
public enum PathMiss {

    /** The path leads through an array. */
    THROUGH_ARRAY,
    /** An array that should have one value has more. */
    MANY,
    /** A value that should be an array is none. */
    NO_ARRAY
}
