/**
 * Deletes applied messages from their queue, and hands back those that could not be applied.
 */
@NullMarked
package dev.windrow.writer.acknowledge;

import org.jspecify.annotations.NullMarked;
