/**
 * What a native executable must be told when it is built, as nothing in the code refers to it.
 */
@NullMarked
package dev.windrow.gather.nativeimage;

import org.jspecify.annotations.NullMarked;
