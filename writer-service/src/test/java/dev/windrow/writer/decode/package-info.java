/**
 * Decoding alone.
 */
@NullMarked
package dev.windrow.writer.decode;

import org.jspecify.annotations.NullMarked;
