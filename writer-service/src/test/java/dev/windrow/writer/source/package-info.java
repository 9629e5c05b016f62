/**
 * The source alone.
 */
@NullMarked
package dev.windrow.writer.source;

import org.jspecify.annotations.NullMarked;
