/**
 * Whole writers in this process.
 */
@NullMarked
package dev.windrow.writer.lifecycle;

import org.jspecify.annotations.NullMarked;
