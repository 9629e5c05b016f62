/**
 * Dead letters.
 */
@NullMarked
package dev.windrow.writer.deadletter;

import org.jspecify.annotations.NullMarked;
