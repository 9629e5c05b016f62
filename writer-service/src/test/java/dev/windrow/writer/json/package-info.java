/**
 * Decoding alone.
 */
@NullMarked
package dev.windrow.writer.json;

import org.jspecify.annotations.NullMarked;
